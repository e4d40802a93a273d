// SPDX-License-Identifier: MIT
// The Python environment that programs of this process would use, found without running Python.
// Parsers of what Python packages leave on disk. None of them runs Python.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/package_name.hpp"
#include "machine/host_root.hpp"
#include "probe/loader.hpp"
#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// Word for `_sources` of what is read from Python environments.
inline constexpr std::string_view python_reader = "python";

/// The active environment: $VIRTUAL_ENV, else $CONDA_PREFIX, else the first python3 of $PATH.
struct PythonEnvironment {
    Text prefix;                     ///< sys.prefix
    std::vector<std::string> sites;  ///< where packages lie, in the order of sys.path
    Text version;                    ///< "3.12"
    Flag is_managed;                 ///< EXTERNALLY-MANAGED (PEP 668) keeps pip out of it
};

PythonEnvironment find_python_environment(HostRoot const& root);

/// An installed package.
struct PythonPackage {
    std::string name;  ///< normalised (PEP 503)
    Text version;
    std::string directory;  ///< where its modules lie
    std::string site;       ///< where its metadata lies
    std::string metadata;   ///< file with its headers
};

/// The packages whose normalised names `wanted` accepts, sorted by name. As in Python, the first
/// site that has a package hides it in later ones.
std::vector<PythonPackage> find_python_packages(HostRoot const& root, Listings& listings,
                                                PythonEnvironment const& environment,
                                                bool (*wanted)(std::string_view));

/// The characters of PEP 440 versions, and a sane length.
bool is_python_version(std::string_view text);

/// An entry of site-packages that describes a package:
/// "torch-2.5.1+rocm6.2.dist-info", "torch-1.13.0.egg-info", "aiter.egg-link".
struct MetadataEntry {
    enum class Kind : unsigned char { dist_info, egg_info, egg_link };
    Kind kind = Kind::dist_info;
    std::string name;          ///< normalised
    std::string_view version;  ///< empty where the entry's name has none
};
std::optional<MetadataEntry> parse_metadata_entry(std::string_view file_name);

/// The two headers of METADATA or PKG-INFO that matter here; empty where absent.
struct PackageMetadata {
    std::string_view name;
    std::string_view version;
};
PackageMetadata parse_package_metadata(std::string_view text);

/// The headers Requires-Dist of METADATA, one requirement each; those of extras are left out.
std::vector<std::string_view> requirements_in(std::string_view metadata);

/// The name of the package that a requirement (PEP 508) asks for, normalised; empty if it names
/// none.
std::string required_name(std::string_view requirement);

/// Whether a package computes on GPUs, by its normalised name.
bool is_gpu_framework(std::string_view name);

/// The value of `NAME = 'text'` or `NAME: type = None` on the top level of a Python file.
struct PythonConstant {
    bool is_none = false;
    std::string_view text;
};
std::optional<PythonConstant> find_python_constant(std::string_view source, std::string_view name);

/// The gfx target in a file name, without feature suffixes: "Kernels.so-000-gfx90a-xnack+.hsaco"
/// gives gfx90a. Family names such as gfx11xx are no targets.
std::optional<std::string> gfx_target_in(std::string_view file_name);

/// The ROCm version in a local version label: "2.5.1+rocm6.2" gives 6.2.
std::optional<std::string> rocm_version_in(std::string_view package_version);

}  // namespace rocmtune
