// SPDX-License-Identifier: MIT
// Building blocks of the value parsers: outcomes, truth values, numbers, words.
#pragma once

#include <string>
#include <string_view>

#include "knowledge/c_number.hpp"
#include "knowledge/value_parsers.hpp"

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

}  // namespace rocmtune::readings
