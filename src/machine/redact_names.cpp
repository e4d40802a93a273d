// SPDX-License-Identifier: MIT
#include "machine/redact_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Words that a host or a user may be called by and that say nothing of either. They are replaced
/// only where they stand as a name: a host called "amdgpu" must not rename the driver.
constexpr std::array<std::string_view, 54> ordinary_words{
    "admin",  "all",     "amd",     "amdgpu",   "any",         "auto",      "card",    "cgroup",
    "cpu",    "debian",  "default", "disabled", "docker",      "enabled",   "false",   "fedora",
    "gdm",    "gpu",     "hip",     "home",     "host",        "internal",  "jenkins", "kfd",
    "lan",    "lightdm", "linux",   "local",    "localdomain", "localhost", "nobody",  "node",
    "none",   "off",     "ollama",  "opt",      "pci",         "postgres",  "proc",    "pulse",
    "radeon", "render",  "rocm",    "root",     "sddm",        "self",      "server",  "sys",
    "syslog", "true",    "ubuntu",  "user",     "video",       "yes"};
static_assert(std::is_sorted(ordinary_words.begin(), ordinary_words.end()));

/// Ids below have so few digits that the same number stands for other things, too.
constexpr std::uint64_t least_id = std::uint64_t{1} << 32;

/// An underscore ends a name here, unlike in other texts: "host_1" holds the name "host".
constexpr std::string_view joiners;

/// Shorter words come by chance.
constexpr std::size_t least_name = 3;

/// "gpu-node-" of gpu-node-17.
std::string_view stem_of(std::string_view host) {
    while (!host.empty() && is_digit(host.back())) host.remove_suffix(1);
    return host;
}

