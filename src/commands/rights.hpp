// SPDX-License-Identifier: MIT
// Which commands give up rights, and when: those that have nothing left to do but to read what
// others wrote.
#pragma once

#include <string>

#include "measure/arguments.hpp"

namespace rocmtune {

/// What a command has done so far.
enum class Moment : char {
    arguments_are_known,  ///< nothing was read
    outputs_are_open,     ///< of a command that writes while it reads
    host_is_read,         ///< this host was asked; files that the user named were not read yet
};

/// Gives up the rights that the command does not need from this moment on; does nothing for one
/// that needs them still, or has given them up. The files of --output and the like are written by a
/// process of their own then (cli/output_process.hpp).
void give_up_rights(Arguments const& arguments, Moment moment);

/// What giving up all of them came to here, for --version -v. They are gone.
std::string rights_text();

}  // namespace rocmtune
