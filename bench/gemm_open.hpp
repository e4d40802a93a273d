// SPDX-License-Identifier: MIT
// What the matrix libraries share: where CUDA's lie, symbols, status.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <glob.h>

#include "bench/device.hpp"
#include "probe/workers/candidates.hpp"
#include "system/dynamic_library.hpp"

namespace rocmtune::bench {

/// The function, which every version should have. @throws DeviceError.
template <class F>
F* need(DynamicLibrary const& library, char const* name) {
    auto* const function = library.symbol<F>(name);
    if (function == nullptr)
        throw DeviceError(fmt::format("missing-symbol: {} in {}", name, library.path()),
                          "unsupported");
    return function;
}

/// All these libraries return 0 for success. @throws DeviceError.
inline void check_status(int status, char const* call) {
    if (status != 0) throw DeviceError(fmt::format("{}: status {}", call, status));
}

/// Value of a variable, empty under AT_SECURE.
inline std::string secure_variable(char const* name) {
    auto const* const value = ::secure_getenv(name);
    return value == nullptr ? std::string() : value;
}

inline std::vector<std::string> glob_matches(std::string const& pattern) {
    std::vector<std::string> paths;
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    return paths;
}

/// A library of the CUDA toolkit: as the loader finds it, of /usr/local/cuda*, or of the wheels of
/// a Python environment.
inline std::vector<std::string> cuda_library_candidates(std::string const& stem) {
    std::vector<std::string> names{stem + ".so.13", stem + ".so.12", stem + ".so"};
    auto const environment = secure_variable("VIRTUAL_ENV");
    for (auto const& pattern :
         {"/usr/local/cuda*/lib64/" + stem + ".so.1?",
          environment + "/lib/python3*/site-packages/nvidia/*/lib/" + stem + ".so.1?"})
        for (auto const& path : glob_matches(pattern)) names.push_back(path);
    return names;
}

}  // namespace rocmtune::bench
