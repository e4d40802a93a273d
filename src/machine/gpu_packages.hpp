// SPDX-License-Identifier: MIT
// The package databases of distributions: which of their names concern AMD GPUs. Nothing else of
// them is kept in a recording.
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

inline constexpr std::string_view dpkg_status = "/var/lib/dpkg/status";
/// One directory a package, NAME-VERSION-RELEASE (alpm, be_local.c).
inline constexpr std::string_view pacman_packages = "/var/lib/pacman/local";
/// DNF 5: a line `"NAME-EPOCH:VERSION-RELEASE.ARCH" = {...}` for each installed package
/// (libdnf5, system/state.cpp). The database of rpm itself is no text.
inline constexpr std::string_view dnf_packages = "/usr/lib/sysimage/libdnf5/nevras.toml";

/// Whether a package belongs to ROCm, to the driver amdgpu, to its firmware, or to what it is built
/// with: "libamdhip64-5", "linux-firmware", "linux-headers-6.8.0-45-generic", "dkms".
bool concerns_gpus(std::string_view package);

/// What a recording keeps of one of those databases, by its path; any other text as it is.
std::string gpu_packages_of(std::string_view path, std::string_view text);

}  // namespace rocmtune
