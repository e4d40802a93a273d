// SPDX-License-Identifier: MIT
#include "machine/load_meter.hpp"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {
namespace {

/// The kernel counts in steps of 10 ms on each processor; less than some of them says nothing.
constexpr double least_seconds = 0.05;

double seconds_of(int who) {
    rusage usage{};
    ::getrusage(who, &usage);
    auto const seconds = [](timeval const& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

LoadMeter::LoadMeter() : start_(now()) {}

/// First line of /proc/stat: cpu user nice system idle iowait irq softirq steal ..., in ticks
/// (proc(5)). Time stolen by the hypervisor is taken by others.
LoadMeter::Times LoadMeter::now() {
    Times times;
    FileDescriptor const file(::open("/proc/stat", O_RDONLY | O_CLOEXEC));
    char text[512];
    auto const got = file ? ::read(file.get(), text, sizeof text) : -1;
    if (got <= 0) return times;
    std::string_view const all(text, static_cast<std::size_t>(got));
    auto const fields = words(all.substr(0, all.find('\n')));
    if (fields.size() < 9 || fields[0] != "cpu") return times;
    auto const tick = 1.0 / static_cast<double>(std::max(::sysconf(_SC_CLK_TCK), 1L));
    for (std::size_t i = 1; i <= 8; ++i) {
        auto const ticks = to_unsigned(fields[i], 10);
        if (!ticks) return times;
        bool const idle = i == 4 || i == 5;
        (idle ? times.idle : times.busy) += tick * static_cast<double>(*ticks);
    }
    times.own = seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
    times.known = true;
    return times;
}

std::optional<double> LoadMeter::others() const {
    auto const end = now();
    auto const busy = end.busy - start_.busy;
    auto const all = busy + end.idle - start_.idle;
    if (!start_.known || !end.known || all < least_seconds) return std::nullopt;
    return std::clamp((busy - (end.own - start_.own)) / all, 0.0, 1.0);
}

}  // namespace rocmtune
