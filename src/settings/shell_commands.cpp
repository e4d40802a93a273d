// SPDX-License-Identifier: MIT
// What the commands of shells and container tools do with variables.
#include <algorithm>

#include "base/text.hpp"
#include "settings/shell_reader.hpp"

namespace rocmtune {

using std::string_view;

void ShellReader::export_names(ShellWords words) {
    bool removes = false;
    for (auto const& word : words) {
        if (word.plain().starts_with('-')) {
            removes = removes || word.plain().find('n') != string_view::npos;
        } else if (auto* assignment = assign(word, true)) {
            assignment->exported = !removes;
            if (!removes) names_[assignment->name].exported = true;
        } else if (auto const name = word.literal(); name && !removes) {
            names_[*name].exported = true;
        }
    }
}

void ShellReader::declare(ShellWords words) {
    bool exports = false;
    for (auto const& word : words) {
        if (word.plain().starts_with('-')) {
            exports = exports || word.plain().find('x') != string_view::npos;
        } else if (auto* assignment = assign(word, true); assignment != nullptr && exports) {
            assignment->exported = true;
            names_[assignment->name].exported = true;
        }
    }
}

/// ${A:+B=1}, $(cat .env): what stands between the assignments of env and may be several of them.
bool ShellReader::expands_to_more(ShellWords words) {
    auto const is_expansion = [](ShellToken const& word) {
        return word.parts.size() == 1 && word.parts[0].kind != WordPart::Kind::literal;
    };
    constexpr std::size_t farthest = 16;
    auto const near = words.first(std::min(words.size(), farthest));
    auto const next = std::ranges::find_if_not(near, is_expansion);
    if (next == near.begin() || next == near.end()) return false;
    auto const& text = next->parts[0].text;
    return is_variable_name(string_view(text).substr(0, text.find('='))) &&
           text.find('=') != text.npos;
}

/// srun env A=1 COMMAND, docker exec CONTAINER env A=1 COMMAND.
void ShellReader::env_within(ShellWords words) {
    auto const is_env = [](ShellToken const& word) {
        return is_one_of(word.plain(), {"env", "/usr/bin/env"});
    };
    auto const found = std::ranges::find_if(words, is_env);
    if (found == words.end()) return;
    auto const first = assignments_.all.size();
    learns_ = false;
    env({found + 1, words.end()});
    learns_ = true;
    auto const scope = texts_.new_scope();
    for (auto i = first; i < assignments_.all.size(); ++i) {
        assignments_.all[i].scope = scope;
        assignments_.all[i].is_option = true;
    }
}

/// @returns the command that env runs.
ShellWords ShellReader::env(ShellWords words) {
    auto const first = assignments_.all.size();
    while (!words.empty()) {
        auto const word = words.front().plain();
        bool const has_argument = is_one_of(word, {"-u", "--unset", "-C", "--chdir"});
        if (word.starts_with('-')) {
            words = words.subspan(std::min<std::size_t>(has_argument ? 2 : 1, words.size()));
        } else if (assign(words.front(), true) != nullptr || expands_to_more(words)) {
            words = words.subspan(1);
        } else {
            break;
        }
    }
    // Without a command env only prints.
    if (words.empty()) assignments_.all.resize(first);
    for (auto i = first; i < assignments_.all.size(); ++i) {
        assignments_.all[i].one_command = true;
        assignments_.all[i].exported = true;
    }
    return words;
}

/// set -a of sh; set -gx NAME VALUE and set -e NAME of fish.
void ShellReader::set(ShellWords words) {
    std::string flags;
    while (!words.empty() &&
           (words.front().plain().starts_with('-') || words.front().plain().starts_with('+'))) {
        auto const word = words.front().plain();
        if (word.starts_with("--"))
            flags += word == "--export" ? "x" : word == "--erase" ? "e" : "";
        else if (word.front() == '+') exports_all_ = exports_all_ && word.find('a') == word.npos;
        else flags += word.substr(1);
        words = words.subspan(1);
    }
    if (words.empty()) {
        exports_all_ = exports_all_ || flags.find('a') != flags.npos;
        return;
    }
    auto const name = words.front().plain();
    if (flags.find('o') != flags.npos) {
        exports_all_ = exports_all_ || name == "allexport";
        return;
    }
    if (flags.find('e') != flags.npos && words.size() == 1) return remove(words.front(), name);
    if (flags.find('x') != flags.npos && words.size() == 2) setenv(words);
}

void ShellReader::setenv(ShellWords words) {
    if (words.empty() || words.size() > 2) return;
    auto const name = words.front().plain();
    if (!is_variable_name(name)) return;
    auto value = words.size() == 2 ? expand(words[1], 0).whole() : std::optional(std::string());
    if (value) names_[std::string(name)].value = *value;
    add(words.front(), name, std::move(value)).exported = true;
}

/// A line of an array: its parentheses are those of no subshell.
void ShellReader::array(ShellWords words) {
    auto const first = assignments_.all.size();
    option_assignments(words, {"-e", "--env"});
    for (auto i = first; i < assignments_.all.size(); ++i)
        assignments_.all[i].conditional = blocks_.size() > 1;
}

/// $DOCKER_CMD: by what the variable holds, or else by what it is called.
bool ShellReader::names_container_tool(ShellToken const& word) const {
    if (word.parts.size() != 1 || word.parts[0].kind != WordPart::Kind::variable) return false;
    auto const& part = word.parts[0];
    auto const* value = value_of(part.text);
    auto const tool = lower(value != nullptr ? *value : part.fallback.value_or(part.text));
    return has_one_of(tool, {"docker", "podman", "nerdctl"});
}

/// docker run -e NAME=VALUE: an environment of its own.
void ShellReader::container(ShellWords words) {
    if (words.empty()) return;
    if (words.front().plain() == "build") builds_images_ = true;
    if (words.front().plain() == "compose") texts_.reads_manifest("compose.yaml", words);
    if (!is_one_of(words.front().plain(), {"run", "exec", "create"})) return;
    option_assignments(words.subspan(1), {"-e", "--env"});
    env_within(words);
}

void ShellReader::option_assignments(ShellWords words, std::initializer_list<string_view> options) {
    auto const scope = texts_.new_scope();
    learns_ = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto word = words[i];
        for (auto const option : options) {
            auto const prefix = std::string(option) + '=';
            bool const joined = word.parts[0].text.starts_with(prefix);
            if (word.plain() == option && i + 1 < words.size()) {
                word = words[i + 1];
            } else if (joined) {
                word.parts[0].text.erase(0, prefix.size());
                word.column += prefix.size();
            } else {
                continue;
            }
            if (auto* assignment = assign(word, true)) {
                assignment->exported = true;
                assignment->is_option = true;
                assignment->scope = scope;
                // -e A=\$B: some other shell puts something there.
                if (assignment->value && assignment->value->find('$') != std::string::npos)
                    assignment->value.reset();
            }
            break;
        }
    }
    learns_ = true;
}

void ShellReader::unset(ShellWords words) {
    for (auto const& word : words)
        if (!word.plain().starts_with('-')) remove(word, word.plain());
}

}  // namespace rocmtune
