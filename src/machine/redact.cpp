// SPDX-License-Identifier: MIT
#include "machine/redact.hpp"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <sys/random.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/gpu_packages.hpp"
#include "machine/host_text.hpp"
#include "machine/kernel_log.hpp"
#include "machine/posix_file.hpp"
#include "machine/redact_text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// Lists of packages and what packages install.
bool is_software(std::string_view path) {
    for (std::string_view const part : {"/var/lib/", "/usr/", "/opt/"})
        if (path.starts_with(part)) return true;
    for (std::string_view const part :
         {"/site-packages/", "/dist-packages/", ".dist-info/", "version"})
        if (path.find(part) != path.npos) return true;
    return false;
}

/// Device Serial Number of PCI Express in a dump of the configuration space: capability 3 in the
/// list that starts at 0x100 (PCI Express Base Specification 6.0, 7.9.3).
void clear_device_serial(std::string& config, Aliases& aliases) {
    constexpr unsigned device_serial_number = 3;
    auto const word = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, config.data() + at, sizeof value);
        return value;
    };
    int most = 64;  // a broken list must not go round in circles
    for (std::size_t at = 0x100; at >= 0x100 && at + 12 <= config.size() && most-- > 0;
         at = word(at) >> 20)
        if ((word(at) & 0xFFFF) == device_serial_number) {
            auto const serial = config.substr(at + 4, 8);
            (void)aliases.alike(Secret::serial, to_base64(serial));
            std::fill_n(config.begin() + static_cast<std::ptrdiff_t>(at) + 4, 8, '\0');
        }
}

/// What the reader of the kernel's log can use: messages of the graphics stack, and whatever names
/// a PCI device (dddd:bb:dd.f). The rest tells of people: what they plug in, join, start.
bool concerns_gpus(std::string_view line) {
    auto const text = lower(line);
    for (std::string_view const word : {"amdgpu", "kfd", "drm", "radeon", "gpu", "iommu", "amd-vi"})
        if (text.find(word) != text.npos) return true;
    if (may_concern_a_gpu(line)) return true;
    for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1))
        if (dot >= 5 && text[dot - 3] == ':') return true;
    return false;
}

/// "[    0.000000] Linux version 6.8.0" without those who built it; empty for another line.
std::string_view start_of_boot(std::string_view line) {
    constexpr std::string_view words = "Linux version ";
    auto const at = line.find(words);
    return at == line.npos ? std::string_view() : line.substr(0, line.find(' ', at + words.size()));
}

std::string counted(std::size_t count, std::string_view singular, std::string_view of) {
    return fmt::format("{} {}{} {}", count, singular, count == 1 ? "" : "s", of);
}

class Redactor {
  public:
    Redactor(std::string_view text, RedactionKey const& key)
        : entries_(host_entries(text)),
          aliases_(key),
          names_(collect_names(entries_, text, aliases_)) {}

    Redaction run() {
        result_.text = std::string(host_text_header) + '\n';
        for (auto const& entry : entries_) result_.text += line(entry) + '\n';
        result_.replaced = aliases_.counts();
        say_what_is_left();
        return std::move(result_);
    }

  private:
    std::string scan(std::string_view text, TextKind kind = TextKind::prose) {
        return redact_text(text, kind, names_, aliases_);
    }
    std::string scan_path(std::string_view escaped) {
        return escape_path(scan(unescape_value(escaped), TextKind::path));
    }
    std::string scan_value(std::string_view escaped) {
        return escape_value(scan(unescape_value(escaped)));
    }

    std::string line(HostEntry const& entry) {
        if (entry.is_path()) return fmt::format("{} {}", scan_path(entry.head), path_body(entry));
        if (entry.head == "call") return "call " + call(entry.body);
        if (entry.head == "unreached") return "unreached " + unreached_query(entry.body);
        if (entry.head == "env" && entry.body.empty()) return "env";
        if (entry.head == "unlisted") return fmt::format("unlisted {}", entry.body);
        return fmt::format("{} {}", entry.head,
                           entry.head == "env" ? variable(entry.body) : scan_value(entry.body));
    }

    /// "timeout read /path"
    std::string unreached_query(std::string_view text) {
        auto const path = text.rfind(' ') + 1;
        return std::string(text.substr(0, path)) + scan_path(text.substr(path));
    }

    std::string path_body(HostEntry const& entry) {
        if (entry.body.starts_with("->"))
            return "-> " +
                   escape_value(scan(unescape_value(trim(entry.body.substr(2))), TextKind::path));
        auto const content = file_content(entry.body);
        if (!content) return std::string(entry.body);
        auto redacted = file(entry.head, *content);
        // Unchanged content keeps its form.
        return redacted == *content ? std::string(entry.body) : file_body(redacted);
    }

