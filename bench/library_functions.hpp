// SPDX-License-Identifier: MIT
// Functions of libraries that are opened by hand, and where those of the CUDA toolkit lie.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/device.hpp"
#include "machine/dynamic_library.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune::bench {

/// What libraries call a handle: a stream, an event, a context, a communicator.
using Handle = void*;

template <class F>
using Function = F*;

/// The function, which every version should have. @throws DeviceError (unsupported).
template <class F>
F* need(DynamicLibrary const& library, char const* name) {
    auto* const function = library.symbol<F>(name);
    if (function == nullptr)
        throw DeviceError(fmt::format("missing-symbol: {} in {}", name, library.path()),
                          "unsupported");
    return function;
}

/// A function of the type of the pointer that it is assigned to.
struct LibraryFunction {
    DynamicLibrary const& library;
    char const* name;
    bool needed;  ///< it throws as need() does, else the pointer may be null

    template <class F>
    requires std::is_function_v<F>
    operator F*() const {  // NOLINT(google-explicit-constructor): that is its purpose
        return needed ? need<F>(library, name) : library.symbol<F>(name);
    }
};

/// The base of a table of functions: Function<int(unsigned)> init = need("cuInit").
/// No aggregate: of those GCC 12 destroys the base twice where a function is missing.
struct LibraryFunctions {
    explicit LibraryFunctions(DynamicLibrary opened) : library(std::move(opened)) {}
    DynamicLibrary library;
    LibraryFunction need(char const* name) const { return {library, name, true}; }
    LibraryFunction find(char const* name) const { return {library, name, false}; }
};

/// The libraries of matrix products return 0 for success. @throws DeviceError.
inline void check_status(int status, std::string_view call) {
    if (status != 0) throw DeviceError(fmt::format("{}: status {}", call, status));
}

inline void* pointer(Address address) {
    return reinterpret_cast<void*>(address);
}

/// Candidates for a library such as "libcublas": as the loader finds it, the given versions first,
/// then of /usr/local/cuda*, then of the wheels of a Python environment.
inline std::vector<std::string> cuda_library_candidates(
    std::string const& stem, std::initializer_list<std::string_view> versions = {"13", "12"}) {
    std::vector<std::string> names;
    for (auto const version : versions) names.push_back(fmt::format("{}.so.{}", stem, version));
    names.push_back(stem + ".so");
    for (auto const& directory :
         {std::string("/usr/local/cuda*/lib64/"),
          secure_variable("VIRTUAL_ENV") + "/lib/python3*/site-packages/nvidia/*/lib/"})
        for (auto& path : glob_matches(directory + stem + ".so.1?"))
            names.push_back(std::move(path));
    return names;
}

/// The one that the variable names, else the usual ones.
inline DynamicLibrary opened(char const* variable, std::vector<std::string> usual) {
    auto const only = secure_variable(variable);
    return DynamicLibrary(only.empty() ? std::move(usual) : std::vector{only});
}

}  // namespace rocmtune::bench
