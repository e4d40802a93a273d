// SPDX-License-Identifier: MIT
#include "system/redact_names.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Words that a host or a user may be called by and that say nothing of either. They are replaced
/// only where they stand as a name: a host called "amdgpu" must not rename the driver.
constexpr std::array<std::string_view, 38> ordinary_words{
    "amd",   "amdgpu", "card",        "cpu",       "debian", "default", "docker", "fedora",
    "gdm",   "gpu",    "hip",         "home",      "host",   "jenkins", "kfd",    "lightdm",
    "linux", "local",  "localdomain", "localhost", "nobody", "node",    "none",   "ollama",
    "opt",   "pci",    "postgres",    "pulse",     "radeon", "render",  "rocm",   "root",
    "sddm",  "server", "sys",         "syslog",    "ubuntu", "video"};
static_assert(std::is_sorted(ordinary_words.begin(), ordinary_words.end()));

/// Ids below have so few digits that the same number stands for other things, too.
constexpr std::uint64_t least_id = std::uint64_t{1} << 32;

/// An underscore ends a name here, unlike in other texts: "host_1" holds the name "host".
constexpr std::string_view joiners;

bool is_word_character(char c) {
    return is_digit(c) || is_letter(c);
}

class Collector {
  public:
    Collector(std::vector<HostEntry> const& entries, Aliases& aliases)
        : entries_(entries), aliases_(aliases) {}

    Names collect(std::string_view text) {
        for (auto const& entry : entries_) {
            if (entry.is_path()) file(entry);
            else if (entry.head == "env") variable(entry.body);
            else if (entry.head == "call") call(entry.body);
        }
        for (std::string_view const marker : {"/home/", "/Users/"}) home_directories(text, marker);
        for (auto const& host : hosts_) add_word(Secret::host, host);
        for (auto const& user : users_) add_word(Secret::user, user);
        return std::move(names_);
    }

  private:
    void file(HostEntry const& entry) {
        auto const name = base_name(entry.head);
        if (is_host_name_entry(entry.head)) host(content(entry));
        else if (entry.head == "/etc/group") group_members(content(entry));
        else if (is_serial_file(entry.head)) serial(content(entry));
        else if (name == "unique_id") id(to_unsigned(trim(content(entry)), 16));
        else if (name == "xgmi_hive_id" || name == "xgmi_device_id")
            id(to_unsigned(trim(content(entry))));
        else if (name == "properties") node_ids(content(entry));
    }

    static std::string content(HostEntry const& entry) {
        return file_content(entry.body).value_or("");
    }

    void call(std::string_view text) {
        auto const blank = std::min(text.find(' '), text.size());
        if (is_host_name_entry(text.substr(0, blank)))
            host(call_value(text.substr(std::min(blank + 1, text.size()))).value_or(""));
    }

    void variable(std::string_view text) {
        auto const equals = std::min(text.find('='), text.size());
        auto const name = text.substr(0, equals);
        auto const value = unescape_value(text.substr(std::min(equals + 1, text.size())));
        if (name == "HOSTNAME" || name == "MASTER_ADDR") host(value);
        if (name == "USER" || name == "LOGNAME") users_.insert(value);
        if (name == "HOME" && value.starts_with('/') && value != "/root")
            users_.emplace(base_name(value));
    }

    /// The name as a whole, without its domain, and the domain. An address is no name.
    void host(std::string_view text) {
        auto const name = trim(text);
        auto const dot = name.find('.');
        if (name.empty() || name.find_first_not_of("0123456789.:") == name.npos) return;
        hosts_.emplace(name);
        hosts_.emplace(name.substr(0, dot));
        if (dot != name.npos) hosts_.emplace(name.substr(dot + 1));
    }

    /// group(5): members, and the groups that users have of their own (login.defs: GID_MIN 1000).
    void group_members(std::string_view text) {
        for (auto const line : lines(text)) {
            auto const field = split(line, ':');
            if (field.size() != 4) continue;
            auto const gid = to_unsigned(field[2], 10);
            if (gid && *gid >= 1000 && *gid < 60000) users_.emplace(field[0]);
            for (auto const member : split(field[3], ',')) users_.emplace(member);
        }
    }

