// SPDX-License-Identifier: MIT
// Assignment: one setting of an environment variable, and where it stands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/fact.hpp"

namespace rocmtune {

/// What an assignment stands in. What is right in one kind may be wrong in another: a batch script
/// has to set MASTER_ADDR, a shell profile must not.
enum class InputKind : std::uint8_t {
    environment,  ///< of this process
    process,      ///< of another one
    shell,
    slurm,  ///< a shell script with #SBATCH lines
    dotenv,
    dockerfile,
    compose,
    kubernetes,
    workflow,  ///< of GitHub Actions
    systemd,
    modulefile,
    rccl_conf,
    markdown,
    python,
    notebook,  ///< of Jupyter
    rst,
    nix,
    values,  ///< YAML of any other program, with env or the like in it: Helm
    makefile,
};
inline constexpr std::array<std::string_view, 19> input_kind_words{
    "environment", "process",  "shell",   "slurm",      "dotenv",    "dockerfile", "compose",
    "kubernetes",  "workflow", "systemd", "modulefile", "rccl-conf", "markdown",   "python",
    "notebook",    "rst",      "nix",     "values",     "makefile"};

/// A piece of a value that is not known as a whole.
struct ValuePart {
    std::string text = {};  ///< as it stands there, "${NAME}", where it is not known; may be empty
    bool is_known = true;
};

struct Assignment {
    std::string name = {};
    /// As the program gets it; absent if that is known only when the text runs (command
    /// substitution, another variable), or if the variable is removed.
    std::optional<std::string> value = {};
    /// Where the value is absent and some of it is known: its pieces in their order.
    std::vector<ValuePart> parts = {};
    std::string file = {};   ///< as it was named on the command line; empty for an environment
    std::size_t line = 0;    ///< from 1; 0: there are no lines
    std::size_t column = 0;  ///< of the name, in bytes from 1
    InputKind kind = InputKind::environment;
    bool exported = true;      ///< programs get it; false: it stays a variable of the shell
    bool unset = false;        ///< the variable is removed
    bool conditional = false;  ///< in a branch, a function or a loop: it may not happen
    /// Of an if or case, behind && or ||, or words beside it say why it is there: somebody asks for
    /// it.
    bool in_branch = false;
    /// The beginnings of gfx targets for which alone it is, by the condition around it: of
    /// "gfx1030) A=1 ;;" that target, of "gfx11*) A=1 ;;" gfx11.
    std::vector<std::string> for_gpus = {};
    bool one_command = false;  ///< A=1 COMMAND: for that command alone
    bool is_option = false;    ///< docker run -e A=1: for what that command starts
    bool builds = false;       ///< the same text compiles software (cmake, pip, setup.py, ...)
    /// The same text starts ranks (srun, mpirun), or tells each who it is.
    bool launches = false;
    bool is_shown = false;  ///< in an example of a document
    /// The same text uses the variable ($NAME), and not only to pass it on.
    bool is_used_here = false;
    bool for_nvidia = false;  ///< the same text, or part of a document, is for NVIDIA's GPUs alone
    /// Assignments with one number meet in one environment, the later ones after the earlier.
    std::size_t scope = 0;
};

/// A file of an installed component, and which environment variables it can read.
struct ReaderFile {
    std::string path = {};
    std::string package = {};             ///< "libamdhip64" or a Python package
    bool complete = true;                 ///< false: it could not be read to its end
    std::vector<std::string> names = {};  ///< sorted; of the catalogue and the index of names
};

template <SameEntity<ReaderFile> Self, class Visitor>
void visit_fields(Self& file, Visitor&& v) {
    v(Field{"path", "file of an installed library or Python package"}, file.path);
    v(Field{"package", "library or Python package that it belongs to"}, file.package);
    v(Field{"complete", "whether all of it could be read"}, file.complete);
    v(Field{"names", "environment variables whose names stand in it"}, file.names);
}

}  // namespace rocmtune
