// SPDX-License-Identifier: MIT
#include "machine/redact_text.hpp"

#include <algorithm>
#include <array>

#include <arpa/inet.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Whether a word ends where `text` starts.
bool ends_here(std::string_view text) {
    return text.empty() || !is_word_character(text[0]);
}

// Ids and addresses that tell by their form what they are. Each length is that of what stands at
// the start of a text and ends at the end of a word; 0: nothing does.

/// How many hexadecimal digits the text starts with.
std::size_t hex_run(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hexadecimal) -
                                    text.begin());
}

/// 8-4-4-4-12; cgroups of Kubernetes write underscores.
std::size_t uuid_length(std::string_view text) {
    constexpr std::array<std::size_t, 5> groups{8, 4, 4, 4, 12};
    std::size_t at = 0;
    for (auto const size : groups) {
        if (at != 0 && (at >= text.size() || (text[at] != '-' && text[at] != '_'))) return 0;
        at += at != 0 ? 1 : 0;
        if (at + size > text.size() || hex_run(text.substr(at, size)) != size) return 0;
        at += size;
    }
    return ends_here(text.substr(at)) ? at : 0;
}

/// Six groups of two with colons or hyphens, or more with colons (InfiniBand has twenty). `looked`
/// becomes how far a row of enough groups goes: if what follows makes it no address, then neither
/// is one that begins inside it.
std::size_t mac_length(std::string_view text, std::size_t& looked) {
    constexpr std::size_t least = 6;
    looked = 0;
    char const separator = text.size() > 2 ? text[2] : '\0';
    if (separator != ':' && separator != '-') return 0;
    std::size_t groups = 0;
    std::size_t at = 0;
    while (text.size() - at >= 2 && is_hexadecimal(text[at]) && is_hexadecimal(text[at + 1])) {
        ++groups, at += 2;
        if (separator == '-' && groups > least) return 0;
        if (at + 1 >= text.size() || text[at] != separator || !is_hexadecimal(text[at + 1])) break;
        ++at;
    }
    if (separator == ':' && groups >= least) looked = at;
    bool const fits = separator == ':' ? groups >= least : groups == least;
    return fits && ends_here(text.substr(at)) && text.substr(at, 1) != ":" ? at : 0;
}

/// A hardware address in three groups of four with dots, or a GUID of InfiniBand in four with
/// colons.
std::size_t grouped_length(std::string_view text) {
    constexpr std::size_t of_group = 4;
    char const separator = text.size() > of_group ? text[of_group] : '\0';
    std::size_t const groups = separator == '.' ? 3 : separator == ':' ? 4 : 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < groups; ++i) {
        if (i > 0 && text.substr(at++, 1) != std::string_view(&separator, 1)) return 0;
        if (at + of_group > text.size() || hex_run(text.substr(at)) != of_group) return 0;
        at += of_group;
    }
    auto const found = text.substr(0, at);
    bool const goes_on =
        text.substr(at, 1) == std::string_view(&separator, 1) && text.substr(at + 1, 1) != " ";
    return is_mixed(found) && !goes_on && ends_here(text.substr(at)) ? at : 0;
}

/// Global and private addresses, which start with 2, 3 or f and four digits: 2001:db8::1, fd12:...,
/// fe80::1; and those that hold an IPv4 address: ::ffff:10.1.2.3, 64:ff9b::a01:203.
std::size_t ipv6_length(std::string_view text) {
    constexpr std::size_t longest = 45;  // INET6_ADDRSTRLEN less its end
    bool const is_full = text.size() > 5 && hex_run(text) == 4 && text[4] == ':' &&
                         std::string_view("23fF").find(text[0]) != std::string_view::npos;
    if (!is_full && !text.starts_with("::") && !lower(text.substr(0, 8)).starts_with("64:ff9b:"))
        return 0;
    text = text.substr(0, longest + 2);
    auto const end = text.find_first_not_of("0123456789abcdefABCDEF:.");
    auto found = std::string(text.substr(0, end));
    // The end of a sentence or the beginning of what is said of it.
    while (found.ends_with('.') || (found.ends_with(':') && !found.ends_with("::")))
        found.pop_back();
    std::array<char, 16> bytes{};
    bool const is_address = ::inet_pton(AF_INET6, found.c_str(), bytes.data()) == 1;
    // "::1" is this host, and "::add" a name of C++.
    bool const says_little = found.starts_with("::") && found.find_first_of(":.", 2) == found.npos;
    return is_address && !says_little && ends_here(text.substr(found.size())) ? found.size() : 0;
}

