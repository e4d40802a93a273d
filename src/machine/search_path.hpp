// SPDX-License-Identifier: MIT
// LD_LIBRARY_PATH as glibc's loader reads it, and what of it may lead to code that root runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// What run_workers() took out of LD_LIBRARY_PATH, for the workers to tell of it.
inline constexpr char const* left_out_variable = "ROCMTUNE_LEFT_OUT";

/// The elements as the loader splits them (glibc elf/dl-load.c, fillin_rpath): LD_LIBRARY_PATH at
/// ":" and ";", DT_RPATH and DT_RUNPATH at ":" alone. An empty one means the working directory. No
/// text is no element.
std::vector<std::string_view> split_search_path(std::string_view text, std::string_view separators);

/// With $ORIGIN and ${ORIGIN} replaced by a directory; nothing if there is another `$`: what $LIB
/// and $PLATFORM mean is known to the loader alone.
std::optional<std::string> expand_origin(std::string_view element, std::string_view origin);

/// Whether there is anything of this name. A link that leads nowhere counts: it may lead somewhere
/// later.
bool is_there(std::string const& path);

/// All directories where some version of the loader on some processor looks in place of this one:
/// it and the directories for processors below it that there are.
std::vector<std::string> searched_directories(std::string const& directory);

/// Why others than root could put a library where the loader looks for one in this directory; empty
/// if nobody can, or if root has chosen the directory for every program.
std::string distrust_searched(std::string const& directory);

struct LeftOut {
    std::string element;
    std::string why;
};

/// LD_LIBRARY_PATH for a process with rights of its own.
struct JudgedSearchPath {
    std::vector<std::string> kept;  ///< absolute directories that are root's alone
    std::vector<LeftOut> left_out;  ///< the other elements
};

JudgedSearchPath judge_search_path(std::string_view text);

/// The environment (lines NAME=VALUE) for a process that is to load libraries: if it has rights
/// that others have not, what others could put code into is taken out of LD_LIBRARY_PATH and named
/// in ROCMTUNE_LEFT_OUT.
void keep_trusted_search_path(std::vector<std::string>& environment);

}  // namespace rocmtune
