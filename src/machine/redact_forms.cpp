// SPDX-License-Identifier: MIT
#include "machine/redact_forms.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <arpa/inet.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Whether a word ends where `text` starts.
bool ends_here(std::string_view text) {
    return text.empty() || !is_word_character(text[0]);
}

}  // namespace

bool is_word_character(char c) {
    return is_digit(c) || is_letter(c);
}

std::size_t hex_run(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hexadecimal) -
                                    text.begin());
}

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
    bool const has_both = std::any_of(found.begin(), found.end(), is_letter) &&
                          std::any_of(found.begin(), found.end(), is_digit);
    bool const goes_on =
        text.substr(at, 1) == std::string_view(&separator, 1) && text.substr(at + 1, 1) != " ";
    return has_both && !goes_on && ends_here(text.substr(at)) ? at : 0;
}

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

}  // namespace rocmtune
