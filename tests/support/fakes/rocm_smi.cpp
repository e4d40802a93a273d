// SPDX-License-Identifier: MIT
// librocm_smi64 with the structures of ROCm 5 or 6 (FAKE_LAYOUT); the soname says nothing of it.
#include <cstddef>

#include "fake.hpp"

namespace {

// rsmi_status_t of rocm_smi.h
constexpr int success = 0;
constexpr int invalid_args = 1;
constexpr int not_supported = 2;
constexpr int init_error = 8;

/// rsmi_frequencies_t; 6.0 put a member in front and grew the array by one.
#if FAKE_LAYOUT >= 6
struct Frequencies {
    bool has_deep_sleep;
    std::uint32_t count;
    std::uint32_t current;
    std::uint64_t hertz[33];
};
static_assert(offsetof(Frequencies, count) == 4 && offsetof(Frequencies, current) == 8);
static_assert(offsetof(Frequencies, hertz) == 16 && sizeof(Frequencies) == 280);
#else
struct Frequencies {
    std::uint32_t count;
    std::uint32_t current;
    std::uint64_t hertz[32];
};
static_assert(offsetof(Frequencies, current) == 4 && offsetof(Frequencies, hertz) == 8);
static_assert(sizeof(Frequencies) == 264);
#endif

/// rsmi_version_t
struct Version {
    std::uint32_t major, minor, patch;
    char const* build;
};
static_assert(sizeof(Version) == 24);

bool is_initialized = false;

/// As the library orders its checks: an index out of range comes before all else.
fake::Gpu const* known(std::uint32_t device) {
    return is_initialized ? fake::gpu(device) : nullptr;
}

}  // namespace

FAKE_EXPORT int rsmi_init(std::uint64_t) {
    FAKE_ENTRY();
    is_initialized = !fake::gpus().empty();
    return is_initialized ? success : init_error;
}
FAKE_EXPORT int rsmi_shut_down() {
    FAKE_ENTRY();
    bool const was = is_initialized;
    is_initialized = false;
    return was ? success : init_error;
}
FAKE_EXPORT int rsmi_num_monitor_devices(std::uint32_t* count) {
    FAKE_ENTRY();
    auto const true_count = is_initialized ? fake::gpus().size() : 0;
    *count = static_cast<std::uint32_t>(fake::count_of(__func__, true_count));
    return success;
}
/// The number that both layouts carry where the builder had no git tags.
FAKE_EXPORT int rsmi_version_get(Version* version) {
    FAKE_ENTRY();
    *version = {1, 0, 0, "fake"};
    return success;
}
FAKE_EXPORT int rsmi_dev_name_get(std::uint32_t device, char* name, std::size_t size) {
    FAKE_ENTRY();
    auto const* const gpu = known(device);
    if (gpu == nullptr) return invalid_args;
    fake::put_text(name, size, gpu->name);
    return success;
}
/// Domain in the upper half, then bus, device and function as in PCI.
FAKE_EXPORT int rsmi_dev_pci_id_get(std::uint32_t device, std::uint64_t* id) {
    FAKE_ENTRY();
    auto const* const gpu = known(device);
    if (gpu == nullptr) return invalid_args;
    *id = std::uint64_t{gpu->domain} << 32 | gpu->bus << 8 | gpu->device << 3 | gpu->function;
    return success;
}
FAKE_EXPORT int rsmi_dev_unique_id_get(std::uint32_t device, std::uint64_t* id) {
    FAKE_ENTRY();
    auto const* const gpu = known(device);
    if (gpu == nullptr) return invalid_args;
    *id = gpu->unique_id;
    return gpu->unique_id != 0 ? success : not_supported;
}
FAKE_EXPORT int rsmi_dev_memory_total_get(std::uint32_t device, int type, std::uint64_t* bytes) {
    FAKE_ENTRY();
    auto const* const gpu = known(device);
    if (gpu == nullptr) return invalid_args;
    *bytes = gpu->memory_bytes;
    return type == 0 ? success : not_supported;
}
FAKE_EXPORT int rsmi_topo_get_numa_node_number(std::uint32_t device, std::uint32_t* node) {
    FAKE_ENTRY();
    *node = 0;
    return known(device) != nullptr ? success : invalid_args;
}
FAKE_EXPORT int rsmi_dev_gpu_clk_freq_get(std::uint32_t device, int type, Frequencies* clocks) {
    FAKE_ENTRY();
    if (known(device) == nullptr) return invalid_args;
    if (type != 0) return not_supported;
    *clocks = {};
    clocks->count = 3;
    clocks->current = 1;
    clocks->hertz[0] = 500'000'000;
    clocks->hertz[1] = 1'200'000'000;
    clocks->hertz[2] = 2'100'000'000;
    return success;
}
FAKE_EXPORT int rsmi_status_string(int status, char const** text) {
    *text = status == success ? "RSMI_STATUS_SUCCESS" : "a status of the fake ROCm SMI";
    return success;
}
#if FAKE_LAYOUT >= 6
/// Came with the new layout.
FAKE_EXPORT int rsmi_dev_activity_metric_get(std::uint32_t, int, void*) {
    FAKE_ENTRY();
    return not_supported;
}
#endif
