// SPDX-License-Identifier: MIT
// LD_PRELOAD library: reading the file whose path ends in FAKE_SLOW_FILE takes FAKE_SLOW_MS
// milliseconds, as an attribute of a GPU that has to be woken first. At its end a line is written
// into the file FAKE_TELL_TALE, if that is set.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

bool is_slow(int fd) {
    char const* const suffix = std::getenv("FAKE_SLOW_FILE");
    char link[64];
    char path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    auto const size = suffix == nullptr ? -1 : ::readlink(link, path, sizeof path);
    return size > 0 && std::string_view(path, static_cast<std::size_t>(size))
                           .ends_with(std::string_view(suffix));
}

void wait_as_told() {
    char const* const text = std::getenv("FAKE_SLOW_MS");
    long const milliseconds = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    timespec const time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    ::nanosleep(&time, nullptr);
}

void tell() {
    char const* const path = std::getenv("FAKE_TELL_TALE");
    auto* const file = path == nullptr ? nullptr : std::fopen(path, "ae");
    if (file == nullptr) return;
    std::fputs("read\n", file);
    std::fclose(file);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) ssize_t read(int fd, void* buffer,
                                                               std::size_t size) {
    if (is_slow(fd)) wait_as_told(), tell();
    return ::syscall(SYS_read, fd, buffer, size);
}
