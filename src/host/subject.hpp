// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// How findings and advice name a GPU: its PCI address, with /PARTITION where the card is
/// partitioned. A device without an address is "host".
std::string subject_of(Gpu const& gpu);

}  // namespace rocmtune
