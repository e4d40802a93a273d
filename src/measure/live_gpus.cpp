// SPDX-License-Identifier: MIT
#include "measure/live_gpus.hpp"

#include <thread>

#include <fmt/format.h>

#include <poll.h>

#include "base/text.hpp"
#include "machine/kernel_log.hpp"
#include "machine/posix_file.hpp"
#include "measure/gpu_states.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view asks_mark = "asks ";

/// Until the pipe breaks. In a fixed rhythm, so that slow looks do not make it drift.
void look_on(int pipe, HostRoot const& root, LiveGpus::Seconds period,
             std::set<std::string> const& without) {
    GpuStates gpus(root);
    auto const step = std::chrono::duration_cast<Clock::duration>(period);
    for (auto moment = Clock::now();; std::this_thread::sleep_until(moment += step)) {
        WatchSample sample{.end_seconds = kernel_log_seconds(), .seconds = period.count()};
        gpus.take_all(sample, [&](std::string const& address) {
            if (without.contains(address)) return false;
            return write_all(pipe, fmt::format("{}{}\n", asks_mark, address)) == 0;
        });
        if (write_all(pipe, line_of(sample)) != 0) return;
    }
}

}  // namespace

LiveGpus::LiveGpus(Seconds period, std::function<HostRoot()> open, Seconds for_one_look)
    : period_(period), open_(std::move(open)), for_one_look_(for_one_look) {
    start();
}

void LiveGpus::start() {
    asked_.clear();
    looker_.emplace([this](int pipe) { look_on(pipe, open_(), period_, silent_); });
}

std::optional<WatchSample> LiveGpus::next() {
    seen_.reset();
    for (auto limit = Clock::now() + period_ + for_one_look_; looker_->file() >= 0;) {
        looker_->take([this](std::string_view line) { take_line(line); });
        if (seen_) return seen_;
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now());
        pollfd ready{looker_->file(), POLLIN, 0};
        constexpr std::chrono::milliseconds longest{600'000};  // the number fits
        if (left.count() > 0) {
            (void)::poll(&ready, 1, static_cast<int>(std::min(left, longest).count()));
        } else {
            if (asked_.empty() || !silent_.insert(asked_).second) return std::nullopt;
            start();
            limit = Clock::now() + period_ + for_one_look_;
        }
    }
    return std::nullopt;
}

void LiveGpus::take_line(std::string_view line) {
    if (line.starts_with(asks_mark)) asked_ = line.substr(asks_mark.size());
    else if (auto sample = watch_sample_of(line)) seen_ = std::move(sample), asked_.clear();
}

}  // namespace rocmtune
