// SPDX-License-Identifier: MIT
// Finds the assignments of environment variables in texts that people and programs write. Texts are
// hostile: every reader takes any bytes, and needs time and memory in proportion to them.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "rocmtune/assignment.hpp"
#include "rocmtune/stated_release.hpp"

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
    /// A script that a script writes; what it writes itself is not looked at.
    bool is_written_by_script = false;
};

/// What a reader has found in one text so far.
class AssignmentList {
  public:
    explicit AssignmentList(InputText const& input)
        : scope(input.first_scope), repeatable_bytes(input.repeatable_bytes), input_(input) {}

    /// Appends one, in the scope of the list. @throws Error if there are too many.
    Assignment& add(std::string_view name, std::optional<std::string> value, std::size_t line = 0,
                    std::size_t column = 0);

    /// A part of the text, to be read by itself. It shares what the text may repeat.
    InputText part(std::string_view text, std::size_t first_scope,
                   std::size_t first_line = 1) const {
        return {.text = text,
                .file = input_.file,
                .kind = input_.kind,
                .first_line = first_line,
                .first_scope = first_scope,
                .repeatable_bytes = repeatable_bytes};
    }

    /// Appends what was found in a part of the text, which takes its share of what the text may
    /// repeat; `last_scope` becomes the last scope there. `change` sees each one first.
    /// @throws Error if there are too many.
    void add_part(std::vector<Assignment> found, std::size_t& last_scope,
                  std::function<void(Assignment& one)> const& change = {});

    std::vector<Assignment> take() { return std::move(all); }

    std::vector<Assignment> all = {};
    std::size_t scope;
    std::size_t repeatable_bytes;

  private:
    void make_room() const;

    InputText const& input_;
};

/// The assignments of a text in their order. A text that is not of its kind has none; YAML that
/// cannot be read throws Error, which names the line.
std::vector<Assignment> read_assignments(InputText const& input);

/// The same; none where the text is a template or a part of a file, which cannot be read.
std::vector<Assignment> read_if_whole(InputText const& input);

/// The kind of a file by its name and its first bytes; markdown, dotenv, ..., else shell if it has
/// the marks of a script. Nothing for a file that is none of these.
std::optional<InputKind> kind_of(std::string_view path, std::string_view text);

/// Whether charts and others call a map or list of variables so.
bool is_environment_key(std::string_view key);

/// Whether they may: workerEnvVars, ray_env. What stands below such a key shows what it is.
bool may_be_environment_key(std::string_view key);

/// Whether people call a variable so: capitals, digits and underscores.
bool is_capital_name(std::string_view name);

/// Pages that people read, with code in them.
bool is_document(InputKind kind);

/// Whether one of the words stands in the text, wherever that is.
bool has_one_of(std::string_view text, std::initializer_list<std::string_view> words);

/// Whether the name is that of YAML; which kind of it, only the text tells.
bool is_yaml_name(std::string_view path);

/// Marks the settings as asked for (in_branch) beside which words say why they are there, and those
/// that are a whole example in a document; also those of a text that is for NVIDIA's GPUs alone,
/// and those that the text itself uses.
void mark_reasons(InputText const& input, std::vector<Assignment>& found);

// One reader for each kind of text; read_assignments chooses.
std::vector<Assignment> read_environ(InputText const& input);
std::vector<Assignment> read_shell(InputText const& input);
std::vector<Assignment> read_dotenv(InputText const& input);
std::vector<Assignment> read_dockerfile(InputText const& input);
std::vector<Assignment> read_systemd(InputText const& input);
std::vector<Assignment> read_modulefile(InputText const& input);
std::vector<Assignment> read_python(InputText const& input);
std::vector<Assignment> read_markdown(InputText const& input);
std::vector<Assignment> read_rst(InputText const& input);
std::vector<Assignment> read_notebook(InputText const& input);
std::vector<Assignment> read_nix(InputText const& input);
std::vector<Assignment> read_compose(InputText const& input);
std::vector<Assignment> read_kubernetes(InputText const& input);
std::vector<Assignment> read_workflow(InputText const& input);
std::vector<Assignment> read_values(InputText const& input);
std::vector<Assignment> read_makefile(InputText const& input);

/// The releases that a text pins by what it installs ("vllm==0.9.2") or runs (an image with its
/// tag), each package once. None of a package that has several versions in the text, and none that
/// only a variable, a digest, "latest" or a range stands for.
std::vector<StatedRelease> stated_releases(InputText const& input);

/// The beginnings of the gfx targets that a text is for, by its name, by what it builds for or runs
/// in, by what a batch system is asked for or, in a document, by what it speaks of; with them all
/// others that it names, cards as "mi250". None if it says nothing.
std::vector<std::string> stated_gpus(InputText const& input);

/// The beginnings of gfx targets in a condition, in their order: "gfx1100" of *gfx1100*, "gfx11" of
/// gfx11*. Not of the name of a variable with gfx in it.
std::vector<std::string> gpus_named_in(std::string_view condition);

/// More GPUs than people write into one condition.
inline constexpr std::size_t max_gpus_of_condition = 16;

/// "# rocmtune: ignore=RT5006 why": a finding that somebody accepted, in the text itself. It speaks
/// of its own line; alone on a line, of the next one.
struct IgnoreComment {
    std::size_t line = 0;          ///< that it speaks of, from 1
    std::vector<std::string> ids;  ///< "RT5006"; never empty
    std::string reason = {};       ///< may be empty
};

/// In the order of the lines that they speak of.
std::vector<IgnoreComment> ignore_comments(std::string_view text);

}  // namespace rocmtune