/// Four numbers up to 255 without leading zeros.
std::size_t ipv4_length(std::string_view text) {
    std::size_t at = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0 && text.substr(at, 1) != ".") return 0;
        at += part > 0 ? 1 : 0;
        auto const rest = text.substr(at, 4);
        auto const digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        auto const number = to_unsigned(rest.substr(0, digits), 10);
        if (digits == 0 || !number || *number > 255 || (digits > 1 && rest[0] == '0')) return 0;
        at += digits;
    }
    // What follows a version: 1.2.3.4-5, 1.2.3.4+git, 1.2.3.4.5.
    auto const next = text.substr(at, 2);
    bool const goes_on =
        !next.empty() && (std::string_view("-+~_").find(next[0]) != next.npos ||
                          (next[0] == '.' && next.size() > 1 && is_digit(next[1])));
    return ends_here(next) && !goes_on ? at : 0;
}

bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}

bool is_same_throughout(std::string_view text) {
    return text.find_first_not_of(std::string{text[0], ':', '-', '_'}) == text.npos;
}

/// enx3cecef123456: a network device without a better name is called by its hardware address
/// (systemd.net-naming-scheme(7)).
bool is_named_by_mac(std::string_view word) {
    constexpr std::size_t prefix = 3, digits = 12;
    return word.size() == prefix + digits && hex_run(word.substr(prefix)) == digits &&
           (word.starts_with("enx") || word.starts_with("wlx") || word.starts_with("wwx"));
}

/// This host, nobody and masks.
bool says_nothing(std::string_view address) {
    return address == "0.0.0.0" || address.starts_with("127.") || address.starts_with("255.");
}

class Scanner {
  public:
    Scanner(std::string_view text, TextKind kind, Names const& names, Aliases& aliases)
        : text_(text), kind_(kind), names_(names), aliases_(aliases) {}

    std::string run() {
        while (at_ < text_.size()) {
            if (is_word_character(text_[at_])) word();
            else if (auto const mark = secret_mark_length(rest()); mark > 0) copy(mark);
            else if (text_[at_] == ':' && (at_ == 0 || !is_word_character(text_[at_ - 1])) &&
                     ipv6())
                continue;
            else if (text_[at_] != '/' || !home()) copy(1);
        }
        return std::move(done_);
    }

  private:
    std::string_view rest() const { return text_.substr(at_); }

    void copy(std::size_t size) {
        done_ += text_.substr(at_, size);
        at_ += size;
    }

    bool replace(std::size_t size, std::string const& alias) {
        if (kind_ == TextKind::binary && alias.size() != size) return false;
        done_ += alias;
        at_ += size;
        return true;
    }

    bool alike(Secret secret, std::size_t size) {
        if (size == 0 || is_same_throughout(rest().substr(0, size))) return false;
        auto const value = rest().substr(0, size);
        return replace(size, secret == Secret::long_id ? aliases_.long_id(value)
                                                       : aliases_.alike(secret, value));
    }

    void word() {
        auto const word = first_word(rest());
        if (known(word) || formed(word)) return;
        copy(word.size());
        if (word == "UUID" || word == "PARTUUID") value(Secret::uuid, "=");
        else if (kind_ == TextKind::prose) labelled();
    }

    /// "Serial Number: X", "unique_id=0x...", "hive 0x...", "GUID: 0x...", "container X".
    void labelled() {
        constexpr std::size_t longest = 13;
        auto const begin = at_ - std::min(at_, longest);
        auto label = lower(text_.substr(begin, at_ - begin));
        std::replace(label.begin(), label.end(), '_', ' ');
        auto const says = [&](std::string_view end) { return label.ends_with(end); };
        if (says("serialnumber") || says("serial number") || label == "s/n" || says(" s/n"))
            value(Secret::serial, ":=# ");
        else if (says("serial")) value(Secret::serial, ":=#");
        else if (says("container") || says("container id")) container();
        else if (says("guid")) number(Secret::mac);
        // "XGMI: ... failure on device %llx, hive %llx" (amdgpu_xgmi.c).
        else if (says("hive") || says("unique id") || says("hive id") || says("device") ||
                 says("node"))
            number(Secret::gpu_id);
    }

