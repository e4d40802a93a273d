// SPDX-License-Identifier: MIT
// Completion scripts from the tables.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

#include "cli/choices.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "measure/data_files.hpp"

namespace rocmtune {
namespace {

std::string command_names() {
    std::string names;
    for (auto const& command : all_commands())
        names.append(names.empty() ? "" : " ").append(command.name);
    return names;
}

/// The words that can follow an option; of a file option only what is no file.
std::vector<std::string> values_of(Option const& option) {
    std::vector<std::string> values;
    if (option.value == Value::word)
        for (auto const choice : choices_of(option.metavar)) values.emplace_back(choice);
    if (option.metavar.find("example:NAME") == option.metavar.npos) return values;
    for (auto const& name : example_names()) values.push_back("example:" + name);
    return values;
}

// ---- bash ---------------------------------------------------------------------------------------

std::string bash_options(std::string_view command) {
    std::string names = "--help";
    for (auto const* option : options_of(command)) names += ' ' + std::string(option->name);
    return names;
}

/// What "COMMAND OPTION" must look like. An option may be another one for another command.
std::string bash_pattern(Option const& option) {
    auto const same = [&](Option const& other) { return other.name == option.name; };
    if (std::ranges::count_if(all_options(), same) == 1) {
        auto const letter = option.letter != 0 ? fmt::format("|*\" -{}\"", option.letter) : "";
        return fmt::format("*\" {}\"{}", option.name, letter);
    }
    std::string pattern;
    for (auto const command : words(option.commands)) {
        if (command == "probe") pattern += fmt::format("\" {}\"|", option.name);
        pattern += fmt::format("\"{} {}\"|", command, option.name);
    }
    pattern.pop_back();
    return pattern;
}

std::string bash_values() {
    std::string cases;
    for (auto const& option : all_options()) {
        if (option.value == Value::none) continue;
        auto const pattern = bash_pattern(option);
        auto const values = values_of(option);
        std::string action;
        if (!values.empty())
            action = fmt::format(" _rocmtune_offer -W {};",
                                 posix_quoted(fmt::format("{}", fmt::join(values, " "))));
        bool const is_path = option.value == Value::file || option.value == Value::directory;
        if (is_path)
            action +=
                fmt::format(" _rocmtune_offer {};", option.value == Value::file ? "-f" : "-d");
        // readline then adds slashes and quotes; beside words with colons it would quote those,
        // too.
        if (is_path && values.empty()) action += " compopt -o filenames 2>/dev/null;";
        cases += fmt::format("        {}){} ;;\n", pattern, action);
    }
    return cases;
}

/// bash splits words at "=" and ":"; what was typed is put together again.
constexpr std::string_view bash_start =
    R"(# bash completion for rocmtune, made by 'rocmtune completion bash'
_rocmtune_offer() {
    local found
    mapfile -t found < <(compgen "$@" -- "$cur")
    COMPREPLY+=("${found[@]}")
}
_rocmtune() {
    local cur="" prev command="" word i=$COMP_CWORD
    COMPREPLY=()
    while ((i > 0)) && { ((i == COMP_CWORD)) || [[ ${COMP_WORDS[i]} == : || ${COMP_WORDS[i + 1]} == : ]]; }; do
        cur="${COMP_WORDS[i]}$cur"
        ((i -= 1))
    done
    if [[ $cur == "=" ]]; then cur=""; elif [[ ${COMP_WORDS[i]} == "=" ]]; then ((i -= 1)); fi
    prev="${COMP_WORDS[i]}"
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$word" in
)";

constexpr std::string_view bash_end =
    R"(    if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then COMPREPLY=("${COMPREPLY[@]#"${cur%:*}:"}"); fi
}
complete -F _rocmtune rocmtune
)";

std::string bash_script() {
    std::string script(bash_start);
    for (auto const& command : all_commands())
        script += fmt::format("            {0}) command=${{command:-{0}}} ;;\n", command.name);
    script += "        esac\n    done\n    case \"$command $prev\" in\n" + bash_values() +
              "    *) case \"$command\" in\n";
    for (auto const& command : all_commands()) {
        std::string words = bash_options(command.name);
        for (auto const choice : choices_of(command.positional.choices))
            words += ' ' + std::string(choice);
        script += fmt::format("        {}) _rocmtune_offer -W {} ;;\n", command.name,
                              posix_quoted(words));
    }
    script += fmt::format("        *) _rocmtune_offer -W {} ;;\n",
                          posix_quoted(command_names() + " --version " + bash_options("")));
    return script + "    esac ;;\n    esac\n" + std::string(bash_end);
}

// ---- zsh ----------------------------------------------------------------------------------------

/// Text inside an _arguments specification: brackets and colons have a meaning there.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (auto const c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_action(Option const& option) {
    auto const values = values_of(option);
    if (option.value == Value::word) return fmt::format("({})", fmt::join(values, " "));
    if (!values.empty()) return "_rocmtune_hosts";
    if (option.value == Value::directory) return "_files -/";
    return option.value == Value::file ? "_files" : " ";
}

