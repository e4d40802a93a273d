// SPDX-License-Identifier: MIT
// What the workers share: where the ROCm libraries are looked for, in which order, opening one, and
// saying what came of it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "machine/dynamic_library.hpp"
#include "machine/worker.hpp"

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

using Json = nlohmann::ordered_json;

/// Sends {"kind": value} as one line.
void send(WorkerChannel& channel, std::string_view kind, Json value);

/// Loads the first of the candidates that can be, each announced by a `trying` line.
DynamicLibrary load(WorkerChannel& channel, std::vector<std::string> const& candidates);

/// Loads the first of all candidates that can be.
DynamicLibrary load(WorkerChannel& channel, RocmLibrary const& which);

/// Opens the first candidate that loads, sends the `library` line, and returns when the library may
/// be called. If none loads, ends the answer: absent if no candidate exists, else error with what
/// is wrong with the first that does.
std::optional<DynamicLibrary> open_library(WorkerChannel& channel, RocmLibrary const& which);

/// The `library` line: path, soname, and the candidates that failed with their problems.
Json library_json(DynamicLibrary const& library);

/// One line on what keeps a library from loading: "/opt/rocm/lib/libamdhip64.so.6:
/// broken-dependency (libnuma.so.1)". Empty if every candidate is absent.
std::string load_trouble(DynamicLibrary const& library);

/// Sends a note if the library's major version is none of those that our declarations were
/// compared with.
void note_untested_major(WorkerChannel& channel, DynamicLibrary const& library,
                         RocmLibrary const& which);

/// Ends the answer because a function is missing that every version should have.
void fail_without(WorkerChannel& channel, std::string_view function);

/// Text in a buffer that a library may have filled to the last byte.
std::string text_of(char const* buffer, std::size_t size);

/// "0000:03:00.0" from bus, device and function in the low 16 bits, as KFD packs them. Bits 31:28
/// may hold a partition number.
Json address_json(std::uint64_t domain, std::uint64_t bdf);

}  // namespace rocmtune
