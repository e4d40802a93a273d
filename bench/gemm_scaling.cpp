// SPDX-License-Identifier: MIT
// The same product on 1 to N devices at once. Each device has a thread that opens it, makes its
// matrices and warms up; then all start together and work for the same time, in windows whose rates
// are summed. What it shows is what devices take from each other: power, heat, host.
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "bench/device_threads.hpp"
#include "bench/gemm.hpp"

namespace rocmtune::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int windows = 20;
constexpr double least_window_seconds = 0.05;

/// What is found on one device.
struct DeviceResult {
    std::uint64_t index = 0;
    std::vector<double> rates = {};  ///< operations a second of each window
    std::string wrong = {};          ///< what is wrong with its result
    std::string kernel = {};         ///< what computed it, and of which library
    std::string file = {};
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
          input(opened(type, n), type, n, options.matrix_units, options.compute_dies) {
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
        auto const start = Clock::now();
        std::chrono::duration<double> took{};
        double done = 0;
        while (took.count() < seconds) {
            constexpr int queued = 4;  // so that the device has no pause while we look at the clock
            for (int i = 0; i < queued; ++i) product.queue();
            device->synchronize();
            done += queued * operations_of(input.n);
            took = Clock::now() - start;
        }
        return done / took.count();
    }

    /// Watches as many in a row as are watched elsewhere, and then the whole of a last one.
    std::string check(std::mutex& host) {
        OutputWatch watch(*device, {output_of(input, product)}, product.library.empty());
        watch.watch(product.queue);
        return watch.verdict(product.queue, [&] {
            std::scoped_lock const lock(host);
            return check_of(*device, input, product);
        });
    }

    std::unique_ptr<Device> device;
    GemmInput input;
    Product product;
};

/// Adds the rates of the devices up, window by window.
void finish(std::vector<DeviceResult> const& devices, Measurement& result) {
    for (auto const& one : devices)
        if (!one.wrong.empty())
            return refuse(fmt::format("device {}: {}", one.index, one.wrong), result);
    std::vector<double> sums(windows);
    for (auto const& one : devices)
        for (std::size_t i = 0; i < windows; ++i) sums[i] += one.rates.at(i) * 1e-12;
    result.parameters.kernel = devices.front().kernel;
    if (!devices.front().file.empty()) result.parameters.library = devices.front().file;
    complete(std::move(sums), result);
}

void run(Session& session, GemmType const& type, std::uint64_t n, std::size_t count,
         Measurement& result) {
    std::vector<DeviceResult> devices;
    for (auto const index : chosen_devices(session)) devices.push_back({.index = index});
    devices.resize(count);
    std::mutex host;  // matrices are made and checked on all processors: one after the other
    DeviceThreads threads(count);
    auto const window = std::max(session.options.seconds / windows, least_window_seconds);
    auto const run_one = [&](std::size_t i) {
        auto& one = devices[i];
        std::unique_ptr<Runner> runner;
        bool const all_ready = threads.together(i, [&] {
            std::scoped_lock const lock(host);
            runner = std::make_unique<Runner>(session.options, one.index, type, n);
        });
        if (!all_ready) return;
        for (int k = 0; k < windows; ++k) one.rates.push_back(runner->work(window));
        one.wrong = runner->check(host);
        one.kernel = runner->product.kernel;
        one.file = runner->product.library;
    };
    result.state_before = session.device.state();
    threads.run(run_one);
    result.state_after = session.device.state();
    threads.rethrow();
    finish(devices, result);
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
                             complete_ratio(*sum, static_cast<double>(count) * *one, result);
                         }});
    }
}

}  // namespace

std::vector<Step> plan_gemm_scaling(Session& session) {
    std::vector<Step> steps;
    auto const& options = session.options;
    if (!options.first || options.others.empty()) return steps;
    for (auto const& type : gemm_types()) {
        // One that limits by its arithmetic, one that limits by its power.
        bool const usual = type.name == "fp32" || type.name == "bf16";
        if (options.dtype.empty() ? usual : type.name == options.dtype)
            add_steps(session, type, gemm_side(session), steps);
    }
    return steps;
}

}  // namespace rocmtune::bench
