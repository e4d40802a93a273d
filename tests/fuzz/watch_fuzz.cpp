// SPDX-License-Identifier: MIT
// Takes arbitrary bytes as one host (rocmtune-host(5)) on which a program runs as process 184211,
// and looks at it as tune does while it watches: processes, host and GPUs, twice; and as one line
// of /proc/PID/stat.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "measure/gpu_states.hpp"
#include "measure/host_looks.hpp"
#include "measure/process_looks.hpp"
#include "rocmtune/error.hpp"

namespace {

using namespace rocmtune;

void look_at(std::string const& bytes) {
    constexpr std::array<pid_t, 1> program{184211};
    HostRoot const root(
        std::shared_ptr<HostSource>(text_source("rocmtune-host 1\n" + bytes, "fuzz")));
    ProcessLooks processes(root, program[0]);
    HostLooks host(root);
    GpuStates gpus(root);
    for (int looks = 0; looks < 2; ++looks) {
        WatchSample sample;
        processes.take(sample);
        host.take(sample, program);
        gpus.take(sample, program);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size > 64 * 1024) return 0;  // larger hosts say nothing new and take long
    std::string const bytes(reinterpret_cast<char const*>(data), size);
    (void)task_stat_of(bytes);
    try {
        look_at(bytes);
    } catch (Error const&) {
        return 0;
    }
    return 0;
}
