// SPDX-License-Identifier: MIT
// Assignments in shell scripts: sh, bash, zsh, fish and csh as far as they say the same.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "settings/shell_reader.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// "${NAME}"
std::string source_of(WordPart const& variable) {
    return "${" + variable.text + (variable.fallback ? ":-" + *variable.fallback : "") + '}';
}

/// Compilers and installers: a text that runs one of them may set what builds read.
bool is_build_tool(string_view command) {
    return is_one_of(command, {"cmake", "make", "ninja", "hipcc", "amdclang", "amdclang++", "pip",
                               "pip3", "uv", "meson", "bazel", "cargo"});
}

/// What compilers and their tools read: who sets it builds something.
bool prepares_build(Assignment const& one) {
    return one.name.starts_with("CMAKE_") ||
           is_one_of(one.name, {"CC", "CXX", "CFLAGS", "CXXFLAGS", "CPATH", "LIBRARY_PATH",
                                "FORCE_CMAKE", "FORCE_CUDA"});
}

/// Whether the text starts ranks, or asks the launcher's own variables who each of them is.
bool speaks_of_ranks(string_view text) {
    constexpr std::array<string_view, 3> commands{"srun", "mpirun", "mpiexec"};
    constexpr std::array<string_view, 3> prefixes{"SLURM_", "PMI_", "OMPI_COMM_WORLD_"};
    auto const has_name = [&](string_view prefix) {
        for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix, at + 1))
            if (at == 0 || !is_name_character(text[at - 1])) return true;
        return false;
    };
    return std::ranges::any_of(commands, [&](auto word) { return has_word(text, word); }) ||
           std::ranges::any_of(prefixes, has_name);
}

/// RANK=$1: who each rank is comes from elsewhere.
bool passes_rank_on(Assignment const& one) {
    return is_one_of(one.name, {"RANK", "WORLD_SIZE"}) && !one.value && !one.unset;
}

}  // namespace

std::string const* ShellReader::value_of(std::string const& name) const {
    auto const known = names_.find(name);
    return known == names_.end() || !known->second.value ? nullptr : &*known->second.value;
}

std::optional<string_view> ShellReader::repeated(std::string const& name) {
    auto const* value = value_of(name);
    if (value == nullptr || value->size() > assignments_.repeatable_bytes) return std::nullopt;
    assignments_.repeatable_bytes -= value->size();
    return *value;
}

ValueParts ShellReader::expand(ShellToken const& word, std::size_t skipped) {
    bool const has_name = word.parts.front().kind == WordPart::Kind::literal &&
                          word.parts.front().text.size() == skipped;
    bool const is_alone = word.parts.size() == (has_name ? 2u : 1u);
    ValueParts value;
    for (auto const& part : word.parts) {
        if (part.kind == WordPart::Kind::literal) {
            value.add(string_view(part.text).substr(std::min(skipped, part.text.size())));
        } else if (part.kind == WordPart::Kind::variable) {
            if (auto const known = repeated(part.text)) value.add(*known);
            // ${NAME:-} beside other text is there for the case that NAME is set.
            else if (part.fallback && value_of(part.text) == nullptr &&
                     (!part.fallback->empty() || is_alone))
                value.add(*part.fallback);
            else value.add_unknown(source_of(part));
        } else {
            value.add_unknown({});
        }
        skipped = 0;
    }
    return value;
}

/// -e NAME="$NAME", NAME=$NAME: the value that the variable has already.
bool ShellReader::passes_on(ShellToken const& word, string_view name) {
    return word.parts.size() == 2 && word.parts[0].text.size() == name.size() + 1 &&
           word.parts[1].kind == WordPart::Kind::variable && !word.parts[1].fallback &&
           word.parts[1].text == name;
}

bool ShellReader::has_fallback(ShellToken const& word) const {
    return std::ranges::any_of(word.parts,
                               [](auto const& part) { return part.fallback.has_value(); });
}

