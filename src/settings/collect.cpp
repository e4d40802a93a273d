// SPDX-License-Identifier: MIT
// Which reader is for which text.
#include "settings/collect.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

namespace {

using std::string_view;

struct Suffix {
    string_view suffix;  ///< of the file name in lower case
    InputKind kind;
};

constexpr Suffix suffixes[] = {
    {".sh", InputKind::shell},
    {".bash", InputKind::shell},
    {".zsh", InputKind::shell},
    {".fish", InputKind::shell},
    {".csh", InputKind::shell},
    {".tcsh", InputKind::shell},
    {"bashrc", InputKind::shell},
    {"profile", InputKind::shell},
    {"zshrc", InputKind::shell},
    {"zshenv", InputKind::shell},
    {".sbatch", InputKind::slurm},
    {".slurm", InputKind::slurm},
    {".env", InputKind::dotenv},
    {".deepspeed_env", InputKind::dotenv},  // exported on every node by its launcher
    {"/environment", InputKind::dotenv},
    {".dockerfile", InputKind::dockerfile},
    {"/dockerfile", InputKind::dockerfile},
    {"/containerfile", InputKind::dockerfile},
    {".service", InputKind::systemd},
    {".container", InputKind::systemd},  // Podman's quadlets
    {"rccl.conf", InputKind::rccl_conf},
    {".lua", InputKind::modulefile},
    {".tcl", InputKind::modulefile},
    {".md", InputKind::markdown},
    {".markdown", InputKind::markdown},
    {".mdx", InputKind::markdown},
    {".rst", InputKind::rst},
    {".ipynb", InputKind::notebook},
    {".nix", InputKind::nix},
    {".py", InputKind::python},
    {"/makefile", InputKind::makefile},
    {"/gnumakefile", InputKind::makefile},
    {".mk", InputKind::makefile},
};

/// compose.yaml, docker-compose.yml, docker-compose.override.yml
bool is_compose_name(string_view name) {
    return is_yaml_name(name) &&
           (name.starts_with("/compose.") || name.starts_with("/docker-compose"));
}

/// Dockerfile.rocm, Dockerfile_amd, Containerfile-build
bool is_dockerfile_name(string_view name) {
    for (string_view const start : {"/dockerfile", "/containerfile"})
        if (name.starts_with(start) && name.size() > start.size())
            return string_view("._-").find(name[start.size()]) != string_view::npos;
    return false;
}

bool has_interpreter(string_view text, std::initializer_list<string_view> names) {
    if (!text.starts_with("#!")) return false;
    return has_one_of(text.substr(0, text.find('\n')), names);
}

/// Whether a line begins with the word, without indentation.
bool has_line(string_view text, string_view start) {
    for (auto at = text.find(start); at != text.npos; at = text.find(start, at + 1))
        if (at == 0 || text[at - 1] == '\n') return true;
    return false;
}

std::optional<InputKind> kind_of_content(string_view text) {
    if (text.starts_with("#%Module")) return InputKind::modulefile;
    if (has_interpreter(text, {"python"})) return InputKind::python;
    // A unit, or a part of one, under a name that says nothing.
    bool const sets = has_line(text, "Environment=") || has_line(text, "EnvironmentFile=") ||
                      has_line(text, "ExecStart=");
    if (sets && has_line(text, "[Service]")) return InputKind::systemd;
    // Apptainer's definition files: sections of shell script.
    if (has_line(text, "Bootstrap:")) return InputKind::shell;
    if (has_interpreter(text, {"sh", "bash", "zsh", "fish"})) return InputKind::shell;
    return std::nullopt;
}

/// Whether what begins at `at` and ends with }} is a part of a text in quotes, which is YAML.
bool is_quoted(string_view line, std::size_t at) {
    auto const size = line.substr(at).find("}}");
    if (size == line.npos) return false;
    auto const before = line.substr(0, at);
    auto const inside = line.substr(at, size);
    auto const behind = line.substr(at + size);
    return std::ranges::any_of(string_view("\"'"), [&](char quote) {
        return std::ranges::count(before, quote) % 2 == 1 && inside.find(quote) == inside.npos &&
               behind.find(quote) != behind.npos;
    });
}

/// Whether a line has {{ }} for a program that makes YAML of it: Helm. GitHub's ${{ }} stands in
/// values.
bool is_template(string_view line) {
    constexpr std::size_t longest = 4096;  // of lines that people write
    auto at = line.find("{{");
    if (at != line.npos && line.size() > longest) return true;
    for (; at != line.npos; at = line.find("{{", at + 2))
        if ((at == 0 || line[at - 1] != '$') && !is_quoted(line, at)) return true;
    return false;
}

/// "NAME: x" or "- name: x"
bool begins_environment(string_view line) {
    return line.starts_with("- name:") || is_capital_name(line.substr(0, line.find(':')));
}

/// Whether some line is the key of a map or list of variables, as read_values() knows them.
bool has_environment(string_view text) {
    bool awaits_name = false;
    for (auto const each : split(text, '\n')) {
        auto const line = trim(each);
        if (line.empty() || line.starts_with('#')) continue;
        if (awaits_name && begins_environment(line)) return true;
        auto const key = line.substr(0, line.size() - (line.ends_with(':') ? 1 : 0));
        if (key.size() < line.size() && is_environment_key(key)) return true;
        awaits_name = key.size() < line.size() && may_be_environment_key(key);
    }
    return false;
}

/// By the keys that the kind requires.
std::optional<InputKind> kind_of_yaml(string_view text) {
    bool const has_trigger =
        has_line(text, "on:") || has_line(text, "'on':") || has_line(text, "\"on\":");
    // Its scripts may well hold {{.Names}} for docker.
    if (has_line(text, "jobs:") && has_trigger) return InputKind::workflow;
    if (std::ranges::any_of(split(text, '\n'), is_template)) return std::nullopt;
    if (has_line(text, "apiVersion:") && has_line(text, "kind:")) return InputKind::kubernetes;
    if (has_line(text, "runs:") && text.find("using:") != text.npos) return InputKind::workflow;
    if (has_line(text, "services:")) return InputKind::compose;
    return has_environment(text) ? std::optional(InputKind::values) : std::nullopt;
}

/// The key of a map of variables, and one of them behind it: "env": { "A": "1" }. Of editors
/// (devcontainer.json, launch.json) and of programs that start others.
std::optional<InputKind> kind_of_json(string_view text) {
    constexpr std::size_t largest = std::size_t{1} << 20;  // of files that people write
    if (text.size() > largest) return std::nullopt;
    constexpr string_view between = " \t\r\n:";
    for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        constexpr std::size_t farthest = 80;
        auto before = text.substr(at - std::min(at, farthest), std::min(at, farthest));
        before = before.substr(0, before.find_last_not_of(between) + 1);
        if (before.size() < 3 || !before.ends_with('"')) continue;
        auto const quote = before.rfind('"', before.size() - 2);
        auto const key = before.substr(quote + 1, before.size() - quote - 2);
        auto const behind = trim(text.substr(at + 1, 200));
        auto const name = behind.substr(0, behind.find('"', 1));
        if (quote != before.npos && is_environment_key(key) && name.starts_with('"') &&
            is_capital_name(name.substr(1)))
            return InputKind::values;
    }
    return std::nullopt;
}