    void home_directories(std::string_view text, std::string_view marker) {
        for (auto at = text.find(marker); at != text.npos; at = text.find(marker, at + 1)) {
            auto const rest = text.substr(at + marker.size(), 256);
            users_.insert(
                unescape_value(rest.substr(0, rest.find_first_of("/:;,\"'<>()[]{}|&*?$ \t\n\r"))));
        }
    }

    void serial(std::string_view text) {
        constexpr std::size_t least = 6;  // shorter ones stand for other things, too
        auto const value = trim(text);
        if (is_serial(value) && value.size() >= least)
            names_.add(std::string(value), aliases_.alike(Secret::serial, value));
    }

    void node_ids(std::string_view text) {
        for (auto const& [key, value] : key_value_lines(text))
            if (key == "unique_id" || key == "hive_id") id(to_unsigned(value, 10));
    }

    /// One number in all forms that the driver and the libraries print it in.
    void id(std::optional<std::uint64_t> value) {
        if (!value || *value < least_id || *value == ~std::uint64_t{0}) return;
        auto const alias = aliases_.number(*value);
        names_.add(fmt::format("{}", *value), fmt::format("{}", alias));
        names_.add(fmt::format("{:x}", *value), fmt::format("{:x}", alias));
        names_.add(fmt::format("{:016x}", *value), fmt::format("{:016x}", alias));
        names_.add(fmt::format("{:X}", *value), fmt::format("{:X}", alias));
        names_.add(fmt::format("{:016X}", *value), fmt::format("{:016X}", alias));
    }

    void add_word(Secret kind, std::string const& word) {
        constexpr std::size_t least = 3;
        if (word.size() >= least && !is_ordinary(word)) names_.add(word, aliases_.name(kind, word));
    }

    /// Also what the kernel or the distribution calls something.
    bool is_ordinary(std::string_view word) const {
        if (std::binary_search(ordinary_words.begin(), ordinary_words.end(), lower(word)))
            return true;
        return std::any_of(entries_.begin(), entries_.end(), [&](HostEntry const& entry) {
            if (entry.head == "/etc/os-release") return has_word(entry.body, word, joiners);
            return entry.head.starts_with("/sys/") && has_word(entry.head, word, joiners);
        });
    }

    std::vector<HostEntry> const& entries_;
    Aliases& aliases_;
    Names names_;
    std::set<std::string> hosts_;
    std::set<std::string> users_;
};

}  // namespace

void Names::add(std::string value, std::string alias) {
    auto const word = std::string(first_word(value));
    if (word.empty()) return;
    auto& of_word = names_[word];
    auto const same = [&](auto const& known) { return known.first == value; };
    if (std::any_of(of_word.begin(), of_word.end(), same)) return;
    of_word.emplace_back(std::move(value), std::move(alias));
    std::sort(of_word.begin(), of_word.end(),
              [](auto const& a, auto const& b) { return a.first.size() > b.first.size(); });
}

std::optional<Names::Match> Names::at(std::string_view text) const {
    auto const found = names_.find(first_word(text));
    if (found == names_.end()) return std::nullopt;
    for (auto const& [value, alias] : found->second) {
        bool const ends = value.size() >= text.size() || !is_word_character(text[value.size()]);
        if (text.starts_with(value) && ends) return Match{value, alias};
    }
    return std::nullopt;
}

std::string_view first_word(std::string_view text) {
    auto const end = std::find_if_not(text.begin(), text.end(), is_word_character);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view base_name(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);
}

bool is_serial(std::string_view value) {
    constexpr std::size_t least = 4;
    bool const has_digit = value.find_first_of("0123456789") != value.npos;
    bool const varies = value.find_first_not_of(value.substr(0, 1)) != value.npos;
    return value.size() >= least && has_digit && varies && value.find(' ') == value.npos;
}

bool is_serial_file(std::string_view path) {
    constexpr std::array<std::string_view, 6> files{"serial_number",     "product_serial",
                                                    "board_serial",      "chassis_serial",
                                                    "chassis_asset_tag", "board_asset_tag"};
    return std::find(files.begin(), files.end(), base_name(path)) != files.end();
}

bool is_host_name_entry(std::string_view path_or_key) {
    return path_or_key == "/etc/hostname" || path_or_key == "/proc/sys/kernel/hostname" ||
           path_or_key == "uname.nodename";
}

Names collect_names(std::vector<HostEntry> const& entries, std::string_view text,
                    Aliases& aliases) {
    return Collector(entries, aliases).collect(text);
}

}  // namespace rocmtune
