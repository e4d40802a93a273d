// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// How findings and advice name a GPU: its PCI address, with /PARTITION where the card is
/// partitioned. A device without an address is "host".
std::string subject_of(Gpu const& gpu);

/// Why it is not known which GPUs the host has; absent if it is known, even that there are none.
std::optional<std::string> why_gpus_are_unread(Host const& host);

}  // namespace rocmtune
