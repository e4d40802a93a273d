// SPDX-License-Identifier: MIT
#include "judge/rules/gates.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/version.hpp"
#include "host/environment.hpp"
#include "judge/rules/fact_answer.hpp"
#include "judge/rules/validity.hpp"
#include "knowledge/code_names.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

/// Python packages that are a framework; several names where builds for ROCm have their own.
struct FrameworkPackages {
    FrameworkChoice framework;
    std::array<std::string_view, 3> packages;
};

constexpr std::array<FrameworkPackages, 5> framework_packages{{
    {FrameworkChoice::pytorch, {"torch", "", ""}},
    {FrameworkChoice::vllm, {"vllm", "vllm-rocm", ""}},
    {FrameworkChoice::jax, {"jax", "", ""}},
    {FrameworkChoice::tensorflow, {"tensorflow-rocm", "tensorflow", ""}},
    {FrameworkChoice::onnxruntime, {"onnxruntime-rocm", "onnxruntime-migraphx", "onnxruntime"}},
}};

Decision installed(FrameworkChoice framework, Host const& host) {
    Decision best{.truth = Truth::no};
    for (auto const& row : framework_packages) {
        if (row.framework != framework) continue;
        for (auto const package : row.packages) {
            if (package.empty()) continue;
            auto const version = installed_version(host, package);
            if (version.there > best.truth) best = {version.there, {version.fact}};
        }
    }
    return best;
}

/// A version against a bound that covers all its sub-versions: 7.2.4 is not after 7.2.
bool is_after(std::string_view version, std::string_view bound) {
    auto parts = version_parts(version);
    auto const limit = version_parts(bound);
    if (!parts || !limit) return false;
    if (parts->size() > limit->size()) parts->resize(limit->size());
    return *parts > *limit;
}

bool is_before(std::string_view version, std::string_view bound) {
    auto const order = compare_versions(version, bound);
    return order && *order < 0;
}

/// The newest version that the rule's texts are about; empty if none is stated.
std::string_view newest_checked(RuleValidity const& validity) {
    auto newest = validity.checked;
    for (auto const version : validity.versions) {
        if (newest.empty() || is_before(newest, version)) newest = version;
    }
    return newest;
}

/// The oldest version that it was observed in, where nothing else says from when on it holds.
std::string_view oldest_observed(RuleValidity const& validity) {
    if (validity.kind != "observed" || !validity.since.empty()) return {};
    std::string_view oldest;
    for (auto const version : validity.versions)
        if (oldest.empty() || is_before(version, oldest)) oldest = version;
    return oldest;
}

/// The rule's bounds against the installed version.
void compare_installed(Rule const& rule, Host const& host, ValidityHere& here) {
    auto const& stated = rule.validity;
    auto const bounded = !stated.since.empty() || !stated.until.empty();
    auto const newest = newest_checked(stated);
    if (stated.of.empty() || (!bounded && newest.empty())) return;
    auto const version = installed_version(host, stated.of);
    if (version.there == Truth::no) {
        if (bounded) here.held = Held{};
        return;
    }
    if (version.there == Truth::unknown) {
        if (!bounded) return;
        here.held = Held{
            "missing-fact", fmt::format("the version of {} decides", stated.of), {version.fact}};
        return;
    }
    auto const& text = *version.fact.value;
    here.because.push_back(version.fact);
    if ((!stated.since.empty() && is_before(text, stated.since)) ||
        (!stated.until.empty() && !is_before(text, stated.until))) {
        here.held = Held{};
    } else if (!newest.empty() && is_after(text, newest)) {
        here.validity.kind = "unknown";
        here.held = Held{"validity-unknown",
                         fmt::format("{} {} is newer than {}, the newest whose text was read",
                                     stated.of, text, newest)};
    } else if (auto const oldest = oldest_observed(stated);
               !oldest.empty() && is_before(text, oldest)) {
        here.validity.kind = "unknown";
        here.held = Held{"validity-unknown",
                         fmt::format("{} {} is older than {}, the oldest in which it was observed",
                                     stated.of, text, oldest)};
    }
}

/// The default of the installed component; absent if it depends on what is not known here.
std::optional<std::string_view> default_here(Variable const& variable, Host const& host) {
    if (variable.former_defaults.empty()) return variable.default_value;
    if (variable.readers.empty()) return std::nullopt;
    auto const package = variable.readers.front()->package;
    // ROCm's libraries have no versions of their own that texts speak of.
    auto const of_rocm = package.empty() || package.starts_with("lib");
    auto const version = installed_version(host, of_rocm ? "rocm" : package);
    if (version.there != Truth::yes) return std::nullopt;
    FormerDefault const* held = nullptr;
    for (auto const& former : variable.former_defaults) {
        auto const order = compare_versions(*version.fact.value, former.until);
        if (!order) return std::nullopt;  // a date says nothing about a version
        if (*order < 0 && (!held || is_before(former.until, held->until))) held = &former;
    }
    return held ? std::optional(held->value) : variable.default_value;
}

}  // namespace

Decision framework_verdict(Rule const& rule, FrameworkChoice choice, Host const& host) {
    if (rule.frameworks.empty()) return {.truth = Truth::yes};
    Decision best{.truth = Truth::no};
    for (auto const framework : rule.frameworks) {
        if (choice == framework) return {.truth = Truth::yes};
        if (choice != FrameworkChoice::automatic) continue;
        auto one = installed(framework, host);
        if (one.truth > best.truth) best = std::move(one);
    }
    return best;
}

ValidityHere validity_here(Rule const& rule, Level level, Host const& host) {
    ValidityHere here{.validity = validity_of(rule.validity)};
    compare_installed(rule, host, here);
    if (here.held && here.held->reason != "validity-unknown") return here;
    if (here.validity.kind == "unknown" && !here.held) {
        here.held = Held{"validity-unknown", "nobody says for which versions this holds"};
    }
    if (level == Level::aggressive) here.held.reset();
    return here;
}

std::optional<Held> catalogue_gate(Rule const& rule, std::string_view value,
                                   Catalogue const& catalogue, Host const& host) {
    if (rule.kind != SettingKind::environment && rule.kind != SettingKind::allocator) {
        return std::nullopt;
    }
    if (finds_code(rule.name))
        return Held{"not-settable", "programs find code by it, so it is never set"};
    auto const* variable = catalogue.find(rule.name);
    if (!variable) return Held{"not-settable", "the catalogue does not know this variable"};
    if (variable->status == "dead" || variable->status == "never-existed") {
        return Held{"not-settable", "nothing reads this variable"};
    }
    if (variable->use != "runtime") {
        return Held{"not-settable",
                    fmt::format("it is a variable of class {}, which is never set", variable->use)};
    }
    if (auto const usual = default_here(*variable, host);
        usual && means_default(*variable, value, *usual)) {
        return Held{"component-default",
                    fmt::format("{} is what its component does anyway", value)};
    }
    return std::nullopt;
}

std::optional<Held> environment_gate(Rule const& rule, Host const& host) {
    for (auto const name : rule.unless_set)
        if (is_set(host, name)) return Held{"conflict", fmt::format("{} is set already", name)};
    return std::nullopt;
}

}  // namespace rocmtune
