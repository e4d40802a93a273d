// SPDX-License-Identifier: MIT
#include "knowledge/value_readings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr auto most_signed = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

std::optional<unsigned> digit_of(char c, unsigned base) {
    unsigned value = base;
    if (c >= '0' && c <= '9') {
        value = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
        value = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
        value = static_cast<unsigned>(c - 'A') + 10;
    }
    return value < base ? std::optional(value) : std::nullopt;
}

bool has_hex_prefix(std::string_view text) {
    return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
           digit_of(text[2], 16);
}

void read_digits(CNumber& out, unsigned base) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    while (!out.rest.empty()) {
        auto const digit = digit_of(out.rest.front(), base);
        if (!digit) {
            return;
        }
        out.found = true;
        out.overflow = out.overflow || out.magnitude > (most - *digit) / base;
        out.magnitude = out.overflow ? most : out.magnitude * base + *digit;
        out.rest.remove_prefix(1);
    }
}

}  // namespace

std::int64_t CNumber::as_signed() const {
    if (negative) {
        // -2^63 has no positive counterpart.
        return magnitude > most_signed ? std::numeric_limits<std::int64_t>::min()
                                       : -static_cast<std::int64_t>(magnitude);
    }
    return over_signed() ? std::numeric_limits<std::int64_t>::max()
                         : static_cast<std::int64_t>(magnitude);
}

bool CNumber::over_signed() const {
    return overflow || magnitude > most_signed + (negative ? 1 : 0);
}

std::string CNumber::text() const {
    return (negative && magnitude > 0 ? "-" : "") + std::to_string(magnitude);
}

CNumber read_c_number(std::string_view text, int base) {
    CNumber out;
    auto const start = text.find_first_not_of(" \t\n\v\f\r");
    out.rest = start == std::string_view::npos ? std::string_view{} : text.substr(start);
    if (!out.rest.empty() && (out.rest.front() == '-' || out.rest.front() == '+')) {
        out.negative = out.rest.front() == '-';
        out.rest.remove_prefix(1);
    }
    if (base == 0 && has_hex_prefix(out.rest)) {
        out.rest.remove_prefix(2);
        read_digits(out, 16);
        return out;
    }
    out.octal = base == 0 && out.rest.starts_with('0');
    read_digits(out, out.octal ? 8 : 10);
    return out;
}

}  // namespace rocmtune

namespace rocmtune::readings {
namespace {

constexpr std::array<std::string_view, 8> true_words{"true",    "yes", "on", "enable",
                                                     "enabled", "y",   "t",  "1"};
constexpr std::array<std::string_view, 9> false_words{"false", "no", "off", "disable", "disabled",
                                                      "n",     "f",  "0",   "none"};

/// What a person means by the text, if it is a word or a number for a truth value.
std::optional<bool> meant_truth(std::string_view text) {
    auto const small = lower(trim(text));
    if (std::ranges::find(true_words, small) != true_words.end()) return true;
    if (std::ranges::find(false_words, small) != false_words.end()) return false;
    auto const number = read_c_number(small, 10);
    if (number.found && number.rest.empty()) return number.magnitude != 0;
    return std::nullopt;
}

ReadValue outcome(Reading reading, Variable const& variable, std::string_view meaning,
                  std::string note) {
    switch (reading) {
        case Reading::valid: return valid(meaning);
        case Reading::misread: return misread(meaning, std::move(note));
        case Reading::ignored: return ignored(variable, std::move(note));
        case Reading::rejected: return rejected(std::move(note));
    }
    return valid(meaning);
}

/// The least or the most that 64 bits hold, as the C functions return it.
std::string saturated(CNumber const& read, bool is_unsigned) {
    return is_unsigned ? std::to_string(std::numeric_limits<std::uint64_t>::max())
                       : std::to_string(read.as_signed());
}

/// The number as a reader of its width stores it.
std::string stored(CNumber const& read, NumberGrammar const& grammar) {
    if (grammar.is_32_bit) {
        auto const low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(read.as_signed()));
        return std::to_string(static_cast<std::int32_t>(low));
    }
    if (grammar.is_unsigned && read.negative) return std::to_string(0 - read.magnitude);
    return read.text();
}

std::optional<std::string> range_complaint(Variable const& variable, CNumber const& read) {
    auto const value = read.as_signed();
    auto const low = variable.minimum && value < *variable.minimum;
    auto const high = variable.maximum && (read.over_signed() || value > *variable.maximum);
    if (!low && !high) return std::nullopt;
    if (variable.minimum && variable.maximum)
        return fmt::format("outside of {} to {}", *variable.minimum, *variable.maximum);
    return low ? fmt::format("less than {}", *variable.minimum)
               : fmt::format("more than {}", *variable.maximum);
}

ReadValue without_number(Variable const& variable, std::string_view text,
                         NumberGrammar const& grammar) {
    auto const is_empty = trim(text).empty();
    auto const reading = is_empty ? grammar.empty : grammar.no_number;
    std::string note = is_empty ? "it is empty" : "it is no number";
    if (reading == Reading::misread) note += ", which counts as 0";
    return outcome(reading, variable, "0", std::move(note));
}

std::string hex_hint(std::string_view text, int base) {
    auto const start = trim(text);
    auto const is_hex =
        base == 10 && start.size() > 1 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    return is_hex ? "; hexadecimal is not read" : "";
}

}  // namespace

