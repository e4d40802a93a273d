// SPDX-License-Identifier: MIT
// How a figure is found: warm up, sample with time stamps in the queue, summarize, check.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "bench/session.hpp"

namespace rocmtune::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t least_samples = 20;
constexpr std::size_t most_samples = 1000;
/// A budget is exceeded by at most this factor to get enough samples.
constexpr double most_overrun = 5;
/// Shorter pieces of work are repeated between two stamps: a stamp costs a microsecond or two
/// between kernels, some five between copies.
constexpr double shortest_sample_seconds = 20e-6;
/// Where the budget has room for some two hundred samples of this length, that is 0.5 % at most.
constexpr double good_sample_seconds = 1e-3;
constexpr double good_samples = 200;
/// Threads spread over the processors and clocks rise within some milliseconds: what is sampled
/// before that differs from process to process.
constexpr double warm_up_seconds = 0.02;
/// No launch takes less: between two stamps there are at most so many repetitions a second.
constexpr double least_seconds = 1e-7;
/// Stamps in flight; all of them exist at once.
constexpr std::size_t batch = 16;
/// Spread (p10 to p90) of a steady device: 0.3 % was measured on quiet GPUs.
constexpr double steady_spread = 0.05;
/// So many repetitions in a row are watched; of those that take long, fewer.
constexpr std::size_t watched_in_a_row = OutputWatch::most_rounds;
constexpr std::size_t watched_of_long_ones = 8;
constexpr double long_seconds = 0.1;
/// Watching takes some copies of a few bytes: nothing beside so long a repetition, which is a
/// sample at the same time. Shorter ones are watched apart, for at most this part of the sampling
/// time.
constexpr double watched_seconds = 1e-3;
constexpr double most_watching = 0.05;
constexpr std::size_t most_watched_apart = 512;
/// One batch of so many is watched.
constexpr std::size_t watched_batches = 4;
/// Where launches are lost, two stamps follow each other: 50 to 250 times quicker than the median
/// was seen. No load of a healthy device makes that of all others.
constexpr double impossibly_quick = 20;
/// Two stamps are off by a microsecond or two, of samples of a hundred and more.
constexpr double most_over_limit = 1.05;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of each repetition of one batch; each sample is watched if there is one to watch it.
void sample_batch(Device& device, std::function<void()> const& queue, std::size_t count,
                  std::size_t repetitions, std::vector<double>& seconds,
                  OutputWatch* watch = nullptr) {
    std::vector<std::pair<std::size_t, std::size_t>> marks;
    for (std::size_t i = 0; i < count; ++i) {
        if (watch != nullptr) watch->before();
        auto const first = marks.empty() || watch != nullptr ? device.mark() : marks.back().second;
        for (std::size_t r = 0; r < repetitions; ++r) queue();
        marks.emplace_back(first, device.mark());
        if (watch != nullptr) watch->after();
    }
    device.synchronize();
    for (auto const& [first, last] : marks)
        seconds.push_back(device.seconds_between(first, last) / static_cast<double>(repetitions));
    if (watch != nullptr) watch->collect();
}

/// What took too little time to be a sample.
void watch_apart(Work const& work, double one, double budget, OutputWatch& watch) {
    auto const wanted = static_cast<std::size_t>(most_watching * budget / one);
    auto const count = std::clamp(wanted, watched_in_a_row, most_watched_apart);
    for (std::size_t done = 0; done < count; done += watched_in_a_row) watch.watch(work.queue);
}

/// So many that a sample is long enough, and that the budget is not more samples than are kept.
std::size_t repetitions_for(double seconds, double budget) {
    if (seconds <= least_seconds) return 1;
    auto const good = std::min(good_sample_seconds, budget / good_samples);
    auto const shortest = std::max({shortest_sample_seconds, good, 2 * budget / most_samples});
    return static_cast<std::size_t>(std::ceil(std::max(shortest / seconds, 1.0)));
}

/// Rounds of eight after idling, before power or heat set limits. Two more of each round warm up;
/// two of the rounds are watched, which are more than sixteen repetitions in a row.
std::vector<double> sample_bursts(Device& device, Work const& work, OutputWatch& watch) {
    constexpr int rounds = 4, watched = 2;
    constexpr std::size_t warm_up = 2;
    constexpr std::size_t kept = 8;
    constexpr auto idle = std::chrono::milliseconds(80);
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        std::this_thread::sleep_for(idle);
        std::vector<double> all;
        sample_batch(device, work.queue, warm_up + kept, 1, all,
                     round < watched ? &watch : nullptr);
        seconds.insert(seconds.end(), all.begin() + warm_up, all.end());
    }
    return seconds;
}

