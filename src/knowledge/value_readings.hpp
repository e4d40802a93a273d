// SPDX-License-Identifier: MIT
// Building blocks of the value parsers: outcomes, truth values, words, numbers as C's strtol and
// its relatives read them, lists of devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "knowledge/value_parsers.hpp"

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

namespace rocmtune::readings {

ReadValue valid(std::string_view meaning);
ReadValue misread(std::string_view meaning, std::string note);
ReadValue ignored(Variable const& variable, std::string note);
ReadValue rejected(std::string note);

/// The reader takes it as this truth value; that is a misreading unless the text says so too.
ReadValue truth(bool meaning, std::string_view text);

/// "1" and "0" alone count; anything else is ignored.
ReadValue exact_truth(Variable const& variable, std::string_view text);

/// What a reader does with texts that are not simply a number in range.
struct NumberGrammar {
    int base = 10;                            ///< of read_c_number
    bool is_unsigned = false;                 ///< a minus sign wraps around
    bool is_32_bit = false;                   ///< atoi: larger numbers lose their upper half
    Reading no_number = Reading::misread;     ///< misread: counts as 0
    Reading empty = Reading::ignored;         ///< misread: counts as 0
    Reading overflow = Reading::misread;      ///< misread: the largest number
    Reading rest = Reading::misread;          ///< text behind the number; misread: not looked at
    Reading out_of_range = Reading::misread;  ///< of the variable's minimum and maximum
};
ReadValue number(Variable const& variable, std::string_view text, NumberGrammar const& grammar);

/// A plain decimal number with a point perhaps, as strtod reads it.
ReadValue real(Variable const& variable, std::string_view text, Reading no_number);

enum class LetterCase { exact, any };
/// One of the variable's words ("WORD" or "WORD=NUMBER"); its meaning is the word as listed.
ReadValue word(Variable const& variable, std::string_view text, LetterCase letters,
               Reading unknown);

/// The listed word without its number; and the number, or empty.
std::string_view word_of(std::string_view listed);
std::string_view number_of(std::string_view listed);

/// removeQuotes of HIP's flags.cpp: a value in double quotes loses them, and the blanks outside.
std::string_view without_quotes(std::string_view text);

/// Taken as it is; a note if it is empty.
ReadValue as_is(std::string_view text);

// Lists of devices as text alone. Which GPUs they select on a host: judge/rules/masks.hpp.

/// ROCR_VISIBLE_DEVICES (RvdFilter): blanks around tokens, numbers of any base, prefixes of UUIDs.
ReadValue rocr_devices(std::string_view text);

/// HIP_VISIBLE_DEVICES (roc::Device::init): plain decimal numbers without blanks, UUIDs.
ReadValue hip_devices(std::string_view text);

}  // namespace rocmtune::readings
