// SPDX-License-Identifier: MIT
// The texts that somebody wants judged: files, directories, standard input, processes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "settings/collect.hpp"

namespace rocmtune {

/// Texts longer than this are machine-made; none is read.
inline constexpr std::size_t input_cap_bytes = std::size_t{16} << 20;

/// How long to wait for one file, or for the list of those in a directory; none: until it answers.
using Patience = std::optional<std::chrono::milliseconds>;

/// What to do with what is found. `text` lives during the call only.
struct InputVisitor {
    std::function<void(InputText const& text)> text;
    /// Something that was named but cannot be read, or not be told apart; the rest goes on.
    std::function<void(std::string const& message)> problem;
    /// A text of no known kind that was named; may be empty.
    std::function<void(std::string const& message)> unknown = {};
};

/// A text before it is opened.
struct InputFile {
    std::string path = {};     ///< "-": standard input
    bool was_named = true;     ///< else found below a directory, where other things lie, too
    std::string problem = {};  ///< why there is nothing to open, or not all
};

/// What a path stands for: a file, standard input for "-", every known kind of file below a
/// directory (in the order of their names; links and what cannot be of a known kind are passed
/// over). What does not answer is a problem.
std::vector<InputFile> input_files(std::string const& path, Patience patience = {});

/// Calls at most one of the three. `kind`, if given, is that of the text. Threads may do this side
/// by side.
void visit_file(InputFile const& file, std::optional<InputKind> kind, InputVisitor const& visitor,
                Patience patience = {});

/// Visits the environment that a process was started with.
void visit_process(long pid, InputVisitor const& visitor);

/// The files that a process has mapped (/proc/PID/maps); empty if that cannot be read.
std::string maps_of_process(long pid);

}  // namespace rocmtune
