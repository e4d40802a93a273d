// SPDX-License-Identifier: MIT
// How a component takes the value of a variable: its own grammar, implemented once for each; and
// what it takes in words for people. Nothing here knows a host; how many GPUs a list of devices may
// name is the business of judge/rules/masks.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "knowledge/catalogue.hpp"

namespace rocmtune {

/// How components read values, by name: the words of "parser" in variables.json. value_parsers.cpp
/// has one function for each, in this order.
inline constexpr std::array<std::string_view, 21> value_parser_names{
    "hip_flag",        "rocr_exact",  "thunk",
    "nccl_param",      "nccl_text",   "torch_allocator",
    "torch_check_env", "tunableop",   "miopen_bool",
    "miopen_number",   "miopen_word", "vllm_bool",
    "triton_bool",     "exact_true",  "devices_rocr",
    "devices_hip",     "text",        "path",
    "integer",         "real",        "omp"};

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

/// "a whole number from 1 to 32", "a truth value (0 or 1)", "NORMAL=1, FAST=2", ...; empty for what
/// is no variable.
std::string accepted_values(Variable const& variable);

/// The usual spellings of a truth value, the shortest first.
inline constexpr std::array<std::string_view, 4> spellings_of_on{"1", "true", "True", "TRUE"};
inline constexpr std::array<std::string_view, 4> spellings_of_off{"0", "false", "False", "FALSE"};

/// The first spelling that the reader takes with this meaning; empty if none is.
std::string_view accepted_spelling(Variable const& variable,
                                   std::span<std::string_view const> spellings,
                                   std::string_view meaning);

}  // namespace rocmtune
