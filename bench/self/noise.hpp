// SPDX-License-Identifier: MIT
// Noise as benchmarks have it, for the proof that the verdicts of `rocmtune verify` are right: the
// simulation beside this file and the unit tests draw from it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string_view>
#include <vector>

#include "judge/verify/statistics.hpp"

namespace rocmtune::verify::simulation {

using Random = std::mt19937_64;

/// Logs of the figures of successive runs that all measure the same thing. Unit scatter: without
/// what is slower than a block their standard deviation is about 1.
using Noise = std::vector<double> (*)(std::size_t runs, Random& random);

inline double normal(Random& random) {
    return std::normal_distribution<double>()(random);
}

inline bool chance(double probability, Random& random) {
    return std::bernoulli_distribution(probability)(random);
}

inline std::vector<double> white(std::size_t runs, Random& random) {
    std::vector<double> logs(runs);
    for (auto& log : logs) log = normal(random);
    return logs;
}

/// A host that warms up: an even drift, a wave and a random walk, five times the noise in all.
inline std::vector<double> drift(std::size_t runs, Random& random) {
    auto logs = white(runs, random);
    double walk = 0;
    auto const slope = 5.0 / static_cast<double>(runs);
    auto const phase = std::uniform_real_distribution<double>(0, 6.28)(random);
    for (std::size_t i = 0; i < runs; ++i) {
        walk += 0.2 * normal(random);
        auto const time = static_cast<double>(i);
        logs[i] = 0.9 * logs[i] - slope * time + 1.5 * std::sin(phase + time / 9) + walk;
    }
    return logs;
}

/// Neighbours resemble each other: an autoregressive process with the coefficient 0.8.
inline std::vector<double> autocorrelated(std::size_t runs, Random& random) {
    constexpr double kept = 0.8;
    std::vector<double> logs(runs);
    double value = normal(random);
    for (auto& log : logs) {
        log = value;
        value = kept * value + std::sqrt(1 - kept * kept) * normal(random);
    }
    return logs;
}

/// Most runs are close together, one in ten is slower by several times the noise, never faster.
inline std::vector<double> heavy_tails(std::size_t runs, Random& random) {
    std::vector<double> logs(runs);
    std::exponential_distribution<double> late(1);
    for (auto& log : logs)
        log = 0.5 * normal(random) - (chance(0.1, random) ? 2 * late(random) : 0);
    return logs;
}

/// Student's t with 1.5 degrees of freedom: its variance is infinite.
inline std::vector<double> wild(std::size_t runs, Random& random) {
    std::vector<double> logs(runs);
    std::student_t_distribution<double> t(1.5);
    for (auto& log : logs) log = 0.5 * t(random);
    return logs;
}

/// Clocks that are held down for some runs, by four times the noise.
inline std::vector<double> throttling(std::size_t runs, Random& random) {
    auto logs = white(runs, random);
    bool slow = false;
    for (auto& log : logs) {
        if (chance(slow ? 0.15 : 0.05, random)) slow = !slow;
        log = 0.7 * log - (slow ? 4 : 0);
    }
    return logs;
}

/// All of them at once.
inline std::vector<double> everything(std::size_t runs, Random& random) {
    auto const a = drift(runs, random);
    auto const b = autocorrelated(runs, random);
    auto const c = heavy_tails(runs, random);
    auto const d = throttling(runs, random);
    std::vector<double> logs(runs);
    for (std::size_t i = 0; i < runs; ++i) logs[i] = (a[i] + b[i] + c[i] + d[i]) / 2;
    return logs;
}

struct NamedNoise {
    std::string_view name;
    Noise noise;
    bool realistic;  ///< power is promised of it; of the others coverage and false verdicts only
};

inline constexpr std::array noises{
    NamedNoise{"white", white, true},
    NamedNoise{"drift", drift, true},
    NamedNoise{"autocorrelation 0.8", autocorrelated, true},
    NamedNoise{"heavy tails", heavy_tails, true},
    NamedNoise{"throttling steps", throttling, true},
    NamedNoise{"infinite variance", wild, false},
    NamedNoise{"everything at once", everything, false},
};

/// The differences of `blocks` blocks over one course of noise, as the experiment makes them.
/// @param effect  log of candidate over baseline
inline std::vector<double> differences_of(Noise noise, double scale, double effect,
                                          std::size_t blocks, Random& random) {
    auto const logs = noise(4 * blocks, random);
    std::vector<double> differences;
    for (std::size_t b = 0; b < blocks; ++b) {
        Block block{.candidate_first = chance(0.5, random)};
        for (std::size_t i = 0; i < 4; ++i) {
            bool const inner = i == 1 || i == 2;
            bool const with = inner != block.candidate_first;
            block.values[i] = std::exp(scale * logs[4 * b + i] + (with ? effect : 0));
        }
        differences.push_back(difference_of(block));
    }
    return differences;
}

/// What happened in many verifications of one setting whose effect is known.
struct Tally {
    std::size_t runs = 0;
    std::size_t covered = 0;  ///< the interval held the effect
    std::array<std::size_t, setting_verdict_words.size()> verdicts{};

    double share(std::size_t count) const {
        return static_cast<double>(count) / static_cast<double>(runs);
    }
    double share(SettingVerdict verdict) const {
        return share(verdicts[static_cast<std::size_t>(verdict)]);
    }
    double coverage() const { return share(covered); }
    /// Of a setting without effect.
    double false_verdicts() const {
        return share(SettingVerdict::confirmed) + share(SettingVerdict::harmful);
    }
};

inline Tally tally(Noise noise, double scale, double effect, std::size_t blocks, std::size_t runs,
                   Random& random, double margin = 0.02) {
    Tally tally;
    auto const log = std::log1p(effect);
    for (; tally.runs < runs; ++tally.runs) {
        std::vector<std::vector<double>> const one{
            differences_of(noise, scale, log, blocks, random)};
        auto const judged = judge(one, margin).front();
        ++tally.verdicts[static_cast<std::size_t>(judged.verdict)];
        tally.covered += judged.shift.low && *judged.shift.low <= log && log <= *judged.shift.high;
    }
    return tally;
}

}  // namespace rocmtune::verify::simulation