Assignment& ShellReader::add(ShellToken const& at, string_view name,
                             std::optional<std::string> value) {
    auto& assignment = assignments_.add(name, std::move(value), at.line, at.column);
    assignment.conditional = !blocks_.empty() || after_condition_;
    assignment.in_branch = after_condition_ || blocks_.has_branch();
    assignment.for_gpus = blocks_.gpus();
    assignment.exported = exports_all_;
    return assignment;
}

Assignment* ShellReader::assign(ShellToken const& word, bool quoted_too) {
    auto const& first = word.parts.front();
    if (first.kind != WordPart::Kind::literal) return nullptr;
    auto const equals = first.text.find('=');
    if (equals == std::string::npos || (!quoted_too && equals >= word.bare)) return nullptr;
    bool const appends = equals > 0 && first.text[equals - 1] == '+';
    auto const name = first.text.substr(0, equals - (appends ? 1 : 0));
    if (!is_variable_name(name)) return nullptr;
    auto parts = appends ? ValueParts() : expand(word, equals + 1);
    auto value = appends ? std::nullopt : parts.whole();
    if (learns_) names_[name].value = value;
    // It stands where the variable was set, and is said of that.
    if (passes_on(word, name)) value.reset();
    auto& assignment = add(word, name, std::move(value));
    if (!assignment.value) assignment.parts = parts.take();
    assignment.conditional = assignment.conditional || has_fallback(word);
    return &assignment;
}

void ShellReader::remove(ShellToken const& at, string_view name) {
    if (!is_variable_name(name)) return;
    auto& assignment = add(at, name, std::nullopt);
    assignment.unset = true;
    assignment.exported = true;
    names_[std::string(name)].value.reset();
}

std::vector<Assignment> ShellReader::read() {
    std::vector<ShellToken> words;
    bool skips_word = false;
    bool redirects = false;  // the word that follows is a file
    for (auto token = lexer_.next();; token = lexer_.next()) {
        if (token.kind == ShellToken::Kind::word) {
            // What a redirection goes to is no word of the command.
            if (!skips_word) words.push_back(std::move(token));
            else if (redirects) texts_.writes(file_name(token));
            skips_word = false;
            continue;
        }
        auto const& what = token.operation;
        skips_word = is_one_of(what, {"<", ">", ">>", ">|", "<>", "&>", "&>>", ">&", "<&", "<<<"});
        redirects = is_one_of(what, {">", ">>", ">|"});
        bool const stays = skips_word || what == "<<" || what == "<<-";
        if (stays && token.kind == ShellToken::Kind::operation) continue;
        command(words);
        words.clear();
        if (token.kind == ShellToken::Kind::end || what != "|") texts_.end_pipe();
        if (token.kind == ShellToken::Kind::end) break;
        operation(what);
        if (what == "\n") texts_.end_line(lexer_.take_body());
    }
    finish();
    assignments_.add_part(texts_.take(), assignments_.scope);
    return assignments_.take();
}

void ShellReader::operation(string_view what) {
    after_condition_ = what == "&&" || what == "||";
    blocks_.operation(what);
}

/// Takes the words off that only structure the script.
ShellWords ShellReader::keywords(ShellWords words) {
    while (!words.empty()) {
        auto const word = words.front().plain();
        if (word == "function") return {};
        bool const is_keyword = is_one_of(
            word, {"if",   "while", "until", "for",   "select", "foreach", "case", "switch",
                   "{",    "}",     "fi",    "endif", "done",   "esac",    "end",  "then",
                   "elif", "else",  "do",    "!",     "time",   "begin"});
        if (!is_keyword) break;
        blocks_.keyword(word);
        // What follows on the line is no command.
        bool const has_operands = is_one_of(word, {"for", "select", "foreach", "case", "switch"});
        if (has_operands || word == "!") blocks_.words(words);
        if (has_operands) return {};
        words = words.subspan(1);
    }
    blocks_.words(words);
    return words;
}

