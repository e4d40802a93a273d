// SPDX-License-Identifier: MIT
// The same product on 1 to N devices at once. Each device has a thread that opens it, makes its
// matrices and warms up; then all start together and work for the same time, in windows whose rates
// are summed. What it shows is what devices take from each other: power, heat, host.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/gemm_product.hpp"

namespace rocmtune::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int windows = 20;
constexpr double least_window_seconds = 0.05;

/// What the lanes of one run share.
struct Race {
    explicit Race(std::ptrdiff_t lanes) : start(lanes) {}

    std::barrier<> start;
    std::mutex host;  ///< matrices are made and checked on all processors: one after the other
    std::atomic<bool> failed = false;
};

/// One device and its thread.
struct Lane {
    std::uint64_t index = 0;
    std::vector<double> rates = {};  ///< operations a second of each window
    std::string wrong = {};          ///< what is wrong with its result
    std::string kernel = {};         ///< what computed it, and of which library
    std::string file = {};
    std::exception_ptr failure = {};
};

/// By the first library that is installed and has the type, else by our own kernel.
Product best_product(Device& device, GemmInput& input) {
    for (auto const& library : gemm_libraries())
        if (library.backend == device.info().backend && library.has(input.type.name))
            if (auto product = product_of(device, input, library.name)) return *product;
    if (auto product = product_of(device, input, {})) return *product;
    throw DeviceError("no library is installed, and we have no kernel of our own", "unsupported");
}

/// A prepared product on a device of its own.
struct Runner {
    Runner(Options const& options, std::uint64_t index, GemmType const& type, std::uint64_t n)
        : device(find_backend(options.backend)->open(index)),
          input(opened(type, n), type, n, options.compute_dies) {
        product = best_product(*device, input);
        product.queue();
        device->synchronize();
    }

    /// The device, if the matrices leave half of its free memory to others.
    Device& opened(GemmType const& type, std::uint64_t n) const {
        if (GemmInput::bytes_of(type, n) > device->free_bytes() / 2)
            throw DeviceError("the matrices take more than half of the free memory", "no-memory");
        return *device;
    }

    /// Rate of one window.
    double work(double seconds) const {
        auto const operations = 2 * static_cast<double>(input.n) * static_cast<double>(input.n) *
                                static_cast<double>(input.n);
        auto const start = Clock::now();
        std::chrono::duration<double> took{};
        double done = 0;
        while (took.count() < seconds) {
            constexpr int queued = 4;  // so that the device has no pause while we look at the clock
            for (int i = 0; i < queued; ++i) product.queue();
            device->synchronize();
            done += queued * operations;
            took = Clock::now() - start;
        }
        return done / took.count();
    }

    /// Watches as many in a row as are watched elsewhere, and then the whole of a last one.
    std::string check(std::mutex& host) {
        Witness witness(*device, {output_of(input, product)}, product.library.empty());
        witness.watch(product.queue);
        return witness.verdict(product.queue, [&] {
            std::scoped_lock const lock(host);
            return check_of(*device, input, product);
        });
    }

    std::unique_ptr<Device> device;
    GemmInput input;
    Product product;
};

void run_lane(Lane& lane, Race& race, Session const& session, GemmType const& type,
              std::uint64_t n) {
    std::unique_ptr<Runner> runner;
    auto const guarded = [&](auto const& f) {
        try {
            f();
        } catch (...) {
            lane.failure = std::current_exception();
            race.failed = true;
        }
    };
    guarded([&] {
        std::scoped_lock const lock(race.host);
        runner = std::make_unique<Runner>(session.options, lane.index, type, n);
    });
    race.start.arrive_and_wait();
    if (race.failed) return;
    guarded([&] {
        auto const window = std::max(session.options.seconds / windows, least_window_seconds);
        for (int i = 0; i < windows; ++i) lane.rates.push_back(runner->work(window));
        lane.wrong = runner->check(race.host);
        lane.kernel = runner->product.kernel;
        lane.file = runner->product.library;
    });
}

