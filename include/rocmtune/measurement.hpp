// SPDX-License-Identifier: MIT
// Measurement: what one benchmark found on one device, with all that is needed to judge it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/records.hpp"

namespace rocmtune {

/// State of a device at one moment; what its driver does not tell is absent.
struct HardwareState {
    std::optional<double> clock_mhz = {};
    std::optional<double> memory_clock_mhz = {};
    std::optional<double> power_watts = {};
    std::optional<double> temperature_celsius = {};
    std::vector<std::string> throttle_reasons = {};
    std::optional<std::uint64_t> memory_used_bytes = {};
};

template <SameEntity<HardwareState> Self, class Visitor>
void visit_fields(Self& state, Visitor&& v) {
    v(Field{"clock_mhz", "engine clock"}, state.clock_mhz);
    v(Field{"memory_clock_mhz", "memory clock"}, state.memory_clock_mhz);
    v(Field{"power_watts", "power drawn; averaged by the driver, so it lags"}, state.power_watts);
    v(Field{"temperature_celsius", "temperature of the chip"}, state.temperature_celsius);
    v(Field{"throttle_reasons", "limits that hold the clocks down"}, state.throttle_reasons);
    v(Field{"memory_used_bytes", "device memory in use by all processes"}, state.memory_used_bytes);
}

/// What was measured, and how. A parameter that the benchmark does not have is absent.
struct BenchParameters {
    std::optional<std::string> device = {};
    std::optional<std::uint64_t> index = {};
    std::optional<std::string> pci_address = {};
    std::optional<std::string> target = {};
    std::optional<std::string> dtype = {};
    std::optional<std::string> kernel = {};
    std::optional<std::string> library = {};
    std::optional<std::string> mode = {};
    std::optional<std::uint64_t> bytes = {};
    std::optional<std::string> counting = {};
    std::optional<std::uint64_t> size = {};
    std::optional<std::uint64_t> bins = {};
    std::optional<std::uint64_t> ticks = {};
    std::optional<std::string> distribution = {};
    std::optional<double> resolution = {};
    std::optional<std::uint64_t> block = {};
    std::optional<std::string> peer = {};
    std::optional<std::string> link = {};
    std::optional<std::int64_t> numa_node = {};
    std::optional<std::int64_t> peer_numa_node = {};
    std::optional<std::uint64_t> devices = {};
};

template <SameEntity<BenchParameters> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"device", "name of the device"}, it.device);
    v(Field{"index", "number of the device as the backend counts"}, it.index);
    v(Field{"pci_address", "PCI address as the backend states it"}, it.pci_address);
    v(Field{"target", "instruction set that kernels were compiled for"}, it.target);
    v(Field{"dtype", "type of the elements"}, it.dtype);
    v(Field{"kernel", "which implementation ran"}, it.kernel);
    v(Field{"library", "library that it came from; null for our own"}, it.library);
    v(Field{"mode",
            "gemm: burst (after idling), sustained, at once (several devices), or the two whose "
            "ratio it is; copies: pinned or pageable, between devices direct or through the host"},
      it.mode);
    v(Field{"bytes", "size of one array or transfer"}, it.bytes);
    v(Field{"counting", "which bytes or operations the figure counts"}, it.counting);
    v(Field{"size", "rows and columns of the square matrices"}, it.size);
    v(Field{"bins", "rows of the price histogram"}, it.bins);
    v(Field{"ticks", "price and volume pairs"}, it.ticks);
    v(Field{"distribution", "how the prices are distributed"}, it.distribution);
    v(Field{"resolution", "smallest step of a volume in the exact sums"}, it.resolution);
    v(Field{"block", "threads of a block"}, it.block);
    v(Field{"peer", "the device at the other end of a copy"}, it.peer);
    v(Field{"link", "what connects the two devices, as their runtime says"}, it.link);
    v(Field{"numa_node", "NUMA node of the device"}, it.numa_node);
    v(Field{"peer_numa_node", "NUMA node of the device at the other end"}, it.peer_numa_node);
    v(Field{"devices", "devices that worked at the same time, this one included"}, it.devices);
}

/// The result of VPOC on a user's own ticks.
struct VolumeProfile {
    double low = 0;               ///< price of the first row's lower edge, or of its tick
    double row_height = 0;        ///< price per row
    double point_of_control = 0;  ///< price of the row with the largest volume
    double value_area_low = 0;    ///< prices of the outermost rows of the value area
    double value_area_high = 0;
    double total_volume = 0;
    std::vector<double> volumes = {};  ///< row by row from the lowest price; at most 65,536 rows
};

template <SameEntity<VolumeProfile> Self, class Visitor>
void visit_fields(Self& profile, Visitor&& v) {
    v(Field{"low", "price of the first row: its lower edge, or its tick with --tick"}, profile.low);
    v(Field{"row_height", "price from one row to the next"}, profile.row_height);
    v(Field{"point_of_control", "price of the row with the largest volume; the lowest of equals"},
      profile.point_of_control);
    v(Field{"value_area_low", "price of the lowest row of the value area (70 % of the volume)"},
      profile.value_area_low);
    v(Field{"value_area_high", "price of the highest row of the value area"},
      profile.value_area_high);
    v(Field{"total_volume", "sum of all volumes"}, profile.total_volume);
    v(Field{"volumes", "volume of each row; empty above 65,536 rows"}, profile.volumes);
}

