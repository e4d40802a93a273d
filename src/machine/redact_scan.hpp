// SPDX-License-Identifier: MIT
// One text with everything in it replaced that is known by name or by its form.
#pragma once

#include <string>
#include <string_view>

#include "machine/redact_alias.hpp"
#include "machine/redact_names.hpp"

namespace rocmtune {

/// What kind of text it is, as far as that decides what its parts can be.
enum class TextKind {
    prose,     ///< messages, attributes, values of variables
    path,      ///< a blank is part of a name
    software,  ///< versions of four numbers are no addresses, sums of files no ids
    binary,    ///< lengths must not change
};

std::string redact_text(std::string_view text, TextKind kind, Names const& names, Aliases& aliases);

}  // namespace rocmtune
