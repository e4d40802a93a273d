// SPDX-License-Identifier: MIT
// The figures of an observation: what was seen, without a judgement.
#include <algorithm>
#include <cmath>

#include "judge/limits/features.hpp"
#include "judge/limits/limits.hpp"

namespace rocmtune {
namespace {

/// Adds up a figure over the samples that have it.
class CourseSum {
  public:
    void add(std::optional<double> value, double seconds) {
        if (!value) return;
        peak_ = seconds_ > 0 ? std::max(peak_, *value) : *value;
        sum_ += *value * seconds;
        seconds_ += seconds;
    }
    std::optional<Course> value(double most = INFINITY) const {
        if (seconds_ <= 0) return std::nullopt;
        // A mean of equal figures may be rounded to more than they are.
        return Course{std::min({sum_ / seconds_, peak_, most}), std::min(peak_, most)};
    }

  private:
    double sum_ = 0;
    double seconds_ = 0;
    double peak_ = 0;
};

/// The course of what `figure` says of each sample.
template <class Figure>
std::optional<Course> course(std::span<WatchSample const> samples, Figure const& figure,
                             double most = INFINITY) {
    CourseSum sum;
    for (auto const& sample : samples) sum.add(figure(sample), sample.seconds);
    return sum.value(most);
}

std::optional<Course> rates(std::span<WatchSample const> samples,
                            std::optional<double> WatchSample::*sum, double most = INFINITY) {
    return course(
        samples, [sum](WatchSample const& it) { return rate(it.*sum, it); }, most);
}

std::optional<Course> levels(std::span<WatchSample const> samples,
                             std::optional<double> WatchSample::*mean) {
    return course(samples, [mean](WatchSample const& it) { return it.*mean; });
}

std::optional<double> least(std::span<WatchSample const> samples,
                            std::optional<double> WatchSample::*value) {
    std::optional<double> least;
    for (auto const& sample : samples)
        if (sample.*value) least = std::min(least.value_or(INFINITY), *(sample.*value));
    return least;
}

ObservedGpu gpu_of(GpuSample const& all, std::span<WatchSample const> samples) {
    auto const of = [&](std::optional<double> GpuSample::*value) {
        return course(samples, [&](WatchSample const& sample) {
            auto const found =
                std::ranges::find(sample.gpus, all.pci_address, &GpuSample::pci_address);
            return found == sample.gpus.end() ? std::nullopt : (*found).*value;
        });
    };
    return {.pci_address = all.pci_address,
            .held_share = all.held,
            .others_share = all.others,
            .busy_share = of(&GpuSample::busy),
            .memory_busy_share = of(&GpuSample::memory_busy),
            .vram_bytes = of(&GpuSample::vram_bytes),
            .vram_total_bytes = all.vram_total_bytes,
            .power_watts = of(&GpuSample::power_watts),
            .power_cap_watts = all.power_cap_watts,
            .clock_mhz = of(&GpuSample::clock_mhz),
            .temperature_celsius = of(&GpuSample::temperature_celsius),
            .power_throttled_share = all.power_throttled,
            .heat_throttled_share = all.heat_throttled,
            .throttle_reasons = {all.reasons.begin(), all.reasons.end()},
            .pcie_bytes_per_second = of(&GpuSample::pcie_bytes_per_second),
            .pcie_most_bytes_per_second = all.pcie_most_bytes_per_second,
            .copy_engines_share = of(&GpuSample::copy_engines),
            .queues = of(&GpuSample::queues),
            .program_vram_bytes = of(&GpuSample::own_bytes)};
}

}  // namespace

void fill_figures(Observation& it, std::span<WatchSample const> samples, WatchSample const& all) {
    it.seconds = all.end_seconds;
    it.samples = samples.size();
    it.watch_seconds = all.watch_seconds;
    it.processors = all.processors ? all.processors : all.host_processors;
    it.busiest_thread_share = rates(samples, &WatchSample::thread_seconds, 1);
    it.processors_share = course(samples, share_of_processors, 1);
    it.others_share = course(
        samples,
        [](WatchSample const& one) {
            return ratio(rate(one.others_seconds, one), one.host_processors);
        },
        1);
    it.run_queue = course(
        samples, [](WatchSample const& one) { return ratio(one.run_queue, one.host_processors); });
    it.kernel_share = ratio(all.kernel_seconds, all.cpu_seconds);
    it.threads = levels(samples, &WatchSample::threads);
    it.started_per_second = rates(samples, &WatchSample::started);
    it.resident_bytes = levels(samples, &WatchSample::resident_bytes);
    it.available_bytes = levels(samples, &WatchSample::available_bytes);
    it.available_least_bytes = least(samples, &WatchSample::available_bytes);
    it.minor_faults_per_second = rates(samples, &WatchSample::minor_faults);
    it.major_faults_per_second = rates(samples, &WatchSample::major_faults);
    it.read_bytes_per_second = rates(samples, &WatchSample::read_bytes);
    it.written_bytes_per_second = rates(samples, &WatchSample::written_bytes);
    it.blocked_share = levels(samples, &WatchSample::blocked);
    if (auto const share = rate(all.disk_pressure_seconds, all))
        it.disk_pressure_share = std::min(*share, 1.0);
    if (auto const share = rate(all.memory_pressure_seconds, all))
        it.memory_pressure_share = std::min(*share, 1.0);
    it.numa_miss_share = ratio(all.numa_misses, all.numa_pages);
    for (auto const& gpu : all.gpus) it.gpus.push_back(gpu_of(gpu, samples));
}

}  // namespace rocmtune
