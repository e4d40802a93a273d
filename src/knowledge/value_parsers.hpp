// SPDX-License-Identifier: MIT
// How a component takes the value of a variable: its own grammar, implemented once for each.
// Nothing here knows a host; how many GPUs a list of devices may name is the business of
// judge/rules/masks.
#pragma once

#include <string>
#include <string_view>

#include "knowledge/catalogue.hpp"

namespace rocmtune {

enum class Reading {
    valid,     ///< taken as it is meant
    misread,   ///< taken, but as something else than the text says
    ignored,   ///< as if the variable were not set
    rejected,  ///< the reader throws, aborts or refuses to start
};

/// What becomes of one value.
struct ReadValue {
    Reading reading = Reading::valid;
    /// The value in the reader's own terms, so that equal meanings are equal texts: "1" and "0" for
    /// a truth value, decimal numbers, an enum's word. The default, if known, where it is ignored;
    /// empty where it is rejected.
    std::string meaning = {};
    std::string note = {};  ///< why it is not simply valid: one clause for people, else empty
};

/// How the owner of the variable takes the text (any bytes; unset is not a text). A variable
/// without a parser takes every text as it is.
ReadValue read_value(Variable const& variable, std::string_view text);

/// Whether setting the text is the same as leaving the variable unset: it is ignored, or means what
/// the default means. False where the default is not known as a value.
bool means_default(Variable const& variable, std::string_view text);

/// The same with another default in place of the catalogue's, such as that of an older version.
bool means_default(Variable const& variable, std::string_view text, std::string_view usual);

/// What the catalogue says of this very value, whatever its reader makes of it; null: nothing.
JudgedValue const* judged_value(Variable const& variable, std::string_view value);

}  // namespace rocmtune