/// Scripts for Slurm are shell scripts with marks.
InputKind with_marks(InputKind kind, string_view text) {
    bool const is_batch = kind == InputKind::shell && text.find("\n#SBATCH") != text.npos;
    return is_batch ? InputKind::slurm : kind;
}

/// A byte order mark, which editors of Windows leave, is no part of the first name.
string_view without_mark(string_view text) {
    constexpr string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

struct Reader {
    InputKind kind;
    std::vector<Assignment> (*read)(InputText const&);
};

constexpr Reader readers[] = {
    {InputKind::environment, read_environ},
    {InputKind::process, read_environ},
    {InputKind::shell, read_shell},
    {InputKind::slurm, read_shell},
    {InputKind::dotenv, read_dotenv},
    {InputKind::dockerfile, read_dockerfile},
    {InputKind::systemd, read_systemd},
    {InputKind::modulefile, read_modulefile},
    {InputKind::rccl_conf, read_dotenv},
    {InputKind::markdown, read_markdown},
    {InputKind::python, read_python},
    {InputKind::compose, read_compose},
    {InputKind::kubernetes, read_kubernetes},
    {InputKind::workflow, read_workflow},
    {InputKind::values, read_values},
    {InputKind::notebook, read_notebook},
    {InputKind::rst, read_rst},
    {InputKind::nix, read_nix},
    {InputKind::makefile, read_makefile},
};
static_assert(std::size(readers) == input_kind_words.size());

constexpr std::string_view mark = "rocmtune: ignore=";

bool is_id(std::string_view text) {
    return text.size() == 6 && text.starts_with("RT") && to_unsigned(text.substr(2), 10);
}

/// Whether nothing but the sign of a comment stands before the mark.
bool stands_alone(std::string_view before) {
    return before.find_first_not_of(" \t#/-;<!") == before.npos;
}

}  // namespace

Assignment& AssignmentList::add(std::string_view name, std::optional<std::string> value,
                                std::size_t line, std::size_t column) {
    make_room();
    return all.emplace_back(Assignment{.name = std::string(name),
                                       .value = std::move(value),
                                       .file = input_.file,
                                       .line = line,
                                       .column = column,
                                       .kind = input_.kind,
                                       .scope = scope});
}

