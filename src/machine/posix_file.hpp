// SPDX-License-Identifier: MIT
// File descriptors that close themselves, errno as words, and files that are read as a whole.
#pragma once

#include <cstddef>
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

/// A file that the user named himself, or one that lies where he pointed to.
struct NamedFile {
    FileDescriptor file;
    bool is_directory = false;
    std::string problem = {};  ///< why it cannot be read; empty: it can, or is a directory
};

struct FileText {
    std::string text = {};
    std::string problem = {};  ///< why there is no text
};

/// What is left of an open file, up to `cap` bytes.
FileText read_all(int fd, std::size_t cap);

/// The first bytes of a file, `most` of them; empty if it cannot be read. For files of the kernel.
std::string start_of_file(std::string const& path, std::size_t most = 65536);

/// Opens it for reading. Pipes count, too, as the shell's <(...) makes them, and a terminal
/// (/dev/stdin): opening and reading them waits for who writes. Other devices may have no end.
NamedFile open_named_file(std::string const& path);

/// Opens a file that was found in a directory: nobody named it, so that a pipe in its place is not
/// waited for. Regular files only.
NamedFile open_listed_file(std::string const& path);

/// The whole of a file, opened as above; a directory has no text.
FileText read_named_file(std::string const& path, std::size_t cap);
FileText read_listed_file(std::string const& path, std::size_t cap);

}  // namespace rocmtune
