// SPDX-License-Identifier: MIT
// Which libraries a process may load that has rights of its own: those where nobody but root could
// have put the file, any file that it needs, or another one in their place.
//
// A library is loaded by the name that was judged, not by its canonical path or a descriptor: its
// $ORIGIN, and what dladdr(3) tells it of its place, are what they are for everybody. That is as
// safe, since every directory and link on the way belongs to root and nobody else can change one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

struct LibraryJudgement {
    std::string why_not;  ///< why it may not be loaded; empty if it may
    int error = 0;        ///< errno, if there is no such file
};

/// Judges a file name, as the loader searches it, or a path: the file with everything on the way to
/// it, the directories of LD_LIBRARY_PATH, DT_RPATH and DT_RUNPATH, and the same for each library
/// that it needs and that is not loaded yet. Where /etc/ld.so.cache and the loader's default
/// directories lead is what root has chosen.
LibraryJudgement judge_library(std::string const& candidate);

/// Why a library of this name (without "/") is not taken from where run_workers() has taken it out
/// of LD_LIBRARY_PATH; empty if there is none.
std::string why_left_out(std::string const& name);

// LD_LIBRARY_PATH as glibc's loader reads it, and what of it may lead to code that root runs.

/// What run_workers() took out of LD_LIBRARY_PATH, for the workers to tell of it.
inline constexpr char const* left_out_variable = "ROCMTUNE_LEFT_OUT";

/// The elements as the loader splits them (glibc elf/dl-load.c, fillin_rpath): LD_LIBRARY_PATH at
/// ":" and ";", DT_RPATH and DT_RUNPATH at ":" alone. An empty one means the working directory. No
/// text is no element.
std::vector<std::string_view> split_search_path(std::string_view text, std::string_view separators);

/// With $ORIGIN and ${ORIGIN} replaced by a directory; nothing if there is another `$`: what $LIB
/// and $PLATFORM mean is known to the loader alone.
std::optional<std::string> expand_origin(std::string_view element, std::string_view origin);

/// All directories where some version of the loader on some processor looks in place of this one:
/// it and the directories for processors below it that there are.
std::vector<std::string> searched_directories(std::string const& directory);

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
