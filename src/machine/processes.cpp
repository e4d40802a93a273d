// SPDX-License-Identifier: MIT
#include "machine/processes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A framework with thousands of mappings has some hundred KiB of them.
constexpr std::size_t most_map_bytes = std::size_t{16} << 20;

pid_t to_pid(std::string_view text) {
    return static_cast<pid_t>(to_unsigned(text, 10).value_or(0));
}

std::vector<std::string> names_in(char const* directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(directory, error), none; !error && at != none;
         at.increment(error))
        names.push_back(at->path().filename().string());
    return names;
}

/// All processes that the kernel shows.
std::vector<std::string> all_pids() {
    auto pids = names_in("/proc");
    std::erase_if(pids, [](auto const& name) { return to_pid(name) == 0; });
    return pids;
}

/// The kernel's own lists, one a thread (CONFIG_PROC_CHILDREN); nothing where it has none.
std::optional<std::vector<std::string>> listed_children() {
    std::vector<std::string> children;
    for (auto const& thread : names_in("/proc/self/task")) {
        std::ifstream file(fmt::format("/proc/self/task/{}/children", thread));
        if (!file) return std::nullopt;
        children.insert(children.end(), std::istream_iterator<std::string>(file), {});
    }
    return children;
}

std::vector<Process> children() {
    auto const listed = listed_children();
    std::vector<Process> found;
    for (auto const& pid : listed ? *listed : all_pids())
        if (auto process = process_of(pid); process && process->parent == ::getpid())
            found.push_back(std::move(*process));
    return found;
}

std::multimap<pid_t, pid_t> children_by_parent() {
    std::multimap<pid_t, pid_t> children;
    for (auto const& pid : all_pids())
        if (auto const process = process_of(pid)) children.emplace(process->parent, process->pid);
    return children;
}

bool holds(std::span<pid_t const> pids, pid_t pid) {
    return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

/// The kernel counts in steps of 10 ms on each processor; less than some of them says nothing.
constexpr double least_seconds = 0.05;

double seconds_of(int who) {
    rusage usage{};
    ::getrusage(who, &usage);
    auto const seconds = [](timeval const& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

std::optional<Process> process_of(std::string_view pid) {
    auto const stat = start_of_file(fmt::format("/proc/{}/stat", pid));
    auto const start = stat.find('(');
    auto const end = stat.rfind(") ");
    if (start == stat.npos || end == stat.npos || end < start) return std::nullopt;
    // State, parent and group, of some fifty numbers.
    auto const fields = words(std::string_view(stat).substr(end + 2, 32));
    if (fields.size() < 3) return std::nullopt;
    return Process{to_pid(pid), to_pid(fields[1]), to_pid(fields[2]), fields[0][0],
                   printable(stat.substr(start + 1, end - start - 1))};
}

bool adopt_orphans(bool yes) {
    return ::prctl(PR_SET_CHILD_SUBREAPER, yes ? 1UL : 0UL) == 0;
}

Strays::Strays() {
    for (auto const& child : children()) older_.insert(child.pid);
    ::prctl(PR_GET_CHILD_SUBREAPER, &adopted_before_);
    adopt_orphans(true);
}

Strays::~Strays() {
    adopt_orphans(adopted_before_ != 0);
}

bool Strays::is_one(pid_t pid, pid_t group, std::span<pid_t const> running) const {
    return older_.count(pid) == 0 && group != ::getpgrp() && !holds(running, group);
}

Strays::Ended Strays::end(std::span<pid_t const> running, std::span<pid_t const> silent,
                          std::chrono::milliseconds patience) const {
    Ended ended;
    std::set<pid_t> seen;
    auto const due = Clock::now() + patience;
    // As process 1 we get the orphans of everybody, and all end with us. Whoever ends leaves us its
    // own children: another round finds them.
    for (bool more = ::getpid() != 1; more;) {
        more = false;
        ended.survive.clear();
        for (auto const& child : children()) {
            if (!is_one(child.pid, child.group, running)) continue;
            bool const is_new = seen.insert(child.pid).second;
            if (is_new && child.runs() && !holds(silent, child.group))
                ended.names.push_back(child.name);
            ::kill(child.pid, SIGKILL);
            if (::waitpid(child.pid, nullptr, WNOHANG) == 0) ended.survive.push_back(child.name);
            more = true;
        }
        if (Clock::now() >= due) break;  // or there are always new ones
        if (!ended.survive.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ended;
}

std::set<std::string> files_of_maps(std::string_view text) {
    std::set<std::string> files;
    for (auto const line : lines(text)) {
        // Address, permissions, offset, device and inode hold no slash: the path is what is left.
        auto const slash = line.find('/');
        if (slash != line.npos) files.emplace(line.substr(slash));
    }
    return files;
}

void add_mapped_files(pid_t process, std::set<std::string>& files) {
    files.merge(
        files_of_maps(start_of_file(fmt::format("/proc/{}/maps", process), most_map_bytes)));
}

std::vector<pid_t> process_tree(pid_t root) {
    auto const children = children_by_parent();
    std::vector<pid_t> tree{root};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        auto const [begin, end] = children.equal_range(tree[i]);
        for (auto child = begin; child != end; ++child)
            if (std::find(tree.begin(), tree.end(), child->second) == tree.end())
                tree.push_back(child->second);
    }
    return tree;
}

LoadMeter::LoadMeter() : start_(now()) {}

double LoadMeter::slept() const {
    return slept_so_far() - slept_before_;
}

/// CLOCK_BOOTTIME goes on while the machine sleeps, CLOCK_MONOTONIC does not (clock_gettime(2)).
double LoadMeter::slept_so_far() {
    auto const seconds = [](clockid_t clock) {
        timespec time{};
        ::clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    return seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC);
}

/// First line of /proc/stat: cpu user nice system idle iowait irq softirq steal ..., in ticks
/// (proc(5)). Time stolen by the hypervisor is taken by others.
LoadMeter::Times LoadMeter::now() {
    Times times;
    auto const all = start_of_file("/proc/stat", 512);
    auto const fields = words(std::string_view(all).substr(0, all.find('\n')));
    if (fields.size() < 9 || fields[0] != "cpu") return times;
    auto const tick = 1.0 / static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L));
    for (std::size_t i = 1; i <= 8; ++i) {
        auto const ticks = to_unsigned(fields[i], 10);
        if (!ticks) return times;
        bool const idle = i == 4 || i == 5;
        (idle ? times.idle : times.busy) += tick * static_cast<double>(*ticks);
    }
    times.own = seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
    times.known = true;
    return times;
}

std::optional<double> LoadMeter::others() const {
    auto const end = now();
    auto const busy = end.busy - start_.busy;
    auto const all = busy + end.idle - start_.idle;
    if (!start_.known || !end.known || all < least_seconds) return std::nullopt;
    return std::clamp((busy - (end.own - start_.own)) / all, 0.0, 1.0);
}

}  // namespace rocmtune
