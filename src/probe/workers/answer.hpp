// SPDX-License-Identifier: MIT
// What the workers share: opening a library and saying what came of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "machine/dynamic_library.hpp"
#include "machine/worker.hpp"
#include "probe/workers/candidates.hpp"

namespace rocmtune {

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
