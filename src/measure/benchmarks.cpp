// SPDX-License-Identifier: MIT
#include "measure/benchmarks.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "bench/gemm.hpp"
#include "bench/runner.hpp"
#include "bench/ticks.hpp"
#include "bench/time_budget.hpp"
#include "machine/held_signals.hpp"
#include "measure/bench_peaks.hpp"
#include "measure/host_input.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
// ---- devices ------------------------------------------------------------------------------------

namespace {

using bench::DeviceInfo;

Gpu const* row_of(Host const& host, DeviceInfo const& info) {
    if (info.backend != "hip") return nullptr;
    for (auto const& gpu : host.gpus)
        if (gpu.hip_index && *gpu.hip_index == info.index) return &gpu;
    for (auto const& gpu : host.gpus)
        if (!gpu.hip_index && gpu.pci_address.value() == info.pci_address) return &gpu;
    return nullptr;
}

/// The devices of a backend, or why they are not known.
std::vector<DeviceInfo> devices_of(std::string const& backend, bool demanded) {
    auto const list = bench::list_devices(backend);
    if (!list.problem.empty() && list.devices.empty() && demanded)
        throw Error(fmt::format("the {} devices could not be listed: {}", backend, list.problem),
                    {}, Exit::undetermined);
    if (list.devices.empty() && demanded)
        throw Error(fmt::format("there is no {} device", backend),
                    "rocmtune probe shows what is here", Exit::no_device);
    return list.devices;
}

std::vector<DeviceInfo> all_devices(std::string const& backend) {
    if (backend != "auto") return devices_of(backend, true);
    auto const backends = bench::all_backends();
    for (auto const& one : backends.first(backends.size() - 1))
        if (auto devices = devices_of(std::string(one.name), false); !devices.empty())
            return devices;
    return devices_of(std::string(backends.back().name), true);
}

bool is_meant(GpuSelector const& selector, ChosenDevice const& device) {
    using Kind = GpuSelector::Kind;
    auto const& [info, gpu] = device;
    if (selector.kind == Kind::hip || selector.kind == Kind::cuda)
        return info.backend == (selector.kind == Kind::hip ? "hip" : "cuda") &&
               info.index == selector.number;
    if (selector.kind == Kind::uuid && lower(info.uuid) == selector.uuid) return true;
    if (gpu != nullptr) return selector.names(*gpu);
    return selector.kind == Kind::address && !selector.partition &&
           parse_pci_address(info.pci_address) == selector.address;
}

/// What to do about a --gpu that none of these devices is.
std::string way_out(std::string const& asked, std::vector<ChosenDevice> const& all) {
    auto const& backend = all.front().info.backend;
    if (backend == "cpu")
        return asked == "cpu" ? "the processors are one device: leave out --gpu, or --backend cpu"
                              : "no runtime lists a GPU here: rocmtune check says why; without "
                                "--gpu the processors are measured";
    std::string names;
    for (auto const& device : all)
        names += fmt::format("{}{}:{}", names.empty() ? "" : ", ", backend, device.info.index);
    return fmt::format("choose from {}; rocmtune probe shows which GPU is which", names);
}

/// The first that is meant: of the partitions of a card the runtime's first.
ChosenDevice const& device_for(GpuSelector const& selector, std::string const& asked,
                               std::vector<ChosenDevice> const& all) {
    for (auto const& device : all)
        if (is_meant(selector, device)) return device;
    throw Error(fmt::format("--gpu {} names no device of the backend {}", selector.text,
                            all.front().info.backend),
                way_out(asked, all));
}

}  // namespace

std::vector<ChosenDevice> choose_devices(DeviceChoice const& choice, Host const& host) {
    auto backend = choice.backend;
    auto const& selectors = choice.gpus;
    for (auto const& selector : selectors)
        if (backend == "auto" && selector.kind == GpuSelector::Kind::cuda) backend = "cuda";
    std::vector<ChosenDevice> all;
    for (auto& info : all_devices(backend)) {
        auto const* const gpu = row_of(host, info);
        all.push_back({std::move(info), gpu});
    }
    if (selectors.empty()) return all;
    std::vector<ChosenDevice> chosen;
    for (auto const& selector : selectors) chosen.push_back(device_for(selector, backend, all));
    return chosen;
}

std::vector<bench::OtherDevice> others_of(std::vector<ChosenDevice> const& all,
                                          ChosenDevice const& one) {
    std::vector<bench::OtherDevice> others;
    for (auto const& [info, gpu] : all)
        if (info.index != one.info.index) others.push_back({info.index, info.pci_address});
    return others;
}

Host host_for_bench(DeviceChoice const& choice, std::optional<std::string> const& profiles) {
    return read_host({.data = {.directory = profiles}, .sysfs_only = choice.backend == "cpu"});
}

// ---- a run --------------------------------------------------------------------------------------