/// Seconds of a repetition on a device that is warm; never less than `least_seconds`.
double warm_up(Device& device, std::function<void()> const& queue) {
    std::vector<double> seconds;
    auto const start = Clock::now();
    do sample_batch(device, queue, 1, 1, seconds);
    while (seconds.size() < 2 || since(start) < warm_up_seconds);
    // By a clock that is broken it may be anything: the samples tell.
    return std::isfinite(seconds.back()) ? std::max(seconds.back(), least_seconds) : least_seconds;
}

std::vector<double> sample(Device& device, Work const& work, double budget, OutputWatch& watch) {
    if (work.burst) return sample_bursts(device, work, watch);
    auto const one = warm_up(device, work.queue);
    bool const watched = one >= watched_seconds;
    auto const repetitions = repetitions_for(one, budget);
    auto const expected = one * static_cast<double>(repetitions);
    auto const fitting = static_cast<std::size_t>(std::max(budget / expected / 4, 1.0));
    auto const count = std::min(batch, fitting);
    auto const least = one < long_seconds ? watched_in_a_row : watched_of_long_ones;
    std::vector<double> seconds;
    auto const start = Clock::now();
    for (std::size_t i = 0; seconds.size() < most_samples; ++i) {
        auto const used = since(start);
        bool const enough = seconds.size() >= least_samples && used >= budget;
        bool const too_slow = seconds.size() >= least && used >= most_overrun * budget;
        if (enough || too_slow) break;
        bool const in_turn = count < batch || i % watched_batches == 0;
        sample_batch(device, work.queue, count, repetitions, seconds,
                     watched && in_turn ? &watch : nullptr);
    }
    if (!watched) watch_apart(work, one, budget, watch);
    return seconds;
}

/// What is wrong with the times alone; empty if nothing is. Processors lose no work, but all of
/// their time to other programs.
std::string wrong_times(DeviceInfo const& info, std::vector<double> const& seconds) {
    if (auto wrong = impossible_time(seconds); !wrong.empty()) return wrong;
    auto sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    auto const least = sorted[sorted.size() / 2] / impossibly_quick;
    auto const lost = std::lower_bound(sorted.begin(), sorted.end(), least) - sorted.begin();
    if (lost == 0 || info.backend == "cpu") return {};
    return fmt::format("{} of {} samples took less than a {}th of the median: work was lost", lost,
                       seconds.size(), impossibly_quick);
}

void label_states(Measurement& result) {
    bool const throttled = (result.state_after && !result.state_after->throttle_reasons.empty()) ||
                           (result.state_before && !result.state_before->throttle_reasons.empty());
    if (throttled) result.labels.emplace_back("throttled");
}

}  // namespace

std::string impossible_time(std::vector<double> const& seconds) {
    for (auto const time : seconds)
        if (!std::isfinite(time) || time <= 0)
            return fmt::format("by the device's clock a repetition took {} s", time);
    return {};
}

std::vector<std::uint64_t> chosen_devices(Session const& session) {
    std::vector<std::uint64_t> indices{session.device.info().index};
    for (auto const& other : session.options.others) indices.push_back(other.index);
    return indices;
}

void summarize_into(Measurement& result) {
    auto const summary = summarize(result.samples);
    result.value = summary.median;
    result.low = summary.low;
    result.high = summary.high;
    result.p10 = summary.p10;
    result.p90 = summary.p90;
    if (result.samples.size() < least_samples) result.labels.emplace_back("few-samples");
    if (summary.p90 - summary.p10 > steady_spread * summary.median)
        result.labels.emplace_back("unsteady");
}

void complete(std::vector<double> samples, Measurement& result) {
    result.samples = std::move(samples);
    result.verified = true;
    result.status = "ok";
    summarize_into(result);
}

void complete(double figure, Measurement& result) {
    result.value = figure;
    result.samples = {figure};
    result.verified = true;
    result.status = "ok";
}

void complete_ratio(double value, double by, Measurement& result) {
    if (value <= 0 || by <= 0) throw DeviceError("there is no pair of figures", "unsupported");
    complete(value / by, result);
}

