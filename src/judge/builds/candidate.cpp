// SPDX-License-Identifier: MIT
// Which builds have code for the targets, what speaks against each, and their order.
#include "judge/builds/candidate.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/version.hpp"

namespace rocmtune {
namespace {

/// Code for a generic target runs on every chip of its group.
bool has_code(BuildsContext const& context, PublishedBuild const& build,
              std::string const& target) {
    if (build.targets && contains(*build.targets, target)) return true;
    auto const* const chip = context.chips.find_chip(target);
    return chip != nullptr && !chip->generic_target.empty() &&
           contains(build.generic, chip->generic_target);
}

/// What says how it is installed: the sources of that field, else those of the version, else of the
/// channel.
BuildTexts const& sources_of_how(Candidate const& it) {
    for (auto const* field : {"requirements", "image", "url", "packages", "version"})
        if (auto const found = it.build->sources.find(field); found != it.build->sources.end())
            return found->second;
    return it.channel->sources;
}

bool says_how(Candidate const& it) {
    auto const& build = *it.build;
    switch (it.channel->kind) {
        case ChannelKind::wheel_index:
        case ChannelKind::find_links: return !build.requirements.empty();
        case ChannelKind::container: return build.image.has_value();
        case ChannelKind::distribution: return !build.packages.empty();
        case ChannelKind::archive: return it.channel->command || build.url;
        case ChannelKind::source: return false;
    }
    return false;
}

std::string why_not_how(BuildsContext const& context, PublishedBuild const& build) {
    for (auto const* field : {"requirements", "image", "url", "packages"})
        if (auto const found = build.not_recorded.find(field); found != build.not_recorded.end())
            return fmt::format("how it is installed is not recorded: {}",
                               context.data.reasons.at(found->second));
    return "how it is installed is not recorded";
}

/// What holds on every host.
void judge_data(BuildsContext const& context, Candidate& it) {
    auto const& build = *it.build;
    for (auto const& target : context.targets)
        if (auto const found = build.partial.find(target); found != build.partial.end())
            it.withheld.push_back(fmt::format("{}: {}", target, found->second));
    if (!says_how(it)) it.withheld.push_back(why_not_how(context, build));
    auto const of_targets = build.sources.find("targets");
    bool const told = of_targets != build.sources.end();
    if (told && are_reports(context.data, of_targets->second))
        it.withheld.emplace_back("only somebody's report tells its targets");
    else if (are_reports(context.data, sources_of_how(it)))
        it.withheld.emplace_back("only somebody's report tells how it is installed");
    for (auto const& target : context.targets)
        if (contains(build.untested, target))
            it.notes.push_back(
                fmt::format("Its makers build it for {} and do not test it.", target));
}

void judge_python(BuildsContext const& context, Candidate& it) {
    // A container brings its own; where none is listed Python plays no part, or that is not known.
    auto const& build = *it.build;
    if (it.channel->kind == ChannelKind::container) return;
    if (!build.python) {
        if (build.not_recorded.contains("python"))
            it.not_known.emplace_back("for which Python it is");
        return;
    }
    auto const& python = context.python;
    if (python && !contains(*build.python, *python))
        it.against.push_back(
            fmt::format("it is for Python {}, not {}", fmt::join(*build.python, ", "), *python));
    else if (!python && context.question.host != nullptr)
        it.not_known.push_back(fmt::format("the version of Python here (it is for {})",
                                           fmt::join(*build.python, ", ")));
}

void judge_glibc(BuildsContext const& context, Candidate& it) {
    auto const& build = *it.build;
    if (context.question.host == nullptr || it.channel->kind == ChannelKind::container) return;
    auto const& here = context.question.glibc;
    if (build.glibc && here && is_before(*here, *build.glibc))
        it.against.push_back(fmt::format("it needs glibc {}, here is {}", *build.glibc, *here));
    else if (build.glibc && !here)
        it.not_known.push_back(fmt::format("glibc here (it needs {})", *build.glibc));
    else if (!build.glibc && build.not_recorded.contains("glibc"))
        it.not_known.emplace_back("which glibc it needs");
}

/// "debian13" of an id and a version; rolling releases have a name in their text.
bool is_distribution(Host const& host, std::string const& release) {
    return distribution_release(host) == release ||
           has_word(lower(host.distribution.value_or("")), release);
}

void judge_distribution(BuildsContext const& context, Candidate& it) {
    auto const& releases = it.build->distribution;
    auto const* host = context.question.host;
    if (releases.empty() || host == nullptr) return;
    if (!host->distribution_id) {
        it.not_known.emplace_back("the distribution");
        return;
    }
    if (std::ranges::none_of(releases,
                             [&](auto const& one) { return is_distribution(*host, one); }))
        it.against.push_back(fmt::format("its packages are for {}", fmt::join(releases, ", ")));
}

/// The ROCm of an installed torch, "7.2"; empty if torch is not there or for something else.
std::optional<std::string> rocm_of_torch(Host const& host) {
    if (!host.frameworks) return std::nullopt;
    for (auto const& framework : *host.frameworks)
        if (framework.name == "torch") {
            auto const version = framework.version.value_or("");
            auto const at = version.find("+rocm");
            return at == version.npos ? std::string() : version.substr(at + 5);
        }
    return std::nullopt;
}

bool same_minor(std::string_view a, std::string_view b) {
    auto const one = version_parts(a), other = version_parts(b);
    return one && other && one->size() >= 2 && other->size() >= 2 && one->at(0) == other->at(0) &&
           one->at(1) == other->at(1);
}

/// What must stand in the same environment, built for the same ROCm: what is there, or a build.
void judge_beside(BuildsContext const& context, Candidate& it) {
    if (!it.build->beside || !it.build->rocm) return;
    auto const& name = *it.build->beside;
    if (auto const* host = context.question.host)
        if (auto const here = rocm_of_torch(*host); here && !here->empty()) {
            if (!same_minor(*here, *it.build->rocm))
                it.against.push_back(fmt::format("its library is for ROCm {}, {} here for {}",
                                                 *it.build->rocm, name, *here));
            return;
        }
    for (auto const& other : candidates(context, name))
        // A distribution's package or an image is not in the environment of pip.
        if (other.is_usable() && !other.build->requirements.empty() && other.build->rocm &&
            same_minor(*other.build->rocm, *it.build->rocm)) {
            it.beside = other.build;
            return;
        }
    it.withheld.push_back(
        fmt::format("no build of {} for ROCm {} can be proposed beside it", name, *it.build->rocm));
}

Candidate judged(BuildsContext const& context, PublishedBuild const& build) {
    Candidate it{.build = &build, .channel = &context.data.channels.at(build.channel)};
    judge_data(context, it);
    judge_python(context, it);
    judge_glibc(context, it);
    judge_distribution(context, it);
    if (context.question.host != nullptr) judge_kernel(context, it);
    judge_beside(context, it);
    if (build.note) it.notes.push_back(*build.note);
    return it;
}

bool is_untested(BuildsContext const& context, Candidate const& it) {
    return std::ranges::any_of(
        context.targets, [&](auto const& target) { return contains(it.build->untested, target); });
}

/// In the environment that is there, over what stands apart from it, over what asks for a ROCm
/// beside it, over what pip may replace.
int place_of(Candidate const& it) {
    switch (it.channel->kind) {
        case ChannelKind::wheel_index: return 0;
        case ChannelKind::archive: return it.build->bundles_rocm == false ? 3 : 1;
        case ChannelKind::container: return 2;
        case ChannelKind::distribution: return 4;
        case ChannelKind::find_links: return 5;
        case ChannelKind::source: return 6;
    }
    return 6;
}

bool is_better(BuildsContext const& context, Candidate const& a, Candidate const& b) {
    auto const key = [&](Candidate const& it) {
        return std::tuple(!it.is_usable(), !it.withheld.empty(), it.build->status,
                          is_untested(context, it), place_of(it), !it.channel->extras);
    };
    if (key(a) != key(b)) return key(a) < key(b);
    if (is_before(b.build->version, a.build->version)) return true;
    if (is_before(a.build->version, b.build->version)) return false;
    if (is_before(b.build->rocm.value_or(""), a.build->rocm.value_or(""))) return true;
    if (is_before(a.build->rocm.value_or(""), b.build->rocm.value_or(""))) return false;
    return a.build < b.build;  // in the order of the data
}

}  // namespace

bool contains(BuildTexts const& texts, std::string_view text) {
    return std::ranges::find(texts, text) != texts.end();
}

std::string distribution_release(Host const& host) {
    return host.distribution_id.value_or("") + host.distribution_version.value_or("");
}

bool are_reports(BuildsData const& data, BuildTexts const& keys) {
    return std::ranges::all_of(
        keys, [&](auto const& key) { return data.sources.at(key).kind == "report"; });
}

std::vector<Reference> references(BuildsData const& data, BuildTexts const& keys) {
    std::vector<Reference> all;
    BuildTexts seen;
    for (auto const& key : keys) {
        if (contains(seen, key)) continue;
        seen.push_back(key);
        auto const& source = data.sources.at(key);
        all.push_back({source.reference ? source.title + ", " + *source.reference : source.title,
                       source.url, source.version});
    }
    return all;
}

std::vector<Candidate> candidates(BuildsContext const& context, std::string_view framework) {
    std::vector<Candidate> all;
    for (auto const& build : context.data.builds) {
        auto const has = [&](auto const& target) { return has_code(context, build, target); };
        if (build.framework != framework || !std::ranges::all_of(context.targets, has)) continue;
        auto const& channel = context.data.channels.at(build.channel);
        Candidate const bare{.build = &build, .channel = &channel};
        if (channel.kind == ChannelKind::source || installer_of(context, bare).empty()) continue;
        all.push_back(judged(context, build));
    }
    std::ranges::sort(
        all, [&](Candidate const& a, Candidate const& b) { return is_better(context, a, b); });
    return all;
}

}  // namespace rocmtune
