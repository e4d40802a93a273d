// SPDX-License-Identifier: MIT
// What `rocmtune verify` says of a setting, and how it was measured.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// What measuring with and without a setting has shown. The words are part of the JSON contract.
enum class SettingVerdict : std::uint8_t {
    confirmed,       ///< better by more than the margin
    no_effect,       ///< within the margin
    harmful,         ///< worse by more than the margin, or the measured program fails with it
    inconclusive,    ///< measured, but not decided
    not_measurable,  ///< nothing that was measured reads it
};

inline constexpr std::array<std::string_view, 5> setting_verdict_words{
    "confirmed", "no-effect", "harmful", "inconclusive", "not-measurable"};

constexpr std::span<std::string_view const> words_of(SettingVerdict) {
    return setting_verdict_words;
}

/// One setting with what was measured of it.
struct VerifiedSetting {
    std::string name = {};                  ///< a variable; "together" for all of the settings
    std::optional<std::string> value = {};  ///< absent: the variable was cleared
    std::optional<double> effect = {};      ///< 0.05: 5 % better; below 0 worse
    std::optional<double> low = {};         ///< 95 % interval of the effect
    std::optional<double> high = {};
    SettingVerdict verdict = SettingVerdict::inconclusive;
    std::optional<std::uint64_t> blocks_needed = {};
};

template <SameEntity<VerifiedSetting> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "variable; together for all of them at once"}, it.name);
    v(Field{"value", "its value; null if it is cleared"}, it.value);
    v(Field{"effect",
            "how much better with the setting (0.05: 5 %), below 0 worse; null if it was "
            "not measured"},
      it.effect);
    v(Field{"low", "lower end of the effect's 95 % interval"}, it.low);
    v(Field{"high", "upper end of it"}, it.high);
    v(Field{"verdict_setting", "what measuring with and without it has shown"}, it.verdict);
    v(Field{"blocks_needed",
            "blocks that would probably decide; null if it is decided, or if no "
            "number would do"},
      it.blocks_needed);
}

/// How the settings of one report were measured.
struct VerifySummary {
    std::string benchmark = {};  ///< a row of the benchmark table, or "command"
    std::string metric = {};
    std::string unit = {};
    std::string better = {};  ///< higher or lower
    double margin = 0.02;     ///< effects up to this ratio do not matter
    double budget_seconds = 0;
    std::uint64_t blocks = 0;  ///< planned, of each setting
    std::uint64_t seed = 0;    ///< of the order of the arms
    bool self_test = false;
    std::optional<double> smallest_effect = {};
    std::vector<std::string> asserted = {};  ///< names of --assume-read
};

template <SameEntity<VerifySummary> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"benchmark", "what was measured: a benchmark, or command"}, it.benchmark);
    v(Field{"metric", "what of it"}, it.metric);
    v(Field{"unit", "its unit; may be empty"}, it.unit);
    v(Field{"better", "which values are better: higher or lower"}, it.better);
    v(Field{"margin", "effects up to this ratio do not matter"}, it.margin);
    v(Field{"budget_seconds", "time that was given"}, it.budget_seconds);
    v(Field{"blocks", "blocks of four runs that were planned for each setting"}, it.blocks);
    v(Field{"seed", "seed of the order in which baseline and setting ran"}, it.seed);
    v(Field{"self_test", "nothing was set: the host was measured against itself"}, it.self_test);
    v(Field{"smallest_effect",
            "smallest effect that these blocks would have shown in 19 of 20 "
            "verifications; null if nothing was measured"},
      it.smallest_effect);
    v(Field{"asserted", "names whose readers were taken on the user's word"}, it.asserted);
}

}  // namespace rocmtune