void refuse(std::string wrong, Measurement& result) {
    // A figure of a wrong result is no figure: not even the samples may be taken for one.
    result.samples.clear();
    result.value = result.low = result.high = result.p10 = result.p90 = result.efficiency = {};
    result.verified = false;
    result.status = "wrong-result";
    result.detail = std::move(wrong);
}

void measure(Session& session, Work const& work, Measurement& result) {
    auto& device = session.device;
    OutputWatch watch(device, work.outputs, work.exact);
    result.state_before = device.state();
    auto const budget = std::max(session.options.seconds, work.least_seconds);
    auto const seconds = sample(device, work, budget, watch);
    result.state_after = device.state();
    bool const comparable = work.check && !work.outputs.empty();
    auto wrong = comparable ? watch.verdict(work.queue, work.check) : "nothing to compare with";
    if (wrong.empty()) wrong = wrong_times(device.info(), seconds);
    if (!wrong.empty()) return refuse(std::move(wrong), result);
    std::vector<double> samples;
    for (auto const time : seconds) samples.push_back(work.amount / time * work.scale);
    complete(std::move(samples), result);
    label_states(result);
}

double quick_time(Device& device, std::function<void()> const& queue) {
    std::vector<double> seconds;
    sample_batch(device, queue, 1, 1, seconds);
    seconds.clear();
    sample_batch(device, queue, 3, 1, seconds);
    return *std::min_element(seconds.begin(), seconds.end());
}

Measurement draft_of(Session const& session, std::string_view benchmark, std::string metric,
                     std::string_view unit) {
    Measurement draft;
    draft.benchmark = benchmark;
    draft.metric = std::move(metric);
    draft.unit = unit;
    auto const& info = session.device.info();
    draft.backend = info.backend;
    draft.parameters.device = info.name;
    draft.parameters.index = info.index;
    if (!info.pci_address.empty()) draft.parameters.pci_address = info.pci_address;
    if (!info.target.empty()) draft.parameters.target = info.target;
    draft.notes = info.notes;
    auto const& said = session.options.notes;
    draft.notes.insert(draft.notes.end(), said.begin(), said.end());
    return draft;
}

double Session::peak_bytes_per_second() const {
    return options.peak_bytes_per_second.value_or(device.info().peak_bytes_per_second);
}

std::uint64_t Session::cache_bytes() const {
    return std::max(options.last_level_cache_bytes.value_or(0), device.info().cache_bytes);
}

bool Session::knows_last_cache() const {
    auto const& info = device.info();
    return options.last_level_cache_bytes || (info.backend != "hip" && info.cache_bytes > 0);
}

void set_efficiency(Measurement& result, double peak) {
    if (!result.value || !(peak > 0) || !std::isfinite(peak)) return;
    result.efficiency = *result.value / peak;
    // 2 % for clocks above their nominal value; more cannot come out of the memory.
    if (*result.efficiency > 1.02) result.labels.emplace_back("above-peak");
}

void set_memory_efficiency(Session const& session, double bytes, Measurement& result) {
    auto const peak = session.peak_bytes_per_second();
    if (bytes < 4 * static_cast<double>(session.cache_bytes()))
        return void(result.labels.emplace_back("in-cache"));
    if (!session.knows_last_cache()) result.labels.emplace_back("cache-unknown");
    else set_efficiency(result, peak * 1e-9);
    if (peak <= 0 && result.value && !session.options.no_peak.empty())
        result.labels.push_back(session.options.no_peak);
}

void judge_memory_limit(Session const& session, double touched, Measurement& result) {
    auto const limit = session.options.memory_limit_bytes_per_second.value_or(0) * 1e-9;
    // The runtime's cache may lie before the one that the driver and the profile know.
    auto const cached = static_cast<double>(session.options.last_level_cache_bytes.value_or(0)) +
                        static_cast<double>(session.device.info().cache_bytes);
    if (limit <= 0 || cached <= 0 || touched <= cached || result.samples.empty()) return;
    auto const from_memory = 1 - cached / touched;
    auto const quickest = *std::max_element(result.samples.begin(), result.samples.end());
    if (quickest * from_memory <= limit * most_over_limit) return;
    refuse(fmt::format(
               "a sample moved {:.0f} GB/s, at least {:.0f} of it in memory, which does {:.0f} "
               "at the highest clock that was read: work was lost or times are wrong",
               quickest, quickest * from_memory, limit),
           result);
}

}  // namespace rocmtune::bench
