// SPDX-License-Identifier: MIT
#include "machine/trusted_folder.hpp"

#include <cerrno>

#include <fcntl.h>

#include <fmt/format.h>

#include "machine/trusted_path.hpp"

namespace rocmtune {
namespace {

/// Why an open file is not one that root alone has written; empty if it is.
std::string distrust_file(int fd) {
    auto const inode = inode_of(fd);
    if (!inode) return errno_text(errno);
    if (!inode->is(S_IFREG)) return "it is no regular file";
    auto const trust = root_alone();
    if (!trust.holds(inode->owner)) return fmt::format("it belongs to user {}", inode->owner);
    auto const writer = other_writer(*inode, trust);
    return writer.empty() ? std::string() : fmt::format("it is writable by {}", writer);
}

}  // namespace

TrustedFolder::TrustedFolder(std::string const& path) : walk_(walk_path(path)) {
    if (walk_.error != 0) {
        problem_ = errno_text(walk_.error);
        return;
    }
    problem_ = distrust_place(walk_, root_alone());
    if (!problem_.empty()) return;
    folder_ = reopen(walk_, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!folder_) problem_ = errno_text(errno);
}

bool TrustedFolder::is_absent() const {
    return walk_.error == ENOENT || walk_.error == ENOTDIR;
}

FileText TrustedFolder::read(std::string const& name, std::size_t cap) const {
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    FileDescriptor const file(::openat(folder_.get(), name.c_str(), flags));
    if (!file && errno == ELOOP) return {.problem = "it is a link"};
    if (!file) return {.problem = errno_text(errno)};
    if (auto why = distrust_file(file.get()); !why.empty()) return {.problem = std::move(why)};
    return read_all(file.get(), cap);
}

}  // namespace rocmtune
