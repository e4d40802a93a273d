// SPDX-License-Identifier: MIT
// From rules to advice: each rule alone, then the choice among rules of one name.
#include "rules/advise.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "host/subject.hpp"
#include "knowledge/citation.hpp"
#include "rules/condition.hpp"
#include "rules/gates.hpp"
#include "rules/host_values.hpp"
#include "rules/scene.hpp"

namespace rocmtune {
namespace {

struct Candidate {
    std::size_t rank = 0;
    Recommendation advice = {};
};

std::string from(Rule const& rule) {
    return fmt::format("{}#{}", rule.file.substr(rule.file.rfind('/') + 1), rule.pointer);
}

/// "0000:03:00.0 and 2 more".
std::string some_of(std::vector<Gpu const*> const& gpus) {
    auto text = subject_of(*gpus.front());
    if (gpus.size() > 1) text += fmt::format(" and {} more", gpus.size() - 1);
    return text;
}

class Adviser {
  public:
    Adviser(Scene const& scene, ChipSet const& chips, Catalogue const& catalogue,
            Selection const& selection)
        : scene_(scene),
          catalogue_(catalogue),
          selection_(selection),
          evaluate_(scene),
          profiles_(profiles_of(scene, chips)) {}

    Advice advise(std::span<Rule const> rules) {
        if (scene_.gpus.empty()) {
            note_unread();
            return std::move(advice_);
        }
        note_targets();
        for (auto const& rule : rules) {
            if (is_asked(rule)) consider(rule);
        }
        choose();
        // Names repeat among kinds and, of what is open, among rules.
        std::ranges::sort(advice_.recommendations, {},
                          [](Recommendation const& one) { return std::tie(one.name, one.kind); });
        auto const says = [](Undecided const& one) {
            return std::tie(one.name, one.reason, one.detail, one.from);
        };
        std::ranges::sort(advice_.undecided, {}, says);
        // Rules of several profiles may leave one name open for one reason.
        auto const repeated = std::ranges::unique(advice_.undecided, {}, [](Undecided const& one) {
            return std::tie(one.name, one.reason, one.detail);
        });
        advice_.undecided.erase(repeated.begin(), repeated.end());
        return std::move(advice_);
    }

  private:
    /// Without GPUs no rule is judged: was that looked at, or could it not be?
    void note_unread() {
        auto const& host = *scene_.host;
        if (auto const why = why_gpus_are_unread(host)) {
            advice_.undecided.push_back(
                {.name = "GPUs",
                 .reason = "missing-fact",
                 .detail = fmt::format("the GPUs could not be read ({})", *why),
                 .missing = {{"host", "pci_functions", std::nullopt}}});
        }
        for (auto const& gpu : host.gpus) {
            if (gpu.driver || gpu.driver.reason() == Missing::absent) continue;
            advice_.undecided.push_back({.name = subject_of(gpu),
                                         .reason = "missing-fact",
                                         .detail = fmt::format("its driver could not be read ({})",
                                                               missing_name(gpu.driver.reason())),
                                         .missing = {{subject_of(gpu), "driver", std::nullopt}}});
        }
    }

    void note_targets() {
        std::map<std::string, std::string> noted;
        for (auto const& profile : profiles_) {
            if (!profile.gpu->gfx_target || (profile.chip && !profile.stands_in)) continue;
            noted[*profile.gpu->gfx_target] =
                profile.chip ? fmt::format("no profile knows it: rules of its family {} are used",
                                           profile.chip->family)
                             : std::string(
                                   "no profile knows it or its family: only rules for "
                                   "every GPU are used");
        }
        for (auto& [target, detail] : noted) {
            advice_.undecided.push_back(
                {.name = target, .reason = "unknown-target", .detail = std::move(detail)});
        }
    }

    bool is_asked(Rule const& rule) const {
        auto const for_workload =
            rule.workloads.empty() ||
            std::ranges::find(rule.workloads, selection_.workload) != rule.workloads.end();
        return rule.level <= selection_.level && for_workload;
    }

    void hold(Rule const& rule, Held held) {
        if (held.reason.empty()) return;
        advice_.undecided.push_back({.name = std::string(rule.name),
                                     .reason = std::move(held.reason),
                                     .detail = std::move(held.detail),
                                     .missing = std::move(held.missing),
                                     .from = from(rule)});
    }

    void consider(Rule const& rule) {
        auto const& host = *scene_.host;
        auto framework = framework_verdict(rule, selection_.framework, host);
        if (framework.truth == Truth::no) return;
        auto here = validity_here(rule, selection_.level, host);
        if (here.held && here.held->reason.empty()) return;
        auto condition = over_gpus(rule);
        if (condition.truth == Truth::no) return;
        for (auto* verdict : {&framework, &condition}) {
            if (verdict->truth == Truth::unknown) return hold(rule, missing(std::move(*verdict)));
        }
        if (here.held) return hold(rule, std::move(*here.held));
        auto because = std::move(framework.because);
        for (auto* more : {&condition.because, &here.because})
            for (auto& fact : *more) add(because, std::move(fact));
        give(rule, std::move(here.validity), std::move(because));
    }

    static Held missing(Decision verdict) {
        auto const& first = verdict.because.front();
        auto detail = fmt::format("{} of {} is not known", first.field, first.subject);
        return {"missing-fact", std::move(detail), std::move(verdict.because)};
    }