void AssignmentList::add_part(std::vector<Assignment> found, std::size_t& last_scope,
                              std::function<void(Assignment& one)> const& change) {
    for (auto const& one : found)
        if (one.value) repeatable_bytes -= std::min(repeatable_bytes, one.value->size());
    for (auto& one : found) {
        make_room();
        if (change) change(one);
        last_scope = std::max(last_scope, one.scope);
        all.push_back(std::move(one));
    }
}

void AssignmentList::make_room() const {
    if (all.size() >= max_settings) throw Error("more settings than people write");
}

std::vector<Assignment> read_assignments(InputText const& input) {
    auto plain = input;
    plain.text = without_mark(input.text);
    auto found = std::ranges::find(readers, input.kind, &Reader::kind)->read(plain);
    mark_reasons(plain, found);
    return found;
}

std::vector<Assignment> read_if_whole(InputText const& input) try {
    return read_assignments(input);
} catch (Error const&) {
    return {};
}

bool is_document(InputKind kind) {
    return kind == InputKind::markdown || kind == InputKind::rst || kind == InputKind::notebook;
}

bool has_one_of(string_view text, std::initializer_list<string_view> words) {
    return std::ranges::any_of(words,
                               [&](string_view word) { return text.find(word) != text.npos; });
}

bool is_environment_key(string_view key) {
    return is_one_of(
        key, {"env", "envs", "environment", "containerEnv", "remoteEnv", "envVars", "extraEnv",
              "extraEnvs", "extraEnvVars", "env_vars", "environment_variables",
              "environmentVariables", "variables"});  // the last one: GitLab
}

bool may_be_environment_key(string_view key) {
    constexpr std::array<string_view, 7> endings{
        "Env", "Envs", "EnvVars", "EnvironmentVariables", "_env", "_envs", "_env_vars"};
    return std::ranges::any_of(endings, [&](string_view end) { return key.ends_with(end); });
}

bool is_capital_name(string_view name) {
    constexpr auto capitals = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
    return is_variable_name(name) && std::ranges::any_of(name, capitals) && name == upper(name);
}

bool is_yaml_name(string_view path) {
    auto const name = lower(path);
    return name.ends_with(".yml") || name.ends_with(".yaml");
}

/// Drop-ins are told by their directory: environment.d(5), systemd-system.conf(5), systemd.unit(5).
std::optional<InputKind> kind_of_drop_in(string_view path) {
    if (!path.ends_with(".conf")) return std::nullopt;
    auto const directory = path.substr(0, std::min(path.rfind('/'), path.size()));
    if (directory.ends_with("environment.d")) return InputKind::dotenv;
    bool const is_unit = directory.ends_with(".service.d") ||
                         directory.ends_with("system.conf.d") || directory.ends_with("user.conf.d");
    return is_unit ? std::optional(InputKind::systemd) : std::nullopt;
}

std::optional<InputKind> kind_of(string_view path, string_view text) {
    text = without_mark(text);
    if (auto const kind = kind_of_drop_in(path)) return kind;
    for (string_view const ending : {".example", ".sample", ".template", ".dist"})
        if (path.ends_with(ending)) path.remove_suffix(ending.size());
    auto const name = '/' + lower(path.substr(path.rfind('/') + 1));
    if (is_dockerfile_name(name)) return InputKind::dockerfile;
    for (string_view const start : {"/.env.", "/.env-", "/.env_"})
        if (name.starts_with(start)) return InputKind::dotenv;
    if (is_compose_name(name)) return InputKind::compose;
    for (auto const& row : suffixes)
        if (name.ends_with(row.suffix)) return with_marks(row.kind, text);
    if (name.ends_with(".json") || name.ends_with(".jsonc")) return kind_of_json(text);
    auto const kind = is_yaml_name(path) ? kind_of_yaml(text) : kind_of_content(text);
    return kind ? std::optional(with_marks(*kind, text)) : std::nullopt;
}

std::vector<IgnoreComment> ignore_comments(std::string_view text) {
    std::vector<IgnoreComment> comments;
    // Most texts have none: one search instead of a walk over their lines.
    if (text.find(mark) == text.npos) return comments;
    std::size_t number = 0;
    for (auto const line : split(text, '\n')) {
        ++number;
        auto const at = line.find(mark);
        if (at == line.npos) continue;
        auto const rest = line.substr(at + mark.size());
        auto const end = std::min(rest.find_first_of(" \t\r"), rest.size());
        IgnoreComment comment{.line = number + (stands_alone(line.substr(0, at)) ? 1 : 0),
                              .ids = {},
                              .reason = std::string(trim(rest.substr(end)))};
        for (auto const id : split(rest.substr(0, end), ','))
            if (is_id(id)) comment.ids.emplace_back(id);
        if (!comment.ids.empty()) comments.push_back(std::move(comment));
    }
    return comments;
}

}  // namespace rocmtune
