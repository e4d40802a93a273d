// SPDX-License-Identifier: MIT
#include "machine/live_calls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/device_code.hpp"
#include "machine/kernel_log.hpp"
#include "machine/path_walk.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// Such a file has one short line.
std::optional<std::string> first_line(std::string const& path) {
    auto const text = start_of_file(path);
    return text.empty() ? std::nullopt : std::optional(text.substr(0, text.find('\n')));
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

/// How much of a file the call "head.PATH" gives: the header of an SQLite database (100 bytes) and
/// the validators at the start of TunableOp's results fit.
constexpr std::size_t file_head_bytes = 512;

/// A user's path may name anything, and opening a device can act on it: what is no regular file is
/// only looked at. Without a file `error` is an errno, or 0 for what is none.
struct RegularFile {
    explicit RegularFile(std::string const& path) {
        FileDescriptor const found(::open(path.c_str(), O_PATH | O_CLOEXEC));
        struct stat s {};
        if (!found || ::fstat(found.get(), &s) != 0) {
            error = errno;
        } else if (S_ISREG(s.st_mode)) {
            size = s.st_size;
            auto const name = fmt::format("/proc/self/fd/{}", found.get());
            fd = FileDescriptor(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
            error = fd ? 0 : errno;
        }
    }
    Reply refused() const {
        return error != 0 ? failure(error) : refusal(Missing::invalid, "no regular file");
    }
    /// Fewer bytes where the file ends; none, with errno, where it cannot be read.
    std::string bytes_at(std::uint64_t offset, std::size_t most) const {
        constexpr std::uint64_t largest = std::uint64_t{1} << 62;
        std::string bytes(most, '\0');
        auto const count = offset < largest
                               ? ::pread(fd.get(), bytes.data(), most, static_cast<off_t>(offset))
                               : -1;
        bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        return bytes;
    }

    FileDescriptor fd;
    off_t size = 0;
    int error = 0;
};

/// How long a file is, and its first bytes behind a line end: headers are there, contents are
/// nobody's business.
Reply file_head(std::string const& path) {
    RegularFile const file(path);
    if (!file.fd) return file.refused();
    errno = 0;
    auto const head = file.bytes_at(0, file_head_bytes);
    if (head.empty() && errno != 0) return failure(errno);
    return success(fmt::format("{}\n", file.size).append(head));
}

Reply device_code(std::string const& path) {
    RegularFile const file(path);
    if (!file.fd) return file.refused();
    auto const code = read_device_code(
        [&](std::uint64_t offset, std::size_t size) { return file.bytes_at(offset, size); });
    return code ? success(device_code_text(*code)) : refusal(Missing::invalid, "no ELF library");
}

/// Whom the access list of a path lets write: "u:1000 g:44". Its mode says the rest.
Reply path_writers(std::string const& path) {
    FileDescriptor const fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!fd) return failure(errno);
    auto const inode = inode_of(fd.get());
    if (!inode) return failure(errno);
    std::string text;
    for (auto const id : inode->writers.users) text += fmt::format("u:{} ", id);
    for (auto const id : inode->writers.groups) text += fmt::format("g:{} ", id);
    return success(text);
}

struct PathCall {
    std::string_view prefix;  ///< of the key; the path follows
    Reply (*answer)(std::string const& path);
};

constexpr PathCall path_calls[] = {
    {"filesystem.", filesystem_size}, {"directory.", directory_state}, {"head.", file_head},
    {"device-code.", device_code},    {"writers.", path_writers},
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
