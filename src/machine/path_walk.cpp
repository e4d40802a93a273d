// SPDX-License-Identifier: MIT
#include "machine/path_walk.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include <endian.h>
#include <linux/magic.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include <fmt/format.h>

#include "machine/path.hpp"

namespace rocmtune {
namespace {

struct AccessEntry {
    unsigned tag;
    bool writes;
    std::uint32_t id;
};

/// Nothing for what is no access list of the version that we know.
std::optional<std::vector<AccessEntry>> entries_of(std::string_view list) {
    posix_acl_xattr_header header{};
    posix_acl_xattr_entry entry{};
    if (list.size() < sizeof header || (list.size() - sizeof header) % sizeof entry != 0)
        return std::nullopt;
    std::memcpy(&header, list.data(), sizeof header);
    if (le32toh(header.a_version) != POSIX_ACL_XATTR_VERSION) return std::nullopt;
    std::vector<AccessEntry> entries;
    for (auto at = sizeof header; at < list.size(); at += sizeof entry) {
        std::memcpy(&entry, list.data() + at, sizeof entry);
        entries.push_back(
            {le16toh(entry.e_tag), (le16toh(entry.e_perm) & ACL_WRITE) != 0, le32toh(entry.e_id)});
    }
    return entries;
}

struct AccessList {
    std::string value = {};  ///< empty: there is none
    int error = 0;           ///< why it cannot be read
};

/// Also behind a descriptor of O_PATH, which fgetxattr(2) does not take.
AccessList access_list_of(int fd) {
    constexpr std::size_t most_bytes = 65536;  // XATTR_SIZE_MAX (linux/limits.h)
    std::string value(most_bytes, '\0');
    auto const path = fmt::format("/proc/self/fd/{}", fd);
    auto const size =
        ::getxattr(path.c_str(), "system.posix_acl_access", value.data(), value.size());
    if (size < 0) return {{}, errno == ENODATA || errno == EOPNOTSUPP ? 0 : errno};
    value.resize(static_cast<std::size_t>(size));
    return {std::move(value), 0};
}

}  // namespace

Writers writers_of(mode_t mode, gid_t group, std::string_view access_list) {
    Writers writers;
    writers.everybody = (mode & S_IWOTH) != 0;
    // With an access list these bits are its mask: without them it lets nobody write (acl(5)).
    if ((mode & S_IWGRP) == 0) return writers;
    if (access_list.empty()) {
        writers.groups.push_back(group);
        return writers;
    }
    auto const entries = entries_of(access_list);
    if (!entries) writers.unknown = EINVAL;
    for (auto const& entry : entries.value_or(std::vector<AccessEntry>())) {
        if (!entry.writes) continue;
        if (entry.tag == ACL_GROUP_OBJ) writers.groups.push_back(group);
        if (entry.tag == ACL_GROUP) writers.groups.push_back(entry.id);
        if (entry.tag == ACL_USER) writers.users.push_back(entry.id);
    }
    return writers;
}

std::optional<Inode> inode_of(int fd) {
    struct stat s {};
    if (::fstat(fd, &s) != 0) return std::nullopt;
    Inode inode{s.st_mode, s.st_uid, s.st_gid, {}, s.st_nlink, s.st_dev, s.st_ino};
    if (S_ISLNK(s.st_mode)) return inode;  // its mode says nothing: nobody can write a link
    auto const list = (s.st_mode & S_IWGRP) != 0 ? access_list_of(fd) : AccessList();
    inode.writers = writers_of(s.st_mode, s.st_gid, list.value);
    if (list.error != 0) inode.writers.unknown = list.error;
    return inode;
}

bool is_known_absent(std::string const& path) {
#if defined(RESOLVE_CACHED)
    // Looks the path up in the kernel's cache of names only (EAGAIN if that does not do), and opens
    // nothing.
    FileDescriptor const found(openat2_call(AT_FDCWD, path.c_str(), O_PATH, RESOLVE_CACHED));
    return !found && errno == ENOENT;
#else
    static_cast<void>(path);
    return false;
#endif
}

namespace {

constexpr int by_name = O_PATH | O_NOFOLLOW | O_CLOEXEC;
constexpr int as_directory = O_PATH | O_DIRECTORY | O_CLOEXEC;

/// The target of an open link; nothing and errno if it cannot be read.
std::optional<std::string> target_of(int link) {
    std::string target(PATH_MAX, '\0');
    auto const size = ::readlinkat(link, "", target.data(), target.size());
    if (size < 0) return std::nullopt;
    target.resize(static_cast<std::size_t>(size));
    return target;
}

/// Whether a link in this directory leads where its text does not say. In procfs these are all
/// links but those in its root, such as /proc/self (its inode: PROC_ROOT_INO, linux/proc_fs.h).
bool holds_magic_links(int directory, Inode const& inode) {
    constexpr ino_t proc_root = 1;
    struct statfs s {};
    return ::fstatfs(directory, &s) == 0 && s.f_type == PROC_SUPER_MAGIC &&
           inode.number != proc_root;
}

class Walker {
  public:
    Walker(std::string_view path, Noted noted) : rest_(path), noted_(noted) {}

    PathWalk walk() {
        if (rest_.empty()) walk_.error = ENOENT;
        else if (rest_.size() >= PATH_MAX) walk_.error = ENAMETOOLONG;
        else begin(true);
        while (walk_.error == 0 && !rest_.empty()) step();
        return std::move(walk_);
    }

