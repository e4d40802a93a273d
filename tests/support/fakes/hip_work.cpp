// SPDX-License-Identifier: MIT
// The part of libamdhip64 that works: memory, copies, streams, events, modules, launches. Memory is
// the host's and copies are made at once, but no kernel runs: a launch does nothing, so that what
// it should have written is missing. Signatures: hip/hip_runtime_api.h, the same in HIP 5, 6 and 7.
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "bench/data.hpp"
#include "fake.hpp"
#include "ledger.hpp"

namespace {

// hipError_t
constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int out_of_memory = 2;
constexpr int device_to_host = 2;  // hipMemcpyKind
constexpr int invalid_device = 101;
constexpr int invalid_image = 200;
constexpr int invalid_handle = 400;
constexpr int not_found = 500;

using Clock = std::chrono::steady_clock;

struct Event {
    Clock::time_point when = {};
};

/// A module is the text that was "compiled": its functions are the names in it.
struct Module {
    std::string text;
    std::set<std::string> functions = {};  ///< that were handed out: a handle is such a name
};

struct Memory {
    std::mutex mutex;
    std::map<void*, std::size_t> sizes;
    std::uint64_t used = 0;
};

Memory& memory() {
    static auto* const it = new Memory;
    return *it;
}

std::atomic<int> current_device{0};

std::uint64_t total_bytes() {
    auto const* const gpu = fake::gpu(current_device);
    return gpu != nullptr ? gpu->memory_bytes : 0;
}

template <class T>
int hand_out(void** handle, char const* kind, T* made) {
    *handle = made;
    fake::took(kind, made);
    return success;
}

template <class T>
int take_back(void* handle, char const* kind) {
    if (!fake::gave_back(kind, handle)) return invalid_handle;
    delete static_cast<T*>(handle);
    return success;
}

int copy(void* to, void const* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    return success;
}

}  // namespace

FAKE_EXPORT int hipSetDevice(int device) {
    if (fake::gpu(device) == nullptr) return invalid_device;
    fake::select(device);
    FAKE_ENTRY();
    current_device = device;
    return success;
}

// ---- memory -------------------------------------------------------------------------------------

FAKE_EXPORT int hipMemGetInfo(std::size_t* free, std::size_t* total) {
    FAKE_ENTRY();
    std::scoped_lock const lock(memory().mutex);
    *total = total_bytes();
    *free = *total - memory().used;
    if (auto const more = fake::ordered("wrong", __func__))
        *free = *total + static_cast<std::size_t>(*more);
    return success;
}
FAKE_EXPORT int hipMalloc(void** room, std::size_t bytes) {
    FAKE_ENTRY();
    std::scoped_lock const lock(memory().mutex);
    if (bytes > total_bytes() - memory().used) return out_of_memory;
    *room = std::calloc(bytes, 1);
    if (*room == nullptr) return out_of_memory;
    memory().sizes[*room] = bytes;
    memory().used += bytes;
    fake::took("memory", *room);
    return success;
}
FAKE_EXPORT int hipFree(void* room) {
    FAKE_ENTRY();
    if (room == nullptr) return success;
    std::scoped_lock const lock(memory().mutex);
    if (!fake::gave_back("memory", room)) return invalid_value;
    memory().used -= memory().sizes[room];
    memory().sizes.erase(room);
    std::free(room);
    return success;
}
FAKE_EXPORT int hipHostMalloc(void** room, std::size_t bytes, unsigned) {
    FAKE_ENTRY();
    *room = std::calloc(bytes, 1);
    if (*room == nullptr) return out_of_memory;
    fake::took("pinned", *room);
    return success;
}
FAKE_EXPORT int hipHostFree(void* room) {
    FAKE_ENTRY();
    if (!fake::gave_back("pinned", room)) return invalid_value;
    std::free(room);
    return success;
}
FAKE_EXPORT int hipMemcpy(void* to, void const* from, std::size_t bytes, int kind) {
    FAKE_ENTRY();
    std::memcpy(to, from, bytes);
    // One bit, as a bad cell or lane would do it; on the way back only, lest two make a right.
    auto const at = fake::ordered("wrong", __func__);
    if (at && kind == device_to_host)
        static_cast<unsigned char*>(to)[static_cast<std::size_t>(*at) % bytes] ^= 0x10;
    return success;
}
FAKE_EXPORT int hipMemcpyHtoDAsync(void* to, void const* from, std::size_t bytes, void*) {
    FAKE_ENTRY();
    return copy(to, from, bytes);
}
FAKE_EXPORT int hipMemcpyDtoHAsync(void* to, void const* from, std::size_t bytes, void*) {
    FAKE_ENTRY();
    return copy(to, from, bytes);
}
FAKE_EXPORT int hipMemcpyDtoDAsync(void* to, void const* from, std::size_t bytes, void*) {
    FAKE_ENTRY();
    return copy(to, from, bytes);
}
FAKE_EXPORT int hipMemcpyPeerAsync(void* to, int, void const* from, int, std::size_t bytes, void*) {
    FAKE_ENTRY();
    return copy(to, from, bytes);
}
FAKE_EXPORT int hipMemsetD8Async(void* to, unsigned char byte, std::size_t bytes, void*) {
    FAKE_ENTRY();
    std::memset(to, byte, bytes);
    return success;
}
FAKE_EXPORT int hipDeviceCanAccessPeer(int* can, int device, int peer) {
    FAKE_ENTRY();
    if (fake::gpu(device) == nullptr || fake::gpu(peer) == nullptr) return invalid_device;
    *can = device != peer;
    return success;
}
FAKE_EXPORT int hipDeviceEnablePeerAccess(int peer, unsigned) {
    FAKE_ENTRY();
    return fake::gpu(peer) != nullptr ? success : invalid_device;
}

