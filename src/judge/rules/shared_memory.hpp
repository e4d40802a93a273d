// SPDX-License-Identifier: MIT
// Judgement: how much of main memory the GPU of a processor may take, why, and how that is changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/host.hpp"

namespace rocmtune {

/// What sets the limit of now.
enum class SharedLimit : std::uint8_t {
    kernel_default,  ///< half of main memory (Linux ttm_device.c)
    chosen,          ///< somebody set pages_limit
    gtt,             ///< amdgpu.gttsize, which is less than pages_limit
    carve_out,       ///< the firmware's part, since this driver gives programs nothing else
    other            ///< none of these explains it
};

/// A setting of the kernel that is not what somebody meant.
struct SharedMistake {
    std::string message = {};   ///< a sentence without a full stop
    std::string evidence = {};  ///< the argument or parameter
};

/// All in bytes.
struct SharedMemory {
    std::uint64_t now = 0;  ///< what programs on the GPU may take together
    SharedLimit limit = SharedLimit::other;
    std::string module = {};                 ///< whose pages_limit counts: ttm, amdttm, amd_ttm
    std::optional<std::uint64_t> most = {};  ///< what it can be raised to, in whole GiB; absent: it
                                             ///< is as high already, or a setting does not help
    std::uint64_t rest = 0;  ///< of main memory, what is then left to everything else
    std::vector<SharedMistake> mistakes = {};
};

/// The part that is left to the system where the limit is raised: an eighth of main memory, 8 GiB
/// at least. AMD's amd-ttm asks back above nine tenths of it.
std::uint64_t system_share(std::uint64_t memory_bytes);

/// Of the GPU of a processor for laptops and desktops. Absent where the GPU has its own memory, is
/// an MI300A (whose whole memory is the limit: profiles say so), or where limit, memory or what KFD
/// offers is not known.
std::optional<SharedMemory> shared_memory(Host const& host, Gpu const& gpu);

/// The module whose pages_limit was read: ttm, amdttm or amd_ttm.
std::string limit_module(Host const& host);

/// What programs could take where the driver is the reason that it is not so.
struct NewerKernel {
    std::uint64_t bytes = 0;
    std::string step = {};  ///< a command, and behind "#" which release gives them that
};

/// Of the GPU of a processor for laptops and desktops: one whose large carve-out KFD does not offer
/// (Linux before 6.16.9, ROCm issue 5444), or that gets its carve-out alone though more of main
/// memory is mapped for it (before 6.10). Absent where nothing of that is so or known.
std::optional<NewerKernel> newer_kernel(Host const& host, Gpu const& gpu);

/// Such a GPU of a host on which no card computes beside it; null if there is none.
Gpu const* only_shared_gpu(Host const& host);

/// "62.5 GiB of 125 GiB of main memory: half, as the kernel does unasked"
std::string shared_text(Host const& host, SharedMemory const& shared);

/// The command that raises the limit on this distribution, what follows it behind "#".
/// {rebuild-initramfs} is still to be filled.
/// @param pages  of 4 KiB
std::string limit_step(Host const& host, std::string_view module, std::uint64_t pages);

/// limit_step() to the most; without one, what to do about the first mistake; empty without that.
std::string raise_step(Host const& host, SharedMemory const& shared);

}  // namespace rocmtune
