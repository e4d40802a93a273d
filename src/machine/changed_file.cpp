// SPDX-License-Identifier: MIT
#include "machine/changed_file.hpp"

#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/trusted_path.hpp"
#include "machine/written_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// A link that neither this user nor root has made: somebody else says where it leads.
std::string foreign_link(std::span<PathStep const> steps) {
    for (auto const& step : steps) {
        bool const is_own = step.inode.owner == ::geteuid() || step.inode.owner == 0;
        if (step.inode.is(S_IFLNK) && !is_own)
            return fmt::format("{} is a link of user {}", printable(step.path), step.inode.owner);
    }
    return distrust_links(steps, trust_of_process());
}

/// Why a new file in its place would not be the same file; empty: it would.
std::string unlike_new(Inode const& file) {
    if (!file.is(S_IFREG)) return "it is no regular file";
    if (file.links > 1) return "it has several names, of which only one would be changed";
    if (file.owner != ::geteuid() && ::geteuid() != 0)
        return fmt::format("it belongs to user {}", file.owner);
    bool const is_listed = !file.writers.users.empty() || file.writers.unknown != 0;
    return is_listed ? "it has an access list, which would be lost" : "";
}

/// Also for root, whom no mode keeps out.
bool is_read_only(PathWalk const& walk, Inode const& file) {
    constexpr mode_t any_write = 0222;
    return (file.mode & any_write) == 0 ||
           ::faccessat(walk.directory.get(), walk.name.c_str(), W_OK, AT_EACCESS) != 0;
}

std::string content_of(PathWalk const& walk, std::size_t expected) {
    auto const file = reopen(walk, O_RDONLY | O_NOCTTY);
    return file ? read_all(file.get(), expected + 1).text : std::string();
}

}  // namespace

void change_file(std::string const& path, std::string_view read, std::string_view text) {
    auto const refuse = [&](std::string const& why) {
        throw Error(fmt::format("cannot change {}: {}", printable(path), why));
    };
    auto const walk = walk_path(path, Noted::links);
    if (auto const why = foreign_link(walk.steps); !why.empty()) refuse(why);
    if (walk.error != 0 || walk.is_magic) refuse(errno_text(walk.error != 0 ? walk.error : EINVAL));
    auto const& file = walk.steps.back().inode;
    if (auto const why = unlike_new(file); !why.empty()) refuse(why);
    if (is_read_only(walk, file)) refuse("it is read-only");
    if (content_of(walk, read.size()) != read) refuse("it was changed since it was read");
    constexpr mode_t all_bits = 07777;
    Owner const owner{file.owner, file.group};
    if (int const error = replace_in(walk.directory.get(), walk.name, text, file.mode & all_bits,
                                     Durable::yes, owner))
        refuse(errno_text(error));
}

}  // namespace rocmtune