  private:
    /// What is to walk from here on, or from "/".
    void begin(bool is_first) {
        bool const is_absolute = rest_.starts_with('/');
        if (rest_.ends_with('/')) rest_ += '.';  // only a directory has such a name
        rest_.erase(0, rest_.find_first_not_of('/'));
        if (is_absolute) enter(FileDescriptor(::open("/", as_directory)), "/");
        else if (is_first) enter(FileDescriptor(::open(".", as_directory)), ".");
        may_leap_ = noted_ == Noted::links;
    }

    void step() {
        if (std::exchange(may_leap_, false) && leap()) return;
        auto const name = next_name();
        bool const is_last = rest_.empty();
        if (name == "." && !is_last) return;
        if (is_last) walk_.name = name;
        auto found = open(name, is_last);
        if (!note(found, place_of(name), walk_.holder)) return;
        if (S_ISLNK(walk_.steps.back().inode.mode)) follow(found.get(), name);
        else if (is_last) walk_.file = std::move(found);
        else hold(std::move(found));
    }

    /// An automounter mounts only what is opened as a directory (open(2), O_PATH).
    FileDescriptor open(std::string const& name, bool is_last) const {
        auto const open_as = [&](int flags) {
            return FileDescriptor(::openat(walk_.directory.get(), name.c_str(), flags));
        };
        if (is_last) return open_as(by_name);
        auto found = open_as(as_directory | O_NOFOLLOW);
        return found || errno != ENOTDIR ? std::move(found) : open_as(by_name);
    }

    /// Passes all directories of the rest at once; false if one of them is a link, and before
    /// Linux 5.6 and in containers that refuse the call.
    bool leap() {
        auto const end = rest_.rfind('/');
        if (end == rest_.npos) return false;
        auto const directories = rest_.substr(0, end);
        FileDescriptor found(openat2_call(walk_.directory.get(), directories.c_str(), as_directory,
                                          RESOLVE_NO_SYMLINKS));
        if (!found) return false;
        rest_.erase(0, end + 1);
        enter(std::move(found), place_of(directories));
        return true;
    }

    void follow(int link, std::string const& name) {
        if (holds_magic_links(walk_.directory.get(), walk_.steps[walk_.holder].inode))
            return follow_magic(name);
        auto const target = target_of(link);
        if (!target) return fail(errno);
        if (++links_ > link_limit) return fail(ELOOP);
        rest_ = rest_.empty() ? *target : *target + '/' + rest_;
        walk_.name.clear();
        begin(false);
    }

    /// Nobody renames what is in /proc.
    void follow_magic(std::string const& name) {
        if (noted_ == Noted::every_step) return fail(ELOOP);
        int const flags = rest_.empty() ? O_PATH | O_CLOEXEC : as_directory;
        FileDescriptor end(::openat(walk_.directory.get(), name.c_str(), flags));
        if (!end) return fail(errno);
        if (!rest_.empty()) return enter(std::move(end), place_of(name));
        walk_.is_magic = true;
        walk_.file = std::move(end);
    }

    void enter(FileDescriptor directory, std::string path) {
        if (note(directory, std::move(path), walk_.steps.size())) hold(std::move(directory));
    }

    /// The last step is the directory that the next name is in.
    void hold(FileDescriptor directory) {
        walk_.holder = walk_.steps.size() - 1;
        walk_.directory = std::move(directory);
    }

    bool note(FileDescriptor const& found, std::string path, std::size_t holder) {
        auto inode = found ? inode_of(found.get()) : std::nullopt;
        if (inode) walk_.steps.push_back({std::move(path), std::move(*inode), holder});
        else fail(errno);
        return inode.has_value();
    }

    void fail(int error) { walk_.error = error; }

    std::string next_name() {
        auto const end = std::min(rest_.find('/'), rest_.size());
        auto name = rest_.substr(0, end);
        rest_.erase(0, std::min(rest_.find_first_not_of('/', end), rest_.size()));
        return name;
    }

    std::string place_of(std::string const& name) const {
        auto const& here = walk_.steps[walk_.holder].path;
        if (name == "." || (name == ".." && here == "/")) return here;
        if (name == ".." && here.starts_with('/'))
            return here.substr(0, std::max<std::size_t>(here.rfind('/'), 1));
        return here == "." ? name : here == "/" ? here + name : here + '/' + name;
    }

    std::string rest_;  ///< what is still to walk; ends with a name
    Noted noted_;
    bool may_leap_ = false;
    int links_ = 0;
    PathWalk walk_;
};

}  // namespace

PathWalk walk_path(std::string_view path, Noted noted) {
    return Walker(path, noted).walk();
}

FileDescriptor reopen(PathWalk const& walk, int flags) {
    auto const itself = fmt::format("/proc/self/fd/{}", walk.file.get());
    FileDescriptor same(::open(itself.c_str(), flags | O_CLOEXEC));
    if (same || errno != ENOENT) return same;
    same = FileDescriptor(
        ::openat(walk.directory.get(), walk.name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
    auto const found = same ? inode_of(same.get()) : std::nullopt;
    if (!found || found->is_same(walk.steps.back().inode)) return same;
    errno = ESTALE;
    return FileDescriptor();
}

}  // namespace rocmtune
