// SPDX-License-Identifier: MIT
// What GPUs do, by sysfs, look after look. While a program is watched, those that it holds are
// looked at every time, others every fifth time. None is woken.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "judge/limits/sample.hpp"
#include "machine/host_root.hpp"
#include "measure/gpu_watch.hpp"
#include "probe/gpu_metrics.hpp"

namespace rocmtune {

class GpuStates {
  public:
    explicit GpuStates(HostRoot root);

    /// Adds the GPUs to the sample. `program` has the processes of the program.
    void take(WatchSample& sample, std::span<pid_t const> program);

    /// Adds all GPUs but those that `is_wanted` refuses, which is asked before a file of one is
    /// read. One that sleeps has no figures. Nothing is said of any program.
    void take_all(WatchSample& sample, std::function<bool(std::string const&)> const& is_wanted);

  private:
    struct Sensor {
        std::string path = {};
        std::optional<double> limit_celsius = {};
    };

    /// What of a GPU stays as it is, and what was read last.
    struct Known {
        std::string address = {};
        std::string device = {};  ///< directory
        std::string hwmon = {};
        std::vector<Sensor> sensors = {};
        GpuSample slow = {};  ///< figures that are read every fifth time
        std::optional<GpuMetrics> metrics = {};
        std::optional<double> copied_seconds = {};  ///< by the program's copies, from their start
    };

    void learn(std::string const& address);
    void take_slow(std::span<pid_t const> program);
    void take_holders(std::span<pid_t const> program);
    void take_others(std::span<pid_t const> program);
    Known* gpu_of(std::uint64_t id);
    void take_own(double seconds, std::span<pid_t const> program);
    void add_queues(std::string const& process);
    void take_slow_figures(Known& gpu) const;
    void take_temperature(Known& gpu) const;
    GpuSample look_at(Known& gpu) const;
    std::optional<double> running_clock(Known const& gpu, std::string_view name) const;
    void take_metrics(Known& gpu, GpuSample& now) const;
    std::optional<double> number(std::string const& path, double unit = 1) const;

    HostRoot root_;
    KfdIds ids_;
    bool numbers_are_ours_ = false;  ///< KFD's numbers of processes are those that we see
    std::vector<Known> gpus_;
    std::uint64_t looks_ = 0;
    double since_slow_ = 0;
};

/// What a link of a speed ("16.0 GT/s PCIe") and width carries both ways together, bytes a second.
std::optional<double> link_bytes_per_second(std::string_view speed, std::string_view width);

/// "RECEIVED SENT SIZE": messages of a second, and the most bytes of one (amdgpu_pm.c, pcie_bw).
std::optional<double> pcie_bytes(std::string_view text);

}  // namespace rocmtune
