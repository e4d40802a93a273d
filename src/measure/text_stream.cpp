// SPDX-License-Identifier: MIT
#include "measure/text_stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <poll.h>

#include "base/text.hpp"
#include "machine/held_signals.hpp"
#include "machine/posix_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;
constexpr std::size_t piece_bytes = std::size_t{256} << 10;

[[noreturn]] void cannot_read(std::string const& path, std::string const& why,
                              std::string hint = {}) {
    throw Error(fmt::format("cannot read {}: {}", printable(path), why), std::move(hint));
}

/// Magic numbers of gzip, xz, zstd and bzip2, with what undoes them.
void refuse_compressed(std::string const& path, std::string_view start) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kinds{{
        {"\x1f\x8b", "zcat"},
        {"\xfd\x37zXZ", "xzcat"},
        {"\x28\xb5\x2f\xfd", "zstdcat"},
        {"BZh", "bzcat"},
    }};
    for (auto const& [magic, command] : kinds)
        if (start.starts_with(magic))
            cannot_read(path, "it is compressed",
                        fmt::format("{} FILE | rocmtune diagnose -", command));
}

FileDescriptor opened(std::string const& path, FilePatience patience) {
    if (path == "-") return FileDescriptor(::dup(STDIN_FILENO));
    auto named = in_time<std::shared_ptr<NamedFile>>(
                     [path] { return std::make_shared<NamedFile>(open_named_file(path)); },
                     bounded_below(patience))
                     .value_or(nullptr);
    if (named == nullptr) cannot_read(path, "it was not opened in time");
    if (named->is_directory) cannot_read(path, "it is a directory");
    if (!named->problem.empty()) cannot_read(path, named->problem);
    return std::move(named->file);
}

/// Why nothing more is read; empty: there is something to read, or the end.
std::string wait_for(int fd, int arrivals, Clock::time_point end) {
    std::array<pollfd, 2> waits{{{fd, POLLIN, 0}, {arrivals, POLLIN, 0}}};
    while (true) {
        auto const left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        constexpr std::int64_t longest = 60'000;
        auto const time = static_cast<int>(std::clamp<std::int64_t>(left, 0, longest));
        int const ready = ::poll(waits.data(), arrivals < 0 ? 1 : 2, time);
        if (ready < 0 && errno != EINTR) return errno_text(errno);
        if (ready > 0 && waits[1].revents != 0) return "this program was asked to end";
        if (left <= 0) return "the time was over";
        if (ready > 0) return {};
    }
}

}  // namespace

std::string stream_text(std::string const& path, std::function<void(std::string_view)> const& take,
                        FilePatience patience) {
    auto const file = opened(path, patience);
    auto const arrivals = HeldSignals::are_held() ? HeldSignals::arrivals() : FileDescriptor();
    auto const end = Clock::now() + patience.value_or(std::chrono::hours(24 * 365));
    std::string piece(piece_bytes, '\0');
    for (std::uint64_t bytes = 0; bytes < most_bytes;) {
        if (auto why = wait_for(file.get(), arrivals.get(), end); !why.empty()) return why;
        auto const count = ::read(file.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) cannot_read(path, errno_text(errno));
        if (count == 0) return {};
        auto const text = std::string_view(piece).substr(0, static_cast<std::size_t>(count));
        if (bytes == 0) refuse_compressed(path, text);
        bytes += text.size();
        take(text);
    }
    return fmt::format("only its first {} are read", human_bytes(most_bytes));
}

}  // namespace rocmtune
