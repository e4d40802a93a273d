// SPDX-License-Identifier: MIT
#include "measure/host_looks.hpp"

#include <algorithm>
#include <set>

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Affinities that are read: those of more processes are the same, mostly.
constexpr std::size_t most_affinities = 16;
constexpr std::string_view node_directory = "/sys/devices/system/node";

std::optional<double> value_of(std::string_view text, std::string_view key, char separator) {
    for (auto const& [name, value] : key_value_lines(text, separator))
        if (trim(name) == key) return leading_real(trim(value));
    return std::nullopt;
}

/// Lines of /proc/stat (proc(5)). Ticks: user nice system idle iowait irq softirq steal.
struct ProcessorTimes {
    double busy_ticks = 0;
    double processors = 0;
    std::optional<double> running = {};
};

/// Time that the hypervisor took is others' time.
std::optional<ProcessorTimes> processor_times(std::string_view text) {
    ProcessorTimes times;
    bool known = false;
    for (auto const line : lines(text)) {
        auto const part = words(line);
        if (part.size() >= 9 && part[0] == "cpu") {
            known = true;
            for (std::size_t i = 1; i <= 8; ++i)
                if (i != 4 && i != 5) times.busy_ticks += to_real(part[i]).value_or(0);
        } else if (line.starts_with("cpu")) times.processors += 1;
        else if (part.size() == 2 && part[0] == "procs_running") times.running = to_real(part[1]);
    }
    return known && times.processors > 0 ? std::optional(times) : std::nullopt;
}

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=8503768", microseconds (psi.rst).
std::optional<double> stalled_seconds(HostRoot const& root, std::string_view resource) {
    auto const text = root.read(fmt::format("/proc/pressure/{}", resource)).value.value_or("");
    for (auto const line : lines(text))
        if (line.starts_with("some "))
            for (auto const word : words(line))
                if (word.starts_with("total=")) {
                    auto const total = to_real(word.substr(6));
                    return total ? std::optional(1e-6 * *total) : std::nullopt;
                }
    return std::nullopt;
}

/// "QUOTA PERIOD" or "max": processors that the control groups grant.
std::optional<double> quota(HostRoot const& root) {
    auto const text = root.call("cgroup.cpu").value.value_or("");
    auto const part = words(text);
    if (part.size() != 2) return std::nullopt;
    auto const time = to_real(part[0]);
    auto const period = to_real(part[1]);
    return time && period && *time > 0 && *period > 0 ? std::optional(*time / *period)
                                                      : std::nullopt;
}

double seconds_of(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::optional<double> HostLooks::Growth::since(std::optional<double> now) {
    if (!now) return std::nullopt;
    auto const before = std::exchange(before_, now);
    return before && *now >= *before ? std::optional(*now - *before) : std::nullopt;
}

HostLooks::HostLooks(HostRoot root)
    : root_(std::move(root)),
      tick_seconds_(1.0 / static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L))),
      quota_(quota(root_)) {
    auto const names = root_.list(node_directory).value.value_or(std::vector<std::string>());
    for (auto const& name : names)
        if (name.starts_with("node") && to_unsigned(std::string_view(name).substr(4), 10))
            nodes_.push_back(name);
    WatchSample before;
    take(before, {});
    looks_ = 0;
}

void HostLooks::take(WatchSample& sample, std::span<pid_t const> program) {
    take_processors(sample);
    take_memory(sample);
    if (looks_++ % looks_between_slow_ones == 0) {
        take_numa(sample);
        take_pressure(sample);
        learn_allowed(program);
    }
    for (auto const most : {allowed_, quota_, sample.host_processors})
        if (most) sample.processors = std::min(sample.processors.value_or(*most), *most);
}

void HostLooks::take_processors(WatchSample& sample) {
    auto const own = own_.since(own_seconds());
    sample.watch_seconds = own;
    auto const text = root_.read("/proc/stat");
    auto const times = text ? processor_times(*text) : std::nullopt;
    if (!times) return;
    sample.host_processors = times->processors;
    // This process runs while it looks.
    if (times->running) sample.run_queue = std::max(*times->running - 1, 0.0);
    auto const busy = busy_.since(tick_seconds_ * times->busy_ticks);
    if (busy && sample.cpu_seconds)
        sample.others_seconds = std::max(*busy - *sample.cpu_seconds - own.value_or(0), 0.0);
}

void HostLooks::take_memory(WatchSample& sample) const {
    auto const text = root_.read("/proc/meminfo").value.value_or("");
    constexpr double kib = 1024;
    if (auto const total = value_of(text, "MemTotal", ':')) sample.memory_bytes = kib * *total;
    if (auto const left = value_of(text, "MemAvailable", ':')) sample.available_bytes = kib * *left;
}

/// Counted in pages, from the start of the host (Documentation/admin-guide/numastat.rst). A page
/// that was wanted on another node counts as a miss, and so does one of a task that ran on another
/// node. On one node nothing can miss.
void HostLooks::take_numa(WatchSample& sample) {
    if (nodes_.size() < 2) return;
    double pages = 0;
    double misses = 0;
    for (auto const& node : nodes_) {
        auto const text = root_.read(fmt::format("{}/{}/numastat", node_directory, node));
        if (!text) return;
        auto const hit = value_of(*text, "numa_hit", ' ');
        auto const miss = value_of(*text, "numa_miss", ' ');
        auto const other = value_of(*text, "other_node", ' ');
        if (!hit || !miss || !other) return;
        pages += *hit + *miss;
        misses += std::max(*miss, *other);
    }
    sample.numa_pages = numa_pages_.since(pages);
    sample.numa_misses = numa_misses_.since(misses);
}

void HostLooks::take_pressure(WatchSample& sample) {
    sample.disk_pressure_seconds = disk_pressure_.since(stalled_seconds(root_, "io"));
    sample.memory_pressure_seconds = memory_pressure_.since(stalled_seconds(root_, "memory"));
}

/// Where a program binds its threads one by one, the affinity of its first thread is not that of
/// all: a process with several threads keeps the last answer.
void HostLooks::learn_allowed(std::span<pid_t const> program) {
    std::set<std::uint32_t> all;
    for (auto const pid : program.first(std::min(program.size(), most_affinities))) {
        auto const text = root_.read(fmt::format("/proc/{}/status", pid)).value.value_or("");
        std::string_view list;
        std::uint64_t threads = 1;
        for (auto const& [key, value] : key_value_lines(text, ':')) {
            if (key == "Cpus_allowed_list") list = trim(value);
            if (key == "Threads") threads = to_unsigned(trim(value), 10).value_or(1);
        }
        auto const numbers = parse_cpu_list(list).value_or(std::vector<std::uint32_t>());
        if (threads > 1 && allowed_ && static_cast<double>(numbers.size()) < *allowed_) {
            all.clear();
            break;
        }
        all.insert(numbers.begin(), numbers.end());
    }
    if (!all.empty()) allowed_ = static_cast<double>(all.size());
}

std::optional<double> page_fault_seconds() {
    constexpr std::size_t pages = 64;
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    auto* const area = static_cast<char*>(
        ::mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (area == MAP_FAILED) return std::nullopt;
    ::madvise(area, pages * page, MADV_NOHUGEPAGE);
    auto const start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (std::size_t i = 0; i < pages; ++i) static_cast<char volatile*>(area)[i * page] = 1;
    auto const took = seconds_of(CLOCK_THREAD_CPUTIME_ID) - start;
    ::munmap(area, pages * page);
    return took / pages;
}

double own_seconds() {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace rocmtune
