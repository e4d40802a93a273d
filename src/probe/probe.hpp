// SPDX-License-Identifier: MIT
// The probing run: every reader over one machine.
#pragma once

#include "probe/reader.hpp"

namespace rocmtune {

/// Reads the machine. Never throws for what the machine does: what could not be read has a reason.
Host probe(ProbeContext const& context);

/// Fills Gpu::module: which rows are one physical card. Partitions share their card's address; the
/// two dies of an MI250 are separate PCI functions, paired by their widest XGMI links.
void offer_modules(ChipSet const& chips, Host& host);

}  // namespace rocmtune
