// SPDX-License-Identifier: MIT
// libhsa-runtime64.so.1: one processor, then the GPUs.
#include <cstring>

#include "fake.hpp"

namespace {

// hsa_status_t of hsa.h
constexpr int success = 0;
constexpr int invalid_argument = 0x1001;
constexpr int invalid_agent = 0x1004;
constexpr int out_of_resources = 0x1008;
constexpr int not_initialized = 0x100B;

constexpr std::uint64_t processor = 0x1000;  // hsa_agent_t::handle; GPUs follow
bool is_initialized = false;

template <class T>
int put(void* room, T value) {
    std::memcpy(room, &value, sizeof value);
    return success;
}
int put_string(void* room, std::size_t size, std::string_view text) {
    fake::put_text(static_cast<char*>(room), size, text);
    return success;
}

std::uint32_t location(fake::Gpu const& gpu) {
    return gpu.bus << 8 | gpu.device << 3 | gpu.function;
}

/// hsa_agent_info_t and hsa_amd_agent_info_t.
int gpu_info(fake::Gpu const& gpu, std::uint32_t node, int attribute, void* room) {
    switch (attribute) {
        case 0: return put_string(room, 64, gpu.target);
        case 1: return put_string(room, 64, "AMD");
        case 6: return put<std::uint32_t>(room, static_cast<std::uint32_t>(gpu.wavefront()));
        case 17: return put<std::uint32_t>(room, 1);
        case 0xA002: return put<std::uint32_t>(room, static_cast<std::uint32_t>(gpu.compute_units));
        case 0xA004: return put<std::uint32_t>(room, node);
        case 0xA006: return put<std::uint32_t>(room, location(gpu));
        case 0xA009: return put_string(room, 64, gpu.name);
        case 0xA00F: return put<std::uint32_t>(room, gpu.domain);
        case 0xA011: return put_string(room, 21, gpu.uuid());
        default: return invalid_argument;
    }
}
int processor_info(int attribute, void* room) {
    switch (attribute) {
        case 0: return put_string(room, 64, "Fake Processor");
        case 1: return put_string(room, 64, "CPU");
        case 17:
        case 0xA004: return put<std::uint32_t>(room, 0);
        case 0xA011: return put_string(room, 21, "CPU-XX");
        default: return invalid_argument;
    }
}

}  // namespace

/// Without a GPU this is a host whose /dev/kfd does not open.
FAKE_EXPORT int hsa_init() {
    FAKE_ENTRY();
    is_initialized = !fake::gpus().empty();
    return is_initialized ? success : out_of_resources;
}
FAKE_EXPORT int hsa_shut_down() {
    FAKE_ENTRY();
    is_initialized = false;
    return success;
}
FAKE_EXPORT int hsa_iterate_agents(int (*callback)(std::uint64_t agent, void*), void* data) {
    FAKE_ENTRY();
    if (!is_initialized) return not_initialized;
    int const count = fake::count_of(__func__, fake::gpus().size());
    for (int agent = 0; agent <= count; ++agent)
        if (int const status = callback(processor + static_cast<unsigned>(agent), data))
            return status;
    return success;
}
FAKE_EXPORT int hsa_agent_get_info(std::uint64_t agent, int attribute, void* value) {
    FAKE_ENTRY();
    if (agent == processor) return processor_info(attribute, value);
    auto const* const gpu = fake::gpu(static_cast<std::int64_t>(agent - processor) - 1);
    return gpu != nullptr
               ? gpu_info(*gpu, static_cast<std::uint32_t>(agent - processor), attribute, value)
               : invalid_agent;
}
FAKE_EXPORT int hsa_system_get_info(int attribute, void* value) {
    FAKE_ENTRY();
    return attribute <= 1 ? put<std::uint16_t>(value, 1) : invalid_argument;
}
FAKE_EXPORT int hsa_status_string(int status, char const** text) {
    *text = status == success ? "HSA_STATUS_SUCCESS" : "HSA_STATUS_ERROR of the fake runtime";
    return success;
}
