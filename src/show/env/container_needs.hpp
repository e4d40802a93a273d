// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocmtune/report.hpp"

namespace rocmtune {

/// A limit that programs on GPUs need raised. "unlimited" is a value, too.
struct Limit {
    std::string name;                   ///< memlock or nofile
    std::optional<std::uint64_t> soft;  ///< absent: unlimited
    std::optional<std::uint64_t> hard;
};

/// What a container on this host must be given to compute on the selected GPUs.
struct ContainerNeeds {
    std::vector<std::string> devices;  ///< /dev/kfd and render nodes, in the order of rows
    std::size_t gpus_to_use = 0;       ///< of the GPUs, those that no mask of the settings hides
    std::vector<std::uint64_t> group_ids;  ///< groups that own them, ascending, without root's
    std::uint64_t shm_bytes = 0;           ///< for /dev/shm: as here, or what RT3210 asks for
    std::vector<Limit> limits;
    std::vector<std::string> notes;  ///< what is not known or is left to the reader
};

ContainerNeeds container_needs(Report const& report);

}  // namespace rocmtune
