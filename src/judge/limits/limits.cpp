// SPDX-License-Identifier: MIT
#include "judge/limits/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/limits/features.hpp"

namespace rocmtune {
namespace {

/// Points of a chart that fits 80 columns, and as many windows.
constexpr std::size_t most_windows = 60;
/// Five looks: with fewer, one that came at an odd moment decides.
constexpr double least_window_seconds = 0.5;
/// Of a program that was looked at less often nothing can be said.
constexpr std::size_t enough_looks = 5;
/// What limits a program in less of its time is no limit of it.
constexpr double least_share = 0.1;
/// Where others hold the processors for half of the time, that is the first thing to know.
constexpr double most_of_the_time = 0.5;
/// With fewer pages from other nodes these are the second thing to know.
constexpr double most_pages = 0.5;

using Kinds = std::array<double, limit_kind_words.size()>;

double& seconds_of(Kinds& all, LimitKind kind) {
    return all[static_cast<std::size_t>(kind)];
}

// ---- limits ------------------------------------------------------------------------------------

/// A limit with the figures of the windows that `holds` picks.
template <class Holds>
ObservedLimit limit_where(LimitKind kind, std::span<JudgedWindow const> windows, double total,
                          Holds const& holds) {
    std::vector<WatchSample> seen;
    double seconds = 0;
    for (auto const& window : windows)
        if (holds(window)) seen.push_back(window.seen), seconds += window.seen.seconds;
    auto const all = joined(seen);
    auto const share = total > 0 ? seconds / total : 0;
    if (share <= 0) return {.kind = kind};
    return {kind, share, says_of(kind, all), doubt_of(kind, all)};
}

std::vector<ObservedLimit> limits_by_share(std::span<JudgedWindow const> windows, double total) {
    std::vector<ObservedLimit> limits;
    for (std::size_t i = 0; i < limit_kind_words.size(); ++i) {
        auto const kind = static_cast<LimitKind>(i);
        auto limit = limit_where(kind, windows, total,
                                 [kind](JudgedWindow const& it) { return it.limit == kind; });
        if (limit.share >= least_share) limits.push_back(std::move(limit));
    }
    std::ranges::stable_sort(limits, std::ranges::greater(), &ObservedLimit::share);
    return limits;
}

/// Whether what was found says more than that the memory of a GPU is full.
bool is_work_of_gpu(LimitKind kind) {
    return kind == LimitKind::gpu_compute || kind == LimitKind::gpu_memory_bandwidth ||
           kind == LimitKind::power || kind == LimitKind::temperature;
}

/// What holds beside a limit: it comes first where it explains that one.
void add_conditions(std::vector<ObservedLimit>& limits, std::span<JudgedWindow const> windows,
                    WatchSample const& all) {
    auto const total = all.seconds;
    auto const add = [&](LimitKind kind, auto const& holds, bool is_first) {
        auto limit = limit_where(kind, windows, total,
                                 [&](JudgedWindow const& it) { return holds(it.seen); });
        bool const is_there = std::ranges::find(limits, kind, &ObservedLimit::kind) != limits.end();
        if (limit.share < least_share || is_there) return;
        bool const leads = is_first && limit.share >= most_of_the_time;
        limits.insert(leads ? limits.begin() : limits.end(), std::move(limit));
    };
    bool const gpu_works = !limits.empty() && is_work_of_gpu(limits.front().kind);
    bool const most_are_afar = ratio(all.numa_misses, all.numa_pages).value_or(0) >= most_pages;
    add(LimitKind::numa, pages_come_from_afar, !gpu_works && most_are_afar);
    add(LimitKind::gpu_memory, gpu_memory_is_full, !gpu_works);
    add(LimitKind::other_users, others_hold_processors, !gpu_works);
}

/// What was not seen is said once.
void add_unseen(ObservedLimit& limit, WatchSample const& all) {
    auto const unseen = unseen_of(all);
    if (!unseen.empty()) limit.doubt.append(limit.doubt.empty() ? "" : "; ").append(unseen);
}

/// "nothing seen" says nothing beside another limit.
void drop_nothing(std::vector<ObservedLimit>& limits) {
    if (limits.size() > 1)
        std::erase_if(limits, [](ObservedLimit const& it) {
            return it.kind == LimitKind::nothing_seen && it.share < most_of_the_time;
        });
}

std::vector<ObservedPhase> phases_of(std::span<JudgedWindow const> windows) {
    std::vector<ObservedPhase> phases;
    for (auto const& [seen, limit] : windows) {
        if (phases.empty() || phases.back().limit != limit)
            phases.push_back({seen.end_seconds - seen.seconds, seen.end_seconds, limit});
        phases.back().end_seconds = seen.end_seconds;
    }
    return phases;
}

ObservedLoad load_of(JudgedWindow const& window) {
    auto const* gpu = busiest_gpu(window.seen);
    return {window.seen.end_seconds, share_of_processors(window.seen),
            gpu == nullptr ? std::nullopt : gpu->busy};
}

ObservedLimit too_seldom(std::size_t looks, double seconds) {
    return {LimitKind::nothing_seen, 1,
            fmt::format("{} in {:.2f} s: too seldom to tell", counted(looks, "look"), seconds),
            "a longer run may be limited by something"};
}

/// A window in which one phase passes into the next looks like neither: it joins the later one.
void join_passages(std::vector<JudgedWindow>& windows) {
    for (std::size_t i = 2; i + 2 < windows.size(); ++i) {
        auto const before = windows[i - 1].limit;
        auto const after = windows[i + 1].limit;
        bool const is_between = windows[i - 2].limit == before && windows[i + 2].limit == after;
        bool const is_neither = windows[i].limit != before && windows[i].limit != after;
        if (is_between && is_neither && before != after) windows[i].limit = after;
    }
}

}  // namespace

std::vector<JudgedWindow> judged_windows(std::span<WatchSample const> samples) {
    std::vector<JudgedWindow> windows;
    if (samples.empty()) return windows;
    auto const start = samples.front().end_seconds - samples.front().seconds;
    auto const total = samples.back().end_seconds - start;
    auto const count = std::clamp<std::size_t>(
        static_cast<std::size_t>(total / least_window_seconds + 1e-6), 1, most_windows);
    for (std::size_t first = 0, i = 0; i < samples.size(); ++i) {
        // A look that came late may fill several windows: they are one.
        auto const end =
            start + total * static_cast<double>(windows.size() + 1) / static_cast<double>(count);
        bool const is_full = samples[i].end_seconds >= end - 1e-9 && windows.size() + 1 < count;
        if (!is_full && i + 1 < samples.size()) continue;
        auto seen = joined(samples.subspan(first, i + 1 - first));
        auto const limit = limit_of(seen);
        windows.push_back({std::move(seen), limit});
        first = i + 1;
    }
    join_passages(windows);
    return windows;
}

Observation observation_of(std::span<WatchSample const> samples, std::size_t processes) {
    Observation it;
    if (processes > 0) it.processes = processes;
    auto const all = joined(samples);
    fill_figures(it, samples, all);
    if (samples.size() < enough_looks) {
        it.limits.push_back(too_seldom(samples.size(), all.seconds));
        return it;
    }
    auto const windows = judged_windows(samples);
    it.phases = phases_of(windows);
    for (auto const& window : windows) it.load.push_back(load_of(window));
    it.limits = limits_by_share(windows, all.seconds);
    add_conditions(it.limits, windows, all);
    drop_nothing(it.limits);
    if (it.limits.empty())
        it.limits.push_back({LimitKind::nothing_seen,
                             1,
                             "no limit holds for a tenth of the time: see the phases",
                             {}});
    add_unseen(it.limits.front(), all);
    return it;
}

std::vector<ObservedRegion> regions_of(Observation const& observation,
                                       std::span<RegionMark const> marks) {
    std::vector<ObservedRegion> regions;
    std::vector<Kinds> kinds;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        auto const start = std::clamp(marks[i].seconds, 0.0, observation.seconds);
        auto const end = i + 1 < marks.size()
                             ? std::clamp(marks[i + 1].seconds, start, observation.seconds)
                             : observation.seconds;
        auto at = static_cast<std::size_t>(
            std::ranges::find(regions, marks[i].name, &ObservedRegion::name) - regions.begin());
        if (at == regions.size()) regions.push_back({.name = marks[i].name}), kinds.emplace_back();
        ++regions[at].times;
        regions[at].seconds += end - start;
        for (auto const& phase : observation.phases)
            seconds_of(kinds[at], phase.limit) += std::max(
                0.0, std::min(end, phase.end_seconds) - std::max(start, phase.start_seconds));
    }
    for (std::size_t at = 0; at < regions.size(); ++at) {
        auto& limits = regions[at].limits;
        for (std::size_t i = 0; i < limit_kind_words.size(); ++i)
            if (kinds[at][i] >= least_share * regions[at].seconds && kinds[at][i] > 0)
                limits.push_back(static_cast<LimitKind>(i));
        std::ranges::stable_sort(limits, std::ranges::greater(),
                                 [&](LimitKind kind) { return seconds_of(kinds[at], kind); });
    }
    return regions;
}

}  // namespace rocmtune