std::string_view trimmed(std::string_view stem) {
    while (stem.ends_with('-')) stem.remove_suffix(1);
    return stem;
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
        for (auto const& marker : names_.homes) home_directories(text, marker);
        mounted_hosts(text);
        for (auto const& host : hosts_) {
            if (is_telling(host)) names_.add(host, host_alias(aliases_, host));
            auto const stem = stem_of(host);
            if (stem.size() < host.size() && stem.size() >= least_name &&
                !is_ordinary(trimmed(stem)))
                names_.add_stem(std::string(stem));
        }
        for (auto const& user : users_)
            if (is_telling(user)) names_.add(user, aliases_.name(Secret::user, user));
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
        else if (entry.head.starts_with("/proc/")) container_ids(content(entry), name == "cgroup");
    }

    /// Containers are also called by the first 12 of their 64 digits, in a control group by these
    /// alone, too.
    void container_ids(std::string_view text, bool is_cgroup) {
        constexpr std::size_t whole = 64, shortened = 12;
        for (std::size_t at = 0; at < text.size();) {
            auto const word = first_word(text.substr(at));
            at += std::max<std::size_t>(word.size(), 1);
            bool const is_shortened = is_cgroup && word.size() == shortened &&
                                      word.find_first_of("0123456789") != word.npos;
            if ((word.size() != whole && !is_shortened) || !is_lower_hexadecimal(word)) continue;
            auto const alias = aliases_.long_id(word);
            names_.add(std::string(word), alias);
            names_.add(std::string(word.substr(0, shortened)), alias.substr(0, shortened));
        }
    }

    static std::string content(HostEntry const& entry) {
        return file_content(entry.body).value_or("");
    }

    void call(std::string_view text) {
        auto const [key, body] = cut_at(text, ' ');
        if (is_host_name_entry(key)) host(call_value(body).value_or(""));
    }

    void variable(std::string_view text) {
        auto const [name, escaped] = cut_at(text, '=');
        auto const value = unescape_value(escaped);
        if (names_hosts(name)) hosts(value);
        for (auto at = value.find("://"); at != value.npos; at = value.find("://", at + 1))
            host_of_address(std::string_view(value).substr(at + 3));
        if (name == "USER" || name == "LOGNAME") users_.insert(value);
        if (name == "HOME") home(value);
    }

    static bool names_hosts(std::string_view name) {
        constexpr std::array<std::string_view, 11> ends{
            "HOSTNAME",  "_ADDR",   "_ADDRESS", "_HOST",     "_HOSTS",  "_NODELIST",
            "_NODENAME", "_SERVER", "_SERVERS", "_ENDPOINT", "_COMM_ID"};
        return std::any_of(ends.begin(), ends.end(), [&](auto end) { return name.ends_with(end); });
    }

    /// Names with ports, parted by commas or blanks.
    void hosts(std::string_view text) {
        while (!text.empty()) {
            auto const end = std::min(text.find_first_of(", ;"), text.size());
            auto const item = text.substr(0, end);
            if (item.find("://") == item.npos) host_of_address(item);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    /// What an automounter mounts from another host: /net/HOST/PATH.
    void mounted_hosts(std::string_view text) {
        constexpr std::string_view marker = "/net/";
        for (auto at = text.find(marker); at != text.npos; at = text.find(marker, at + 1)) {
            bool const is_first =
                at == 0 || (!is_word_character(text[at - 1]) && text[at - 1] != '.');
            if (is_first) host_of_address(text.substr(at + marker.size(), 256));
        }
    }

    /// NAME:PASSWORD@HOST:PORT/PATH. Places that everybody knows say nothing of this network.
    void host_of_address(std::string_view text) {
        constexpr std::array<std::string_view, 6> known{"github.com", "huggingface.co", "pypi.org",
                                                        "docker.io",  "ghcr.io",        "amd.com"};
        auto name = text.substr(0, text.find_first_of("/?# \t\n\"'<>,;"));
        name.remove_prefix(name.rfind('@') + 1);
        name = name.substr(0, name.find_first_of(":["));
        bool const is_public = std::any_of(known.begin(), known.end(), [&](auto site) {
            return name == site ||
                   (name.ends_with(site) && name[name.size() - site.size() - 1] == '.');
        });
        auto const is_part = [](char c) {
            return is_word_character(c) || c == '.' || c == '-' || c == '_';
        };
        if (!is_public && std::all_of(name.begin(), name.end(), is_part)) host(name);
    }

    /// Beside the home of one user lie those of others, wherever that is, but for services.
    void home(std::string_view path) {
        auto const slash = path.rfind('/');
        if (!path.starts_with('/') || path == "/root" || slash + 1 == path.size()) return;
        users_.emplace(base_name(path));
        for (std::string_view const place :
             {"/var/", "/usr/", "/opt/", "/run/", "/tmp/", "/proc/", "/sys/", "/etc/"})
            if (path.starts_with(place)) return;
        auto const parent = std::string(path.substr(0, slash + 1));
        auto const is_known = [&](std::string const& known) { return parent.ends_with(known); };
        if (slash > 0 && std::none_of(names_.homes.begin(), names_.homes.end(), is_known))
            names_.homes.push_back(parent);
    }

    /// The name as a whole, without its domain, and the domain with those above it that have a dot.
    /// An address is no name.
    void host(std::string_view text) {
        auto const name = trim(text);
        if (name.empty() || name.find_first_not_of("0123456789.:") == name.npos) return;
        hosts_.insert(lower(name));
        hosts_.insert(lower(name.substr(0, name.find('.'))));
        for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
            if (name.find('.', dot + 1) != name.npos) hosts_.insert(lower(name.substr(dot + 1)));
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

    /// Also as other programs write it: CZ3J0042X, CZ3J_0042X for CZ3J-0042X.
    void serial(std::string_view text) {
        constexpr std::size_t least = 6;  // shorter ones stand for other things, too
        auto const value = bare(text);
        if (!is_serial(value) || value.size() < least) return;
        names_.add(std::string(value), aliases_.alike(Secret::serial, value));
        for (std::string_view const separator : {"", "-", "_", ".", " "}) {
            auto const other = separated_by(separator, value);
            names_.add(other, aliases_.alike(Secret::serial, other));
        }
        auto const number = to_unsigned(value, 10);
        auto const alias = to_unsigned(aliases_.alike(Secret::serial, value), 10);
        if (number && alias && *number >= least_id)
            names_.add(fmt::format("{:x}", *number), fmt::format("{:x}", *alias));
    }

    /// Without blanks, and without dots and the like around it, as some makers print them.
    static std::string_view bare(std::string_view text) {
        while (!text.empty() && !is_word_character(text.front())) text.remove_prefix(1);
        while (!text.empty() && !is_word_character(text.back())) text.remove_suffix(1);
        return text;
    }

    static std::string separated_by(std::string_view separator, std::string_view text) {
        std::string made;
        for (auto const c : text) {
            if (is_word_character(c)) made += c;
            else made += separator;
        }
        return made;
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

    bool is_telling(std::string const& word) const {
        return word.size() >= least_name && !is_ordinary(word);
    }

    /// Also what the kernel or the distribution calls something.
    bool is_ordinary(std::string_view word) const {
        if (std::binary_search(ordinary_words.begin(), ordinary_words.end(), lower(word)))
            return true;
        return std::any_of(entries_.begin(), entries_.end(), [&](HostEntry const& entry) {
            if (entry.head == "/etc/os-release") return has_word(entry.body, word, joiners);
            bool const is_of_kernel =
                entry.head.starts_with("/sys/") || entry.head.starts_with("/proc/");
            return is_of_kernel && has_word(entry.head, word, joiners);
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
    auto const same = [&](auto const& known) { return is_alike(known.first, value); };
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
        if (ends && is_alike(text.substr(0, value.size()), value))
            return Match{text.substr(0, value.size()), alias, value.find('.') != value.npos};
    }
    return std::nullopt;
}

bool Names::is_numbered(std::string_view name) const {
    auto const stem = stem_of(name);
    return !stems_.empty() && stem.size() < name.size() && stems_.contains(lower(stem));
}

bool is_alike(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, to_upper, to_upper);
}

std::string host_alias(Aliases& aliases, std::string_view name) {
    auto const labels = split(name, '.');
    std::string made;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        bool const stays = labels[i].empty() || (i > 0 && i + 1 == labels.size());
        made += i > 0 ? "." : "";
        made += stays ? std::string(labels[i]) : aliases.name(Secret::host, lower(labels[i]));
    }
    return made;
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
    // "System Serial Number 1" is none.
    bool const is_sentence = value.find(' ') != value.npos &&
                             std::ranges::count_if(value, is_digit) < std::ptrdiff_t{least};
    return value.size() >= least && has_digit && varies && !is_sentence;
}

bool is_serial_file(std::string_view path) {
    constexpr std::array<std::string_view, 6> files{"serial_number",     "product_serial",
                                                    "board_serial",      "chassis_serial",
                                                    "chassis_asset_tag", "board_asset_tag"};
    return std::find(files.begin(), files.end(), base_name(path)) != files.end();
}

bool is_host_name_entry(std::string_view path_or_key) {
    return path_or_key == "/etc/hostname" || path_or_key == "/proc/sys/kernel/hostname" ||
           path_or_key == "uname.nodename" ||
           path_or_key == "/run/secrets/kubernetes.io/serviceaccount/namespace";
}

Names collect_names(std::vector<HostEntry> const& entries, std::string_view text,
                    Aliases& aliases) {
    return Collector(entries, aliases).collect(text);
}

}  // namespace rocmtune
