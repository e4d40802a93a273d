// SPDX-License-Identifier: MIT
// libamd_smi: the calls whose arguments are handles and numbers. One socket for each GPU.
#include <algorithm>

#include "fake.hpp"

namespace {

// amdsmi_status_t of amdsmi.h
constexpr int success = 0;
constexpr int invalid = 1;
constexpr int driver_not_loaded = 34;

bool is_initialized = false;

/// Handles are addresses that nobody may follow: ordinal plus one, sockets and GPUs apart.
constexpr std::uintptr_t first_socket = 0x5000;
constexpr std::uintptr_t first_processor = 0x9000;

void* handle(std::uintptr_t first, std::size_t ordinal) {
    return reinterpret_cast<void*>(first + ordinal);
}
fake::Gpu const* gpu_of(void const* processor) {
    return is_initialized ? fake::gpu(static_cast<std::int64_t>(
                                reinterpret_cast<std::uintptr_t>(processor) - first_processor))
                          : nullptr;
}

}  // namespace

FAKE_EXPORT int amdsmi_init(std::uint64_t) {
    FAKE_ENTRY();
    is_initialized = !fake::gpus().empty();
    return is_initialized ? success : driver_not_loaded;
}
FAKE_EXPORT int amdsmi_shut_down() {
    FAKE_ENTRY();
    is_initialized = false;
    return success;
}
/// Called without room it says how many there are; so do the processors of a socket.
FAKE_EXPORT int amdsmi_get_socket_handles(std::uint32_t* count, void** sockets) {
    FAKE_ENTRY();
    auto const there = static_cast<std::uint32_t>(
        fake::count_of(__func__, is_initialized ? fake::gpus().size() : 0));
    if (sockets == nullptr) return *count = there, success;
    *count = std::min(*count, there);
    for (std::uint32_t i = 0; i < *count; ++i) sockets[i] = handle(first_socket, i);
    return success;
}
FAKE_EXPORT int amdsmi_get_processor_handles(void* socket, std::uint32_t* count,
                                             void** processors) {
    FAKE_ENTRY();
    auto const ordinal = reinterpret_cast<std::uintptr_t>(socket) - first_socket;
    if (fake::gpu(static_cast<std::int64_t>(ordinal)) == nullptr) return invalid;
    if (processors != nullptr && *count > 0) processors[0] = handle(first_processor, ordinal);
    *count = 1;
    return success;
}
/// amdsmi_bdf_t: function in bits 2:0, device in 7:3, bus in 15:8, domain above.
FAKE_EXPORT int amdsmi_get_gpu_device_bdf(void* processor, std::uint64_t* address) {
    FAKE_ENTRY();
    auto const* const gpu = gpu_of(processor);
    if (gpu == nullptr) return invalid;
    *address = std::uint64_t{gpu->domain} << 16 | gpu->bus << 8 | gpu->device << 3 | gpu->function;
    return success;
}
/// Not ROCr's text: AMD SMI makes a UUID of its own form from the same number.
FAKE_EXPORT int amdsmi_get_gpu_device_uuid(void* processor, unsigned* size, char* uuid) {
    FAKE_ENTRY();
    auto const* const gpu = gpu_of(processor);
    if (gpu == nullptr) return invalid;
    auto const digits = gpu->uuid().substr(4);
    fake::put_text(uuid, *size,
                   "00ff0000-0000-1000-80" + digits.substr(0, 2) + "-" + digits.substr(2));
    return success;
}
FAKE_EXPORT int amdsmi_get_gpu_memory_total(void* processor, int type, std::uint64_t* bytes) {
    FAKE_ENTRY();
    auto const* const gpu = gpu_of(processor);
    if (gpu == nullptr || type != 0) return invalid;
    *bytes = gpu->memory_bytes;
    return success;
}
