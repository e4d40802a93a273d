// SPDX-License-Identifier: MIT
#include "measure/program_watch.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/limits/limits.hpp"
#include "measure/gpu_states.hpp"
#include "measure/host_looks.hpp"
#include "measure/process_looks.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double least_pause_seconds = 0.1;
/// More than a hundred times what a look costs: looking takes less than one per cent of one
/// processor, also where looks become dearer.
constexpr double pause_for_cost = 130;
/// A long run is looked at less often, so that its samples fit memory: some 40,000 in a day.
constexpr double looks_of_a_run = 6000;

constexpr std::string_view link_mark = "link";
constexpr std::string_view seen_mark = "seen";

/// Pauses between looks that follow their cost.
class Pace {
  public:
    void add(double cost) { cost_ = 0.5 * cost_ + 0.5 * cost; }
    Seconds pause(double since_start) const {
        return Seconds(
            std::max({least_pause_seconds, pause_for_cost * cost_, since_start / looks_of_a_run}));
    }

  private:
    double cost_ = 0;
};

/// Until the pipe breaks, or no process of the program is left.
void look_on(int pipe, HostRoot const& root, pid_t program, Clock::time_point start) {
    auto const since = [](Clock::time_point from) { return Seconds(Clock::now() - from).count(); };
    HostLooks host(root);
    GpuStates gpus(root);
    auto const fault_cost = page_fault_seconds();
    auto last = Clock::now();
    ProcessLooks processes(root, program);
    Pace pace;
    for (bool alive = true; alive;) {
        std::this_thread::sleep_until(
            last + std::chrono::duration_cast<Clock::duration>(pace.pause(since(start))));
        auto const cost_before = own_seconds();
        auto const now = Clock::now();
        WatchSample sample{.end_seconds = Seconds(now - start).count(),
                           .seconds = Seconds(now - std::exchange(last, now)).count(),
                           .fault_cost_seconds = fault_cost};
        alive = processes.take(sample);
        auto const tree = processes.alive();
        gpus.take(sample, tree);
        host.take(sample, tree);
        auto const text = fmt::format("{} {}\n{}", seen_mark, processes.seen(), line_of(sample));
        if (write_all(pipe, text) != 0) return;
        pace.add(own_seconds() - cost_before);
    }
}

/// The driver counts for a second before it answers (amdgpu_get_pcie_bw), so one GPU is asked after
/// the other.
void look_at_links(int pipe, HostRoot const& root) {
    constexpr std::chrono::seconds between{1};
    for (;;) {
        auto const due = Clock::now() + between;
        for (auto const& address : driven_gpus(root)) {
            auto const device = pci_device(address);
            if (!is_awake(root, device)) continue;
            auto const text = root.read(device + "/pcie_bw");
            auto const bytes = text ? pcie_bytes(*text) : std::nullopt;
            if (bytes && write_all(pipe, fmt::format("{} {} {:.9g}\n", link_mark, address, *bytes)))
                return;
        }
        std::this_thread::sleep_until(due);
    }
}

/// Whether any GPU has the file: chips without the counters have none.
bool has_links(HostRoot const& root) {
    return std::ranges::any_of(driven_gpus(root), [&](std::string const& address) {
        return root.exists(pci_device(address) + "/pcie_bw");
    });
}

}  // namespace

HostRoot live_host() {
    return HostRoot(directory_source("/"));
}

ProgramWatch::ProgramWatch(pid_t program, std::function<HostRoot()> const& open)
    : start_(Clock::now()),
      looker_([&](int pipe) { look_on(pipe, open(), program, start_); }),
      links_([&](int pipe) {
          auto const root = open();
          if (has_links(root)) look_at_links(pipe, root);
      }) {}

double ProgramWatch::seconds() const {
    return Seconds(Clock::now() - start_).count();
}

void ProgramWatch::take() {
    take_links();
    looker_.take([this](std::string_view line) { take_line(line); });
}

void ProgramWatch::take_links() {
    links_.take([this](std::string_view line) {
        auto const part = words(line);
        auto const bytes = part.size() == 3 ? to_real(part[2]) : std::nullopt;
        if (bytes && part[0] == link_mark) traffic_.insert_or_assign(std::string(part[1]), *bytes);
    });
}

void ProgramWatch::take_line(std::string_view line) {
    auto const part = words(line);
    if (part.size() == 2 && part[0] == seen_mark) {
        processes_ = to_unsigned(part[1], 10).value_or(processes_);
        return;
    }
    auto sample = watch_sample_of(line);
    if (!sample) return;
    for (auto& gpu : sample->gpus)
        if (auto const bytes = traffic_.find(gpu.pci_address); bytes != traffic_.end())
            gpu.pcie_bytes_per_second = bytes->second;
    samples_.push_back(std::move(*sample));
}

Observation ProgramWatch::finish() {
    take();
    looker_.end();
    links_.end();
    return observation_of(samples_, processes_);
}

}  // namespace rocmtune
