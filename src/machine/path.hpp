// SPDX-License-Identifier: MIT
// Paths inside a root, resolved as chroot(2) would: `..` stops at the root, absolute link targets
// start at it. Shared by the directory tree and the text recording.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rocmtune {

/// Links followed before a path is called a loop: the kernel's own limit (MAXSYMLINKS).
inline constexpr int link_limit = 40;

inline constexpr std::size_t longest_path_bytes = 4096;  ///< PATH_MAX
inline constexpr std::ptrdiff_t most_path_levels = 64;   ///< sysfs stays below 30

/// Whether a path is one that a recording may hold. Each of its levels is a node of its own: a
/// longer one would take memory by the square of its length.
inline bool is_bounded_path(std::string_view path) {
    return path.size() <= longest_path_bytes &&
           std::count(path.begin(), path.end(), '/') <= most_path_levels;
}

/// Whether a path is absolute and resolves to itself where nothing is a link.
inline bool is_canonical(std::string_view path) {
    if (path == "/") return true;
    for (std::size_t at = 0; at < path.size();) {
        auto const end = std::min(path.find('/', at + 1), path.size());
        auto const part = path.substr(at + 1, end - at - 1);
        if (path[at] != '/' || part.empty() || part == "." || part == "..") return false;
        at = end;
    }
    return !path.empty();
}

struct ResolvedPath {
    int error = 0;     ///< ELOOP, ENAMETOOLONG or 0
    std::string path;  ///< absolute, without `.`, `..` or links
};

/// Follows every link of an absolute path. `read_link(path)` gives the target if `path` (whose
/// parents hold no link) is one; it is asked about `directory/.` before a `..`, where a source that
/// has real files can notice that there is no such directory. With `follow_last` false the last
/// component is not followed. What it takes is linear in the path and in the targets that it meets.
template <class ReadLink>
ResolvedPath resolve_in_root(std::string_view path, ReadLink&& read_link, bool follow_last = true) {
    std::string rest(path);
    std::string done;
    std::size_t at = 0;
    for (int links = 0; at < rest.size();) {
        auto const end = std::min(rest.find('/', at), rest.size());
        auto const part = std::string_view(rest).substr(at, end - at);
        at = std::min(end + 1, rest.size());
        if (part.empty() || part == ".") continue;
        if (part == "..") {
            if (!done.empty()) (void)read_link(done + "/.");
            done.resize(done.empty() ? 0 : done.rfind('/'));
            continue;
        }
        auto next = done + '/';
        next += part;
        if (next.size() > longest_path_bytes) return {ENAMETOOLONG, {}};
        bool const last = rest.find_first_not_of('/', at) == rest.npos;
        std::optional<std::string> const target =
            last && !follow_last ? std::nullopt : read_link(next);
        if (!target) {
            done = std::move(next);
            continue;
        }
        if (++links > link_limit) return {ELOOP, {}};
        if (target->starts_with('/')) done.clear();
        rest = *target + '/' + rest.substr(at);
        at = 0;
    }
    return {0, done.empty() ? "/" : done};
}

}  // namespace rocmtune
