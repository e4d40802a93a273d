// SPDX-License-Identifier: MIT
#include "system/trusted_path.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "system/path.hpp"

namespace rocmtune {
namespace {

bool is_writable_by_others(PathStep const& step) {
    return (step.mode & S_IWOTH) != 0 || ((step.mode & S_IWGRP) != 0 && step.group != 0);
}

/// In a sticky directory names of others stay as they are, and a directory has no second name.
bool holds_directories_safely(PathStep const& step) {
    return S_ISDIR(step.mode) && (step.mode & S_ISVTX) != 0;
}

std::string writers_of(PathStep const& step) {
    return (step.mode & S_IWOTH) != 0 ? std::string("everybody")
                                      : fmt::format("group {}", step.group);
}

std::string distrust_step(std::span<PathStep const> steps, PathStep const& step,
                          std::optional<uid_t> unmapped) {
    auto const name = printable(step.path);
    if (step.owner != 0 && step.owner != unmapped)
        return fmt::format("{} belongs to user {}", name, step.owner);
    if (S_ISLNK(step.mode) || S_ISREG(step.mode)) {
        auto const& holder = steps[step.holder];
        if (is_writable_by_others(holder))
            return fmt::format("{} is writable by {}", printable(holder.path), writers_of(holder));
    }
    if (!S_ISLNK(step.mode) && is_writable_by_others(step) && !holds_directories_safely(step))
        return fmt::format("{} is writable by {}", name, writers_of(step));
    return {};
}

/// The steps and the first error, noted as the path is followed.
class Walker {
  public:
    PathWalk walk(std::string_view path) {
        note("/", 0);
        auto const end = resolve_in_root(path, [&](std::string const& at) { return enter(at); });
        if (walk_.error == 0) walk_.error = end.error;
        return std::move(walk_);
    }

  private:
    /// The target, if it is a link. "DIR/." is asked about before "..": DIR is known by then.
    std::optional<std::string> enter(std::string const& path) {
        if (walk_.error != 0 || path.ends_with("/.")) return std::nullopt;
        note(path, index_of(path.substr(0, std::max<std::size_t>(path.rfind('/'), 1))));
        if (walk_.error != 0 || !S_ISLNK(walk_.steps.back().mode)) return std::nullopt;
        std::error_code error;
        auto target = std::filesystem::read_symlink(path, error);
        if (!error) return target.string();
        walk_.error = error.value();
        return std::nullopt;
    }

    void note(std::string path, std::size_t holder) {
        struct stat s {};
        if (::lstat(path.c_str(), &s) != 0) walk_.error = errno;
        else walk_.steps.push_back({std::move(path), s.st_mode, s.st_uid, s.st_gid, holder});
    }

    std::size_t index_of(std::string_view directory) const {
        auto const found = std::find_if(walk_.steps.begin(), walk_.steps.end(),
                                        [&](auto const& step) { return step.path == directory; });
        return static_cast<std::size_t>(found - walk_.steps.begin());
    }

    PathWalk walk_;
};

}  // namespace

PathWalk walk_path(std::string_view path) {
    return Walker().walk(path);
}

std::string distrust(std::span<PathStep const> steps, std::optional<uid_t> unmapped) {
    for (auto const& step : steps)
        if (auto reason = distrust_step(steps, step, unmapped); !reason.empty()) return reason;
    return {};
}

std::optional<uid_t> unmapped_user() {
    constexpr uid_t usual = 65534;
    std::ifstream map("/proc/self/uid_map");
    unsigned long inside = 0, outside = 0, count = 0;
    if (!(map >> inside >> outside >> count) || count == UINT_MAX) return std::nullopt;
    uid_t id = usual;
    std::ifstream("/proc/sys/kernel/overflowuid") >> id;
    return id != 0 ? id : usual;
}

bool has_rights_of_its_own() {
    return ::geteuid() == 0 || ::getauxval(AT_SECURE) != 0;
}

}  // namespace rocmtune