    std::string file(std::string_view path, std::string content) {
        auto const text = trim(content);
        if (is_host_name_entry(path)) return host_name(text) + '\n';
        if (is_serial_file(path) && is_serial(text))
            return aliases_.alike(Secret::serial, text) + '\n';
        if (content.find('\0') == content.npos)
            return scan(content, is_software(path) ? TextKind::software : TextKind::prose);
        if (base_name(path) == "config") clear_device_serial(content, aliases_);
        // Registers and tables of devices hold no names, but bytes that look like some.
        return path.starts_with("/sys/") ? content : scan(content, TextKind::binary);
    }

    std::string host_name(std::string_view name) {
        bool const is_none = name.empty() || name == "localhost" || name == "(none)";
        return is_none ? std::string(name) : host_alias(aliases_, name);
    }

    std::string call(std::string_view text) {
        auto const [key, body] = cut_at(text, ' ');
        auto value = call_value(body);
        if (!value) return fmt::format("{} {}", scan_path(key), body);
        if (key == kernel_log_key || key == journal_key) value = shortened_log(*value);
        auto const redacted = is_host_name_entry(key) ? host_name(trim(*value)) : scan(*value);
        return fmt::format("{} {}", scan_path(key), call_body(redacted));
    }

    std::string shortened_log(std::string_view log) {
        std::string kept;
        for (auto const text : lines(log)) {
            if (auto const boot = start_of_boot(text); !boot.empty())
                kept.append(boot).append(1, '\n');
            else if (concerns_gpus(text)) kept.append(text).append(1, '\n'), ++kept_log_lines_;
            else ++result_.dropped_log_lines;
        }
        // An empty log is another statement than one without a line about GPUs.
        return kept.empty() && !log.empty() ? "<6>rocmtune: no line about GPUs\n" : kept;
    }

    std::string variable(std::string_view escaped) {
        ++variables_;
        auto const [name, text] = cut_at(escaped, '=');
        auto const value = unescape_value(text);
        bool const is_host = name == "HOSTNAME" || name == "MASTER_ADDR";
        bool const is_address = value.find_first_not_of("0123456789.:") == value.npos;
        return fmt::format("{}={}", name,
                           escape_value(is_host && !is_address ? host_name(value) : scan(value)));
    }

    bool has(std::string_view start, std::string_view end = {}) const {
        return std::any_of(entries_.begin(), entries_.end(), [&](HostEntry const& entry) {
            return entry.head.starts_with(start) && entry.head.ends_with(end);
        });
    }

    void say_what_is_left() {
        auto& left = result_.left;
        left.emplace_back(
            "PCI addresses, names and versions of devices, firmware, drivers and kernel");
        left.emplace_back("paths of software, numbers of users and groups");
        if (has(dpkg_status) || has(pacman_packages) || has(dnf_packages))
            left.emplace_back("the list of installed packages");
        if (has("/proc/", "/comm")) left.emplace_back("names of processes that use a GPU");
        if (has("/proc/cmdline")) left.emplace_back("the kernel's command line");
        if (has("/sys/class/dmi")) left.emplace_back("maker and model of the machine");
        if (variables_ > 0)
            left.push_back(counted(variables_, "environment variable", "about ROCm and paths"));
        if (kept_log_lines_ > 0)
            left.push_back(
                counted(kept_log_lines_, "line", "of the kernel log about GPUs and PCI"));
    }

    std::vector<HostEntry> entries_;
    Aliases aliases_;
    Names names_;
    Redaction result_;
    std::size_t variables_ = 0;
    std::size_t kept_log_lines_ = 0;
};

/// 32 hexadecimal digits, machine-id(5).
std::string machine_id() {
    FileDescriptor const file(::open("/etc/machine-id", O_RDONLY | O_CLOEXEC));
    std::array<char, 32> digits{};
    auto const count = file ? ::read(file.get(), digits.data(), digits.size()) : 0;
    return count == static_cast<ssize_t>(digits.size()) ? std::string(digits.data(), digits.size())
                                                        : std::string();
}

}  // namespace

RedactionKey redaction_key() {
    auto const id = machine_id();
    auto const high =
        id.empty() ? std::nullopt : to_unsigned(std::string_view(id).substr(0, 16), 16);
    auto const low = id.empty() ? std::nullopt : to_unsigned(std::string_view(id).substr(16), 16);
    if (high && low) return {*high, *low};
    RedactionKey key{};
    if (::getrandom(key.data(), sizeof key, 0) != sizeof key)
        throw Error("no random numbers", {}, Exit::internal);
    return key;
}

std::string dropped_text(Redaction const& redaction) {
    auto const count = redaction.dropped_log_lines;
    return count == 0 ? std::string() : counted(count, "line", "of the kernel log, not about GPUs");
}

Redaction redact(std::string_view host_text, RedactionKey const& key) {
    check_host_text(host_text, "the recording");
    return Redactor(host_text, key).run();
}

}  // namespace rocmtune
