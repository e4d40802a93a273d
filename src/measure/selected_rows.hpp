// SPDX-License-Identifier: MIT
// --gpu of the commands that look at a host: which of its rows are meant.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/arguments.hpp"
#include "measure/gpu_selector.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// The rows that selectors name, in their order, none twice. hip:N and cuda:N are HIP's number,
/// which is PyTorch's, under the masks of the host's environment; an address without partition
/// means all rows of its card.
/// @throws Error that says what there is.
std::vector<std::uint64_t> selected_rows(Host const& host,
                                         std::vector<GpuSelector> const& selectors);

/// Those of every --gpu; empty where none was given.
std::vector<std::uint64_t> selected_rows(Arguments const& arguments, Host const& host);

/// Leaves these GPUs in the host and the links that begin or end at one of them; facts of the host
/// stay. No rows: all of them.
void keep_rows(std::vector<std::uint64_t> const& rows, Host& host);

}  // namespace rocmtune
