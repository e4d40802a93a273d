// SPDX-License-Identifier: MIT
// What a row of the device map has of its card: all of it, or a partition's part.
#pragma once

#include <cstdint>
#include <optional>

#include "knowledge/chips.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// How many compute partitions the card is divided into: the product's compute dies through those
/// of the row, else by the mode, else as many as this host sees. Nothing where that is not known.
/// @param product  of the row; null: not known
std::optional<std::uint64_t> compute_partitions_of(Gpu const& gpu, Product const* product);

/// Into how many parts the memory of the card is divided ("NPS4": 4). Nothing where nobody says.
std::optional<std::uint64_t> memory_partitions_of(Gpu const& gpu);

/// What of the card's memory, its bandwidth and its memory-side cache the row reaches.
struct MemoryShare {
    double most = 1;  ///< at most this part: 1 where it is not known
    /// The part that belongs to this row alone; nothing where other partitions use it too, or where
    /// nobody knows.
    std::optional<double> own = {};
};

/// A whole card owns all. Of a divided one, each part of the memory has its own stacks and the
/// cache slices before them (AMD SMI, "GPU partitioning"); it belongs to a compute partition alone
/// only where there are as many of these as parts.
MemoryShare memory_share_of(Gpu const& gpu, Product const* product);

}  // namespace rocmtune
