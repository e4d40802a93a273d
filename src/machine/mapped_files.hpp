// SPDX-License-Identifier: MIT
// Which files processes have mapped: the libraries that they run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

namespace rocmtune {

/// Adds the files that a process has mapped (/proc/PID/maps) to `files`; nothing of a process that
/// is gone or not ours to look at.
void add_mapped_files(pid_t process, std::set<std::string>& files);

/// The files of the text of /proc/PID/maps. Lines that are none are left out.
std::set<std::string> files_of_maps(std::string_view text);

/// A process and all that it and its children have started, as the kernel shows them now. One that
/// was handed on to init is no longer among them.
std::vector<pid_t> process_tree(pid_t root);

}  // namespace rocmtune
