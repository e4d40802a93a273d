// SPDX-License-Identifier: MIT
// What the drawing of a host has in its boxes.
#pragma once

#include <string>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// GPUs that stand beside each other. They live as long as the host.
using Boxes = std::vector<Gpu const*>;

/// GPUs of one NUMA node, in rows of at most eight.
struct Panel {
    std::string title;
    std::vector<Boxes> rows = {};
};

/// In the order of the first GPU of each NUMA node.
std::vector<Panel> panels_of(Host const& host);

/// "Instinct MI300X" of "AMD Instinct MI300X".
std::string short_name(Gpu const& gpu);

/// Whether the link has fewer lanes than it could have.
bool is_narrow(Gpu const& gpu);

/// A few columns for the link: "PCIe x16 32 GT/s", or "PCIe x8 of x16".
std::string link_label(Gpu const& gpu);

}  // namespace rocmtune