    /// A long number behind a word and one of its separators.
    void number(Secret secret) {
        constexpr std::size_t least = 12, decimal = 17;
        auto start = rest().find_first_not_of(":= ");
        if (start == 0 || start == std::string_view::npos) return;
        bool const is_prefixed = rest().substr(start).starts_with("0x");
        start += is_prefixed ? 2 : 0;
        auto const digits = first_word(rest().substr(start));
        bool const is_decimal = !is_prefixed && digits.size() >= decimal &&
                                digits.find_first_not_of("0123456789") == digits.npos;
        auto const id = to_unsigned(digits, is_decimal ? 10 : 16);
        if (digits.size() < least || !id || *id == 0 || *id == ~std::uint64_t{0} ||
            !(is_prefixed || is_mixed(digits) || is_decimal))
            return;
        copy(start);
        if (secret == Secret::mac) return void(alike(secret, digits.size()));
        if (auto const match = names_.at(digits))
            return void(replace(digits.size(), std::string(match->alias)));
        auto const alias = aliases_.number(*id);
        replace(digits.size(), is_decimal ? fmt::format("{}", alias)
                                          : fmt::format("{:0{}x}", alias, digits.size()));
    }

    /// The first 12 digits of its id, by which programs call a container.
    void container() {
        constexpr std::size_t shortened = 12;
        auto const start = rest().find_first_not_of(":= ");
        if (start == 0 || start == std::string_view::npos) return;
        auto const digits = first_word(rest().substr(start));
        if (digits.size() != shortened || hex_run(digits) != shortened || !is_mixed(digits)) return;
        copy(start);
        alike(Secret::long_id, shortened);
    }

    bool known(std::string_view word) {
        auto const is_prefixed = word.starts_with("0x") || word.starts_with("0X");
        if (is_prefixed && names_.at(rest().substr(2))) copy(2);
        if (is_named_by_mac(word)) return copy(3), (void)alike(Secret::mac, word.size() - 3), true;
        if (auto const size = other_host(); size > 0)
            return replace(size, aliases_.name(Secret::host, lower(rest().substr(0, size))));
        auto const match = names_.at(rest());
        constexpr std::size_t least_in_binary = 4;  // three letters come by chance
        if (!match || (kind_ == TextKind::binary && match->value.size() < least_in_binary))
            return false;
        bool const capitals = std::none_of(match->value.begin(), match->value.end(), is_small);
        return replace(match->value.size(),
                       capitals ? upper(match->alias) : std::string(match->alias));
    }

    /// The length of another host's name: "node7" of node7.lab.example, whose domain is known, or
    /// of node7 beside a host that is called node8. 0: there is none.
    std::size_t other_host() const {
        if (kind_ != TextKind::prose || (at_ > 0 && text_[at_ - 1] == '-')) return 0;
        auto const part = [](char c) { return is_word_character(c) || c == '-'; };
        auto const end = std::find_if_not(rest().begin(), rest().end(), part);
        auto const label = rest().substr(0, static_cast<std::size_t>(end - rest().begin()));
        if (names_.is_numbered(label)) return label.size();
        auto behind = rest().substr(label.size());
        for (int labels = 0; labels < most_labels && behind.starts_with('.'); ++labels) {
            behind.remove_prefix(1);
            if (auto const domain = names_.at(behind); domain && domain->is_domain)
                return label.size();
            behind.remove_prefix(static_cast<std::size_t>(
                std::find_if_not(behind.begin(), behind.end(), part) - behind.begin()));
        }
        return 0;
    }
    static constexpr int most_labels = 6;  ///< "a.b.c.lab.example"; no line costs its square

    /// By form alone.
    bool formed(std::string_view word) {
        if (word.size() == 11 && word.starts_with("pod") && uuid_length(rest().substr(3)) != 0)
            copy(3);
        if (alike(Secret::uuid, uuid_length(rest()))) return true;
        if (word == "GPU" && gpu_uuid()) return true;
        if (kind_ == TextKind::binary) return false;
        if (alike(Secret::mac, mac_size()) || alike(Secret::mac, grouped_length(rest())) || ipv6())
            return true;
        if (kind_ == TextKind::software) return false;
        return ipv4() || long_id(word);
    }