namespace {

using Clock = DeviceMinute::Clock;

/// How long a worker may say nothing: making and checking the largest data takes that long.
std::chrono::milliseconds silence_of(double measuring_seconds) {
    return std::chrono::milliseconds(
        static_cast<std::int64_t>((180 + 10 * measuring_seconds) * 1000));
}

/// Asked for by name it says why there is no figure.
bool is_left_out(std::string const& benchmark, std::size_t benchmarks, std::size_t devices) {
    return devices == 1 && benchmarks > 1 && bench::find_benchmark(benchmark)->between_devices;
}

}  // namespace

bench::Options worker_options(BenchmarkChoice const& choice) {
    bench::Options options;
    bool const all = choice.benchmark.empty() || choice.benchmark == "all";
    for (auto const& row : bench::all_benchmarks())
        if (all || choice.benchmark == row.name) options.benchmarks.emplace_back(row.name);
    options.dtype = choice.dtype;
    options.size = choice.size;
    options.bins = choice.bins;
    options.ticks_file = choice.ticks_file;
    options.tick_size = choice.tick_size;
    options.quick = choice.quick;
    options.seconds = choice.seconds.value_or(choice.quick ? 0.1 : 0.2);
    if (options.ticks_file.empty()) return options;
    if (!all && choice.benchmark != "vpoc")
        throw Error("--ticks belongs to vpoc", "rocmtune bench vpoc --ticks FILE");
    options.benchmarks = {"vpoc"};
    // Complains about the file before anything runs.
    (void)bench::read_ticks(options.ticks_file, options.bins.value_or(1000), options.tick_size);
    return options;
}

std::vector<Measurement> run_benchmarks(BenchmarkChoice const& choice, bench::Options options,
                                        Host const& host, Clock::time_point start) {
    auto const devices = choose_devices(choice.devices, host);
    std::erase_if(options.benchmarks, [&, count = options.benchmarks.size()](auto const& name) {
        return is_left_out(name, count, devices.size());
    });
    ProgressLine const line(!choice.is_quiet);
    TimeLeft left(devices.size() * options.benchmarks.size());
    auto const begin = Clock::now();
    auto const progress = [&](Measurement const& current, std::size_t index, std::size_t count) {
        std::chrono::duration<double> const used = Clock::now() - begin;
        left.begin(index, count, used.count());
        line.show(fmt::format("[{}/{}{}] {} {} on {}", index + 1, count, left.text(),
                              current.benchmark, current.metric,
                              current.parameters.device.value_or(current.backend)));
    };
    auto const deadline = choice.data.patience.value_or(silence_of(options.seconds));
    auto const chips = chips_for(choice.data);
    auto const benchmarks = options.benchmarks;
    std::vector<Measurement> all;
    for (auto const& device : devices) {
        // The minute of the first device began when the program did.
        bool const first = &device == &devices.front();
        DeviceMinute const minute(is_bounded(choice), first ? start : Clock::now());
        options.backend = device.info.backend;
        options.device = device.info.index;
        set_memory_bounds(chips, device.gpu, options);
        options.gemm_peaks = gemm_peaks_of(chips, device.gpu);
        options.matrix_units = bench::matrix_units_of(chips, device.info.target);
        options.compute_dies = compute_dies_of(device.gpu);
        options.notes = doubts_of(device.gpu);
        options.first = first;
        options.others = others_of(devices, device);
        for (std::size_t i = 0; i < benchmarks.size(); ++i) {
            if (HeldSignals::waiting()) return all;
            options.benchmarks = {benchmarks[i]};
            options.time_seconds = minute.seconds(i, benchmarks.size(), Clock::now());
            auto const lifetime = DeviceMinute::lifetime(options.time_seconds);
            auto results = bench::run_benchmark(options, deadline, progress, {}, lifetime);
            if (lifetime.count() > 0 && lifetime < deadline) excuse_late(results);
            for (auto& result : results) {
                if (device.gpu != nullptr) result.gpu = device.gpu->row.value();
                if (device.gpu != nullptr && is_held(host, *device.gpu))
                    result.labels.emplace_back("shared");
                all.push_back(std::move(result));
            }
        }
    }
    return all;
}

/// What is unsupported was not asked of this device; but a run in which nothing else is left has
/// determined nothing, and what had no time is undetermined.
Exit exit_of(std::vector<Measurement> const& all) {
    auto const count = [&](std::string_view status) {
        return std::count_if(all.begin(), all.end(),
                             [&](Measurement const& one) { return one.status == status; });
    };
    auto const ok = count("ok");
    auto const unfinished = count("unfinished");
    auto const excused = count("unsupported") + unfinished;
    if (ok + excused < static_cast<std::ptrdiff_t>(all.size())) return Exit::findings;
    return ok > 0 && unfinished == 0 ? Exit::ok : Exit::undetermined;
}

void excuse_late(std::vector<Measurement>& all) {
    auto one = std::ranges::find(all, "timeout", &Measurement::status);
    for (auto const* what = "not ended in time"; one != all.end(); ++one, what = "not begun") {
        one->status = "unfinished";
        one->detail = bench::not_in_time(what, one->benchmark);
    }
}

}  // namespace rocmtune
