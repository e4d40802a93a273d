// SPDX-License-Identifier: MIT
#include "machine/named_file.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// A large file would move several times as its text grows.
void reserve_all_of(int fd, std::string& text, std::size_t cap) {
    struct stat s {};
    if (::fstat(fd, &s) == 0 && S_ISREG(s.st_mode))
        text.reserve(std::min(static_cast<std::size_t>(std::max(s.st_size, off_t{0})), cap));
}

}  // namespace

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
