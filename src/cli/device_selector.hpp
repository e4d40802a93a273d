// SPDX-License-Identifier: MIT
// --gpu: which device is meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// A device as backends and host know it. Empty and null: not known.
struct DeviceNames {
    std::string_view backend;
    std::uint64_t index = 0;  ///< as the backend counts
    std::string_view pci_address;
    std::string_view uuid;
    Gpu const* gpu = nullptr;  ///< its row of the host
};

/// hip:N, cuda:N, kfd:N, a PCI address (/partition), a UUID, or the row that probe prints.
struct DeviceSelector {
    enum class Kind { row, hip, cuda, kfd, address, uuid };
    Kind kind = Kind::row;
    std::uint64_t number = 0;  ///< row, index, node; of an address its partition
    bool partition = false;
    std::string text;  ///< address or UUID, lower case

    bool matches(DeviceNames const& names) const;
};

/// @throws Error for what is none of these.
DeviceSelector parse_device_selector(std::string_view text);

}  // namespace rocmtune