    /// Each row of groups is looked at once: from every group of it anew would take the square.
    std::size_t mac_size() {
        if (at_ < no_mac_before_) return 0;
        std::size_t looked = 0;
        auto const size = mac_length(rest(), looked);
        if (size == 0) no_mac_before_ = at_ + looked;
        return size;
    }

    /// What the runtimes call a UUID: "GPU-" and the unique id in hexadecimal.
    bool gpu_uuid() {
        constexpr std::string_view prefix = "GPU-";
        auto const digits = rest().size() > 4 ? first_word(rest().substr(4)) : std::string_view();
        auto const id = to_unsigned(digits, 16);
        if (!rest().starts_with(prefix) || digits.size() != 16 || !id || *id == 0 ||
            names_.at(digits))
            return false;
        copy(prefix.size());
        return replace(digits.size(), fmt::format("{:016x}", aliases_.number(*id)));
    }

    bool ipv6() {
        auto const size = kind_ == TextKind::binary ? 0 : ipv6_length(rest());
        return size > 0 && replace(size, aliases_.ipv6(rest().substr(0, size)));
    }

    bool ipv4() {
        auto const size = ipv4_length(rest());
        if (size == 0 || says_nothing(rest().substr(0, size)) || is_version_here()) return false;
        return replace(size, aliases_.ipv4(rest().substr(0, size)));
    }

    /// "version 1.2.3.4", "lib_1.2.3.4", "so.1.2.3.4".
    bool is_version_here() const {
        constexpr std::size_t near = 12;
        auto const before = text_.substr(at_ - std::min(at_, near), std::min(at_, near));
        bool const goes_on =
            !before.empty() && std::string_view("._-+~v").find(before.back()) != before.npos;
        return goes_on || before.find("ersion") != before.npos;
    }

    /// Containers and machines are named by 64 or 32 hexadecimal digits.
    bool long_id(std::string_view word) {
        bool const fits = (word.size() == 64 || word.size() == 32) && hex_run(word) == word.size();
        return fits && word.find_first_of("0123456789") != word.npos &&
               alike(Secret::long_id, word.size());
    }

    /// What stands behind a word and one of its separators.
    void value(Secret secret, std::string_view separators) {
        auto const start = rest().find_first_not_of(separators);
        if (start == 0 || start == std::string_view::npos) return;
        copy(start);
        if (names_.at(rest())) return;  // its name has an alias
        auto const end = std::find_if_not(rest().begin(), rest().end(),
                                          [](char c) { return is_word_character(c) || c == '-'; });
        alike(secret, static_cast<std::size_t>(end - rest().begin()));
    }

    /// The directory of a user, wherever it stands.
    bool home() {
        for (auto const& marker : names_.homes) {
            if (!rest().starts_with(marker)) continue;
            copy(marker.size());
            user();
            return true;
        }
        return false;
    }

    void user() {
        if (auto const match = names_.at(rest()))
            return void(replace(match->value.size(), std::string(match->alias)));
        auto const ends = kind_ == TextKind::path ? "/" : "/:;,\"'<>()[]{}|&*?$ \t\n\r";
        auto const name = rest().substr(0, rest().find_first_of(ends));
        auto const size = std::min(name.find('\0'), name.size());
        if (size > 0) replace(size, aliases_.name(Secret::user, rest().substr(0, size)));
    }

    std::string_view text_;
    TextKind kind_;
    Names const& names_;
    Aliases& aliases_;
    std::string done_;
    std::size_t at_ = 0;
    std::size_t no_mac_before_ = 0;  ///< a row of groups that is no address ends here
};

}  // namespace

bool is_mixed(std::string_view text) {
    return std::ranges::any_of(text, is_digit) && std::ranges::any_of(text, is_letter);
}

bool is_word_character(char c) {
    return is_digit(c) || is_letter(c);
}

std::string redact_text(std::string_view text, TextKind kind, Names const& names,
                        Aliases& aliases) {
    return Scanner(text, kind, names, aliases).run();
}

}  // namespace rocmtune
