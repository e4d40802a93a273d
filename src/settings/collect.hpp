// SPDX-License-Identifier: MIT
// Finds the assignments of environment variables in texts that people and programs write. Texts are
// hostile: every reader takes any bytes, and needs time and memory in proportion to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "rocmtune/assignment.hpp"

namespace rocmtune {

/// Settings of one text; more are made by machines, or to do harm.
inline constexpr std::size_t max_settings = 100'000;

/// Bytes of values that one text may repeat from elsewhere in it, by $NAME or by an alias of YAML:
/// a few bytes would otherwise cost the length of the longest value, each time.
inline constexpr std::size_t max_repeated_bytes = std::size_t{16} << 20;

/// One text to read.
struct InputText {
    std::string_view text;
    std::string file = {};  ///< for the assignments; empty for an environment
    InputKind kind = InputKind::shell;
    /// Where the text begins, if it is a part of a file; from 1.
    std::size_t first_line = 1;
    /// Scopes count from here; different texts need different numbers.
    std::size_t first_scope = 0;
    /// A part of a text shares what the text as a whole may repeat.
    std::size_t repeatable_bytes = max_repeated_bytes;
};

/// @throws Error if no further assignment may come to these.
void make_room(std::vector<Assignment> const& assignments);

/// What is left of `bytes` for the next part of a text behind one with these assignments.
std::size_t left_to_repeat(std::size_t bytes, std::vector<Assignment> const& assignments);

/// The assignments of a text in their order. A text that is not of its kind has none; YAML that
/// cannot be read throws Error, which names the line.
std::vector<Assignment> read_assignments(InputText const& input);

/// The kind of a file by its name and its first bytes; markdown, dotenv, ..., else shell if it has
/// the marks of a script. Nothing for a file that is none of these.
std::optional<InputKind> kind_of(std::string_view path, std::string_view text);

/// Whether the name is that of YAML; which kind of it, only the text tells.
bool is_yaml_name(std::string_view path);

// One reader for each kind of text; read_assignments chooses.
std::vector<Assignment> read_environ(InputText const& input);
std::vector<Assignment> read_shell(InputText const& input);
std::vector<Assignment> read_dotenv(InputText const& input);
std::vector<Assignment> read_dockerfile(InputText const& input);
std::vector<Assignment> read_systemd(InputText const& input);
std::vector<Assignment> read_modulefile(InputText const& input);
std::vector<Assignment> read_python(InputText const& input);
std::vector<Assignment> read_markdown(InputText const& input);
std::vector<Assignment> read_compose(InputText const& input);
std::vector<Assignment> read_kubernetes(InputText const& input);
std::vector<Assignment> read_workflow(InputText const& input);

}  // namespace rocmtune
