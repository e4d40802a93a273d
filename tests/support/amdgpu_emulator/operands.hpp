// SPDX-License-Identifier: MIT
// The text of one operand.
#pragma once

#include <string_view>

#include "instruction.hpp"

namespace rocmtune::emulator {

/// "v[2:3]", "-|s4|", "0x3f800000", "0.5", "vcc", "off". What is none of these is of kind `other`.
Operand operand_of(std::string_view text);

}  // namespace rocmtune::emulator
