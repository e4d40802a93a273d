// SPDX-License-Identifier: MIT
#include "judge/limits/sample.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr WatchSum sums[] = {
    {"cpu", &WatchSample::cpu_seconds},
    {"kernel", &WatchSample::kernel_seconds},
    {"thread", &WatchSample::thread_seconds},
    {"others", &WatchSample::others_seconds},
    {"minor", &WatchSample::minor_faults},
    {"short", &WatchSample::short_faults},
    {"major", &WatchSample::major_faults},
    {"read", &WatchSample::read_bytes},
    {"written", &WatchSample::written_bytes},
    {"started", &WatchSample::started},
    {"numa", &WatchSample::numa_pages},
    {"misses", &WatchSample::numa_misses},
    {"disk_pressure", &WatchSample::disk_pressure_seconds},
    {"memory_pressure", &WatchSample::memory_pressure_seconds},
    {"watch", &WatchSample::watch_seconds},
};

constexpr WatchMean means[] = {
    {"host", &WatchSample::host_processors},
    {"processors", &WatchSample::processors},
    {"runnable", &WatchSample::runnable},
    {"queue", &WatchSample::run_queue},
    {"blocked", &WatchSample::blocked},
    {"processes", &WatchSample::processes},
    {"threads", &WatchSample::threads},
    {"resident", &WatchSample::resident_bytes},
    {"available", &WatchSample::available_bytes},
    {"memory", &WatchSample::memory_bytes},
    {"fault_cost", &WatchSample::fault_cost_seconds},
};

constexpr GpuMean means_of_gpu[] = {
    {"held", &GpuSample::held},
    {"others", &GpuSample::others},
    {"busy", &GpuSample::busy},
    {"memory_busy", &GpuSample::memory_busy},
    {"vram", &GpuSample::vram_bytes},
    {"vram_total", &GpuSample::vram_total_bytes},
    {"power", &GpuSample::power_watts},
    {"cap", &GpuSample::power_cap_watts},
    {"clock", &GpuSample::clock_mhz},
    {"memory_clock", &GpuSample::memory_clock_mhz},
    {"celsius", &GpuSample::temperature_celsius},
    {"celsius_limit", &GpuSample::temperature_limit_celsius},
    {"power_throttled", &GpuSample::power_throttled},
    {"heat_throttled", &GpuSample::heat_throttled},
    {"pcie", &GpuSample::pcie_bytes_per_second},
    {"pcie_most", &GpuSample::pcie_most_bytes_per_second},
    {"copies", &GpuSample::copy_engines},
    {"queues", &GpuSample::queues},
    {"own", &GpuSample::own_bytes},
};

/// A mean over the times that have the figure.
struct WeightedMean {
    double sum = 0;
    double weight = 0;
    void add(std::optional<double> value, double seconds) {
        if (value) sum += *value * seconds, weight += seconds;
    }
    std::optional<double> value() const {
        return weight > 0 ? std::optional(sum / weight) : std::nullopt;
    }
};

GpuSample joined_gpu(std::string const& address, std::span<WatchSample const> samples) {
    GpuSample gpu{.pci_address = address};
    std::vector<WeightedMean> all(std::size(means_of_gpu));
    for (auto const& sample : samples) {
        auto const found = std::ranges::find(sample.gpus, address, &GpuSample::pci_address);
        if (found == sample.gpus.end()) continue;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i].add((*found).*means_of_gpu[i].value, sample.seconds);
        gpu.reasons.insert(found->reasons.begin(), found->reasons.end());
    }
    for (std::size_t i = 0; i < all.size(); ++i) gpu.*means_of_gpu[i].value = all[i].value();
    return gpu;
}

template <class Rows, class From>
void add_figures(std::string& line, Rows const& rows, From const& from) {
    for (auto const& [word, value] : rows)
        if (from.*value)
            fmt::format_to(std::back_inserter(line), " {}={:.9g}", word, *(from.*value));
}

template <class Rows, class To>
bool take_figure(Rows const& rows, std::string_view key, double number, To& to) {
    auto const row = std::ranges::find_if(rows, [&](auto const& it) { return it.word == key; });
    if (row == std::end(rows)) return false;
    to.*row->value = number;
    return true;
}

/// "key=number"; a word of another kind is left out, as one that a later program adds would be.
void take_word(std::string_view word, WatchSample& sample) {
    auto const parts = split_once(word, '=');
    if (!parts) return;
    auto const& [key, text] = *parts;
    if (key == "gpu") return void(sample.gpus.push_back({.pci_address = std::string(text)}));
    if (key == "reason" && !sample.gpus.empty())
        return void(sample.gpus.back().reasons.emplace(text));
    auto const number = to_real(text);
    if (!number) return;
    if (!sample.gpus.empty())
        return void(take_figure(means_of_gpu, key, *number, sample.gpus.back()));
    if (!take_figure(sums, key, *number, sample)) take_figure(means, key, *number, sample);
}

}  // namespace

std::span<WatchSum const> watch_sums() {
    return sums;
}
std::span<WatchMean const> watch_means() {
    return means;
}
std::span<GpuMean const> gpu_means() {
    return means_of_gpu;
}

WatchSample joined(std::span<WatchSample const> samples) {
    WatchSample all;
    if (samples.empty()) return all;
    all.end_seconds = samples.back().end_seconds;
    std::vector<WeightedMean> weighted(std::size(means));
    std::set<std::string> gpus;
    for (auto const& sample : samples) {
        all.seconds += sample.seconds;
        for (auto const& [word, value] : sums)
            if (sample.*value) all.*value = (all.*value).value_or(0) + *(sample.*value);
        for (std::size_t i = 0; i < weighted.size(); ++i)
            weighted[i].add(sample.*means[i].value, sample.seconds);
        for (auto const& gpu : sample.gpus) gpus.insert(gpu.pci_address);
    }
    for (std::size_t i = 0; i < weighted.size(); ++i) all.*means[i].value = weighted[i].value();
    for (auto const& address : gpus) all.gpus.push_back(joined_gpu(address, samples));
    return all;
}

std::string line_of(WatchSample const& sample) {
    auto line = fmt::format("{:.6f} {:.6f}", sample.end_seconds, sample.seconds);
    add_figures(line, sums, sample);
    add_figures(line, means, sample);
    for (auto const& gpu : sample.gpus) {
        line += " gpu=" + gpu.pci_address;
        add_figures(line, means_of_gpu, gpu);
        for (auto const& reason : gpu.reasons) line += " reason=" + reason;
    }
    return line + '\n';
}

std::optional<WatchSample> watch_sample_of(std::string_view line) {
    auto const parts = words(line);
    if (parts.size() < 2) return std::nullopt;
    auto const end = to_real(parts[0]);
    auto const seconds = to_real(parts[1]);
    if (!end || !seconds || *seconds <= 0) return std::nullopt;
    WatchSample sample{.end_seconds = *end, .seconds = *seconds};
    for (auto const& word : std::span(parts).subspan(2)) take_word(word, sample);
    return sample;
}

}  // namespace rocmtune
