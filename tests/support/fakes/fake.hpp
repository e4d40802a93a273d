// SPDX-License-Identifier: MIT
// What the fake GPU libraries have in common: which GPUs they report and what goes wrong in them.
// They are real shared objects with the names, functions and structures of the ROCm libraries (see
// README.md), for tests of what stands before the real loader.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

/// First line of every exported function: dies, hangs or writes as FAKE_FAULT says, or leaves with
/// the status that it orders.
#define FAKE_ENTRY() \
    if (auto const status = fake::fault_at(__func__)) return static_cast<int>(*status)

namespace fake {

/// What the fake hipRTC's code objects begin with.
inline constexpr char const* code_magic = "fake code object\n";

/// One GPU of FAKE_GPUS.
struct Gpu {
    std::uint32_t domain = 0, bus = 0, device = 0, function = 0;
    std::string target;
    int compute_units = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t unique_id = 0;  ///< 0: none, as of most Radeon cards before RDNA
    std::string name;

    std::string address() const;  ///< 0000:03:00.0
    std::string uuid() const;     ///< as ROCr: GPU- and 16 digits, or GPU-XX
    int wavefront() const { return target.starts_with("gfx1") ? 32 : 64; }
};

/// The GPUs that this library reports: those of FAKE_<LIBRARY>_GPUS if that is set (FAKE_HIP_GPUS,
/// so that libraries can disagree), else of FAKE_GPUS. A text that makes no sense ends the process
/// with 99: a test must not go on with fewer GPUs than it wrote.
std::vector<Gpu> const& gpus();

/// The GPU of this ordinal, or null.
Gpu const* gpu(std::int64_t ordinal);

/// Status that FAKE_FAULT orders for this call, if any; the other faults happen in here.
std::optional<long> fault_at(std::string_view function);

/// The number to report as a count: the true one, or that of the fault count=N@FUNCTION.
int count_of(std::string_view function, std::size_t true_count);

/// The number of the fault WHAT=N@FUNCTION, for what a function has to do itself.
std::optional<long> ordered(std::string_view what, std::string_view function);

/// What is no number where the fault nan@FUNCTION or inf@FUNCTION wants it.
std::optional<float> no_number(std::string_view function);

/// From now on calls of this thread are for this GPU; faults WHAT@FUNCTION/GPU hold for it alone.
void select(int gpu);

/// Copies a text as strncpy(3) does: one that fills the room has no end.
void put_text(char* room, std::size_t size, std::string_view text);

}  // namespace fake
