// SPDX-License-Identifier: MIT
// --gpu: the ways in which people name a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/arguments.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// The rows that a selector names, in its order, none twice. A selector is a list with commas of:
/// a row (0), hip:N or cuda:N (HIP's number, which is PyTorch's, under the masks of the host's
/// environment), kfd:N (node of the KFD topology), a PCI address (0000:03:00.0 or 03:00.0; with
/// /N one partition, else all of the card), or a UUID (GPU-...).
/// @throws Error that says what there is.
std::vector<std::uint64_t> selected_rows(Host const& host, std::string_view selector);

/// Those of every --gpu; empty where none was given.
std::vector<std::uint64_t> selected_rows(Arguments const& arguments, Host const& host);

}  // namespace rocmtune
