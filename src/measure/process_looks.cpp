// SPDX-License-Identifier: MIT
#include "measure/process_looks.hpp"

#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// New tasks between two looks that are tried one by one; with more, the list of all is shorter.
constexpr std::uint64_t most_tried = 256;
/// A program that starts more at once is watched in part.
constexpr std::size_t most_watched = 4096;
/// So many threads of a process are looked at every time; more of them where it works.
constexpr std::uint64_t few_threads = 8;
/// Every so many looks all threads are looked at.
constexpr std::uint64_t looks_of_all_threads = 5;
/// Looks after which a process that nobody reaped into its parent is forgotten.
constexpr int most_credit_age = 2;

/// The number that the newest task got: the last word of /proc/loadavg (proc(5)).
std::optional<std::uint64_t> newest_pid(HostRoot const& root) {
    auto const text = root.read("/proc/loadavg");
    if (!text) return std::nullopt;
    auto const part = words(*text);
    return part.size() == 5 ? to_unsigned(part[4], 10) : std::nullopt;
}

/// Bytes that reached a disk: /proc/PID/io (proc(5)); what was written and removed before it got
/// there does not count.
struct DiskBytes {
    double read = 0;
    double written = 0;
};

std::optional<DiskBytes> disk_bytes(HostRoot const& root, pid_t pid) {
    auto const text = root.read(fmt::format("/proc/{}/io", pid));
    if (!text) return std::nullopt;
    DiskBytes bytes;
    for (auto const& [key, value] : key_value_lines(*text, ':')) {
        auto const number = static_cast<double>(to_unsigned(trim(value), 10).value_or(0));
        if (key == "read_bytes") bytes.read += number;
        if (key == "write_bytes") bytes.written += number;
        if (key == "cancelled_write_bytes") bytes.written -= number;
    }
    return bytes;
}

std::optional<TaskStat> task_stat(HostRoot const& root, std::string const& directory) {
    auto const text = root.read(directory + "/stat");
    return text ? task_stat_of(*text) : std::nullopt;
}

bool is_over(TaskStat const& stat) {
    return stat.state == 'Z' || stat.state == 'X';
}

}  // namespace

std::optional<TaskStat> task_stat_of(std::string_view text) {
    auto const name_end = text.rfind(") ");
    if (name_end == text.npos) return std::nullopt;
    auto const part = words(text.substr(name_end + 2));
    // proc(5) counts from 1, with the number and the name before these.
    constexpr std::size_t first = 3;
    constexpr std::size_t exit_signal = 38;
    if (part.size() <= exit_signal - first) return std::nullopt;
    auto const number = [&](std::size_t field) {
        return to_unsigned(part[field - first], 10).value_or(0);
    };
    return TaskStat{.parent = static_cast<pid_t>(number(4)),
                    .state = part[0][0],
                    .minor_faults = number(10),
                    .reaped_minor_faults = number(11),
                    .major_faults = number(12),
                    .reaped_major_faults = number(13),
                    .user = number(14),
                    .kernel = number(15),
                    .reaped_user = number(16),
                    .reaped_kernel = number(17),
                    .threads = number(20),
                    .start = number(22),
                    .resident_pages = number(24),
                    // A thread tells nobody of its end (clone(2), CLONE_THREAD).
                    .is_thread = part[exit_signal - first] == "-1"};
}

ProcessLooks::ProcessLooks(HostRoot root, pid_t program)
    : root_(std::move(root)),
      tick_seconds_(1.0 / static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L))),
      page_bytes_(static_cast<double>(::sysconf(_SC_PAGESIZE))) {
    last_pid_ = newest_pid(root_);
    auto const stat = task_stat(root_, fmt::format("/proc/{}", program));
    if (!stat) return;
    known_.push_back({.pid = program, .stat = *stat});
    seen_ = 1;
    search_all();
    Sums before;
    for (auto& process : known_) look_at(process, before);
}