// ---- order --------------------------------------------------------------------------------------

FAKE_EXPORT int hipStreamCreateWithFlags(void** stream, unsigned) {
    FAKE_ENTRY();
    return hand_out(stream, "stream", new int(0));
}
FAKE_EXPORT int hipStreamDestroy(void* stream) {
    FAKE_ENTRY();
    return take_back<int>(stream, "stream");
}
FAKE_EXPORT int hipStreamSynchronize(void*) {
    FAKE_ENTRY();
    return success;
}
FAKE_EXPORT int hipStreamWaitEvent(void*, void*, unsigned) {
    FAKE_ENTRY();
    return success;
}
FAKE_EXPORT int hipEventCreateWithFlags(void** event, unsigned) {
    FAKE_ENTRY();
    return hand_out(event, "event", new Event);
}
FAKE_EXPORT int hipEventRecord(void* event, void*) {
    FAKE_ENTRY();
    static_cast<Event*>(event)->when = Clock::now();
    return success;
}
FAKE_EXPORT int hipEventSynchronize(void*) {
    FAKE_ENTRY();
    return success;
}
FAKE_EXPORT int hipEventElapsedTime(float* milliseconds, void* first, void* second) {
    FAKE_ENTRY();
    *milliseconds = std::chrono::duration<float, std::milli>(static_cast<Event*>(second)->when -
                                                             static_cast<Event*>(first)->when)
                        .count();
    if (auto const value = fake::no_number(__func__)) *milliseconds = *value;
    return success;
}
FAKE_EXPORT int hipEventDestroy(void* event) {
    FAKE_ENTRY();
    return take_back<Event>(event, "event");
}

// ---- kernels ------------------------------------------------------------------------------------

FAKE_EXPORT int hipModuleLoadData(void** module, void const* image) {
    FAKE_ENTRY();
    std::string text(static_cast<char const*>(image));
    if (!text.starts_with(fake::code_magic)) return invalid_image;
    return hand_out(module, "module", new Module{.text = std::move(text)});
}
FAKE_EXPORT int hipModuleUnload(void* module) {
    FAKE_ENTRY();
    return take_back<Module>(module, "module");
}
FAKE_EXPORT int hipModuleGetFunction(void** function, void* module, char const* name) {
    FAKE_ENTRY();
    auto& it = *static_cast<Module*>(module);
    if (it.text.find(std::string(name) + "(") == std::string::npos) return not_found;
    *function = const_cast<std::string*>(&*it.functions.emplace(name).first);
    return success;
}
FAKE_EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int,
                                                                   std::size_t) {
    FAKE_ENTRY();
    *blocks = 1;
    return success;
}
FAKE_EXPORT int hipFuncGetAttribute(int* value, int, void*) {
    FAKE_ENTRY();
    *value = 0;
    return success;
}
#ifndef FAKE_WITHOUT_LAUNCH
namespace {

/// What the kernel rt_pattern does, with one bit of byte `wrong` turned.
void write_pattern(void** arguments, std::optional<long> wrong) {
    auto* const words = *static_cast<std::uint32_t**>(arguments[0]);
    auto const count = *static_cast<std::uint32_t*>(arguments[1]);
    auto const seed = *static_cast<std::uint32_t*>(arguments[2]);
    for (std::uint32_t i = 0; i < count; ++i)
        words[i] = rocmtune::bench::mixed(i * 0x9e3779b9U + seed);
    if (wrong) reinterpret_cast<unsigned char*>(words)[*wrong] ^= 0x10;
}

}  // namespace

FAKE_EXPORT int hipModuleLaunchKernel(void* function, unsigned grid, unsigned, unsigned,
                                      unsigned block, unsigned, unsigned, unsigned, void*,
                                      void** arguments, void**) {
    FAKE_ENTRY();
    if (grid == 0 || block == 0 || block > 1024) return invalid_value;
    bool const idle = fake::ordered("idle", __func__).has_value();
    if (!idle && *static_cast<std::string*>(function) == "rt_pattern")
        write_pattern(arguments, fake::ordered("wrong", __func__));
    return success;
}
#endif
