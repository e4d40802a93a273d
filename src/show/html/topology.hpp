// SPDX-License-Identifier: MIT
// Where the GPUs of a host sit, as a drawing.
#pragma once

#include "rocmtune/host.hpp"
#include "show/html/html.hpp"

namespace rocmtune {

/// A drawing (SVG) of NUMA nodes with their GPUs, each with its PCIe link, and XGMI between them;
/// and the links as a table where there are few GPUs. Nothing without GPUs.
Html topology_html(Host const& host);

}  // namespace rocmtune
