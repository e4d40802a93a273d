// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace rocmtune {
namespace {

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

template <class T>
std::optional<T> whole_number(std::string_view text, int base) {
    T value{};
    auto const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(text.data(), end, value, base);
    if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
    return value;
}

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none (RFC 3629).
std::size_t utf8_sequence(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    auto const first = byte(0);
    if (first < 0x80) return 1;
    std::size_t const size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xC0U) != 0x80) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
    if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogates
    if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
    if (first == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
    return size;
}

/// C1 control characters (U+0080..U+009F) steer terminals as C0 ones do.
bool is_c1_control(std::string_view sequence) {
    return sequence.size() == 2 && static_cast<unsigned char>(sequence[0]) == 0xC2 &&
           static_cast<unsigned char>(sequence[1]) < 0xA0;
}

/// Marks that turn the order of the text around them, or say what order it has (U+061C, U+200E,
/// U+200F, U+202A..U+202E, U+2066..U+2069): what is shown would not be what is there.
bool is_bidi_control(std::string_view sequence) {
    return sequence == "\u061C" || sequence == "\u200E" || sequence == "\u200F" ||
           (sequence >= "\u202A" && sequence <= "\u202E") ||
           (sequence >= "\u2066" && sequence <= "\u2069");
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        auto const end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::pair<std::string_view, std::string_view>> split_once(std::string_view text,
                                                                        char separator) {
    auto const at = text.find(separator);
    if (at == text.npos) return std::nullopt;
    return std::pair(text.substr(0, at), text.substr(at + 1));
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t at = 0;
    while (at < text.size()) {
        while (at < text.size() && is_space(text[at])) ++at;
        auto const start = at;
        while (at < text.size() && !is_space(text[at])) ++at;
        if (at > start) parts.push_back(text.substr(start, at - start));
    }
    return parts;
}

std::vector<std::string_view> lines(std::string_view text) {
    auto parts = split(text, '\n');
    if (!parts.empty() && parts.back().empty()) parts.pop_back();
    for (auto& line : parts)
        if (line.ends_with('\r')) line.remove_suffix(1);
    return parts;
}

std::optional<std::uint64_t> to_unsigned(std::string_view text, int base) {
    if (base == 0) {
        auto const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        base = hexadecimal ? 16 : 10;
        if (hexadecimal) text.remove_prefix(2);
    }
    return whole_number<std::uint64_t>(text, base);
}

std::optional<std::int64_t> to_signed(std::string_view text) {
    return whole_number<std::int64_t>(text, 10);
}

std::optional<double> to_real(std::string_view text) {
    auto const value = leading_real(text);
    auto const plain = text.find_first_not_of("+-.0123456789eE") == text.npos;
    double exact = 0;
    auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
    if (!value || !plain || error != std::errc{} || stop != text.data() + text.size()) return {};
    return exact;
}

std::optional<double> leading_real(std::string_view text) {
    double value = 0;
    auto const [stop, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || stop == text.data() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::vector<std::pair<std::string_view, std::string_view>> key_value_lines(std::string_view text,
                                                                           char separator) {
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    for (auto const line : lines(text)) {
        auto const at = line.find(separator);
        if (at != line.npos)
            pairs.emplace_back(trim(line.substr(0, at)), trim(line.substr(at + 1)));
    }
    return pairs;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (auto& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string upper(std::string_view text) {
    std::string result(text);
    for (auto& c : result) c = to_upper(c);
    return result;
}

void replace_all(std::string& text, std::string_view place, std::string_view value) {
    for (auto at = text.find(place); at != std::string::npos;
         at = text.find(place, at + value.size()))
        text.replace(at, place.size(), value);
}

bool natural_less(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!is_digit(a[i]) || !is_digit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i, ++j;
            continue;
        }
        auto const start_i = a.find_first_not_of('0', i);
        auto const start_j = b.find_first_not_of('0', j);
        i = std::min(start_i, a.size()), j = std::min(start_j, b.size());
        auto end_i = i, end_j = j;
        while (end_i < a.size() && is_digit(a[end_i])) ++end_i;
        while (end_j < b.size() && is_digit(b[end_j])) ++end_j;
        if (end_i - i != end_j - j) return end_i - i < end_j - j;
        auto const order = a.substr(i, end_i - i).compare(b.substr(j, end_j - j));
        if (order != 0) return order < 0;
        i = end_i, j = end_j;
    }
    if ((a.size() - i) != (b.size() - j)) return a.size() - i < b.size() - j;
    return a < b;  // equal by value: fall back on the text, so that the order is strict
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<std::string_view const> candidates) {
    std::optional<std::string_view> best;
    if (word.size() > 64) return best;
    // The dashes of options are always right, and make no longer word of a short one.
    auto const letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
    auto limit = (letters + 2) / 3 + 1;
    for (auto const candidate : candidates) {
        auto const distance = edit_distance(word, candidate);
        if (distance >= limit || distance >= candidate.size()) continue;
        best = candidate;
        limit = distance;
    }
    return best;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        auto const size = utf8_sequence(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

bool has_word(std::string_view text, std::string_view word, std::string_view joiners) {
    auto const continues = [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               joiners.find(c) != joiners.npos;
    };
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        auto const end = at + word.size();
        bool const starts = at == 0 || !continues(text[at - 1]);
        if (starts && (end == text.size() || !continues(text[end]))) return true;
    }
    return false;
}

std::string printable(std::string_view text) {
    // Nearly all text is plain ASCII, and this runs for every file that is missing.
    if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }))
        return std::string(text);
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        auto const size = utf8_sequence(text);
        auto const first = static_cast<unsigned char>(text[0]);
        if (first == '\n' || first == '\t' || first == '\r') {
            result += ' ';
        } else if (size == 0 || first < 0x20 || first == 0x7F ||
                   is_c1_control(text.substr(0, size)) || is_bidi_control(text.substr(0, size))) {
            auto const shown = std::max<std::size_t>(size, 1);
            for (auto const c : text.substr(0, shown))
                result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            text.remove_prefix(shown);
            continue;
        } else {
            result += text.substr(0, size);
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

std::string human_bytes(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
    if (value >= 1023.5 && unit + 1 < units.size()) value = 1, ++unit;  // "1 MiB", not "1024 KiB"
    auto const tenths = std::round(value * 10);
    auto const whole = unit == 0 || value >= 100 || std::fmod(tenths, 10) == 0;
    return whole ? fmt::format("{:.0f} {}", value, units[unit])
                 : fmt::format("{:.1f} {}", value, units[unit]);
}

bool is_time_unit(std::string_view unit) {
    constexpr std::array<std::string_view, 17> units{
        "s",    "ms",  "us",      "ns",     "\xc2\xb5s", "sec",   "secs", "second",      "seconds",
        "msec", "min", "minutes", "minute", "h",         "hours", "hour", "milliseconds"};
    return std::find(units.begin(), units.end(), unit) != units.end();
}

std::string posix_quoted(std::string_view text) {
    std::string result = "'";
    for (auto const c : text) result += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    return result + '\'';
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./%@";
    bool const needs_quotes = text.empty() || text.find_first_not_of(plain) != text.npos;
    return needs_quotes ? posix_quoted(text) : std::string(text);
}

std::string signal_name(int signal) {
    auto const* const name = ::sigabbrev_np(signal);
    return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

std::string signed_percent(double ratio) {
    auto text = fmt::format("{:+.1f} %", 100 * ratio);
    return text.substr(1) == "0.0 %" ? text.substr(1) : text;
}

}  // namespace rocmtune
