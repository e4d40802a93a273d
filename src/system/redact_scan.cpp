// SPDX-License-Identifier: MIT
#include "system/redact_scan.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

bool is_word_character(char c) {
    return is_digit(c) || is_letter(c);
}

bool is_same_throughout(std::string_view text) {
    return text.find_first_not_of(std::string{text[0], ':', '-', '_'}) == text.npos;
}

std::size_t hex_run(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hexadecimal) -
                                    text.begin());
}

/// Whether a word ends where `text` starts.
bool ends_here(std::string_view text) {
    return text.empty() || !is_word_character(text[0]);
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

/// Global and private addresses start with 2, 3 or f and four digits: 2001:db8::1, fd12:...,
/// fe80::1.
std::size_t ipv6_length(std::string_view text) {
    if (text.size() < 6 || hex_run(text) != 4 || text[4] != ':') return 0;
    if (std::string_view("23fF").find(text[0]) == std::string_view::npos) return 0;
    std::size_t groups = 1;
    bool shortened = false;
    std::size_t at = 4;
    while (at < text.size() && text[at] == ':') {
        bool const twice = text.substr(at, 2) == "::";
        if (twice && shortened) break;
        auto const start = at + (twice ? 2 : 1);
        auto const size = hex_run(text.substr(std::min(start, text.size())));
        if (size > 4 || (size == 0 && !twice)) break;
        shortened |= twice;
        at = start + size;
        groups += size > 0 ? 1 : 0;
        if (groups > 8) return 0;
    }
    bool const whole = shortened ? groups < 8 : groups == 8;
    return whole && ends_here(text.substr(std::min(at, text.size()))) ? at : 0;
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
        return replace(size, aliases_.alike(secret, lower(rest().substr(0, size))));
    }

    void word() {
        auto const word = first_word(rest());
        if (known(word) || formed(word)) return;
        copy(word.size());
        if (word == "UUID" || word == "PARTUUID") value(Secret::uuid, "=");
        else if (word == "SerialNumber") value(Secret::serial, ":= ");
    }

    bool known(std::string_view word) {
        auto const is_prefixed = word.starts_with("0x") || word.starts_with("0X");
        if (is_prefixed && names_.at(rest().substr(2))) copy(2);
        auto const match = names_.at(rest());
        constexpr std::size_t least_in_binary = 4;  // three letters come by chance
        if (!match || (kind_ == TextKind::binary && match->value.size() < least_in_binary))
            return false;
        return replace(match->value.size(), std::string(match->alias));
    }

    /// By form alone.
    bool formed(std::string_view word) {
        if (word.size() == 11 && word.starts_with("pod") && uuid_length(rest().substr(3)) != 0)
            copy(3);
        if (alike(Secret::uuid, uuid_length(rest()))) return true;
        if (word == "GPU" && gpu_uuid()) return true;
        if (kind_ == TextKind::binary) return false;
        if (alike(Secret::mac, mac_size()) || alike(Secret::ip, ipv6_length(rest()))) return true;
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
        auto const end = std::find_if_not(rest().begin(), rest().end(),
                                          [](char c) { return is_word_character(c) || c == '-'; });
        alike(secret, static_cast<std::size_t>(end - rest().begin()));
    }

    /// The directory of a user, wherever it stands.
    bool home() {
        for (std::string_view const marker : {"/home/", "/Users/"}) {
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

std::string redact_text(std::string_view text, TextKind kind, Names const& names,
                        Aliases& aliases) {
    return Scanner(text, kind, names, aliases).run();
}

}  // namespace rocmtune
