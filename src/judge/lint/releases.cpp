// SPDX-License-Identifier: MIT
// For which releases the settings are, and what those read.
#include <fmt/format.h>
#include <algorithm>

#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/lint/judgement.hpp"
#include "judge/lint/lint.hpp"
#include "knowledge/allocator_options.hpp"
#include "knowledge/release_days.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// Those whose own versions are ROCm's.
bool is_counted_as_rocm(string_view id) {
    return is_one_of(id, {"hip", "hiprtc", "rocclr-opencl", "rocr", "thunk", "comgr"});
}

/// Parts of ROCm: of them texts speak in ROCm's versions, or in their own.
bool is_of_rocm(Component const& component) {
    return is_counted_as_rocm(component.id) ||
           is_one_of(component.id, {"rccl", "miopen", "rocblas", "hipblaslt", "rocfft"});
}

/// Whether the bound is a version of RCCL's own, in which the catalogue counts it, and texts do,
/// too.
bool is_own_version(Component const& component, string_view bound) {
    return component.id == "rccl" && !bound.empty() && !is_date_version(bound);
}

bool is_of(string_view package, Component const& component) {
    if (is_of_rocm(component)) return package == "rocm";
    return package == component.id || package == component.package ||
           is_distribution_of(component, package);
}

/// Where several are installed, a program may get any of them.
std::optional<StatedRelease> installed(Component const& component, Host const* host) {
    if (host == nullptr || !host->frameworks || !host->frameworks.limit().empty()) return {};
    std::optional<StatedRelease> found;
    for (auto const& package : *host->frameworks) {
        if (!is_of(package.name, component)) continue;
        if (!package.version || (found && found->version != *package.version)) return {};
        found = {.package = package.name, .version = *package.version, .origin = "installed"};
    }
    return found;
}

/// A day as a number that grows with time; months have 31 days here.
std::optional<long> day_of(string_view date) {
    auto const parts = is_date_version(date) ? version_parts(date) : std::nullopt;
    if (!parts || parts->size() < 2) return std::nullopt;
    auto const day = parts->size() > 2 ? (*parts)[2] : 1;
    return static_cast<long>(((*parts)[0] * 12 + (*parts)[1]) * 31 + day);
}

/// Bound is a day on which the sources changed. A release that was out before it has the sources of
/// before. One that came out so much later has those of after: it was begun after that day.
std::optional<bool> is_before_day(Component const& component, string_view version, long bound) {
    constexpr long longest_making = 60;
    for (auto const& known : all_release_days()) {
        if (!is_of(known.package, component)) continue;
        auto const order = compare_versions(version, known.version);
        auto const day = day_of(known.day);
        if (!order || !day) continue;
        if (*order <= 0 && *day < bound) return true;
        if (*order >= 0 && *day - longest_making > bound) return false;
    }
    return std::nullopt;
}

/// Whether the stated release of PyTorch is older than the first that takes the option. AMD's own
/// builds have had it a release before.
std::optional<StatedRelease> release_without(Variable const& option, LintContext const& context) {
    constexpr string_view first_of_fork = "2.11";
    auto const& owner = *option.readers.front();
    auto release = release_of(owner, context);
    if (!release || option.validity_kind != "known") return std::nullopt;
    auto const first = release->is_fork ? first_of_fork : option.since;
    return is_before(*release, first, owner) == true ? release : std::nullopt;
}

}  // namespace

void judge_allocator_values(LintSubject const& subject, LintFindings const& findings) {
    if (!is_allocator_variable(subject.name()) || !subject.has_value()) return;
    auto const parsed = parse_allocator_options(subject.value());
    if (!parsed.error.empty()) return;
    auto const fix = parsed.options.size() > 1 ? std::optional<std::string>("") : std::nullopt;
    for (auto const& [key, value] : parsed.options) {
        auto const* option = subject.context.catalogue.find(key);
        if (option == nullptr || option->readers.empty()) continue;
        if (value == option->default_value)
            findings.note(redundant_default, fmt::format("{}:{} is the default", key, value), fix);
        else if (auto const release = release_without(*option, subject.context))
            findings.note(
                bad_value,
                fmt::format(
                    "PyTorch {} ({}) goes on without {}; builds for ROCm from {} on take it",
                    printable(release->version), release->origin, key, option->since),
                fix);
    }
}

bool is_known_package(string_view package, Catalogue const& catalogue) {
    return std::ranges::any_of(catalogue.components(), [&](Component const& component) {
        return is_of(package, component) || (component.id == "rccl" && package == "rccl");
    });
}

std::optional<StatedRelease> release_of(Component const& component, LintContext const& context) {
    auto const stated = std::ranges::find_if(
        context.releases, [&](StatedRelease const& one) { return is_of(one.package, component); });
    return stated != context.releases.end() ? std::optional(*stated)
                                            : installed(component, context.host);
}

std::optional<StatedRelease> release_at_hand(LintSubject const& subject, string_view bound) {
    auto const* variable = subject.variable;
    if (variable == nullptr || variable->readers.empty()) return std::nullopt;
    auto const& owner = *variable->readers.front();
    auto const& stated = subject.context.releases;
    auto const own = std::ranges::find(stated, owner.id, &StatedRelease::package);
    if (own != stated.end() && is_own_version(owner, bound)) return *own;
    return release_of(owner, subject.context);
}

std::optional<bool> is_before(StatedRelease const& release, string_view bound,
                              Component const& component) {
    if (bound.empty()) return std::nullopt;
    if (auto const day = day_of(bound)) return is_before_day(component, release.version, *day);
    bool const is_own = release.package == component.id;
    if (is_of_rocm(component) && !is_own && !is_counted_as_rocm(component.id)) return std::nullopt;
    auto const order = compare_versions(release.version, bound);
    return order ? std::optional(*order < 0) : std::nullopt;
}

std::string release_text(StatedRelease const& release, Component const& component) {
    bool const is_of_whole = is_of_rocm(component) && release.package != component.id;
    auto const title = is_of_whole ? string_view("ROCm") : component.title;
    return fmt::format("{} {} ({})", title, printable(release.version), release.origin);
}

std::optional<string_view> default_at_hand(LintSubject const& subject) {
    auto const& variable = *subject.variable;
    if (variable.former_defaults.empty()) return variable.default_value;
    auto const release = release_at_hand(subject);
    if (!release) return std::nullopt;
    auto const& owner = *variable.readers.front();
    // Where texts name the release that changed a default of a library, it is ROCm's.
    FormerDefault const* held = nullptr;
    for (auto const& former : variable.former_defaults) {
        auto const day = day_of(former.until);
        auto const order = compare_versions(release->version, former.until);
        auto const before = day     ? is_before_day(owner, release->version, *day)
                            : order ? std::optional(*order < 0)
                                    : std::nullopt;
        if (!before) return std::nullopt;
        if (*before && held == nullptr) held = &former;
    }
    return held != nullptr ? std::optional(held->value) : variable.default_value;
}

}  // namespace rocmtune