void ShellReader::command(ShellWords words) {
    words = keywords(words);
    texts_.command(words);
    // Commands that run another one: each round takes one of them off.
    while (!words.empty()) {
        std::vector<std::size_t> leading;
        while (!words.empty() && assign(words.front(), false) != nullptr) {
            leading.push_back(assignments_.all.size() - 1);
            words = words.subspan(1);
        }
        if (words.empty()) return;
        for (auto const index : leading) {
            assignments_.all[index].one_command = true;
            assignments_.all[index].exported = true;
        }
        auto const whole = words.front().literal().value_or("");
        auto const name = whole.substr(whole.rfind('/') + 1);
        // A line of an array that docker run gets: ARGS=(-e A=1).
        if (name.starts_with('-') && blocks_.is_in('(')) return array(words);
        if (names_container_tool(words.front())) return container(words.subspan(1));
        words = words.subspan(1);
        if (name == "env") {
            words = env(words);
        } else if (is_one_of(name, {"sudo", "exec", "command", "nohup", "nice", "time"})) {
            while (!words.empty() && words.front().plain().starts_with('-'))
                words = words.subspan(1);
        } else {
            return run(name, words);
        }
    }
}

void ShellReader::run(string_view name, ShellWords words) {
    builds_ = builds_ || is_build_tool(name);
    if (name.starts_with("python"))
        for (auto const& word : words)
            builds_ = builds_ || is_one_of(word.plain(), {"setup.py", "pip", "build"});
    if (name == "export") export_names(words);
    else if (is_one_of(name, {"declare", "typeset", "local", "readonly"})) declare(words);
    else if (is_one_of(name, {"unset", "unsetenv"})) unset(words);
    else if (name == "set") set(words);
    else if (name == "setenv") setenv(words);
    else if (name == "echo")
        texts_.prints(!words.empty() && is_one_of(words.front().plain(), {"-e", "-ne", "-en"}),
                      words);
    else if (name == "printf") texts_.prints(true, words);
    else if (is_one_of(name, {"kubectl", "oc", "k3s"}))
        texts_.reads_manifest("manifest.yaml", words);
    // tee FILE, also $SUDO tee FILE and as_root tee FILE
    else if (!words.empty() && (name == "tee" || words.front().plain() == "tee"))
        texts_.writes(file_name(words.back()));
    else if (is_one_of(name, {"docker", "podman", "nerdctl"})) container(words);
    else if (is_one_of(name, {"mpirun", "mpiexec", "orterun"})) option_assignments(words, {"-x"});
    if (is_one_of(name, {"srun", "mpirun", "mpiexec", "orterun", "flux", "jsrun", "apptainer",
                         "timeout", "numactl", "singularity", "taskset", "stdbuf"}))
        env_within(words);
}

/// The name of a file as far as it is known: its last part tells what kind it has.
std::string ShellReader::file_name(ShellToken const& word) {
    auto parts = expand(word, 0);
    if (auto whole = parts.whole()) return *whole;
    std::string name;
    for (auto const& part : parts.take()) name += part.is_known ? part.text : "_";
    return name;
}

/// What was learned only later: exports, whether anything is built, and who starts ranks.
void ShellReader::finish() {
    bool const launches =
        !assignments_.all.empty() &&
        (speaks_of_ranks(input_.text) || std::ranges::any_of(assignments_.all, passes_rank_on));
    bool const builds = builds_ || std::ranges::any_of(assignments_.all, prepares_build);
    for (auto& assignment : assignments_.all) {
        auto const name = names_.find(assignment.name);
        assignment.exported |= name != names_.end() && name->second.exported;
        // What an image is built with is not what a container of it gets.
        assignment.builds = builds || (builds_images_ && !assignment.is_option);
        assignment.launches = launches;
    }
}

std::vector<Assignment> read_shell(InputText const& input) {
    return ShellReader(input).read();
}

}  // namespace rocmtune
