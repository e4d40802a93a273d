// SPDX-License-Identifier: MIT
// From rules to advice: each rule alone, then the choice among rules of one name.
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "base/host.hpp"
#include "judge/rules/advise.hpp"
#include "judge/rules/condition.hpp"
#include "judge/rules/considered.hpp"
#include "judge/rules/gates.hpp"
#include "judge/rules/settings.hpp"
#include "judge/rules/visibility.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {
namespace {

/// For which of the selected GPUs.
using Reach = std::vector<bool>;

struct Candidate {
    std::size_t rank = 0;
    Reach reach = {};
    Recommendation advice = {};
};

bool is_everywhere(Reach const& reach) {
    return std::ranges::find(reach, false) == reach.end();
}
bool overlap(Reach const& a, Reach const& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] && b[i]) return true;
    return false;
}

/// What a process has once, for all its GPUs. Data types, habits and settings of the host can be
/// right for some of them.
bool is_process_wide(SettingKind kind) {
    return kind == SettingKind::environment || kind == SettingKind::allocator ||
           kind == SettingKind::option || kind == SettingKind::api;
}

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
    Adviser(SelectedHost const& selected, ChipSet const& chips, Catalogue const& catalogue,
            Selection const& selection)
        : selected_(selected),
          catalogue_(catalogue),
          selection_(selection),
          evaluate_(selected),
          profiles_(profiles_of(selected, chips)) {}

    Advice advise(std::span<Rule const> rules) {
        if (selected_.gpus.empty()) {
            note_unread();
            return std::move(advice_);
        }
        note_targets();
        for (auto const& rule : rules) {
            if (is_asked(rule)) consider(rule);
        }
        choose();
        // Names repeat among kinds and, of what is open, among rules.
        std::ranges::sort(advice_.recommendations, {}, [](Recommendation const& one) {
            return std::tie(one.name, one.kind, one.gpus);
        });
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
        auto const& host = *selected_.host;
        if (auto const why = why_gpus_are_unread(host))
            advice_.undecided.push_back(
                {.name = "GPUs",
                 .reason = "missing-fact",
                 .detail = fmt::format("the GPUs could not be read ({})", *why),
                 .missing = {{"host", "pci_functions", std::nullopt}}});
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
                profile.chip
                    ? fmt::format("no profile knows it: rules of its family {} are used",
                                  profile.chip->family)
                    : std::string(
                          "no profile knows it or its family: only rules for every GPU are used");
        }
        for (auto& [target, detail] : noted)
            advice_.undecided.push_back(
                {.name = target, .reason = "unknown-target", .detail = std::move(detail)});
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
        auto const& host = *selected_.host;
        auto framework = framework_verdict(rule, selection_.framework, host);
        if (framework.truth == Truth::no) return;
        auto here = validity_here(rule, selection_.level, host);
        if (here.held && here.held->reason.empty()) return;
        auto [condition, reach] = over_gpus(rule);
        if (condition.truth == Truth::no) return;
        for (auto* verdict : {&framework, &condition}) {
            if (verdict->truth == Truth::unknown) return hold(rule, missing(std::move(*verdict)));
        }
        if (here.held) return hold(rule, std::move(*here.held));
        auto because = std::move(framework.because);
        for (auto* more : {&condition.because, &here.because})
            for (auto& fact : *more) add(because, std::move(fact));
        give(rule, std::move(here.validity), std::move(because), std::move(reach));
    }

    static Held missing(Decision verdict) {
        auto const& first = verdict.because.front();
        auto detail = fmt::format("{} of {} is not known", first.field, first.subject);
        return {"missing-fact", std::move(detail), std::move(verdict.because)};
    }

    /// A rule of one architecture, or about facts of a GPU, must hold on every selected GPU if it
    /// is for the whole process; else it is for those on which it holds.
    std::pair<Decision, Reach> over_gpus(Rule const& rule) {
        Reach reach(profiles_.size(), true);
        if (rule.everywhere && !rule.per_gpu) return {evaluate_(rule.when, nullptr), reach};
        Decision every{.truth = Truth::yes};
        Decision some{.truth = Truth::yes};
        Decision open{.truth = Truth::unknown};
        std::string without;
        for (std::size_t i = 0; i < profiles_.size(); ++i) {
            auto one = on_gpu(rule, profiles_[i]);
            reach[i] = one.truth == Truth::yes;
            if (one.truth == Truth::no && without.empty())
                without = difference(*profiles_[i].gpu, one);
            if (reach[i]) join(some, one);
            if (one.truth == Truth::unknown) join(open, one);
            join(every, std::move(one));
        }
        auto const none = std::ranges::find(reach, true) == reach.end();
        if (none || every.truth == Truth::yes) return {std::move(every), std::move(reach)};
        if (!is_process_wide(rule.kind)) {
            if (!open.because.empty()) hold(rule, missing(std::move(open)));
            return {std::move(some), std::move(reach)};
        }
        if (!without.empty()) hold_for_others(rule, reach, without);
        return {std::move(every), std::move(reach)};
    }

    Decision on_gpu(Rule const& rule, GpuProfile const& profile) {
        auto one = covers(rule, profile);
        if (one.truth != Truth::no) join(one, evaluate_(rule.when, profile.gpu));
        return one;
    }

    /// "0000:43:00.0 (gfx_target gfx1030)": the first fact that speaks against a rule.
    static std::string difference(Gpu const& gpu, Decision const& decision) {
        auto text = subject_of(gpu);
        if (decision.because.empty()) return text;
        auto const& fact = decision.because.front();
        return text + fmt::format(" ({} {})", fact.field, fact.value.value_or("absent"));
    }

    /// A variable that is right for some GPUs of the process only is set for none.
    void hold_for_others(Rule const& rule, Reach const& reach, std::string const& without) {
        std::vector<Gpu const*> right;
        for (std::size_t i = 0; i < reach.size(); ++i)
            if (reach[i]) right.push_back(profiles_[i].gpu);
        Held held{"not-every-gpu", fmt::format("right for {}, but not for {}; --gpu selects",
                                               some_of(right), without)};
        hold(rule, std::move(held));
        advice_.undecided.back().gpus = subjects(reach);
    }

    std::vector<std::string> subjects(Reach const& reach) const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < reach.size(); ++i)
            if (reach[i]) names.push_back(subject_of(*profiles_[i].gpu));
        return names;
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

    /// The value of a rule; what its making missed is said.
    std::optional<std::string> value_of(Rule const& rule, std::vector<Because>& because) {
        if (rule.value_from.empty()) return std::string(rule.value);
        auto made = host_value(rule.value_from, selected_);
        if (made.is_needless) return std::nullopt;
        if (!made.text) {
            auto detail = made.because.empty()
                              ? std::string("its value needs facts of this host that are missing")
                              : fmt::format("{} is not known", made.because.front().field);
            hold(rule, {"missing-fact", std::move(detail), std::move(made.because)});
            return std::nullopt;
        }
        for (auto& fact : made.because) add(because, std::move(fact));
        return std::move(made.text);
    }

    void give(Rule const& rule, Validity validity, std::vector<Because> because, Reach reach) {
        auto value = value_of(rule, because);
        if (!value) return;
        if (!selection_.elsewhere) {
            if (auto held = environment_gate(rule, *selected_.host))
                return hold(rule, std::move(*held));
        }
        if (auto held = catalogue_gate(rule, *value, catalogue_, *selected_.host))
            return hold(rule, std::move(*held));
        Candidate candidate{.rank = rank_of(rule, profiles_), .reach = std::move(reach)};
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
        for (auto const name : rule.unless_set) advice.unless_set.emplace_back(name);
        candidates_[{advice.name, advice.kind}].push_back(std::move(candidate));
    }

    /// A rule that speaks of no versions holds as long as its variable has been read. One that does
    /// makes a claim of its own, which is not as old as the variable.
    Validity with_age(Validity validity, Rule const& rule) const {
        auto const stated = !rule.validity.of.empty() || !validity.versions.empty();
        auto const* variable = stated ? nullptr : catalogue_.find(rule.name);
        if (!variable) return validity;
        auto aged = validity_of(*variable);
        aged.kind = std::move(validity.kind);
        return aged;
    }

    /// Of several rules of one name the most special profile counts on each GPU; rules of equal
    /// rank that disagree about one cancel each other.
    void choose() {
        for (auto& [key, all] : candidates_) {
            leave_to_the_special(all);
            auto const other = disagreement(all);
            if (other) {
                note_conflict(*other->first, *other->second);
                continue;
            }
            for (auto& one : united(std::move(all))) {
                if (!is_everywhere(one.reach)) one.advice.gpus = subjects(one.reach);
                advice_.recommendations.push_back(std::move(one.advice));
            }
        }
    }

    static void leave_to_the_special(std::vector<Candidate>& all) {
        for (auto& one : all)
            for (auto const& other : all)
                for (std::size_t i = 0; other.rank > one.rank && i < one.reach.size(); ++i)
                    if (other.reach[i]) one.reach[i] = false;
        std::erase_if(all, [](Candidate const& one) {
            return std::ranges::find(one.reach, true) == one.reach.end();
        });
    }

    static std::optional<std::pair<Recommendation const*, Recommendation const*>> disagreement(
        std::vector<Candidate> const& all) {
        for (auto const& one : all)
            for (auto const& other : all)
                if (one.advice.value != other.advice.value && overlap(one.reach, other.reach))
                    return std::pair(&one.advice, &other.advice);
        return std::nullopt;
    }

    /// What several rules say alike of one GPU is said once.
    static std::vector<Candidate> united(std::vector<Candidate> all) {
        std::vector<Candidate> kept;
        for (auto& one : all) {
            auto const same = std::ranges::find_if(
                kept, [&](Candidate const& other) { return overlap(one.reach, other.reach); });
            if (same == kept.end()) {
                kept.push_back(std::move(one));
                continue;
            }
            for (std::size_t i = 0; i < one.reach.size(); ++i)
                if (one.reach[i]) same->reach[i] = true;
        }
        return kept;
    }

    void note_conflict(Recommendation const& first, Recommendation const& other) {
        advice_.undecided.push_back({.name = first.name,
                                     .reason = "conflict",
                                     .detail = fmt::format("{} says {}, {} says {}", first.from,
                                                           first.value, other.from, other.value),
                                     .from = first.from});
    }

    SelectedHost const& selected_;
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
    auto const selected = select_gpus(host, selection);
    auto advice = Adviser(selected, chips, catalogue, selection).advise(chips.rules());
    add_considered(selected, chips, selection, chips.rules(), advice);
    return advice;
}

bool is_decided(Advice const& advice) {
    return std::ranges::none_of(advice.undecided, [](Undecided const& open) {
        return open.reason == "missing-fact" || open.reason == "validity-unknown" ||
               open.reason == "unknown-target";
    });
}

}  // namespace rocmtune
