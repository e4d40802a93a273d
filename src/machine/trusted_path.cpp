// SPDX-License-Identifier: MIT
#include "machine/trusted_path.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fstream>

#include <sys/auxv.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// The first of these that is not trusted, or the end.
template <class Ids>
auto stranger_among(Ids const& ids, Ids const& trusted) {
    return std::find_if(ids.begin(), ids.end(), [&](auto const id) {
        return std::find(trusted.begin(), trusted.end(), id) == trusted.end();
    });
}

/// In a sticky directory names of others stay as they are, and a directory has no second name.
bool holds_directories_safely(Inode const& inode) {
    return S_ISDIR(inode.mode) && (inode.mode & S_ISVTX) != 0;
}

/// Who beside the trusted may write it by its mode and its access list.
std::string listed_writer(Inode const& inode, Trust const& trust) {
    auto const& writers = inode.writers;
    if (writers.everybody) return "everybody";
    if (auto const it = stranger_among(writers.groups, trust.groups); it != writers.groups.end())
        return fmt::format("group {}", *it);
    if (auto const it = stranger_among(writers.users, trust.users); it != writers.users.end())
        return fmt::format("user {}", *it);
    if (writers.unknown == 0) return {};
    return fmt::format("whom its access list names, which cannot be read: {}",
                       errno_text(writers.unknown));
}

std::string distrust_step(std::span<PathStep const> steps, PathStep const& step,
                          Trust const& trust) {
    auto const name = printable(step.path);
    auto const& inode = step.inode;
    if (!trust.holds(inode.owner)) return fmt::format("{} belongs to user {}", name, inode.owner);
    if (S_ISLNK(inode.mode) || S_ISREG(inode.mode)) {
        auto const& holder = steps[step.holder];
        if (auto const writer = listed_writer(holder.inode, trust); !writer.empty())
            return fmt::format("{} is writable by {}", printable(holder.path), writer);
    }
    auto const writer = listed_writer(inode, trust);
    if (writer.empty() || holds_directories_safely(inode)) return {};
    return fmt::format("{} is writable by {}", name, writer);
}

bool is_absent(int error) {
    return error == ENOENT || error == ENOTDIR;
}

char const* kind_of(mode_t mode) {
    return S_ISLNK(mode) ? "link" : S_ISFIFO(mode) ? "pipe" : S_ISSOCK(mode) ? "socket" : "device";
}

bool leads_elsewhere(Inode const& inode) {
    return !S_ISREG(inode.mode) && !S_ISDIR(inode.mode);
}

std::string distrust_link(PathStep const& step, PathStep const& holder, Trust trust) {
    if (trust.owners) trust.users.push_back(holder.inode.owner);
    auto const& inode = step.inode;
    // Where hard links are not protected (fs.protected_hardlinks), anybody gives a link of root a
    // second name.
    bool const is_where_it_was_made = !S_ISLNK(inode.mode) || inode.links == 1;
    bool const is_known = inode.owner != trust.unmapped;
    if (is_known && trust.holds(inode.owner) && is_where_it_was_made) return {};
    auto const writer = other_writer(holder.inode, trust);
    if (writer.empty()) return {};
    return fmt::format("{} is a {} of user {} in a directory that {} may write",
                       printable(step.path), kind_of(inode.mode), inode.owner, writer);
}

/// The id that stands for all users whom this user namespace does not have
/// (user_namespaces(7)); nothing in the first one, which has all.
std::optional<uid_t> unmapped_user() {
    constexpr uid_t usual = 65534;
    std::ifstream map("/proc/self/uid_map");
    unsigned long inside = 0, outside = 0, count = 0;
    if (!(map >> inside >> outside >> count) || count == UINT_MAX) return std::nullopt;
    uid_t id = usual;
    std::ifstream("/proc/sys/kernel/overflowuid") >> id;
    return id != 0 ? id : usual;
}

}  // namespace

bool Trust::holds(uid_t user) const {
    return user == unmapped || std::find(users.begin(), users.end(), user) != users.end();
}

Trust root_alone() {
    return {{0}, {0}, false, unmapped_user()};
}

Trust trust_of_process() {
    auto trust = root_alone();
    if (has_rights_of_its_own()) return trust;
    trust.owners = true;
    trust.users.push_back(::geteuid());
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
    auto const count = ::getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(static_cast<std::size_t>(std::max(count, 0)));
    trust.groups.push_back(::getegid());
    trust.groups.insert(trust.groups.end(), groups.begin(), groups.end());
    return trust;
}

std::string other_writer(Inode const& inode, Trust const& trust) {
    auto writer = listed_writer(inode, trust);
    if (writer.empty() && !trust.holds(inode.owner)) return fmt::format("user {}", inode.owner);
    return writer;
}

std::string distrust(std::span<PathStep const> steps, Trust const& trust) {
    for (auto const& step : steps)
        if (auto reason = distrust_step(steps, step, trust); !reason.empty()) return reason;
    return {};
}

std::string distrust_links(std::span<PathStep const> steps, Trust const& trust) {
    for (auto const& step : steps) {
        if (!leads_elsewhere(step.inode)) continue;
        if (auto reason = distrust_link(step, steps[step.holder], trust); !reason.empty())
            return reason;
    }
    return {};
}

std::string distrust_place(PathWalk const& walk, Trust const& trust) {
    if (auto reason = distrust(walk.steps, trust); !reason.empty()) return reason;
    if (walk.steps.empty() || (walk.error != 0 && !is_absent(walk.error)))
        return "the way to it cannot be followed: " + errno_text(walk.error);
    bool const is_there = walk.error == 0 && walk.steps.back().inode.is(S_IFDIR);
    auto const& place = is_there ? walk.steps.back() : walk.steps[walk.holder];
    auto const writer = other_writer(place.inode, trust);
    if (writer.empty()) return {};
    return fmt::format("{} is writable by {}", printable(place.path), writer);
}

bool has_rights_of_its_own() {
    return ::geteuid() == 0 || ::getauxval(AT_SECURE) != 0;
}

std::string not_for_root(std::string const& directory) {
    if (::geteuid() != 0) return {};
    return distrust(walk_path(directory).steps, root_alone());
}

}  // namespace rocmtune
