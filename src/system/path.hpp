// SPDX-License-Identifier: MIT
// Paths inside a root, resolved as chroot(2) would: `..` stops at the root, absolute link targets
// start at it. Shared by the directory tree and the text recording.
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>

namespace rocmtune {

/// Links followed before a path is called a loop: the kernel's own limit (MAXSYMLINKS).
inline constexpr int link_limit = 40;

struct ResolvedPath {
    int error = 0;     ///< ELOOP or 0
    std::string path;  ///< absolute, without `.`, `..` or links
};

/// Follows every link of an absolute path. `read_link(path)` gives the target if `path` (whose
/// parents hold no link) is one; it is asked about `directory/.` before a `..`, where a source that
/// has real files can notice that there is no such directory. With `follow_last` false the last
/// component is not followed.
template <class ReadLink>
ResolvedPath resolve_in_root(std::string_view path, ReadLink&& read_link, bool follow_last = true) {
    std::string rest(path);
    std::string done;
    for (int links = 0; !rest.empty();) {
        auto const end = rest.find('/');
        auto const part = rest.substr(0, end);
        rest = end == rest.npos ? std::string() : rest.substr(end + 1);
        if (part.empty() || part == ".") continue;
        if (part == "..") {
            if (!done.empty()) (void)read_link(done + "/.");
            done.resize(done.empty() ? 0 : done.rfind('/'));
            continue;
        }
        auto const next = done + '/' + part;
        bool const last = rest.find_first_not_of('/') == rest.npos;
        std::optional<std::string> const target =
            last && !follow_last ? std::nullopt : read_link(next);
        if (!target) {
            done = next;
            continue;
        }
        if (++links > link_limit) return {ELOOP, {}};
        if (target->starts_with('/')) done.clear();
        rest = *target + '/' + rest;
    }
    return {0, done.empty() ? "/" : done};
}

}  // namespace rocmtune
