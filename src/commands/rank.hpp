// SPDX-License-Identifier: MIT
// Which of many equal processes this is: srun and mpirun start one for each task, and all would
// print the same.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace rocmtune {

struct Rank {
    std::uint64_t world = 0;                  ///< among all processes of the program
    std::optional<std::uint64_t> local = {};  ///< among those on this host, where it is told

    /// One process in all speaks for the others.
    bool speaks() const { return world == 0; }
    /// One process of each host writes its files.
    bool writes() const { return local.value_or(world) == 0; }
};

/// The rank that Open MPI, MPICH's launcher or Slurm gave this process; nothing outside of them.
/// Open MPI and MPICH come first: below sbatch all their processes inherit Slurm's rank 0.
inline std::optional<Rank> rank_of(std::function<char const*(char const*)> const& variable) {
    constexpr std::pair<char const*, char const*> launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
        {"PMI_RANK", "MPI_LOCALRANKID"},
        {"SLURM_PROCID", "SLURM_LOCALID"}};
    auto const number = [&](char const* name) -> std::optional<std::uint64_t> {
        auto const* const text = variable(name);
        return text == nullptr ? std::nullopt : to_unsigned(text, 10);
    };
    for (auto const& [world_name, local_name] : launchers)
        if (auto const world = number(world_name))
            return Rank{.world = *world, .local = number(local_name)};
    return std::nullopt;
}

/// The same from the environment of this process.
inline std::optional<Rank> rank_of_process() {
    return rank_of([](char const* name) { return std::getenv(name); });
}

}  // namespace rocmtune