ReadValue valid(std::string_view meaning) {
    return {Reading::valid, std::string(meaning), {}};
}

ReadValue misread(std::string_view meaning, std::string note) {
    return {Reading::misread, std::string(meaning), std::move(note)};
}

ReadValue ignored(Variable const& variable, std::string note) {
    return {Reading::ignored, std::string(variable.default_value.value_or("")), std::move(note)};
}

ReadValue rejected(std::string note) {
    return {Reading::rejected, {}, std::move(note)};
}

ReadValue truth(bool meaning, std::string_view text) {
    auto const word = meaning ? "1" : "0";
    auto const meant = meant_truth(text);
    if (meant == meaning) return valid(word);
    auto const* what = trim(text).empty() ? "an empty value" : "this text";
    return misread(word, fmt::format("{} counts as {}", what, meaning ? "on" : "off"));
}

ReadValue exact_truth(Variable const& variable, std::string_view text) {
    if (text == "1" || text == "0") return valid(text);
    return ignored(variable, "only exactly 0 and 1 count");
}

ReadValue number(Variable const& variable, std::string_view text, NumberGrammar const& grammar) {
    auto const read = read_c_number(text, grammar.base);
    if (!read.found) return without_number(variable, text, grammar);
    if (grammar.is_unsigned ? read.overflow : read.over_signed())
        return outcome(grammar.overflow, variable, saturated(read, grammar.is_unsigned),
                       "it does not fit into 64 bits");
    auto const meaning = stored(read, grammar);
    if (!read.rest.empty())
        return outcome(grammar.rest, variable, meaning,
                       fmt::format("only the {} at its start is read{}", read.text(),
                                   hex_hint(text, grammar.base)));
    if (meaning != read.text())
        return misread(meaning, fmt::format("it does not fit and becomes {}", meaning));
    if (auto complaint = range_complaint(variable, read))
        return outcome(grammar.out_of_range, variable, meaning, *std::move(complaint));
    if (read.octal && read.magnitude > 7)
        return misread(meaning, fmt::format("a leading zero makes it octal: {}", meaning));
    return valid(meaning);
}

ReadValue real(Variable const& variable, std::string_view text, Reading no_number) {
    auto const value = to_real(trim(text));
    if (!value) return outcome(no_number, variable, "0", "it is no decimal number");
    auto const meaning = fmt::format("{}", *value);
    auto const low = variable.minimum && *value < static_cast<double>(*variable.minimum);
    auto const high = variable.maximum && *value > static_cast<double>(*variable.maximum);
    if (low) return misread(meaning, fmt::format("less than {}", *variable.minimum));
    if (high) return misread(meaning, fmt::format("more than {}", *variable.maximum));
    return valid(meaning);
}

std::string_view word_of(std::string_view listed) {
    return listed.substr(0, listed.find('='));
}

std::string_view number_of(std::string_view listed) {
    auto const at = listed.find('=');
    return at == std::string_view::npos ? std::string_view{} : listed.substr(at + 1);
}

ReadValue word(Variable const& variable, std::string_view text, LetterCase letters,
               Reading unknown) {
    auto const same = [&](std::string_view listed) {
        auto const name = word_of(listed);
        return letters == LetterCase::exact ? name == text : lower(name) == lower(text);
    };
    auto const found = std::ranges::find_if(variable.words, same);
    if (found != variable.words.end()) return valid(word_of(*found));
    if (variable.words.empty()) return as_is(text);
    std::string known;
    for (auto const& listed : variable.words)
        known.append(known.empty() ? "" : ", ").append(word_of(listed));
    return outcome(unknown, variable, text, "it is none of " + known);
}

std::string_view without_quotes(std::string_view text) {
    auto const first = text.find_first_not_of(' ');
    auto const last = text.find_last_not_of(' ');
    bool const quoted =
        first != text.npos && first != last && text[first] == '"' && text[last] == '"';
    return quoted ? text.substr(first + 1, last - first - 1) : text;
}

ReadValue as_is(std::string_view text) {
    auto read = valid(text);
    if (text.empty()) read.note = "it is empty";
    return read;
}

}  // namespace rocmtune::readings
