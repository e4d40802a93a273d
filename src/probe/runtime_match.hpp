// SPDX-License-Identifier: MIT
// Which row of the device map a runtime's device is.
#pragma once

#include <span>
#include <vector>

#include "probe/runtime_answer.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// What is known of one device's row.
struct RuntimeMatch {
    enum class Kind {
        row,       ///< it is `rows.front()`
        some_row,  ///< it is one of `rows`: the runtime names the card, not the partition
        no_row,    ///< no row is this device
    };
    Kind kind = Kind::no_row;
    std::vector<std::size_t> rows = {};
    bool by_address = true;  ///< false: its identifier matches, its address does not or is unknown
};

/// One match for each device. Indices are never compared: masks and libraries renumber.
/// `names_partitions`: the runtime's function numbers tell partitions of one card apart.
std::vector<RuntimeMatch> match_devices(std::span<RuntimeDevice const> devices,
                                        std::vector<Gpu> const& gpus, bool names_partitions);

}  // namespace rocmtune