/// Adds the lanes up, window by window. @throws what one of them threw
void finish(std::vector<Lane> const& lanes, Measurement& result) {
    for (auto const& lane : lanes)
        if (lane.failure) std::rethrow_exception(lane.failure);
    for (auto const& lane : lanes) {
        if (lane.wrong.empty()) continue;
        result.status = "wrong-result";
        result.detail = fmt::format("device {}: {}", lane.index, lane.wrong);
        return;
    }
    for (std::size_t i = 0; i < windows; ++i) {
        double sum = 0;
        for (auto const& lane : lanes) sum += lane.rates.at(i) * 1e-12;
        result.samples.push_back(sum);
    }
    result.parameters.kernel = lanes.front().kernel;
    if (!lanes.front().file.empty()) result.parameters.library = lanes.front().file;
    result.verified = true;
    result.status = "ok";
    summarize_into(result);
}

void run(Session& session, GemmType const& type, std::uint64_t n, std::size_t count,
         Measurement& result) {
    std::vector<Lane> lanes;
    for (auto const index : chosen_devices(session)) lanes.push_back({.index = index});
    lanes.resize(count);
    Race race(static_cast<std::ptrdiff_t>(count));
    result.state_before = session.device.state();
    {
        std::vector<std::jthread> threads;
        for (auto& lane : lanes)
            threads.emplace_back([&] { run_lane(lane, race, session, type, n); });
    }
    result.state_after = session.device.state();
    finish(lanes, result);
}

/// 1, 2, 4, ... and all.
std::vector<std::size_t> counts_up_to(std::size_t most) {
    std::vector<std::size_t> counts;
    for (std::size_t i = 1; i < most; i *= 2) counts.push_back(i);
    counts.push_back(most);
    return counts;
}

Measurement draft_for(Session const& session, GemmType const& type, std::uint64_t n,
                      std::size_t count, std::string_view unit) {
    auto draft = draft_of(session, "gemm", fmt::format("{}-scaling", type.name), unit);
    draft.parameters.dtype = type.name;
    draft.parameters.size = n;
    draft.parameters.devices = count;
    draft.parameters.mode = unit == "ratio" ? "at once / (devices x one)" : "at once";
    if (unit != "ratio") draft.parameters.counting = "2 n^3 operations, sum of the devices";
    return draft;
}

void add_steps(Session& session, GemmType const& type, std::uint64_t n, std::vector<Step>& steps) {
    auto const one = std::make_shared<double>(0);
    for (auto const count : counts_up_to(session.options.others.size() + 1)) {
        auto const sum = std::make_shared<double>(0);
        steps.push_back({draft_for(session, type, n, count, "TFLOP/s"),
                         [=, &session, &type](Measurement& result) {
                             run(session, type, n, count, result);
                             *sum = result.value.value_or(0);
                             if (count == 1) *one = *sum;
                         }});
        if (count == 1) continue;
        steps.push_back({draft_for(session, type, n, count, "ratio"), [=](Measurement& result) {
                             if (*one <= 0 || *sum <= 0)
                                 throw DeviceError("there is no pair of figures", "unsupported");
                             result.value = *sum / (static_cast<double>(count) * *one);
                             result.samples = {*result.value};
                             result.verified = true;
                             result.status = "ok";
                         }});
    }
}

}  // namespace

std::vector<Step> plan_gemm_scaling(Session& session, std::uint64_t n) {
    std::vector<Step> steps;
    auto const& options = session.options;
    if (!options.first || options.others.empty()) return steps;
    for (auto const& type : gemm_types()) {
        // One that limits by its arithmetic, one that limits by its power.
        bool const usual = type.name == "fp32" || type.name == "bf16";
        if (options.dtype.empty() ? usual : type.name == options.dtype)
            add_steps(session, type, n, steps);
    }
    return steps;
}

}  // namespace rocmtune::bench
