// SPDX-License-Identifier: MIT
// The Python environment that programs of this process would use, found without running Python.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/host_root.hpp"
#include "probe/listings.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// Word for `_sources` of what is read from Python environments.
inline constexpr std::string_view python_reader = "python";

/// The active environment: $VIRTUAL_ENV, else $CONDA_PREFIX, else the first python3 of $PATH.
struct PythonEnvironment {
    Text prefix;                     ///< sys.prefix
    std::vector<std::string> sites;  ///< where packages lie, in the order of sys.path
};

PythonEnvironment find_python_environment(HostRoot const& root);

/// An installed package.
struct PythonPackage {
    std::string name;  ///< normalised (PEP 503)
    Text version;
    std::string directory;  ///< where its modules lie
    std::string site;       ///< where its metadata lies
};

/// The packages whose normalised names `wanted` accepts, sorted by name. As in Python, the first
/// site that has a package hides it in later ones.
std::vector<PythonPackage> find_python_packages(HostRoot const& root, Listings& listings,
                                                PythonEnvironment const& environment,
                                                bool (*wanted)(std::string_view));

}  // namespace rocmtune
