// SPDX-License-Identifier: MIT
// Tuning: what was tried on one program on this host, what it came to, and what was left out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/observation.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

/// What became of one candidate of tune.
enum class CandidateVerdict : std::uint8_t {
    winner,         ///< part of what was confirmed on fresh runs
    not_confirmed,  ///< part of what looked best; the fresh runs did not confirm it
    not_better,     ///< others looked better, or nothing could be won with it
    slower,         ///< so much slower that it was tried no further
    failed,         ///< the program fails with it
    wrong_result,   ///< the program gives another result with it
    left_out,       ///< not tried: nothing in the program reads it, or there was no time
    not_decided,    ///< it might win: the search ended without an answer
};

inline constexpr std::array<std::string_view, 8> candidate_verdict_words{
    "winner", "not-confirmed", "not-better", "slower",
    "failed", "wrong-result",  "left-out",   "not-decided"};

constexpr std::span<std::string_view const> words_of(CandidateVerdict) {
    return candidate_verdict_words;
}

/// What a tuning came to.
enum class TuningAnswer : std::uint8_t {
    winner,       ///< confirmed on fresh runs
    nothing,      ///< an effect of the size of the margin would have been seen, and was not
    not_decided,  ///< smaller effects than could be seen may be there
    failed,       ///< the program fails without any candidate
    observed,     ///< it was watched, and nothing was tried
};

inline constexpr std::array<std::string_view, 5> tuning_answer_words{
    "winner", "nothing", "not-decided", "failed", "observed"};

constexpr std::span<std::string_view const> words_of(TuningAnswer) {
    return tuning_answer_words;
}

/// Where a candidate comes from.
enum class CandidateOrigin : std::uint8_t {
    user,        ///< --setting
    catalogue,   ///< what the rules recommend for this host
    launch,      ///< a way of starting the program on this machine
    experiment,  ///< may ease what limits the program; nobody promises that it does
};

inline constexpr std::array<std::string_view, 4> candidate_origin_words{"user", "catalogue",
                                                                        "launch", "experiment"};

constexpr std::span<std::string_view const> words_of(CandidateOrigin) {
    return candidate_origin_words;
}

/// How far a candidate got.
enum class TuningStage : std::uint8_t {
    look,          ///< it ran alone
    halves,        ///< with half of the others against the other half
    race,          ///< in combinations of the last three
    confirmation,  ///< on fresh runs
};

inline constexpr std::array<std::string_view, 4> tuning_stage_words{"look", "halves", "race",
                                                                    "confirmation"};

constexpr std::span<std::string_view const> words_of(TuningStage) {
    return tuning_stage_words;
}

/// The key of TunedCandidate::settings for words before the command: no variable has this name.
inline constexpr std::string_view launch_key = "launch:";

/// One value of a setting, or one way of starting the program; of a winner all that won.
struct TunedCandidate {
    std::map<std::string, std::string> settings = {};  ///< variables, or launch_key
    CandidateOrigin origin = CandidateOrigin::user;
    TuningStage stage = TuningStage::look;
    CandidateVerdict verdict = CandidateVerdict::left_out;
    std::optional<double> effect = {};  ///< 0.05: 5 % better
    std::optional<double> low = {};     ///< 95 % interval of it
    std::optional<double> high = {};
    std::uint64_t runs = 0;  ///< with it, alone or beside others
    std::string reason = {};
    std::optional<std::string> reader = {};  ///< the mapped file that shows that it is read
};

template <SameEntity<TunedCandidate> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"settings", "variables with their values; launch: for words before the command"},
      it.settings);
    v(Field{"origin", "who named it"}, it.origin);
    v(Field{"stage", "how far it got"}, it.stage);
    v(Field{"verdict", "what became of it"}, it.verdict);
    v(Field{"effect",
            "how much better with it (0.05: 5 %): of a winner on fresh runs, else as the search "
            "estimates, and the best of many looks better than it is; null if not measured"},
      it.effect);
    v(Field{"low", "lower end of the effect's 95 % interval"}, it.low);
    v(Field{"high", "upper end of it"}, it.high);
    v(Field{"runs", "runs that had it, alone or with others; of a winner those that confirmed it"},
      it.runs);
    v(Field{"reason", "why it was left out or tried no further; may be empty"}, it.reason);
    v(Field{"reader", "mapped file that shows that the program reads it; null if none was seen"},
      it.reader);
}

