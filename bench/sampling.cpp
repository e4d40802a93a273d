// SPDX-License-Identifier: MIT
// How a figure is found: warm up, sample with time stamps in the queue, summarize, check.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/statistics.hpp"
#include "bench/session.hpp"

namespace rocmtune::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t least_samples = 20;
constexpr std::size_t most_samples = 1000;
/// A budget is exceeded by at most this factor to get enough samples.
constexpr double most_overrun = 5;
/// Shorter pieces of work are repeated between two stamps: a stamp costs a microsecond or two.
constexpr double shortest_sample_seconds = 20e-6;
/// Threads spread over the processors and clocks rise within some milliseconds: what is sampled
/// before that differs from process to process.
constexpr double warm_up_seconds = 0.02;
/// Stamps in flight; all of them exist at once.
constexpr std::size_t batch = 16;
/// Spread (p10 to p90) of a steady device: 0.3 % was measured on quiet GPUs.
constexpr double steady_spread = 0.05;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of each repetition of one batch.
void sample_batch(Device& device, std::function<void()> const& queue, std::size_t count,
                  std::size_t repetitions, std::vector<double>& seconds) {
    std::vector<std::size_t> marks{device.mark()};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t r = 0; r < repetitions; ++r) queue();
        marks.push_back(device.mark());
    }
    device.synchronize();
    for (std::size_t i = 0; i < count; ++i)
        seconds.push_back(device.seconds_between(marks[i], marks[i + 1]) /
                          static_cast<double>(repetitions));
}

/// So many that a sample is long enough, and that the budget is not more samples than are kept.
std::size_t repetitions_for(double seconds, double budget) {
    if (seconds <= 0) return 1;
    auto const shortest = std::max(shortest_sample_seconds, 2 * budget / most_samples);
    return static_cast<std::size_t>(std::ceil(std::max(shortest / seconds, 1.0)));
}

/// Rounds of ten after idling, before power or heat set limits. Two of each round warm up.
std::vector<double> sample_bursts(Device& device, Work const& work) {
    constexpr int rounds = 5;
    constexpr std::size_t warm_up = 2;
    constexpr std::size_t kept = 10;
    constexpr auto idle = std::chrono::milliseconds(300);
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        std::this_thread::sleep_for(idle);
        std::vector<double> all;
        sample_batch(device, work.queue, warm_up + kept, 1, all);
        seconds.insert(seconds.end(), all.begin() + warm_up, all.end());
    }
    return seconds;
}

/// Seconds of a repetition on a device that is warm.
double warm_up(Device& device, std::function<void()> const& queue) {
    std::vector<double> seconds;
    auto const start = Clock::now();
    do sample_batch(device, queue, 1, 1, seconds);
    while (seconds.size() < 2 || since(start) < warm_up_seconds);
    return seconds.back();
}

std::vector<double> sample(Device& device, Work const& work, double budget) {
    if (work.burst) return sample_bursts(device, work);
    auto const one = warm_up(device, work.queue);
    auto const repetitions = repetitions_for(one, budget);
    auto const expected = std::max(one, 1e-9) * static_cast<double>(repetitions);
    auto const fitting = static_cast<std::size_t>(std::max(budget / expected / 4, 1.0));
    std::vector<double> seconds;
    auto const start = Clock::now();
    while (seconds.size() < most_samples) {
        auto const used = since(start);
        bool const enough = seconds.size() >= least_samples && used >= budget;
        bool const too_slow = seconds.size() >= 3 && used >= most_overrun * budget;
        if (enough || too_slow) break;
        sample_batch(device, work.queue, std::min(batch, fitting), repetitions, seconds);
    }
    return seconds;
}

void label_states(Measurement& result) {
    bool const throttled = (result.state_after && !result.state_after->throttle_reasons.empty()) ||
                           (result.state_before && !result.state_before->throttle_reasons.empty());
    if (throttled) result.labels.emplace_back("throttled");
}

}  // namespace

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

void measure(Session& session, Work const& work, Measurement& result) {
    auto& device = session.device;
    result.state_before = device.state();
    auto const budget = std::max(session.options.seconds, work.least_seconds);
    auto const seconds = sample(device, work, budget);
    result.state_after = device.state();
    for (auto const time : seconds)
        result.samples.push_back(time > 0 ? work.amount / time * work.scale : 0);
    auto const wrong = work.check ? work.check() : std::string("nothing to compare with");
    result.verified = wrong.empty();
    if (!result.verified) {
        // A figure of a wrong result is no figure: not even the samples may be taken for one.
        result.samples.clear();
        result.status = "wrong-result";
        result.detail = wrong;
        return;
    }
    result.status = "ok";
    summarize_into(result);
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
    return draft;
}

double Session::peak_bytes_per_second() const {
    return options.peak_bytes_per_second.value_or(device.info().peak_bytes_per_second);
}

void set_efficiency(Measurement& result, double peak) {
    if (!result.value || peak <= 0) return;
    result.efficiency = *result.value / peak;
    // 2 % for clocks above their nominal value; more cannot come out of the memory.
    if (*result.efficiency > 1.02) result.labels.emplace_back("above-peak");
}

void set_memory_efficiency(Session const& session, double bytes, Measurement& result) {
    auto const cache = static_cast<double>(session.device.info().cache_bytes);
    if (cache == 0) result.labels.emplace_back("cache-unknown");
    else if (bytes < 4 * cache) result.labels.emplace_back("in-cache");
    else set_efficiency(result, session.peak_bytes_per_second() * 1e-9);
}

}  // namespace rocmtune::bench
