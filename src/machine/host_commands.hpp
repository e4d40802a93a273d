// SPDX-License-Identifier: MIT
// Calls of a host that a program of it answers, since only that program knows the form of what it
// reads: packed kernel modules, the database of rpm.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_source.hpp"

namespace rocmtune {

/// "modinfo.amdgpu": parameters of the module that the running kernel would load, a line each:
/// "parm NAME".
inline constexpr std::string_view module_info_key = "modinfo.";
/// Installed packages that concern GPUs: "NAME EPOCH:VERSION-RELEASE", a line each.
inline constexpr std::string_view rpm_packages_key = "rpm.packages";

/// Whether such a program answers. It takes longer than a guarded child has for an answer.
bool is_command_key(std::string_view key);

/// Runs the program. Signals that ask this one to end must be held.
Reply command_reply(std::string_view key, std::chrono::milliseconds deadline);

/// What a program prints that is named by its full path, since whose PATH this is nobody knows. Of
/// more than `most_bytes` the end is kept. An errno tells what went wrong: ENOENT, there is no such
/// program; EIO, it failed and printed nothing.
Reply output_of_program(std::vector<std::string> words, std::chrono::milliseconds deadline,
                        std::size_t most_bytes);

/// The lines of a key in what its program has printed.
std::string module_parameters_in(std::string_view modinfo);
std::string gpu_packages_in(std::string_view rpm);

}  // namespace rocmtune
