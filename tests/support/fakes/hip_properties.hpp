// SPDX-License-Identifier: MIT
// hipDeviceProp_t in both layouts: the members that the fake fills, at their offsets (facts of the
// headers of ROCm 5.2.3 to 5.7.1 and 6.0.0 to 7.0; tests/machine/fakes_layout_test.cpp compares).
#pragma once

#include <cstddef>
#include <cstdint>

namespace fake {

/// hipGetDeviceProperties of every release; the type's own name up to 5.7.
struct PropertiesR0000 {
    char name[256];
    std::uint64_t total_global_memory;
    std::byte gap1[12];
    std::int32_t warp_size;
    std::byte gap2[56];
    std::int32_t multiprocessor_count;
    std::byte gap3[24];
    std::int32_t pci_domain;
    std::int32_t pci_bus;
    std::int32_t pci_device;
    std::byte gap4[20];
    char arch_name[256];
    std::byte rest[140];
};
static_assert(offsetof(PropertiesR0000, total_global_memory) == 256);
static_assert(offsetof(PropertiesR0000, warp_size) == 276);
static_assert(offsetof(PropertiesR0000, multiprocessor_count) == 336);
static_assert(offsetof(PropertiesR0000, pci_bus) == 368);
static_assert(offsetof(PropertiesR0000, arch_name) == 396);
static_assert(sizeof(PropertiesR0000) == 792);

/// hipGetDevicePropertiesR0600, from 6.0.
struct PropertiesR0600 {
    char name[256];
    char uuid[16];
    char luid[8];
    std::byte gap1[8];
    std::uint64_t total_global_memory;
    std::byte gap2[12];
    std::int32_t warp_size;
    std::byte gap3[76];
    std::int32_t multiprocessor_count;
    std::byte gap4[192];
    std::int32_t pci_bus;
    std::int32_t pci_device;
    std::int32_t pci_domain;
    std::byte gap5[564];
    char arch_name[256];
    std::byte rest[56];
};
static_assert(offsetof(PropertiesR0600, total_global_memory) == 288);
static_assert(offsetof(PropertiesR0600, warp_size) == 308);
static_assert(offsetof(PropertiesR0600, multiprocessor_count) == 388);
static_assert(offsetof(PropertiesR0600, pci_bus) == 584);
static_assert(offsetof(PropertiesR0600, arch_name) == 1160);
static_assert(sizeof(PropertiesR0600) == 1472);

}  // namespace fake