std::string zsh_specification(Option const& option) {
    auto const about = zsh_text(option.help);
    auto const star = option.repeatable ? "*" : "";
    auto const value = option.value == Value::none
                           ? std::string()
                           : fmt::format(":{}:{}", zsh_text(option.metavar), zsh_action(option));
    auto const equals = option.value == Value::none ? "" : "=";
    auto result =
        posix_quoted(fmt::format("{}{}{}[{}]{}", star, option.name, equals, about, value));
    if (option.letter != 0)
        result += ' ' + posix_quoted(fmt::format("{}-{}[{}]{}", star, option.letter, about, value));
    return result;
}

std::string zsh_arguments(std::string_view command, std::string_view choices) {
    std::string text = "            _arguments '--help[help]' '-h[help]'";
    if (command.empty()) text += " '--version[version of the program and date of its data]'";
    for (auto const* option : options_of(command))
        text += " \\\n                " + zsh_specification(*option);
    if (!choices.empty())
        text += fmt::format(" \\\n                '1:argument:({})'",
                            fmt::join(choices_of(choices), " "));
    return text + '\n';
}

/// Files, and of the words that an option with file values takes, those that are no files. A
/// function of its own, because inside an _arguments specification colons would need three escapes.
std::string zsh_hosts() {
    std::string words;
    for (auto const& option : all_options())
        if (option.value == Value::file)
            for (auto const& value : values_of(option)) words += ' ' + posix_quoted(value);
    return fmt::format(
        "_rocmtune_hosts() {{\n    local -a examples=({} )\n"
        "    _alternative 'examples:example:compadd -a examples' 'files:file:_files'\n}}\n",
        words);
}

std::string zsh_script() {
    std::string script =
        "#compdef rocmtune\n# zsh completion for rocmtune, made by 'rocmtune completion zsh'\n";
    script += zsh_hosts() + "_rocmtune() {\n    local -a commands=(\n";
    for (auto const& command : all_commands())
        script +=
            "        " + posix_quoted(fmt::format("{}:{}", command.name, command.about)) + '\n';
    script +=
        "    )\n    if (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then _describe command "
        "commands; return; fi\n    local command=${words[2]}\n    case $command in\n";
    for (auto const& command : all_commands())
        script +=
            fmt::format("        {})\n            shift words; (( CURRENT-- ))\n", command.name) +
            zsh_arguments(command.name, command.positional.choices) + "            ;;\n";
    script += "        *)\n" + zsh_arguments("", "") +
              "            ;;\n    esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then "
              "_rocmtune \"$@\"; else compdef _rocmtune rocmtune; fi\n";
    return script;
}

// ---- fish ---------------------------------------------------------------------------------------

std::string fish_line(std::string_view condition, Option const& option) {
    auto line = fmt::format("complete -c rocmtune -n {} -l {}", posix_quoted(condition),
                            option.name.substr(2));
    if (option.letter != 0) line += fmt::format(" -s {}", option.letter);
    auto const values = values_of(option);
    if (option.value == Value::word) line += " -x";
    else if (option.value == Value::file || option.value == Value::directory) line += " -r -F";
    else if (option.value != Value::none) line += " -x";
    if (!values.empty()) line += " -a " + posix_quoted(fmt::format("{}", fmt::join(values, " ")));
    return line + " -d " + posix_quoted(option.help) + '\n';
}

std::string fish_script() {
    auto const commands = command_names();
    auto const none = "not __fish_seen_subcommand_from " + commands;
    std::string script =
        "# fish completion for rocmtune, made by 'rocmtune completion fish'\ncomplete -c rocmtune "
        "-f\n";
    script +=
        fmt::format("complete -c rocmtune -n {} -l version -d 'version'\n", posix_quoted(none));
    script += "complete -c rocmtune -s h -l help -d 'help'\n";
    for (auto const& command : all_commands())
        script += fmt::format("complete -c rocmtune -n {} -a {} -d {}\n", posix_quoted(none),
                              command.name, posix_quoted(command.about));
    for (auto const* option : options_of("")) script += fish_line(none, *option);
    for (auto const& command : all_commands()) {
        auto const seen = fmt::format("__fish_seen_subcommand_from {}", command.name);
        for (auto const* option : options_of(command.name)) script += fish_line(seen, *option);
        if (!command.positional.choices.empty())
            script +=
                fmt::format("complete -c rocmtune -n {} -a {}\n", posix_quoted(seen),
                            posix_quoted(fmt::format(
                                "{}", fmt::join(choices_of(command.positional.choices), " "))));
    }
    return script;
}

std::string completion_script(std::string_view shell) {
    if (shell == "bash") return bash_script();
    return shell == "zsh" ? zsh_script() : fish_script();
}

}  // namespace

Exit run_completion(Arguments const& arguments) {
    write_text(output_of(arguments), completion_script(arguments.positionals.front()));
    return Exit::ok;
}

}  // namespace rocmtune
