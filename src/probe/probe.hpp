// SPDX-License-Identifier: MIT
// The probing run: every reader over one machine.
#pragma once

#include "probe/reader.hpp"

namespace rocmtune {

/// Reads the machine, but for what the readers of the given names look at. Never throws for what
/// the machine does: what could not be read has a reason.
Host probe(ProbeContext const& context, std::span<std::string_view const> left_out = {});

/// Fills Gpu::module: which rows are one physical card. Partitions share their card's address; the
/// two dies of an MI250 are separate PCI functions, paired by their widest XGMI links.
void offer_modules(ChipSet const& chips, Host& host);

}  // namespace rocmtune