/// The program as it is.
struct TuningBaseline {
    double value = 0;  ///< of the metric: geometric mean
    double noise = 0;  ///< standard deviation of the log of single runs
};

template <SameEntity<TuningBaseline> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"value", "the metric without any candidate, mean of the first runs"}, it.value);
    v(Field{"noise", "by how much single runs scatter (0.01: 1 %)"}, it.noise);
}

/// For what a tuning holds. Another host, version or program may behave otherwise.
struct TuningScope {
    std::string host = {};                    ///< fingerprint, as env scripts have it
    std::string program = {};                 ///< the command, or the benchmark
    std::vector<std::string> libraries = {};  ///< mapped files that read a candidate
};

template <SameEntity<TuningScope> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"host", "fingerprint of the host, as the head of an env script has it"}, it.host);
    v(Field{"program", "the command, or the benchmark, that was measured"}, it.program);
    v(Field{"libraries", "files of the program that read what was tried"}, it.libraries);
}

struct Tuning {
    TuningAnswer answer = TuningAnswer::not_decided;
    std::string reason = {};  ///< of an answer that is not a winner
    TuningScope scope = {};
    std::string metric = {};
    std::string unit = {};
    std::string better = {};    ///< higher or lower
    std::string compared = {};  ///< how results were compared: exit code alone, regex, file
    double margin = 0.01;
    double budget_seconds = 0;
    double seconds = 0;
    std::uint64_t runs = 0;
    std::uint64_t failed_runs = 0;    ///< of any arm
    std::uint64_t repeated_runs = 0;  ///< others took processors meanwhile, or the machine slept
    std::uint64_t uneven_runs = 0;    ///< likewise, and they count
    std::uint64_t seed = 0;
    std::optional<Observation> observation = {};  ///< of one run without any candidate
    std::optional<TuningBaseline> baseline = {};  ///< absent if it failed
    std::vector<TunedCandidate> candidates = {};
    std::optional<TunedCandidate> winner = {};
    std::vector<TunedCandidate> left_out = {};
    std::optional<double> smallest_effect_seen = {};
};

template <SameEntity<Tuning> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"answer", "what it came to"}, it.answer);
    v(Field{"reason", "why there is no winner; empty if there is one"}, it.reason);
    v(Field{"scope", "for what it holds"}, it.scope);
    v(Field{"metric", "regular expression, JSON pointer, metric of the benchmark, or time"},
      it.metric);
    v(Field{"unit", "unit of the metric; may be empty"}, it.unit);
    v(Field{"better", "which values are better: higher or lower"}, it.better);
    v(Field{"compared", "how the results of runs were compared with those of the baseline"},
      it.compared);
    v(Field{"margin", "a smaller gain is no winner"}, it.margin);
    v(Field{"budget_seconds", "time that was given"}, it.budget_seconds);
    v(Field{"seconds", "what the runs took, those before --resume included"}, it.seconds);
    v(Field{"runs", "runs of the program"}, it.runs);
    v(Field{"failed_runs", "runs that failed or gave no figure"}, it.failed_runs);
    v(Field{"repeated_runs",
            "runs that were repeated: others used more processors than usual, or the machine "
            "was suspended"},
      it.repeated_runs);
    v(Field{"uneven_runs", "runs of that kind that count, since many had been repeated"},
      it.uneven_runs);
    v(Field{"seed", "seed of all orders"}, it.seed);
    v(Inlined{"limits"}, it.observation);
    v(Field{"baseline", "the program as it is; null if it failed"}, it.baseline);
    v(Field{"candidates", "what was tried"}, it.candidates);
    v(Field{"winner", "all that won together, with the runs that confirmed it; null without one"},
      it.winner);
    v(Field{"left_out", "what was not tried, and why"}, it.left_out);
    v(Field{"smallest_effect_seen",
            "a candidate that alone gains more than this would have been seen (19 of 20 tunings); "
            "null if none was measured"},
      it.smallest_effect_seen);
}

}  // namespace rocmtune
