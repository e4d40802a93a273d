// SPDX-License-Identifier: MIT
// errno(3) as words and as reasons.
#include <array>
#include <cctype>
#include <cerrno>
#include <system_error>

#include <fcntl.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"

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

}  // namespace rocmtune
