// SPDX-License-Identifier: MIT
// Programs in virtual time whose settings have known effects, for the proof that the answers of
// `rocmtune tune` are right: the simulation beside this file and the unit tests tune them.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bench/self/noise.hpp"
#include "judge/verify/search.hpp"

namespace rocmtune::verify::simulation {

/// The settings that are on, NAME or NAME=VALUE where the value is not 1.
using On = std::set<std::string>;

struct Program {
    std::string_view name;
    std::size_t candidates;          ///< A, B, C, ... where they have names, else S26, ...
    double (*effect)(On const& on);  ///< log of better
    On best;                         ///< what is to be found; empty: nothing helps
    On wrong = {};                   ///< settings that make the result wrong
};

inline double of(On const& on, char const* name, double effect) {
    return on.contains(name) ? effect : 0;
}

/// A program of ten candidates; two of them harm, as in life.
inline double common(On const& on) {
    return of(on, "I", -0.04) + of(on, "J", -0.10);
}

inline std::vector<Program> programs() {
    return {
        {"nothing helps", 10, [](On const& on) { return common(on); }, {}},
        {"one setting, +5 %",
         10,
         [](On const& on) { return common(on) + of(on, "C", 0.0488); },
         {"C"}},
        {"one setting, +3 %",
         10,
         [](On const& on) { return common(on) + of(on, "C", 0.0296); },
         {"C"}},
        {"two that add up, +5 % each",
         10,
         [](On const& on) { return common(on) + of(on, "B", 0.0488) + of(on, "E", 0.0488); },
         {"B", "E"}},
        {"two that spoil each other",
         10,
         [](On const& on) {
             bool const both = on.contains("B") && on.contains("E");
             return common(on) + (both ? -0.05 : of(on, "B", 0.08) + of(on, "E", 0.04));
         },
         {"B"}},
        {"one that helps only with another",
         10,
         [](On const& on) {
             return common(on) + (on.contains("B") && on.contains("E") ? 0.10 : 0.0);
         },
         {"B", "E"}},
        {"the fastest is wrong",
         10,
         [](On const& on) { return common(on) + of(on, "A", 0.3) + of(on, "C", 0.0488); },
         {"C"},
         {"A"}},
    };
}

/// A hundred candidates, two of which help by 5 %.
inline Program hundred() {
    return {"a hundred candidates, two help",
            100,
            [](On const& on) { return common(on) + of(on, "S40", 0.0488) + of(on, "S77", 0.0488); },
            {"S40", "S77"}};
}

inline std::string name_of(std::size_t place) {
    return place < 26 ? std::string(1, static_cast<char>('A' + place))
                      : "S" + std::to_string(place);
}

inline std::vector<Candidate> candidates_of(Program const& program) {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < program.candidates; ++i)
        all.push_back(
            {.name = name_of(i), .value = "1", .changes = {{name_of(i), "1"}}, .own = true});
    return all;
}

/// Runs of the program: a figure around 100, a second each.
inline Runner runner_of(Program const& program, Noise noise, double scale, Random& random) {
    auto logs = std::make_shared<std::vector<double>>(noise(6000, random));
    return [&program, logs, scale, next = std::size_t{0}](
               std::span<EnvironmentChange const> changes, bool) mutable {
        On on;
        for (auto const& change : changes) on.insert(change.name);
        bool wrong = false;
        for (auto const& name : program.wrong) wrong = wrong || on.contains(name);
        auto const log = program.effect(on) + scale * (*logs)[next++ % logs->size()];
        return Run{.ok = !wrong,
                   .wrong = wrong,
                   .value = 100 * std::exp(log),
                   .problem = wrong ? "another result" : "",
                   .seconds = 1};
    };
}

/// What many tunings of one program came to.
struct TuningTally {
    std::size_t tunings = 0;
    std::size_t winners = 0;  ///< a winner was named
    std::size_t right = 0;    ///< all that helps, and nothing that harms, is in it
    std::size_t bare = 0;     ///< likewise, and nothing else is
    std::size_t runs = 0;     ///< of all tunings

    double share(std::size_t count) const {
        return static_cast<double>(count) / static_cast<double>(tunings);
    }
};

inline On winners_of(SearchResult const& result) {
    On names;
    for (auto const& tried : result.tried)
        if (tried.verdict == CandidateVerdict::winner) names.insert(tried.candidate.name);
    return names;
}

inline TuningTally tuned(Program const& program, Noise noise, double scale, double budget,
                         std::size_t tunings, Random& random) {
    TuningTally tally{.tunings = tunings};
    for (std::size_t i = 0; i < tunings; ++i) {
        auto const runner = runner_of(program, noise, scale, random);
        auto const result =
            search(candidates_of(program), runner, {.budget_seconds = budget, .seed = random()});
        tally.runs += result.runs;
        auto const found = winners_of(result);
        if (result.answer == TuningAnswer::winner) ++tally.winners;
        if (!program.best.empty() && std::ranges::includes(found, program.best) &&
            program.effect(found) >= program.effect(program.best) - 0.005) {
            ++tally.right;
            if (found == program.best) ++tally.bare;
        }
    }
    return tally;
}

}  // namespace rocmtune::verify::simulation
