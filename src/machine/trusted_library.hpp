// SPDX-License-Identifier: MIT
// Which libraries a process may load that has rights of its own: those where nobody but root could
// have put the file, any file that it needs, or another one in their place.
//
// A library is loaded by the name that was judged, not by its canonical path or a descriptor: its
// $ORIGIN, and what dladdr(3) tells it of its place, are what they are for everybody. That is as
// safe, since every directory and link on the way belongs to root and nobody else can change one.
#pragma once

#include <string>

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

}  // namespace rocmtune
