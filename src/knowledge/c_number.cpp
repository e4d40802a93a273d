// SPDX-License-Identifier: MIT
#include "knowledge/c_number.hpp"

#include <limits>
#include <optional>

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
