// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "rocmtune/measurement.hpp"

namespace rocmtune::bench {

/// Clocks, power, temperature and memory in use of the amdgpu device at this PCI address, from
/// sysfs; what is not there stays absent.
HardwareState sysfs_state(std::string const& pci_address);

}  // namespace rocmtune::bench
