// SPDX-License-Identifier: MIT
// The operations of the bandwidth benchmark: what each moves, and whether their figures can stand
// beside each other.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/measurement.hpp"

namespace rocmtune::bench {

struct BandwidthOperation {
    std::string_view name;
    unsigned reads;        ///< arrays of N bytes
    unsigned writes;       ///< arrays of N bytes
    bool reduces = false;  ///< the result is a partial of each block

    double arrays() const { return reads + writes; }
    /// "reads 2 N and writes N bytes"
    std::string counting() const;
    /// Whether the other moves all that this one does, or more.
    bool is_part_of(BandwidthOperation const& other) const {
        return reads <= other.reads && writes <= other.writes;
    }
};

/// All of them, in the order in which they are measured.
std::span<BandwidthOperation const> bandwidth_operations();

/// Labels what took longer than an operation of the same run, device and size that moves the same
/// bytes or more: `slower-than-copy`. Such a figure is that of its instructions, not of the memory.
/// One that is a quarter slower beyond both intervals counts; data in a cache and failed
/// measurements do not.
void label_slower_than_others(std::vector<Measurement>& measurements);

}  // namespace rocmtune::bench
