// SPDX-License-Identifier: MIT
// Proof by simulation that the answers of `rocmtune tune` are right: how often the null program has
// a winner, how often planted effects are found, and what a hundred candidates cost beside a grid
// and a random search with the same confirmation. Prints tables for README.md and fails if a
// promise is not held.
#include <cstdio>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/self/tuned_programs.hpp"

namespace {

using namespace rocmtune::verify::simulation;
namespace verify = rocmtune::verify;

constexpr double budget = 400;  ///< runs of a second
int failures = 0;

std::string percent(double share, bool holds) {
    if (!holds) ++failures;
    return fmt::format("{:.1f} %{}", 100 * share, holds ? "" : " (!)");
}

/// Of the right winners so many have no setting that does nothing.
constexpr double mostly_bare = 0.85;

/// Well above the noise 95 %. Effects of the size of the noise: 80 %, and less where two of them
/// spoil each other.
double promise_of(Program const& program, double scale) {
    if (scale < 0.02) return 0.95;
    return program.name.find("spoil") == program.name.npos ? 0.8 : 0.6;
}

void print_found(std::size_t tunings, Random& random) {
    std::puts(
        "| program | right at 1 % | of these nothing else | runs | right at 3 % | of these nothing "
        "else | runs |\n"
        "|---|---|---|---|---|---|---|");
    for (auto const& program : programs()) {
        if (program.best.empty()) continue;
        auto line = fmt::format("| {} |", program.name);
        for (double const scale : {0.01, 0.03}) {
            auto const it = tuned(program, white, scale, budget, tunings, random);
            auto const promised = promise_of(program, scale);
            auto const bare = it.share(it.bare) / it.share(it.right);
            line += fmt::format(" {} | {} | {:.0f} |",
                                percent(it.share(it.right), it.share(it.right) >= promised),
                                percent(bare, bare >= mostly_bare), it.share(it.runs));
        }
        std::puts(line.c_str());
        std::fflush(stdout);
    }
}

void print_null(std::size_t tunings, Random& random) {
    std::puts(
        "\n| noise | winner of nothing at 1 % | at 3 % | at 20 % | +5 % found at 1 % |\n"
        "|---|---|---|---|---|");
    auto const all = programs();
    for (auto const& row : noises) {
        auto line = fmt::format("| {} |", row.name);
        for (double const scale : {0.01, 0.03, 0.2}) {
            auto const it = tuned(all[0], row.noise, scale, budget, tunings, random);
            line += ' ' + percent(it.share(it.winners), it.share(it.winners) <= 0.05) + " |";
        }
        auto const found = tuned(all[1], row.noise, 0.01, budget, tunings, random);
        auto const share = found.share(found.right);
        line += ' ' + percent(share, share >= 0.95 || !row.realistic) + " |";
        std::puts(line.c_str());
        std::fflush(stdout);
    }
}

/// Runs that other searches take until they are as sure of each candidate. A grid measures each of
/// the hundred in the blocks of verify, or beside one baseline in `rounds` rounds; a random search
/// draws whole sets and measures each as often.
void print_cost(std::size_t tunings, Random& random) {
    auto const program = hundred();
    auto const it = tuned(program, white, 0.01, 600, tunings, random);
    auto const runs = it.share(it.runs);
    constexpr double rounds = 10;  // as many blocks as the confirmation has at least
    auto const candidates = static_cast<double>(program.candidates);
    auto const blocks = candidates * rounds * 4;
    auto const shared = (candidates + 1) * rounds + rounds * 4;
    // A random half of the hundred has both with a chance of a quarter, and their parts cannot be
    // told apart: halving it seven times is the least.
    auto const by_chance = (4 + 2 * 7) * rounds * 4;
    std::printf("\na hundred candidates, two of +5 %% at 1 %% noise: both found in %s, %.0f runs\n",
                percent(it.share(it.right), it.share(it.right) >= 0.95).c_str(), runs);
    std::printf("| beside | runs | ratio |\n|---|---|---|\n");
    std::printf("| a grid in the blocks of verify | %.0f | %s |\n", blocks,
                percent(runs / blocks, runs / blocks <= 0.12).c_str());
    std::printf("| a grid with one baseline a round | %.0f | %s |\n", shared,
                percent(runs / shared, runs / shared <= 0.36).c_str());
    std::printf("| random sets, then halving them (at least) | %.0f | %s |\n", by_chance,
                percent(runs / by_chance, true).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    auto const asked = argc > 1 ? rocmtune::to_unsigned(argv[1], 10) : 1000;
    auto const tunings = static_cast<std::size_t>(asked.value_or(1000));
    Random random(20261127);
    std::printf("%zu tunings of %.0f runs at most for each figure, margin 1 %%\n\n", tunings,
                budget);
    print_found(tunings, random);
    print_null(tunings, random);
    print_cost(tunings, random);
    std::printf("\n%d promises not held\n", failures);
    return failures == 0 ? 0 : 1;
}
