// SPDX-License-Identifier: MIT
// File descriptors that close themselves, and errno as words.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "rocmtune/fact.hpp"

namespace rocmtune {

/// Owns a file descriptor; -1 owns nothing.
class FileDescriptor {
  public:
    explicit FileDescriptor(int fd = -1) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    FileDescriptor(FileDescriptor const&) = delete;
    FileDescriptor& operator=(FileDescriptor const&) = delete;
    ~FileDescriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_;
};

/// The same file under a number above 2. If the program was started with standard input closed, an
/// open gets number 0, and whoever redirects standard input later would lose the file.
FileDescriptor above_standard(FileDescriptor fd);

/// Writes all of it: 0, or the errno of the write that failed.
int write_all(int fd, std::string_view text);

/// "EACCES", or "errno 123" for a number without a name here.
std::string errno_name(int error);

/// For messages to people: "no such file or directory (ENOENT)".
std::string errno_text(int error);

/// The errno of a name; 0 if it is none that we know.
int errno_of(std::string_view name);

/// Which reason an errno of a file operation stands for.
Missing reason_of(int error);

}  // namespace rocmtune
