// SPDX-License-Identifier: MIT
#include "machine/cpu_quota.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// Such a file has one short line.
std::optional<std::string> first_line(std::string const& path) {
    std::ifstream file(path);
    std::string line;
    if (!file || !std::getline(file, line)) return std::nullopt;
    return line;
}

struct Quota {
    std::uint64_t quota = 0;  ///< microseconds; 0: no limit
    std::uint64_t period = 1;
    bool is_less_than(Quota const& other) const {
        return other.quota == 0 || quota * other.period < other.quota * period;
    }
};

/// "QUOTA PERIOD", as cpu.max has it. Larger numbers than the kernel takes are none
/// (kernel/sched/core.c, max_cfs_runtime).
std::optional<Quota> quota_in(std::string_view text) {
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    auto const parts = words(text);
    if (parts.size() != 2) return std::nullopt;
    auto const quota = to_unsigned(parts[0], 10);
    auto const period = to_unsigned(parts[1], 10);
    if (!quota || !period || *quota == 0 || *period == 0 || *quota > most || *period > most)
        return std::nullopt;
    return Quota{*quota, *period};
}

/// One hierarchy of groups: the second version's, or that of the controller cpu in the first's.
struct Hierarchy {
    std::string mount;
    std::string group;  ///< of this process, "/" or "/a/b"
    bool is_first_version = false;
};

/// Lines are HIERARCHY:CONTROLLERS:GROUP.
std::optional<Hierarchy> hierarchy_of(std::string_view line, std::string const& root) {
    auto const number = split_once(line, ':');
    auto const rest = number ? split_once(number->second, ':') : std::nullopt;
    if (!rest) return std::nullopt;
    std::string group(rest->second);
    // A group outside of what is mounted here: only the mounted one can be looked at.
    if (!group.starts_with('/') || group.find("/..") != group.npos) group = "/";
    if (number->first == "0" && rest->first.empty())
        return Hierarchy{root + "/sys/fs/cgroup", group, false};
    for (auto const controller : split(rest->first, ','))
        if (controller == "cpu") return Hierarchy{root + "/sys/fs/cgroup/cpu", group, true};
    return std::nullopt;
}

std::optional<Quota> quota_of_group(Hierarchy const& hierarchy, std::string const& group) {
    auto const directory = hierarchy.mount + group + '/';
    if (!hierarchy.is_first_version) {
        auto const text = first_line(directory + "cpu.max");
        return text ? quota_in(*text) : std::nullopt;
    }
    auto const quota = first_line(directory + "cpu.cfs_quota_us");
    auto const period = first_line(directory + "cpu.cfs_period_us");
    return quota && period ? quota_in(*quota + ' ' + *period) : std::nullopt;
}

}  // namespace

Reply cpu_quota(std::string const& root) {
    std::ifstream file(root + "/proc/self/cgroup");
    if (!file) return failure(errno);
    Quota least;
    for (std::string line; std::getline(file, line);) {
        auto const hierarchy = hierarchy_of(line, root);
        if (!hierarchy) continue;
        // A group never has more than those above it, up to the one that is mounted.
        for (auto group = hierarchy->group;; group.erase(group.rfind('/'))) {
            if (group == "/") group.clear();
            auto const quota = quota_of_group(*hierarchy, group);
            if (quota && quota->is_less_than(least)) least = *quota;
            if (group.empty()) break;
        }
    }
    return success(least.quota == 0 ? "max" : fmt::format("{} {}", least.quota, least.period));
}

}  // namespace rocmtune
