// SPDX-License-Identifier: MIT
// Lists of devices as text alone. Which GPUs they select on a host: judge/rules/masks.hpp.
#pragma once

#include "knowledge/value_parsers.hpp"

namespace rocmtune::readings {

/// ROCR_VISIBLE_DEVICES (RvdFilter): blanks around tokens, numbers of any base, prefixes of UUIDs.
ReadValue rocr_devices(std::string_view text);

/// HIP_VISIBLE_DEVICES (roc::Device::init): plain decimal numbers without blanks, UUIDs.
ReadValue hip_devices(std::string_view text);

}  // namespace rocmtune::readings
