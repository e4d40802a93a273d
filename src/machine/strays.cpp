// SPDX-License-Identifier: MIT
#include "machine/strays.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Process {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    bool runs = false;  ///< no zombie
    std::string name;
};

std::string content_of(std::string const& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

pid_t to_pid(std::string_view text) {
    return static_cast<pid_t>(to_unsigned(text, 10).value_or(0));
}

/// From /proc/PID/stat: "pid (name) state parent group ...", where a name may hold ")" (proc(5)).
std::optional<Process> process_of(std::string_view pid) {
    auto const stat = content_of(fmt::format("/proc/{}/stat", pid));
    auto const start = stat.find('(');
    auto const end = stat.rfind(") ");
    if (start == stat.npos || end == stat.npos || end < start) return std::nullopt;
    auto const fields = words(std::string_view(stat).substr(end + 2));
    if (fields.size() < 3) return std::nullopt;
    return Process{to_pid(pid), to_pid(fields[1]), to_pid(fields[2]),
                   fields[0] != "Z" && fields[0] != "X",
                   printable(stat.substr(start + 1, end - start - 1))};
}

template <class Take>
void for_each_entry(char const* directory, Take const& take) {
    std::error_code error;
    for (fs::directory_iterator at(directory, error), none; !error && at != none;
         at.increment(error))
        take(at->path().filename().string());
}

/// The kernel's own lists, one a thread (CONFIG_PROC_CHILDREN); nothing where it has none.
std::optional<std::vector<std::string>> listed_children() {
    std::vector<std::string> children;
    bool listed = true;
    for_each_entry("/proc/self/task", [&](std::string const& thread) {
        std::ifstream file(fmt::format("/proc/self/task/{}/children", thread));
        listed = listed && file;
        children.insert(children.end(), std::istream_iterator<std::string>(file), {});
    });
    return listed ? std::optional(std::move(children)) : std::nullopt;
}

std::vector<Process> children() {
    auto pids = listed_children();
    if (!pids) {
        pids.emplace();
        for_each_entry("/proc", [&](std::string name) {
            if (to_pid(name) > 0) pids->push_back(std::move(name));
        });
    }
    std::vector<Process> found;
    for (auto const& pid : *pids)
        if (auto process = process_of(pid); process && process->parent == ::getpid())
            found.push_back(std::move(*process));
    return found;
}

bool holds(std::span<pid_t const> pids, pid_t pid) {
    return std::find(pids.begin(), pids.end(), pid) != pids.end();
}

}  // namespace

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
            if (is_new && child.runs && !holds(silent, child.group))
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

}  // namespace rocmtune
