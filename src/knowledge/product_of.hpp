// SPDX-License-Identifier: MIT
#pragma once

#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// The product of a GPU's PCI id, or null. Without a revision only if all revisions are one
/// product. Where the host shows no PCI ids (WSL) the one product of the GPU's target that has
/// exactly the name by which the runtime calls it.
Product const* product_of(ChipSet const& chips, Gpu const& gpu);

}  // namespace rocmtune
