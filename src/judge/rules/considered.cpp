// SPDX-License-Identifier: MIT
#include "judge/rules/considered.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/host.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view override_name = "HSA_OVERRIDE_GFX_VERSION";

bool is_variable(Rule const& rule) {
    return rule.kind == SettingKind::environment || rule.kind == SettingKind::allocator;
}

/// Why a rule gives nothing. Lower ones say more of this host.
enum class Reason : std::uint8_t { condition, framework, workload, level };

struct Omitted {
    Reason reason = Reason::level;
    std::string why = {};
};

class Considering {
  public:
    Considering(SelectedHost const& selected, ChipSet const& chips, Selection const& selection)
        : selected_(selected),
          selection_(selection),
          evaluate_(selected),
          profiles_(profiles_of(selected, chips)) {}

    /// Nothing where the rule is not for these GPUs, or nobody can tell.
    std::optional<Omitted> omission(Rule const& rule) {
        auto const& host = *selected_.host;
        if (!is_variable(rule) || !covers_some(rule)) return std::nullopt;
        auto const validity = validity_here(rule, selection_.level, host);
        auto const framework = framework_verdict(rule, selection_.framework, host).truth;
        auto const condition = over_gpus(rule);
        if (validity.held || condition.truth == Truth::unknown || framework == Truth::unknown)
            return std::nullopt;
        bool const holds = condition.truth == Truth::yes;
        if (framework == Truth::no) {
            if (!holds) return std::nullopt;
            return Omitted{Reason::framework, frameworks_text(rule)};
        }
        if (!is_for_workload(rule)) {
            if (!holds) return std::nullopt;
            return Omitted{Reason::workload, workloads_text(rule)};
        }
        if (rule.level > selection_.level) {
            if (!holds) return std::nullopt;
            return Omitted{Reason::level, fmt::format("given at --level {}", word_of(rule.level))};
        }
        if (holds || condition.because.empty()) return std::nullopt;
        return Omitted{Reason::condition, fact_text(condition.because.front())};
    }

    /// One override holds for the whole process, so each target is told of.
    std::vector<std::string> of_override() const {
        std::map<std::string, std::string> texts;
        for (auto const& profile : profiles_)
            if (profile.chip != nullptr && !profile.stands_in)
                texts[*profile.gpu->gfx_target] = override_text(*profile.chip);
        std::vector<std::string> all;
        for (auto& [target, text] : texts) all.push_back(std::move(text));
        return all;
    }

  private:
    bool covers_some(Rule const& rule) const {
        return std::ranges::any_of(profiles_, [&](GpuProfile const& profile) {
            return covers(rule, profile).truth == Truth::yes;
        });
    }

    /// On one of the GPUs; a no has the facts of the first one.
    Decision over_gpus(Rule const& rule) {
        if (rule.everywhere && !rule.per_gpu) return evaluate_(rule.when, nullptr);
        std::optional<Decision> best;
        for (auto const& profile : profiles_) {
            if (covers(rule, profile).truth != Truth::yes) continue;
            auto one = evaluate_(rule.when, profile.gpu);
            if (!best || one.truth > best->truth) best = std::move(one);
        }
        return best.value_or(Decision{});
    }

    bool is_for_workload(Rule const& rule) const {
        return rule.workloads.empty() ||
               std::ranges::count(rule.workloads, selection_.workload) > 0;
    }

    static std::string workloads_text(Rule const& rule) {
        std::vector<std::string_view> names;
        for (auto const workload : rule.workloads) names.push_back(word_of(workload));
        return fmt::format("given with --workload {}", fmt::join(names, " or "));
    }

    static std::string frameworks_text(Rule const& rule) {
        std::vector<std::string_view> names;
        for (auto const framework : rule.frameworks) names.push_back(word_of(framework));
        return fmt::format("for {}, which is not here", fmt::join(names, " or "));
    }

    /// A number of GPUs is that of a condition's own choice among them.
    static std::string fact_text(Because const& fact) {
        if (fact.field.ends_with("gpus")) return "not for the GPUs of this host";
        return fmt::format("not for this host, where {} is {}", fact.field,
                           fact.value.value_or("absent"));
    }

    static std::string override_text(Chip const& chip) {
        auto const& advice = chip.facts.gfx_override;
        auto const main = std::ranges::find(chip.facts.support, "rocm", &SupportRange::list);
        bool const is_listed = main != chip.facts.support.end() && main->until.empty();
        if (advice.risk == "none-needed")
            return fmt::format("not needed, {} is supported", chip.gfx_target);
        if (is_listed)
            return fmt::format("not needed from ROCm {} on, which supports {}", main->since,
                               chip.gfx_target);
        if (advice.value.empty())
            return fmt::format("no value is known to help {}", chip.gfx_target);
        return fmt::format("never set unasked; for {} see rocmtune explain {}", chip.gfx_target,
                           chip.gfx_target);
    }

    SelectedHost const& selected_;
    Selection const& selection_;
    Evaluator evaluate_;
    std::vector<GpuProfile> profiles_;
};

bool is_told(Advice const& advice, std::string_view name) {
    auto const has = [&](auto const& one) { return one.name == name; };
    return std::ranges::any_of(advice.recommendations, has) ||
           std::ranges::any_of(advice.undecided, has);
}

}  // namespace

void add_considered(SelectedHost const& selected, ChipSet const& chips, Selection const& selection,
                    std::span<Rule const> rules, Advice& advice) {
    if (selected.gpus.empty()) return;
    Considering considering(selected, chips, selection);
    std::map<std::string, Omitted> omitted;
    for (auto const& rule : rules) {
        if (is_told(advice, rule.name)) continue;
        auto one = considering.omission(rule);
        if (!one) continue;
        auto const [place, is_new] = omitted.try_emplace(std::string(rule.name), *one);
        if (!is_new && one->reason < place->second.reason) place->second = std::move(*one);
    }
    if (gfx_overrides(*selected.host).empty())
        if (auto const texts = considering.of_override(); !texts.empty())
            omitted[std::string(override_name)].why = fmt::format("{}", fmt::join(texts, "; "));
    for (auto& [name, one] : omitted)
        advice.considered.push_back({.name = name, .why = std::move(one.why)});
}

}  // namespace rocmtune
