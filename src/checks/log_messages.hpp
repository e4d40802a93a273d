// SPDX-License-Identifier: MIT
// Which lines of the kernel log concern a GPU, and what they match.
#pragma once

#include <string>
#include <string_view>

#include "checks/check.hpp"

namespace rocmtune {

/// True if the pieces of the pattern between its stars stand in the text in this order.
bool matches(std::string_view text, std::string_view pattern);

/// The PCI address of the GPU that a message concerns: its own, or that of a GPU below the port
/// that it names. Empty for a device that is not there.
std::string concerned_gpu(Host const& host, KernelMessage const& message);

/// The message with which KFD refuses this GPU for want of PCIe atomics, or null.
KernelMessage const* rejects_atomics(CheckContext const& context, std::string const& address);

}  // namespace rocmtune
