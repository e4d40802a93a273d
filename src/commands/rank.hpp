// SPDX-License-Identifier: MIT
// Which of many equal processes this is: srun and mpirun start one for each task, and all would
// print the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

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
std::optional<Rank> rank_of(std::function<char const*(char const*)> const& variable);

/// The same from the environment of this process.
std::optional<Rank> rank_of_process();

}  // namespace rocmtune
