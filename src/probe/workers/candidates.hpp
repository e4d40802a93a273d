// SPDX-License-Identifier: MIT
// Where the ROCm libraries are looked for, in which order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// One library and the major versions of its soname that we know, best first. Others are found by
/// listing directories, so that the next major works on the day it appears.
struct RocmLibrary {
    std::string_view stem;      ///< "libamdhip64"
    std::string_view variable;  ///< names the only candidate, for tests and for odd places
    std::span<std::string_view const> majors;
};

extern RocmLibrary const hip_runtime;
extern RocmLibrary const hip_compiler;
extern RocmLibrary const hsa_runtime;
extern RocmLibrary const rocm_smi;
extern RocmLibrary const amd_smi;

/// Candidates for dlopen: the override variable alone, else the installation that ROCM_PATH,
/// HIP_PATH or ROCM_HOME name, the versioned names as the loader finds them, the bare name, and the
/// usual directories, newest version first. Files that several names lead to appear once.
std::vector<std::string> library_candidates(RocmLibrary const& library);
/// Those of them that come before the usual directories, which take longer to list than a library
/// that the loader finds takes to load.
std::vector<std::string> named_candidates(RocmLibrary const& library);
/// The others.
std::vector<std::string> listed_candidates(RocmLibrary const& library);

/// The same for a companion of a library that is loaded: only its directory counts, since two
/// installations must not be mixed. An override variable still wins.
std::vector<std::string> companion_candidates(RocmLibrary const& library,
                                              std::string const& directory);

/// Why a process that has loaded other libraries would not load this one as one of its own does;
/// empty if it would: no file of it is loaded there, or the one that the candidates lead to.
std::string why_not_here(RocmLibrary const& library);

/// The first number behind ".so." of a soname or file name; empty if there is none.
std::string_view major_of(std::string_view file);

}  // namespace rocmtune
