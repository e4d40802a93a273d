// SPDX-License-Identifier: MIT
// How C's strtol and its relatives read the start of a text, over any bytes and without their
// traps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rocmtune {

/// What strtoll or strtoull found: blanks and a sign are skipped, then digits.
struct CNumber {
    bool found = false;  ///< there was a digit; else the C functions return 0
    bool negative = false;
    bool overflow = false;  ///< over 64 bits; magnitude is then the largest number
    bool octal = false;     ///< base 0 and a leading zero: 010 is 8
    std::uint64_t magnitude = 0;
    std::string_view rest = {};  ///< what stands behind the digits

    /// As strtoll returns it: saturated at the ends of 64 bits.
    std::int64_t as_signed() const;
    /// Too large for strtoll, which then sets errno.
    bool over_signed() const;
    /// The number with its sign, whatever its size; "0" if there was none.
    std::string text() const;
};

/// Base 10, or 0: a prefix 0x makes it hexadecimal, a prefix 0 octal.
CNumber read_c_number(std::string_view text, int base);

}  // namespace rocmtune
