// SPDX-License-Identifier: MIT
// Where the libraries of the CUDA toolkit lie.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "machine/dynamic_library.hpp"

namespace rocmtune::bench {

/// Candidates for a library such as "libcublas": as the loader finds it, the given versions first,
/// then of /usr/local/cuda*, then of the wheels of a Python environment.
inline std::vector<std::string> cuda_library_candidates(
    std::string const& stem, std::initializer_list<std::string_view> versions = {"13", "12"}) {
    std::vector<std::string> names;
    for (auto const version : versions) names.push_back(stem + ".so." + std::string(version));
    names.push_back(stem + ".so");
    for (auto const& directory :
         {std::string("/usr/local/cuda*/lib64/"),
          secure_variable("VIRTUAL_ENV") + "/lib/python3*/site-packages/nvidia/*/lib/"})
        for (auto& path : glob_matches(directory + stem + ".so.1?"))
            names.push_back(std::move(path));
    return names;
}

}  // namespace rocmtune::bench
