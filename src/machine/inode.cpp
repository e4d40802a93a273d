// SPDX-License-Identifier: MIT
#include "machine/inode.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include <endian.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <fmt/format.h>

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

}  // namespace rocmtune
