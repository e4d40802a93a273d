// SPDX-License-Identifier: MIT
#include "machine/posix_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

struct ErrnoRow {
    int error;
    std::string_view name;
    Missing reason;
};

/// What file operations under /sys, /proc and /dev answer. amdgpu attributes use EPERM while the
/// GPU is suspended, EBUSY in reset, EOPNOTSUPP and EINVAL for what the chip does not have
/// (Linux 7.2 amdgpu_pm.c).
constexpr std::array rows{
    ErrnoRow{ENOENT, "ENOENT", Missing::absent},
    ErrnoRow{ENOTDIR, "ENOTDIR", Missing::absent},
    ErrnoRow{ENODEV, "ENODEV", Missing::absent},
    ErrnoRow{ENXIO, "ENXIO", Missing::absent},
    ErrnoRow{ESRCH, "ESRCH", Missing::absent},
    ErrnoRow{EACCES, "EACCES", Missing::denied},
    ErrnoRow{EPERM, "EPERM", Missing::denied},
    ErrnoRow{EOPNOTSUPP, "EOPNOTSUPP", Missing::unsupported},
    ErrnoRow{EINVAL, "EINVAL", Missing::unsupported},
    ErrnoRow{ENOSYS, "ENOSYS", Missing::unsupported},
    ErrnoRow{ENODATA, "ENODATA", Missing::unsupported},
    ErrnoRow{ETIMEDOUT, "ETIMEDOUT", Missing::timeout},
    ErrnoRow{ETIME, "ETIME", Missing::timeout},
    ErrnoRow{EIO, "EIO", Missing::failed},
    ErrnoRow{EBUSY, "EBUSY", Missing::failed},
    ErrnoRow{EAGAIN, "EAGAIN", Missing::failed},
    ErrnoRow{EISDIR, "EISDIR", Missing::invalid},
    ErrnoRow{ELOOP, "ELOOP", Missing::invalid},
    ErrnoRow{ENAMETOOLONG, "ENAMETOOLONG", Missing::invalid},
    ErrnoRow{EFBIG, "EFBIG", Missing::invalid},
    ErrnoRow{EXDEV, "EXDEV", Missing::invalid},
    ErrnoRow{EMFILE, "EMFILE", Missing::failed},
    ErrnoRow{ENFILE, "ENFILE", Missing::failed},
    ErrnoRow{ENOMEM, "ENOMEM", Missing::failed},
    ErrnoRow{ENOSPC, "ENOSPC", Missing::failed},
    ErrnoRow{EINTR, "EINTR", Missing::failed},
    ErrnoRow{ESTALE, "ESTALE", Missing::failed},
    ErrnoRow{EROFS, "EROFS", Missing::denied},
};

/// A large file would move several times as its text grows.
void reserve_all_of(int fd, std::string& text, std::size_t cap) {
    struct stat s {};
    if (::fstat(fd, &s) == 0 && S_ISREG(s.st_mode))
        text.reserve(std::min(static_cast<std::size_t>(std::max(s.st_size, off_t{0})), cap));
}

}  // namespace

FileDescriptor above_standard(FileDescriptor fd) {
    if (fd.get() < 0 || fd.get() > 2) return fd;
    return FileDescriptor(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
}

std::string errno_name(int error) {
    for (auto const& row : rows)
        if (row.error == error) return std::string(row.name);
    return fmt::format("errno {}", error);
}

std::string errno_text(int error) {
    auto text = std::system_category().message(error);
    if (!text.empty() && text.size() > 1 && text[1] >= 'a')
        text[0] = static_cast<char>(std::tolower(text[0]));
    return fmt::format("{} ({})", text, errno_name(error));
}

int errno_of(std::string_view name) {
    for (auto const& row : rows)
        if (row.name == name) return row.error;
    // What errno_name() says of an errno without a row.
    constexpr std::string_view prefix = "errno ";
    if (!name.starts_with(prefix)) return 0;
    auto const number = to_unsigned(name.substr(prefix.size()), 10);
    return number && *number <= 4095 ? static_cast<int>(*number) : 0;  // MAX_ERRNO of Linux
}

Missing reason_of(int error) {
    for (auto const& row : rows)
        if (row.error == error) return row.reason;
    return Missing::failed;
}

int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        auto const count = ::write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

FileText read_all(int fd, std::size_t cap) {
    FileText all;
    char buffer[65536];
    while (true) {
        auto const count = ::read(fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return {.problem = errno_text(errno)};
        if (count == 0) return all;
        auto const size = static_cast<std::size_t>(count);
        if (all.text.empty() && size == sizeof buffer) reserve_all_of(fd, all.text, cap);
        all.text.append(buffer, size);
        if (all.text.size() > cap) return {.problem = "it is longer than " + human_bytes(cap)};
    }
}

std::string start_of_file(std::string const& path, std::size_t most) {
    FileDescriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char chunk[16384];
    while (file && text.size() < most) {
        auto const got = ::read(file.get(), chunk, std::min(sizeof chunk, most - text.size()));
        if (got <= 0) break;
        text.append(chunk, static_cast<std::size_t>(got));
    }
    return text;
}

NamedFile open_named_file(std::string const& path) {
    struct stat s {};
    // A pipe whose writer comes later would look empty if it were opened without waiting, and
    // opening a device may do something.
    bool const is_pipe = ::stat(path.c_str(), &s) == 0 && S_ISFIFO(s.st_mode);
    int const wait = is_pipe ? 0 : O_NONBLOCK;
    NamedFile named{FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | wait))};
    if (!named.file || ::fstat(named.file.get(), &s) != 0) {
        named.problem = errno_text(errno);
        return named;
    }
    named.is_directory = S_ISDIR(s.st_mode);
    bool const is_terminal = S_ISCHR(s.st_mode) && ::isatty(named.file.get()) == 1;
    if (is_terminal) (void)::fcntl(named.file.get(), F_SETFL, 0);
    if (!S_ISREG(s.st_mode) && !S_ISFIFO(s.st_mode) && !named.is_directory && !is_terminal)
        named.problem = "it is no regular file";
    return named;
}

NamedFile open_listed_file(std::string const& path) {
    NamedFile listed{
        FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))};
    struct stat s {};
    if (!listed.file || ::fstat(listed.file.get(), &s) != 0) listed.problem = errno_text(errno);
    else if (S_ISDIR(s.st_mode)) listed.problem = "it is a directory";
    else if (!S_ISREG(s.st_mode)) listed.problem = "it is no regular file";
    return listed;
}

FileText read_named_file(std::string const& path, std::size_t cap) {
    auto const named = open_named_file(path);
    if (named.is_directory) return {.problem = "it is a directory"};
    if (!named.problem.empty()) return {.problem = named.problem};
    return read_all(named.file.get(), cap);
}

FileText read_listed_file(std::string const& path, std::size_t cap) {
    auto const listed = open_listed_file(path);
    if (!listed.problem.empty()) return {.problem = listed.problem};
    return read_all(listed.file.get(), cap);
}

}  // namespace rocmtune
