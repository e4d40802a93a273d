// SPDX-License-Identifier: MIT
// rocmtune bench: chooses devices, runs the benchmarks in workers, prints the figures.
#include <algorithm>
#include <cmath>

#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm_data.hpp"
#include "bench/runner.hpp"
#include "bench/ticks.hpp"
#include "cli/commands.hpp"
#include "cli/data_files.hpp"
#include "cli/device_selector.hpp"
#include "cli/host_input.hpp"
#include "cli/output.hpp"
#include "cli/report_output.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {
namespace {

using bench::DeviceInfo;

/// How long a worker may say nothing: making and checking the largest data takes that long.
constexpr double usual_silence_seconds = 180;
constexpr double largest_seconds = 86400;

std::optional<std::uint64_t> whole_number(Arguments const& arguments, std::string_view option,
                                          double least, double most) {
    auto const number = arguments.number(option, least);
    if (!number) return std::nullopt;
    if (*number != std::floor(*number) || *number > most)
        throw Error(
            fmt::format("{} needs a whole number from {:.0f} to {:.0f}", option, least, most));
    return static_cast<std::uint64_t>(*number);
}

bench::Options options_of(Arguments const& arguments) {
    bench::Options options;
    auto const what =
        arguments.positionals.empty() ? std::string("all") : arguments.positionals.front();
    for (auto const& row : bench::all_benchmarks())
        if (what == "all" || what == row.name) options.benchmarks.emplace_back(row.name);
    options.dtype = arguments.value("--dtype").value_or("");
    options.size = whole_number(arguments, "--size", 1, 0x1p50);
    options.bins = whole_number(arguments, "--bins", 1, static_cast<double>(bench::most_bins));
    options.ticks_file = arguments.value("--ticks").value_or("");
    if (arguments.has("--tick") && options.ticks_file.empty())
        throw Error("--tick needs --ticks", "it is the step of your own prices");
    if (arguments.has("--tick") && arguments.has("--bins"))
        throw Error("--tick and --bins exclude each other");
    options.tick_size = arguments.number("--tick", 1e-12);
    options.quick = arguments.has("--quick");
    options.seconds = std::min(
        arguments.number("--time", 0.001).value_or(options.quick ? 0.1 : 0.5), largest_seconds);
    if (!options.ticks_file.empty()) {
        if (what != "all" && what != "vpoc") throw Error("--ticks belongs to vpoc");
        options.benchmarks = {"vpoc"};
        // Complains about the file before anything runs.
        (void)bench::read_ticks(options.ticks_file, options.bins.value_or(1000), options.tick_size);
    }
    return options;
}

// ---- devices ------------------------------------------------------------------------------------

struct Chosen {
    DeviceInfo info;
    Gpu const* gpu = nullptr;  ///< its row of the host, if it has one
};

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
    for (auto const* const name : {"hip", "cuda", "cpu"})
        if (auto devices = devices_of(name, false); !devices.empty()) return devices;
    return {};
}

std::vector<Chosen> choose(Arguments const& arguments, Host const& host) {
    auto backend = arguments.value("--backend").value_or("auto");
    auto const selectors = arguments.values("--gpu");
    for (auto const& selector : selectors)
        if (backend == "auto" && selector.starts_with("cuda:")) backend = "cuda";
    std::vector<Chosen> all;
    for (auto& info : all_devices(backend)) {
        auto const* const gpu = row_of(host, info);
        all.push_back({std::move(info), gpu});
    }
    if (selectors.empty()) return all;
    std::vector<Chosen> chosen;
    for (auto const& text : selectors) {
        auto const selector = parse_device_selector(text);
        auto const found = std::find_if(all.begin(), all.end(), [&](Chosen const& one) {
            return selector.matches(
                {one.info.backend, one.info.index, one.info.pci_address, one.info.uuid, one.gpu});
        });
        if (found == all.end())
            throw Error(fmt::format("--gpu {} names no device of the backend {}", printable(text),
                                    all.front().info.backend),
                        fmt::format("it has {} of them", all.size()));
        chosen.push_back(*found);
    }
    return chosen;
}

