// SPDX-License-Identifier: MIT
#include "judge/diagnose/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rocmtune {
namespace {

constexpr char escape = '\x1b';

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// Eight bytes at once: most lines have nothing to be cleaned, and all of a long log are looked at.
constexpr std::uint64_t each(std::uint64_t byte) {
    return byte * 0x0101010101010101U;
}

/// The upper bit of each byte that is zero.
constexpr std::uint64_t zero_bytes(std::uint64_t bytes) {
    return ~(((bytes & each(0x7f)) + each(0x7f)) | bytes | each(0x7f));
}

/// The same of each control character: below 0x20, or 0x7f.
constexpr std::uint64_t control_bytes(std::uint64_t bytes) {
    return zero_bytes(bytes & each(0xe0)) | zero_bytes(bytes ^ each(0x7f));
}

/// Whether nothing is to be done.
bool is_clean(std::string_view line) {
    if (line.empty()) return true;
    if (line.front() == ' ' || line.back() == ' ') return false;
    bool after_blank = false;
    std::size_t at = 0;
    for (std::uint64_t bytes = 0; at + sizeof bytes <= line.size(); at += sizeof bytes) {
        std::memcpy(&bytes, line.data() + at, sizeof bytes);
        auto const blanks = zero_bytes(bytes ^ each(' '));
        bool const two = (blanks & (blanks >> 8U)) != 0 || (after_blank && line[at] == ' ');
        if (two || control_bytes(bytes) != 0) return false;
        after_blank = line[at + sizeof bytes - 1] == ' ';
    }
    for (; at < line.size(); ++at) {
        if (is_control(line[at]) || (line[at] == ' ' && after_blank)) return false;
        after_blank = line[at] == ' ';
    }
    return true;
}

/// The bytes up to and with the first one that may end a sequence.
std::size_t through(std::string_view text, std::size_t at, char first, char last) {
    while (at < text.size() && (text[at] < first || text[at] > last)) {
        if (is_control(text[at])) return at;  // it was cut off
        ++at;
    }
    return std::min(at + 1, text.size());
}

/// Behind a string of ECMA-48, which BEL or ESC \ ends; one without end hides nothing.
std::size_t through_string(std::string_view text, std::size_t begin) {
    for (auto at = begin; at < text.size(); ++at) {
        if (text[at] == '\a') return at + 1;
        if (text[at] == escape) return std::min(at + 2, text.size());
    }
    return std::min(begin, text.size());
}

/// Behind the escape sequence that begins at `at`.
std::size_t through_sequence(std::string_view text, std::size_t at) {
    if (at + 1 >= text.size()) return text.size();
    switch (text[at + 1]) {
        case '[': return through(text, at + 2, '@', '~');
        case ']':
        case 'P':
        case 'X':
        case '^':
        case '_': return through_string(text, at + 2);
        default: return through(text, at + 1, '0', '~');
    }
}

}  // namespace

std::string_view clean_line(std::string_view line, std::string& storage) {
    if (is_clean(line)) return line;
    storage.clear();
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] == escape) {
            at = through_sequence(line, at);
            continue;
        }
        bool const blank = is_blank(line[at]);
        bool const one_more = blank && (storage.empty() || storage.back() == ' ');
        if (blank && !one_more) storage += ' ';
        else if (!is_control(line[at]) && !blank) storage += line[at];
        ++at;
    }
    if (storage.ends_with(' ')) storage.pop_back();
    return storage;
}

void LineReader::take(std::string_view line) {
    while (!line.empty()) {
        auto const end = std::min({line.find('\r'), line.size(), most_line_bytes});
        auto const clean = clean_line(line.substr(0, end), storage_);
        if (!clean.empty()) sink_(clean, number_);
        bool const is_return = end < line.size() && line[end] == '\r';
        line.remove_prefix(end + (is_return ? 1 : 0));
    }
}

/// Keeps the beginning of a line; of a very long one parts are taken at once.
void LineReader::keep(std::string_view rest) {
    if (rest.empty()) return;
    if (!is_inside_) ++number_;
    is_inside_ = true;
    begun_ += rest;
    if (begun_.size() < most_line_bytes) return;
    take(begun_);
    begun_.clear();
}

void LineReader::add(std::string_view piece) {
    while (!piece.empty()) {
        auto const end = piece.find('\n');
        if (end == piece.npos) return keep(piece);
        auto const line = piece.substr(0, end);
        piece.remove_prefix(end + 1);
        if (!is_inside_) {
            ++number_;
            take(line);
            continue;
        }
        begun_ += line;
        this->end();
    }
}

void LineReader::end() {
    if (is_inside_) take(begun_);
    begun_.clear();
    is_inside_ = false;
}

}  // namespace rocmtune
