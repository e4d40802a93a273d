// SPDX-License-Identifier: MIT
// The answer of a worker, read back. It may come from a recording, so nothing in it is trusted.
// Which row of the device map a runtime's device is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/pci_address.hpp"
#include "rocmtune/gpu.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

/// A device as one runtime names it. What is not known is not there.
struct RuntimeDevice {
    std::uint64_t index = 0;
    std::optional<PciAddress> address = {};
    std::optional<std::uint64_t> partition = {};  ///< where it is told apart from the function
    std::optional<std::string> name = {};
    std::optional<std::string> target_id = {};  ///< "gfx90a:sramecc+:xnack-"
    std::optional<std::string> uuid = {};       ///< "GPU-" and 16 digits
    std::optional<std::string> unique_id = {};  ///< 16 hexadecimal digits
    std::optional<std::uint64_t> memory_bytes = {};
    std::optional<std::uint64_t> compute_units = {};
    std::optional<std::uint64_t> multiprocessors = {};  ///< workgroup processors on RDNA
    std::optional<std::uint64_t> wavefront_size = {};
    std::optional<double> memory_bus_bits = {};   ///< as told: may be what cannot be
    std::optional<double> memory_clock_khz = {};  ///< the highest; as told
    std::optional<std::uint64_t> kfd_node = {};   ///< as the runtime counts nodes

    /// "gfx90a"
    std::optional<std::string> target() const;
};

struct RuntimeAnswer {
    Runtime record;
    Missing reason = Missing::absent;  ///< why there are no devices; of a good answer: none listed
    std::vector<RuntimeDevice> devices;
    std::optional<std::string> trying = {};  ///< the file that was being loaded at the end
    std::vector<std::string> loaded;         ///< files of the same library that share the process

    bool complete() const { return record.status == "ok"; }
};

/// Reads one worker_reply(). Text that is none becomes status `error`.
RuntimeAnswer parse_runtime_answer(std::string_view name, std::string_view text);

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
