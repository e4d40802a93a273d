// SPDX-License-Identifier: MIT
#include "machine/spool.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/mman.h>

#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10;

[[noreturn]] void cannot(std::string_view verb, int error) {
    throw Error("cannot " + std::string(verb) + " a temporary file: " + errno_text(error),
                error == ENOSPC ? "the disk is full" : "");
}

/// tmpfile(3) knows the ways of file systems with and without O_TMPFILE.
FileDescriptor nameless_file() {
    if (auto* const file = std::tmpfile()) {
        FileDescriptor fd(::fcntl(::fileno(file), F_DUPFD_CLOEXEC, 3));
        std::fclose(file);
        if (fd) return fd;
    }
    return above_standard(FileDescriptor(::memfd_create("rocmtune", MFD_CLOEXEC)));
}

}  // namespace

Spool::Spool() : fd_(nameless_file()) {
    if (!fd_) cannot("make", errno);
}

Spool::~Spool() {
    if (map_ != nullptr) ::munmap(map_, size_);
}

void Spool::add(std::string_view text) {
    size_ += text.size();
    unwritten_ += text;
    if (unwritten_.size() >= piece_bytes) flush();
}

void Spool::hand_on(std::function<void(std::string_view)> const& sink) {
    flush();
    std::string piece(piece_bytes, '\0');
    for (off_t at = 0;;) {
        auto const count = ::pread(fd_.get(), piece.data(), piece.size(), at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) cannot("read", errno);
        if (count == 0) return;
        sink(std::string_view(piece).substr(0, static_cast<std::size_t>(count)));
        at += count;
    }
}

std::string_view Spool::mapped() {
    flush();
    if (size_ == 0) return {};
    auto* const map = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd_.get(), 0);
    if (map == MAP_FAILED) cannot("read", errno);
    map_ = map;
    return {static_cast<char const*>(map), size_};
}

void Spool::flush() {
    if (int const error = write_all(fd_.get(), unwritten_)) cannot("write", error);
    unwritten_.clear();
}

}  // namespace rocmtune