    /// A rule of one architecture, or about facts of a GPU, must hold on every selected GPU.
    Decision over_gpus(Rule const& rule) {
        if (rule.everywhere && !rule.per_gpu) return evaluate_(rule.when, nullptr);
        Decision all{.truth = Truth::yes};
        std::vector<Gpu const*> without;
        std::size_t with = 0;
        for (auto const& profile : profiles_) {
            auto one = covers(rule, profile);
            if (one.truth != Truth::no) join(one, evaluate_(rule.when, profile.gpu));
            if (one.truth == Truth::no) without.push_back(profile.gpu);
            if (one.truth == Truth::yes) ++with;
            join(all, std::move(one));
        }
        if (!without.empty() && with > 0) {
            hold(rule,
                 {"not-every-gpu",
                  fmt::format("differs between the selected GPUs: not for {}", some_of(without))});
        }
        return all;
    }

    /// "Both hold", with the facts of the deciding one, or of both.
    static void join(Decision& all, Decision one) {
        if (one.truth < all.truth) {
            all = std::move(one);
        } else if (one.truth == all.truth) {
            for (auto& fact : one.because) add(all.because, std::move(fact));
        }
    }

    static void add(std::vector<Because>& all, Because fact) {
        auto const same = [&](Because const& other) {
            return other.subject == fact.subject && other.field == fact.field;
        };
        // Facts of the host come again with every GPU, but they stand among the first; those of
        // one GPU stand together. So the whole list need not be searched for each of 64 GPUs.
        constexpr std::size_t near = 32;
        std::span<Because const> const known(all);
        auto const few = std::min(near, known.size());
        if (std::ranges::any_of(known.first(few), same)) return;
        if (std::ranges::any_of(known.last(few), same)) return;
        all.push_back(std::move(fact));
    }

    void give(Rule const& rule, Validity validity, std::vector<Because> because) {
        auto value = rule.value_from.empty() ? std::optional(std::string(rule.value))
                                             : host_value(rule.value_from, scene_);
        if (!value) {
            return hold(rule, {"missing-fact",
                               fmt::format("its value needs facts of this host that are missing")});
        }
        if (auto held = environment_gate(rule, *scene_.host)) return hold(rule, std::move(*held));
        if (auto held = catalogue_gate(rule, *value, catalogue_, *scene_.host)) {
            return hold(rule, std::move(*held));
        }
        Candidate candidate{.rank = rank_of(rule, profiles_)};
        auto& advice = candidate.advice;
        advice.name = rule.name;
        advice.value = std::move(*value);
        advice.kind = word_of(rule.kind);
        advice.level = word_of(rule.level);
        for (auto const workload : rule.workloads) advice.workloads.emplace_back(word_of(workload));
        advice.why = rule.why;
        advice.because = std::move(because);
        for (auto const* source : rule.sources) advice.sources.push_back(reference_of(*source));
        advice.validity = with_age(std::move(validity), rule);
        advice.confidence = rule.confidence;
        if (!rule.verify_with.empty()) advice.verify_with = std::string(rule.verify_with);
        advice.from = from(rule);
        candidates_[{advice.name, advice.kind}].push_back(std::move(candidate));
    }

    /// A rule that speaks of no versions holds as long as its variable has been read. One that does
    /// makes a claim of its own, which is not as old as the variable.
    Validity with_age(Validity validity, Rule const& rule) const {
        auto const stated = !rule.validity.of.empty() || !validity.versions.empty();
        auto const* variable = stated ? nullptr : catalogue_.find(rule.name);
        if (!variable) return validity;
        if (!variable->since.empty()) validity.since = std::string(variable->since);
        if (!variable->until.empty()) validity.until = std::string(variable->until);
        if (!variable->readers.empty()) validity.of = std::string(variable->readers.front()->id);
        return validity;
    }

    /// Of several rules of one name the most special profile counts; rules of equal rank that
    /// disagree cancel each other.
    void choose() {
        for (auto& [key, all] : candidates_) {
            auto const best = std::ranges::max(all, {}, &Candidate::rank).rank;
            std::erase_if(all, [&](Candidate const& one) { return one.rank < best; });
            auto const& first = all.front().advice;
            auto const differs = [&](Candidate const& one) {
                return one.advice.value != first.value;
            };
            auto const other = std::ranges::find_if(all, differs);
            if (other == all.end()) {
                advice_.recommendations.push_back(std::move(all.front().advice));
                continue;
            }
            advice_.undecided.push_back(
                {.name = first.name,
                 .reason = "conflict",
                 .detail = fmt::format("{} says {}, {} says {}", first.from, first.value,
                                       other->advice.from, other->advice.value),
                 .from = first.from});
        }
    }

    Scene const& scene_;
    Catalogue const& catalogue_;
    Selection const& selection_;
    Evaluator evaluate_;
    std::vector<GpuProfile> profiles_;
    std::map<std::pair<std::string, std::string>, std::vector<Candidate>> candidates_ = {};
    Advice advice_ = {};
};

}  // namespace

Advice advise(Host const& host, ChipSet const& chips, Catalogue const& catalogue,
              Selection const& selection) {
    auto const scene = make_scene(host, selection);
    return Adviser(scene, chips, catalogue, selection).advise(chips.rules());
}

}  // namespace rocmtune