/// Bandwidth as the product's profile has it; nothing if the product is not known.
std::optional<double> peak_of(ChipSet const& chips, Gpu const* gpu) {
    if (gpu == nullptr || !gpu->pci_device_id || !gpu->pci_revision) return std::nullopt;
    auto const device = to_unsigned(*gpu->pci_device_id);
    auto const revision = to_unsigned(*gpu->pci_revision);
    if (!device || !revision) return std::nullopt;
    auto const* const product = chips.find_product(static_cast<std::uint16_t>(*device),
                                                   static_cast<std::uint8_t>(*revision));
    bool const whole = gpu->partition_count.value_or(1) == 1;
    if (product == nullptr || !product->memory_bandwidth_bytes_per_s || !whole) return std::nullopt;
    return static_cast<double>(*product->memory_bandwidth_bytes_per_s);
}

bool is_shared(Host const& host, Gpu const* gpu) {
    if (gpu == nullptr || !host.gpu_processes || !gpu->pci_address) return false;
    return std::any_of(
        host.gpu_processes->begin(), host.gpu_processes->end(), [&](GpuProcess const& process) {
            return std::find(process.gpus.begin(), process.gpus.end(), *gpu->pci_address) !=
                   process.gpus.end();
        });
}

// ---- running ------------------------------------------------------------------------------------

/// One line on a terminal that the next one overwrites.
class ProgressLine {
  public:
    explicit ProgressLine(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;
    ~ProgressLine() { write("\r\x1b[K"); }

    void show(Measurement const& current, std::size_t index, std::size_t count) const {
        write(fmt::format("\r\x1b[K[{}/{}] {} {} on {}", index + 1, count, current.benchmark,
                          current.metric, current.parameters.device.value_or(current.backend))
                  .substr(0, 78));
    }

  private:
    void write(std::string const& text) const {
        if (!shown_) return;
        [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text.data(), text.size());
    }
    bool shown_;
};

std::vector<Measurement> measure(Arguments const& arguments, Host const& host,
                                 std::vector<Chosen> const& devices, bench::Options options) {
    ProgressLine const line(!arguments.has("--quiet"));
    auto const progress = [&](Measurement const& current, std::size_t index, std::size_t count) {
        line.show(current, index, count);
    };
    auto const silence =
        arguments.number("--timeout", 0.001).value_or(usual_silence_seconds + 10 * options.seconds);
    auto const deadline = std::chrono::milliseconds(
        static_cast<std::int64_t>(std::min(silence, largest_seconds) * 1000));
    auto const chips = chips_for(arguments);
    auto const benchmarks = options.benchmarks;
    std::vector<Measurement> all;
    for (auto const& device : devices)
        for (auto const& benchmark : benchmarks) {
            options.benchmarks = {benchmark};
            options.backend = device.info.backend;
            options.device = device.info.index;
            options.peak_bytes_per_second = peak_of(chips, device.gpu);
            for (auto& result : bench::run_benchmark(options, deadline, progress)) {
                if (device.gpu != nullptr) result.gpu = device.gpu->row.value();
                if (is_shared(host, device.gpu)) result.labels.emplace_back("shared");
                all.push_back(std::move(result));
            }
        }
    return all;
}

/// What is unsupported was not asked of this device; but a run in which nothing else is left has
/// determined nothing.
Exit exit_of(std::vector<Measurement> const& all) {
    auto const count = [&](std::string_view status) {
        return std::count_if(all.begin(), all.end(),
                             [&](Measurement const& one) { return one.status == status; });
    };
    auto const ok = count("ok");
    if (ok + count("unsupported") < static_cast<std::ptrdiff_t>(all.size())) return Exit::findings;
    return ok > 0 ? Exit::ok : Exit::undetermined;
}

/// The host as far as the devices need it: for processors the kernel's view will do.
Host host_for(Arguments const& arguments) {
    Arguments reading;
    if (arguments.value("--backend") == "cpu") reading.add("--sources", "sysfs");
    if (auto const directory = arguments.value("--profiles")) reading.add("--profiles", *directory);
    return read_host(reading);
}

}  // namespace

Exit run_bench(Arguments const& arguments) {
    for (auto const& selector : arguments.values("--gpu")) (void)parse_device_selector(selector);
    auto const options = options_of(arguments);
    Report report;
    report.command = "bench";
    report.host = host_for(arguments);
    auto const devices = choose(arguments, *report.host);
    report.measurements = measure(arguments, *report.host, devices, options);
    report.exit_code = exit_of(report.measurements);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
