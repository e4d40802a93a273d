// SPDX-License-Identifier: MIT
// For which GPUs a library has code, read from the file: HIP puts the code of each source file as
// one bundle into the section .hip_fatbin (Clang Offload Bundler, clang/docs). Nothing is loaded.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "machine/library_files.hpp"

namespace rocmtune {

struct DeviceCode {
    std::set<std::string> targets;  ///< "gfx90a", "gfx11-generic", "amdgcnspirv"
    bool is_packed = false;         ///< of some compressed bundles it is not known what is in them
    bool is_cut = false;            ///< more bundles than were read, or one that was not understood
};

/// Nothing if this is no 64-bit little-endian ELF file with sections. A library without device code
/// has no targets. Reads the headers of at most 1024 bundles, whatever the file's size; of
/// compressed ones as much as has the header.
std::optional<DeviceCode> read_device_code(ReadAt const& read);

/// As the call "device-code.PATH" answers: a line for each target, "packed" and "cut".
std::string device_code_text(DeviceCode const& code);
DeviceCode device_code_in(std::string_view text);

}  // namespace rocmtune