/// Labels that say why a figure of memory has no efficiency. No source states the bandwidth of the
/// product or the kind of its memory; the kind is known, but its clock or width could not be read;
/// other partitions use the same part of the memory.
inline constexpr std::string_view peak_unknown_label = "peak-unknown";
inline constexpr std::string_view memory_clock_unknown_label = "memory-clock-unknown";
inline constexpr std::string_view memory_shared_label = "memory-shared";

/// One figure. `status` is ok, wrong-result, unsupported, no-memory, timeout, unfinished (it had no
/// time), lost or error; only with ok is there a value.
struct Measurement {
    std::string benchmark = {};  ///< a row of the benchmark table, or "command"
    std::string metric = {};     ///< what of it: copy, triad, fp32, 1000-bins, ...
    std::string unit = {};       ///< GB/s (10^9 bytes), TFLOP/s, ratio
    std::optional<double> value = {};
    std::optional<double> low = {};
    std::optional<double> high = {};
    std::optional<double> p10 = {};
    std::optional<double> p90 = {};
    std::vector<double> samples = {};
    BenchParameters parameters = {};
    std::string backend = {};
    std::optional<std::uint64_t> gpu = {};
    bool verified = false;
    std::string status = "error";
    std::optional<std::string> detail = {};
    std::optional<double> efficiency = {};
    std::optional<double> target = {};
    std::optional<HardwareState> state_before = {};
    std::optional<HardwareState> state_after = {};
    std::vector<std::string> labels = {};
    std::vector<std::string> notes = {};
    std::optional<VolumeProfile> profile = {};
};

template <SameEntity<Measurement> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"benchmark",
            "bandwidth, gemm, vpoc or collectives; command: a program of the user's (verify)"},
      it.benchmark);
    v(Field{"metric", "what of the benchmark"}, it.metric);
    v(Field{"unit", "GB/s (10^9 bytes a second), TFLOP/s or ratio; of a command what it prints"},
      it.unit);
    v(Field{"value", "median of the samples; null unless the status is ok"}, it.value);
    v(Field{"low", "lower end of the median's 95 % interval (bootstrap)"}, it.low);
    v(Field{"high", "upper end of it"}, it.high);
    v(Field{"p10", "10th percentile of the samples"}, it.p10);
    v(Field{"p90", "90th percentile of the samples"}, it.p90);
    v(Field{"samples", "all samples in their order, outliers too"}, it.samples);
    v(Field{"parameters", "what was measured and how"}, it.parameters);
    v(Field{"backend", "hip, cuda or cpu; command: that program's own choice"}, it.backend);
    v(Field{"gpu", "row of the GPU in host.gpus; null for other devices"}, it.gpu);
    v(Field{"verified", "the result was compared with an independent one and was right"},
      it.verified);
    v(Field{"status",
            "ok, wrong-result, unsupported, no-memory, timeout, unfinished (there was no time for "
            "it), lost or error"},
      it.status);
    v(Field{"detail", "why the status is not ok"}, it.detail);
    v(Field{"efficiency", "value divided by the theoretical peak, where one is known"},
      it.efficiency);
    v(Field{"target", "figure that a source of the profile expects, in the same unit"}, it.target);
    v(Field{"state_before", "state of the device before the samples"}, it.state_before);
    v(Field{"state_after", "state of the device after the samples"}, it.state_after);
    v(Field{"labels",
            "what to keep in mind: throttled, shared (others use the device), in-cache, "
            "cache-unknown, peak-unknown, memory-clock-unknown, memory-shared, few-samples, "
            "unsteady, above-peak, below-expectation, slower-than-OPERATION, volumes-rounded, "
            "volumes-vanished; of verify the setting of the arm, A=1 or baseline of A=1"},
      it.labels);
    v(Field{"notes",
            "what the device, its driver or a profile says and cannot be: nothing was made of it"},
      it.notes);
    v(Field{"profile", "result of vpoc on the ticks of --ticks"}, it.profile);
}

/// The cache of compiled kernels.
struct CacheReport {
    std::optional<std::string> directory = {};  ///< absent: the environment names none
    std::optional<std::uint64_t> entries = {};  ///< absent: it is not this user's alone
    std::optional<std::uint64_t> bytes = {};
    std::uint64_t most_bytes = 0;
    std::optional<std::string> problem = {};
};

template <SameEntity<CacheReport> Self, class Visitor>
void visit_fields(Self& cache, Visitor&& v) {
    v(Field{"directory", "where compiled kernels lie; null if the environment names no place"},
      cache.directory);
    v(Field{"entries", "how many there are; null if nobody may look"}, cache.entries);
    v(Field{"bytes", "what they take"}, cache.bytes);
    v(Field{"most_bytes", "what they may take; the longest unused go first"}, cache.most_bytes);
    v(Field{"problem", "why nothing can be kept"}, cache.problem);
}

}  // namespace rocmtune
