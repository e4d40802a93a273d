// SPDX-License-Identifier: MIT
// Which version an installation of ROCm is, by what its kind leaves behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/python_environment.hpp"
#include "probe/rocm_discovery.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// A package of Debian's database.
struct DebianPackage {
    std::string_view name;
    std::string_view version;
};

/// The installed package with the highest version among those whose name is `stem` and a number
/// (libamdhip64-5), in the text of /var/lib/dpkg/status.
std::optional<DebianPackage> find_debian_package(std::string_view status, std::string_view stem);

/// States the version of a place, or why it has none: .info/version*, the name of the directory,
/// the package database or the wheel's metadata, last the version in the library's file name.
Text rocm_version_of(HostRoot const& root, Listings& listings, RocmPlace const& place,
                     std::vector<PythonPackage> const& packages);

/// Major versions of the HIP runtime in a place. Wheels of torch bundle it without a version in
/// its name; there torch/version.py tells.
std::set<std::string> hip_majors_of(HostRoot const& root, RocmPlace const& place);

}  // namespace rocmtune
