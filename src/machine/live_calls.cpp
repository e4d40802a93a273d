// SPDX-License-Identifier: MIT
#include "machine/live_calls.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/cpu_quota.hpp"
#include "machine/kernel_log.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

Reply uname_field(char const (utsname::*field)[65]) {
    utsname name{};
    if (::uname(&name) != 0) return failure(errno);
    return success(name.*field);
}

std::string limit_text(rlim_t limit) {
    return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

Reply resource_limit(__rlimit_resource_t resource) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) return failure(errno);
    return success(limit_text(limit.rlim_cur) + ' ' + limit_text(limit.rlim_max));
}

Reply group_ids() {
    std::vector<gid_t> ids(65536);  // NGROUPS_MAX of Linux
    int const count = ::getgroups(static_cast<int>(ids.size()), ids.data());
    if (count < 0) return failure(errno);
    auto text = std::to_string(::getegid());
    for (int i = 0; i < count; ++i)
        if (ids[static_cast<std::size_t>(i)] != ::getegid())
            text += ' ' + std::to_string(ids[static_cast<std::size_t>(i)]);
    return success(text);
}

Reply filesystem_size(std::string const& path) {
    struct statvfs status {};
    if (::statvfs(path.c_str(), &status) != 0) return failure(errno);
    return success(std::to_string(std::uint64_t{status.f_blocks} * status.f_frsize));
}

/// What kind of file system holds the home directory: its magic number, statfs(2). The path itself
/// is nobody's business.
Reply home_filesystem() {
    auto const* home = ::secure_getenv("HOME");
    if (!home || *home != '/') return failure(ENOENT);
    struct statfs status {};
    if (::statfs(home, &status) != 0) return failure(errno);
    return success(fmt::format("{:#x}", static_cast<std::uint32_t>(status.f_type)));
}

/// The clock of the kernel log: it stands still while the host sleeps, as the log's does.
Reply monotonic_seconds() {
    timespec now{};
    if (::clock_gettime(CLOCK_MONOTONIC, &now) != 0) return failure(errno);
    return success(fmt::format("{}.{:06}", now.tv_sec, now.tv_nsec / 1000));
}

/// What a directory is kept on, and who may write there: "MAGIC MODE UID GID". One answer, since a
/// recording keeps no modes of directories.
Reply directory_state(std::string const& path) {
    FileDescriptor const fd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat s {};
    struct statfs filesystem {};
    if (!fd || ::fstat(fd.get(), &s) != 0 || ::fstatfs(fd.get(), &filesystem) != 0)
        return failure(errno);
    bool const writable = ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
    return success(fmt::format("{:#x} {:04o} {} {} {}",
                               static_cast<std::uint32_t>(filesystem.f_type), s.st_mode & 07777U,
                               s.st_uid, s.st_gid, writable ? 'w' : '-'));
}

/// How long a file is, and its first bytes behind a line end: headers are there, contents are
/// nobody's business. A user's path may name anything, and opening a device can act on it: what is
/// no regular file is only looked at.
Reply file_head(std::string const& path) {
    FileDescriptor const found(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat s {};
    if (!found || ::fstat(found.get(), &s) != 0) return failure(errno);
    if (!S_ISREG(s.st_mode)) return refusal(Missing::invalid, "no regular file");
    FileDescriptor const fd(
        ::open(fmt::format("/proc/self/fd/{}", found.get()).c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, file_head_bytes> bytes;
    auto const count = fd ? ::pread(fd.get(), bytes.data(), bytes.size(), 0) : -1;
    if (count < 0) return failure(errno);
    return success(
        fmt::format("{}\n", s.st_size).append(bytes.data(), static_cast<std::size_t>(count)));
}

struct PathCall {
    std::string_view prefix;  ///< of the key; the path follows
    Reply (*answer)(std::string const& path);
};

constexpr PathCall path_calls[] = {
    {"filesystem.", filesystem_size},
    {"directory.", directory_state},
    {"head.", file_head},
};

struct Call {
    std::string_view key;
    Reply (*answer)();
};

constexpr Call calls[] = {
    {"uname.release", [] { return uname_field(&utsname::release); }},
    {"uname.machine", [] { return uname_field(&utsname::machine); }},
    {"uname.nodename", [] { return uname_field(&utsname::nodename); }},
    {"limit.memlock", [] { return resource_limit(RLIMIT_MEMLOCK); }},
    {"limit.nofile", [] { return resource_limit(RLIMIT_NOFILE); }},
    {"cgroup.cpu", [] { return cpu_quota(); }},
    {"identity.uid", [] { return success(std::to_string(::geteuid())); }},
    {"identity.gids", [] { return group_ids(); }},
    {"home.filesystem", [] { return home_filesystem(); }},
    {"clock.monotonic", [] { return monotonic_seconds(); }},
    {kernel_log_key, [] { return ring_buffer_reply(); }},
};

}  // namespace

Reply live_call(std::string_view key) {
    for (auto const& call : path_calls)
        if (key.starts_with(call.prefix))
            return call.answer(std::string(key.substr(call.prefix.size())));
    for (auto const& call : calls)
        if (call.key == key) return call.answer();
    return failure(ENOSYS);
}

std::string live_environment() {
    std::string block;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        block += *entry;
        block += '\0';
    }
    return block;
}

}  // namespace rocmtune
