// SPDX-License-Identifier: MIT
#include "commands/rank.hpp"

#include <cstdlib>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// The variables of one launcher.
struct Launcher {
    char const* world;
    char const* local;
};

constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
                                  {"PMI_RANK", "MPI_LOCALRANKID"},
                                  {"SLURM_PROCID", "SLURM_LOCALID"}};

}  // namespace

std::optional<Rank> rank_of(std::function<char const*(char const*)> const& variable) {
    auto const number = [&](char const* name) -> std::optional<std::uint64_t> {
        auto const* const text = variable(name);
        return text == nullptr ? std::nullopt : to_unsigned(text, 10);
    };
    for (auto const& launcher : launchers)
        if (auto const world = number(launcher.world))
            return Rank{.world = *world, .local = number(launcher.local)};
    return std::nullopt;
}

std::optional<Rank> rank_of_process() {
    return rank_of([](char const* name) { return std::getenv(name); });
}

}  // namespace rocmtune