bool ProcessLooks::is_known(pid_t pid) const {
    return std::ranges::find(known_, pid, &Known::pid) != known_.end();
}

void ProcessLooks::try_new(pid_t pid) {
    if (known_.size() >= most_watched || is_known(pid)) return;
    auto const stat = task_stat(root_, fmt::format("/proc/{}", pid));
    if (!stat || stat->is_thread || !is_known(stat->parent)) return;
    known_.push_back({.pid = pid, .stat = *stat});
    ++seen_;
}

/// Numbers grow from parents to children, but for those after the highest one.
void ProcessLooks::search_all() {
    auto const names = root_.list("/proc").value.value_or(std::vector<std::string>());
    for (std::size_t before = 0; before != known_.size();) {
        before = known_.size();
        for (auto const& name : names)
            if (auto const pid = to_unsigned(name, 10)) try_new(static_cast<pid_t>(*pid));
        if (last_pid_) break;
    }
}

/// Where no task has begun since, there is nothing to look for.
void ProcessLooks::find_new() {
    auto const newest = newest_pid(root_);
    auto const before = std::exchange(last_pid_, newest);
    if (!newest || !before || *newest < *before || *newest - *before > most_tried)
        return search_all();
    for (auto pid = *before + 1; pid <= *newest; ++pid) try_new(static_cast<pid_t>(pid));
}

void ProcessLooks::read_figures(Known& process, TaskStat const& stat) {
    auto const ticks = [this](std::uint64_t count) {
        return tick_seconds_ * static_cast<double>(count);
    };
    auto const count = [](std::uint64_t number) { return static_cast<double>(number); };
    auto& reaped = process.reaped;
    auto& all = process.all;
    reaped[cpu] = ticks(stat.reaped_user + stat.reaped_kernel);
    reaped[in_kernel] = ticks(stat.reaped_kernel);
    reaped[minor] = count(stat.reaped_minor_faults);
    reaped[major] = count(stat.reaped_major_faults);
    all[cpu] = reaped[cpu] + ticks(stat.user + stat.kernel);
    all[in_kernel] = reaped[in_kernel] + ticks(stat.kernel);
    all[minor] = reaped[minor] + count(stat.minor_faults);
    all[major] = reaped[major] + count(stat.major_faults);
    auto const bytes = disk_bytes(root_, process.pid);
    process.tells_bytes = bytes.has_value();
    if (!bytes) return;
    all[read_bytes] = reaped[read_bytes] = bytes->read;
    all[written_bytes] = reaped[written_bytes] = bytes->written;
}

/// What it used since the look before. What it got from a child that was looked at while it lived
/// has been counted.
void ProcessLooks::add_used(Known& process, Figures const& before, Figures const& reaped_before,
                            Sums& sums) {
    for (std::size_t i = 0; i < figures; ++i) {
        auto const grown = std::max(process.all[i] - before[i], 0.0);
        auto const got = std::clamp(process.reaped[i] - reaped_before[i], 0.0, grown);
        auto const known = std::min(got, process.credit[i]);
        process.credit[i] -= known;
        sums.used[i] += grown - known;
        // Children that came and went between two looks, and one that has just begun.
        if (i == minor) sums.short_faults += process.is_new ? grown - known : got - known;
    }
    if (++process.credit_age > most_credit_age) process.credit = {};
}

/// False: it is gone, or another process has its number.
bool ProcessLooks::look_at(Known& process, Sums& sums) {
    auto const stat = task_stat(root_, fmt::format("/proc/{}", process.pid));
    if (!stat || stat->start != process.stat.start) return false;
    auto const before = process.all;
    auto const reaped_before = process.reaped;
    process.stat = *stat;
    read_figures(process, *stat);
    add_used(process, before, reaped_before, sums);
    auto const own = process.all[cpu] - process.reaped[cpu] - (before[cpu] - reaped_before[cpu]);
    look_at_threads(process, own, sums);
    if (process.is_new) sums.started += 1;
    process.is_new = false;
    sums.tells_bytes |= process.tells_bytes;
    if (is_over(*stat)) return true;
    sums.threads += static_cast<double>(stat->threads);
    sums.resident += page_bytes_ * static_cast<double>(stat->resident_pages);
    return true;
}

