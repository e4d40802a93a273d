// SPDX-License-Identifier: MIT
// Small text helpers that all layers use.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

std::string_view trim(std::string_view text);

/// Parts between separators; empty parts are kept.
std::vector<std::string_view> split(std::string_view text, char separator);

/// What stands before and behind the first separator; nothing if there is none.
std::optional<std::pair<std::string_view, std::string_view>> split_once(std::string_view text,
                                                                        char separator);

/// Parts between runs of white space; no empty parts.
std::vector<std::string_view> words(std::string_view text);

/// Lines without their ends; a last line without end counts, an empty rest does not.
std::vector<std::string_view> lines(std::string_view text);

/// The whole text as an unsigned number; nothing else around it, no sign, range checked.
/// Base 0 takes a 0x prefix as hexadecimal and anything else as decimal (no octal: sysfs has none).
std::optional<std::uint64_t> to_unsigned(std::string_view text, int base = 0);
std::optional<std::int64_t> to_signed(std::string_view text);
/// Plain decimal notation; "inf" and "nan" are refused.
std::optional<double> to_real(std::string_view text);

/// The number at the start of a text such as "2500Mhz" or "16.0 GT/s PCIe".
std::optional<double> leading_real(std::string_view text);

/// "key value" lines, as KFD writes its properties, in their order; lines without the separator are
/// left out.
std::vector<std::pair<std::string_view, std::string_view>> key_value_lines(std::string_view text,
                                                                           char separator = ' ');

/// True for s, ms, seconds, ...: of such a unit less is better.
bool is_time_unit(std::string_view unit);

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

/// Lower-case and upper-case ASCII.
std::string lower(std::string_view text);
std::string upper(std::string_view text);
constexpr char to_upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Puts a value wherever a place (not empty) stands; not in what was put in.
void replace_all(std::string& text, std::string_view place, std::string_view value);

/// Numbers inside names compare by value: card2 < card10.
bool natural_less(std::string_view a, std::string_view b);

/// Edits that make one text the other: a byte put in, left out or replaced, two neighbours swapped
/// (Damerau-Levenshtein, optimal string alignment). Takes time and space |a| x |b|.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to a mistyped word, if it is near enough to be what was meant:
/// at most one edit for each three letters begun (Damerau-Levenshtein, neighbours swapped count
/// one).
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<std::string_view const> candidates);

/// Whether `word` stands in the text with no letter, digit or one of `joiners` beside it (ASCII).
bool has_word(std::string_view text, std::string_view word, std::string_view joiners = "_");

/// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv): short, and the same everywhere.
/// To go on from an earlier text, give the hash of that.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325U) {
    for (auto const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

/// Valid UTF-8 without control characters: what comes from files is never printed raw.
/// Line ends become blanks, other control bytes and broken sequences \xNN.
std::string printable(std::string_view text);

/// True if the text is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

/// "20 GiB", "23.5 GiB", "17 B": binary units, rounded to a tenth below 100 and to one above.
std::string human_bytes(std::uint64_t bytes);

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// As programs write checksums, identifiers and names of targets.
constexpr bool is_lower_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f');
}
constexpr bool is_lower_hexadecimal(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return is_lower_hexadecimal(c); });
}

/// Of names of variables in shells and programming languages.
constexpr bool is_name_character(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

/// POSIX names (XBD 8.1), the only ones that every shell takes: letters, digits and underscores,
/// of which the first is no digit.
constexpr bool is_variable_name(std::string_view text) {
    return !text.empty() && !is_digit(text.front()) &&
           std::all_of(text.begin(), text.end(), is_name_character);
}

/// "1 GPU", "8 GPUs".
inline std::string counted(std::uint64_t count, std::string_view noun) {
    return std::to_string(count).append(1, ' ').append(noun).append(count == 1 ? "" : "s");
}

/// "+2.5 %" of 0.025, "-2.5 %" of -0.025; what rounds to nothing has no sign: "0.0 %".
std::string signed_percent(double ratio);

/// A word in single quotes as POSIX shells, bash and zsh read it: nothing in it has a meaning.
std::string posix_quoted(std::string_view text);

/// The same word, with quotes only if it needs them.
std::string shell_word(std::string_view text);

/// "SIGSEGV"; "signal 42" for one without a name, as real-time signals are.
std::string signal_name(int signal);

inline constexpr std::string_view secret_mark_start = "<secret: ";

/// "<secret: KIND>". A kind is made of letters, digits, blanks, dots and ampersands.
inline std::string secret_mark(std::string_view kind) {
    return std::string(secret_mark_start).append(kind).append(1, '>');
}

/// The length of the mark at the start of a text; 0 if there is none.
inline std::size_t secret_mark_length(std::string_view text) {
    constexpr std::size_t longest_kind = 32;
    if (!text.starts_with(secret_mark_start)) return 0;
    auto const kind = text.substr(secret_mark_start.size(), longest_kind + 1);
    auto const end = kind.find('>');
    auto const fits = [](char c) {
        return is_letter(c) || is_digit(c) || c == ' ' || c == '.' || c == '&';
    };
    if (end == kind.npos || end == 0 ||
        !std::all_of(kind.begin(), kind.begin() + static_cast<std::ptrdiff_t>(end), fits))
        return 0;
    return secret_mark_start.size() + end + 1;
}

}  // namespace rocmtune