void ProcessLooks::look_at_threads(Known& process, double used, Sums& sums) {
    auto const take = [&sums](char state, double seconds) {
        sums.runnable += state == 'R' ? 1 : 0;
        sums.blocked |= state == 'D';
        sums.busiest = std::max(sums.busiest, seconds);
    };
    auto const& stat = process.stat;
    if (stat.threads <= 1) return take(stat.state, used);
    bool const is_due = looks_ % looks_of_all_threads == 0 || stat.threads <= few_threads;
    if (used <= 0 && !is_due) return void(sums.saw_all_threads = false);
    auto const directory = fmt::format("/proc/{}/task", process.pid);
    auto const names = root_.list(directory).value.value_or(std::vector<std::string>());
    std::map<pid_t, double> times;
    for (auto const& name : names) {
        auto const thread = task_stat(root_, directory + '/' + name);
        auto const id = to_unsigned(name, 10);
        if (!thread || !id) continue;
        auto const seconds = tick_seconds_ * static_cast<double>(thread->user + thread->kernel);
        auto const before = process.threads.find(static_cast<pid_t>(*id));
        // One that was not looked at for a while counts with what it can have used meanwhile.
        auto const since = before == process.threads.end() ? seconds : seconds - before->second;
        take(thread->state, std::min(since, std::max(used, 0.0)));
        times.emplace(static_cast<pid_t>(*id), seconds);
    }
    process.threads = std::move(times);
}

void ProcessLooks::give_credit(Known const& gone) {
    auto const parent = std::ranges::find(known_, gone.stat.parent, &Known::pid);
    if (parent == known_.end()) return;
    for (std::size_t i = 0; i < figures; ++i) parent->credit[i] += gone.all[i];
    parent->credit_age = 0;
}

std::vector<pid_t> ProcessLooks::alive() const {
    std::vector<pid_t> pids;
    for (auto const& process : known_)
        if (!is_over(process.stat)) pids.push_back(process.pid);
    return pids;
}

void ProcessLooks::state(Sums const& sums, WatchSample& sample) const {
    sample.cpu_seconds = sums.used[cpu];
    sample.kernel_seconds = sums.used[in_kernel];
    sample.thread_seconds = sums.busiest;
    sample.minor_faults = sums.used[minor];
    sample.short_faults = sums.short_faults;
    sample.major_faults = sums.used[major];
    if (sums.tells_bytes) sample.read_bytes = sums.used[read_bytes];
    if (sums.tells_bytes) sample.written_bytes = std::max(sums.used[written_bytes], 0.0);
    sample.started = sums.started;
    sample.runnable = sums.runnable;
    if (sums.blocked || sums.saw_all_threads) sample.blocked = sums.blocked ? 1 : 0;
    sample.processes = static_cast<double>(alive().size());
    sample.threads = sums.threads;
    sample.resident_bytes = sums.resident;
}

bool ProcessLooks::take(WatchSample& sample) {
    ++looks_;
    find_new();
    Sums sums;
    std::vector<Known> gone;
    // Parents come first: what a child has used when it is gone comes to its parent a look later.
    for (auto& process : known_)
        if (!look_at(process, sums)) gone.push_back(process);
    for (auto const& process : gone)
        std::erase_if(known_, [&](Known const& it) {
            return it.pid == process.pid && it.stat.start == process.stat.start;
        });
    for (auto const& process : gone) give_credit(process);
    // One that has ended and was not reaped yet has its figures still.
    if (!known_.empty()) state(sums, sample);
    return !alive().empty();
}

}  // namespace rocmtune
