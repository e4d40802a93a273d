// SPDX-License-Identifier: MIT
// Assignments in shell scripts: sh, bash, zsh, fish and csh as far as they say the same.
#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "settings/collect.hpp"
#include "settings/shell_lexer.hpp"
#include "settings/value_parts.hpp"

namespace rocmtune {
namespace {

using std::string_view;
using Words = std::span<ShellToken const>;

/// What a shell leaves of a text in double quotes or of a here-document: \$ is a dollar sign. What
/// it would put in place of $NAME is not known, and stays.
std::string without_escapes(string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const escapes = text[i] == '\\' && i + 1 < text.size() &&
                             string_view("$`\"\\").find(text[i + 1]) != string_view::npos;
        if (escapes) ++i;
        plain += text[i];
    }
    return plain;
}

/// "..." or '...', and not several of them in a row.
bool is_one_quoted_text(string_view word) {
    auto const quote = word.empty() ? '\0' : word.front();
    if (word.size() < 3 || word.back() != quote || (quote != '"' && quote != '\'')) return false;
    for (std::size_t i = 1; i + 1 < word.size(); ++i) {
        if (quote == '"' && word[i] == '\\') ++i;
        else if (word[i] == quote) return false;
    }
    return true;
}

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
           is_one_of(one.name, {"CC", "CXX", "CFLAGS", "CXXFLAGS", "CPATH", "LIBRARY_PATH"});
}

bool is_one_of_kinds(InputKind kind, std::initializer_list<InputKind> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
}

/// A=$A in a text that the outer shell writes: what is set already, and judged there.
bool passes_itself_on(string_view text) {
    text = trim(text);
    if (text.starts_with("export ")) text = trim(text.substr(text.find(' ')));
    auto const parts = split_once(text, '=');
    if (!parts) return false;
    auto const name = std::string(parts->first);
    auto value = parts->second;
    if (is_one_quoted_text(value)) value = value.substr(1, value.size() - 2);
    return value == '$' + name || value == "${" + name + '}';
}

/// ~/.gpu_env
bool has_no_ending(string_view path) {
    auto const name = path.substr(path.rfind('/') + 1);
    return name.find('.', 1) == name.npos;
}

bool exports_something(string_view text) {
    return text.starts_with("export ") || text.find("\nexport ") != text.npos;
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

class ShellReader {
  public:
    explicit ShellReader(InputText const& input)
        : input_(input), lexer_(input.text, input.first_line), assignments_(input) {}

    std::vector<Assignment> read();

  private:
    /// What was learnt of a variable so far.
    struct Name {
        std::optional<std::string> value = {};
        bool exported = false;
    };

    /// The value of a word behind its first `skipped` bytes, which are literal.
    ValueParts expand(ShellToken const& word, std::size_t skipped);
    /// The literal value of a variable so far, or null.
    std::string const* value_of(std::string const& name) const;
    /// The same, as long as the text may repeat so much.
    std::optional<string_view> repeated(std::string const& name);
    bool has_fallback(ShellToken const& word) const;
    static bool passes_on(ShellToken const& word, string_view name);

    void operation(string_view what);
    void command(Words words);
    Words keywords(Words words);
    void open(char what) {
        blocks_ += what;
        if (is_branch(what)) ++branches_;
    }
    static bool is_branch(char block) { return block == 'i' || block == 'c'; }
    void close(string_view what);

    /// The assignment that a word NAME=VALUE makes; null if it is none.
    Assignment* assign(ShellToken const& word, bool quoted_too);
    Assignment& add(ShellToken const& at, string_view name, std::optional<std::string> value);
    void remove(ShellToken const& at, string_view name);

    void run(string_view name, Words words);
    void export_names(Words words);
    void declare(Words words);
    Words env(Words words);
    void set(Words words);
    void setenv(Words words);
    void container(Words words);
    bool names_container_tool(ShellToken const& word) const;
    void array(Words words);
    void option_assignments(Words words, std::initializer_list<string_view> options);
    void unset(Words words);
    std::string file_name(ShellToken const& word);
    void writes(std::string target) {
        target_ = target;
        printed_to_ = std::move(target);
    }
    void print(bool has_escapes, Words words);
    void printed_file();
    void manifest(string_view name, Words words);
    void written_file();
    void inner_script(Words words);
    void script_in(ShellToken const& word, std::size_t skipped);
    void add_text_within(string_view text, InputKind kind, std::size_t first_line,
                         std::size_t column, bool is_expanded);
    void finish();

    InputText const& input_;
    ShellLexer lexer_;
    AssignmentList assignments_;
    std::unordered_map<std::string, Name> names_ = {};
    std::string blocks_ = {};       // one letter for each open block
    std::size_t branches_ = 0;      // of them, those of if and case
    bool after_condition_ = false;  // behind && or ||
    bool exports_all_ = false;      // set -a
    bool builds_ = false;
    bool builds_images_ = false;
    bool learns_ = true;  // false where another environment is meant than that of the script
    std::size_t other_scopes_ = 0;
    std::string target_ = {};  // the file that the line writes
    /// What a command of this pipe prints: its place in the text.
    struct Printed {
        std::size_t begin = 0, end = 0, line = 0, column = 0;
        bool has_escapes = false;  // printf, echo -e
    };
    std::optional<Printed> printed_ = {};
    std::string printed_to_ = {};           // the file that this pipe writes
    std::vector<Assignment> written_ = {};  // settings in such files
};

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
    assignment.in_branch = after_condition_ || branches_ > 0;
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
            else if (redirects) writes(file_name(token));
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
        if (token.kind == ShellToken::Kind::end || what != "|") printed_file();
        if (token.kind == ShellToken::Kind::end) break;
        operation(what);
        if (what == "\n") written_file();
    }
    finish();
    assignments_.add_part(std::move(written_), assignments_.scope);
    return assignments_.take();
}

void ShellReader::operation(string_view what) {
    after_condition_ = what == "&&" || what == "||";
    if (what == "(") open('(');
    if (what == ")") close("(");
}

void ShellReader::close(string_view what) {
    if (blocks_.empty() || what.find(blocks_.back()) == string_view::npos) return;
    if (is_branch(blocks_.back())) --branches_;
    blocks_.pop_back();
}

/// Takes the words off that only structure the script.
Words ShellReader::keywords(Words words) {
    while (!words.empty()) {
        auto const word = words.front().plain();
        if (is_one_of(word, {"if", "while", "until"})) open(word == "if" ? 'i' : 'd');
        else if (is_one_of(word, {"for", "select", "foreach"})) return open('d'), Words{};
        else if (is_one_of(word, {"case", "switch"})) return open('c'), Words{};
        else if (word == "function") return Words{};
        else if (word == "{") open('{');
        else if (word == "}") close("{");
        else if (word == "fi" || word == "endif") close("i");
        else if (word == "done") close("d");
        else if (word == "esac") close("c");
        else if (word == "end") close("dic");
        else if (!is_one_of(word, {"then", "elif", "else", "do", "!", "time", "begin"})) break;
        words = words.subspan(1);
    }
    return words;
}

void ShellReader::command(Words words) {
    words = keywords(words);
    inner_script(words);
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
        if (name.starts_with('-') && blocks_.ends_with('(')) return array(words);
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

void ShellReader::run(string_view name, Words words) {
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
        print(!words.empty() && is_one_of(words.front().plain(), {"-e", "-ne", "-en"}), words);
    else if (name == "printf") print(true, words);
    else if (is_one_of(name, {"kubectl", "oc", "k3s"})) manifest("manifest.yaml", words);
    else if (name == "tee" && !words.empty()) writes(file_name(words.back()));
    // $SUDO tee FILE, as_root tee FILE
    else if (words.size() > 1 && words.front().plain() == "tee") writes(file_name(words.back()));
    else if (is_one_of(name, {"docker", "podman", "nerdctl"})) container(words);
    else if (is_one_of(name, {"mpirun", "mpiexec", "orterun"})) option_assignments(words, {"-x"});
}

void ShellReader::export_names(Words words) {
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

void ShellReader::declare(Words words) {
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

/// @returns the command that env runs.
Words ShellReader::env(Words words) {
    auto const first = assignments_.all.size();
    while (!words.empty()) {
        auto const word = words.front().plain();
        bool const has_argument = is_one_of(word, {"-u", "--unset", "-C", "--chdir"});
        if (word.starts_with('-')) {
            words = words.subspan(std::min<std::size_t>(has_argument ? 2 : 1, words.size()));
        } else if (assign(words.front(), true) != nullptr) {
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
void ShellReader::set(Words words) {
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

void ShellReader::setenv(Words words) {
    if (words.empty() || words.size() > 2) return;
    auto const name = words.front().plain();
    if (!is_variable_name(name)) return;
    auto value = words.size() == 2 ? expand(words[1], 0).whole() : std::optional(std::string());
    if (value) names_[std::string(name)].value = *value;
    add(words.front(), name, std::move(value)).exported = true;
}

/// A line of an array: its parentheses are those of no subshell.
void ShellReader::array(Words words) {
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
    constexpr std::array<string_view, 3> tools{"docker", "podman", "nerdctl"};
    return std::ranges::any_of(tools, [&](auto name) { return tool.find(name) != tool.npos; });
}

/// docker run -e NAME=VALUE: an environment of its own.
void ShellReader::container(Words words) {
    if (words.empty()) return;
    if (words.front().plain() == "build") builds_images_ = true;
    if (words.front().plain() == "compose") manifest("compose.yaml", words);
    if (is_one_of(words.front().plain(), {"run", "exec", "create"}))
        option_assignments(words.subspan(1), {"-e", "--env"});
}

void ShellReader::option_assignments(Words words, std::initializer_list<string_view> options) {
    auto const scope = assignments_.scope + ++other_scopes_;
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
            learns_ = false;
            if (auto* assignment = assign(word, true)) {
                assignment->exported = true;
                assignment->is_option = true;
                assignment->scope = scope;
                // -e A=\$B: some other shell puts something there.
                if (assignment->value && assignment->value->find('$') != std::string::npos)
                    assignment->value.reset();
            }
            learns_ = true;
            break;
        }
    }
}

void ShellReader::unset(Words words) {
    for (auto const& word : words)
        if (!word.plain().starts_with('-')) remove(word, word.plain());
}

/// The name of a file as far as it is known: its last part tells what kind it has.
std::string ShellReader::file_name(ShellToken const& word) {
    auto parts = expand(word, 0);
    if (auto whole = parts.whole()) return *whole;
    std::string name;
    for (auto const& part : parts.take()) name += part.is_known ? part.text : "_";
    return name;
}

/// echo 'export A=1': what stands in one pair of quotes, or in none at all.
void ShellReader::print(bool has_escapes, Words words) {
    while (!words.empty() && words.front().plain().starts_with('-')) words = words.subspan(1);
    if (words.empty() || input_.is_written_by_script) return;
    printed_ = {words.front().begin, words.back().end, words.front().line, words.front().column,
                has_escapes};
}

/// echo 'export A=1' >> ~/.bashrc, echo A=1 | sudo tee -a /etc/environment
void ShellReader::printed_file() {
    auto const printed = std::exchange(printed_, std::nullopt);
    auto const target = std::exchange(printed_to_, {});
    if (!printed || target.empty()) return;
    auto raw = input_.text.substr(printed->begin, printed->end - printed->begin);
    bool const is_quoted = is_one_quoted_text(raw);
    if (!is_quoted && raw.find_first_of("\"'\\\n") != raw.npos) return;  // several texts
    bool const is_expanded = !is_quoted || raw.front() == '"';
    if (is_quoted) raw = raw.substr(1, raw.size() - 2);
    if (printed->has_escapes && raw.ends_with("\\n")) raw.remove_suffix(2);
    auto text = is_expanded ? without_escapes(raw) : std::string(raw);
    if (is_expanded && passes_itself_on(text)) return;
    auto const kind = kind_of(target, text);
    if (!kind || !is_one_of_kinds(*kind, {InputKind::shell, InputKind::dotenv})) return;
    // Lines that are printed by one word stand in one line here.
    for (auto at = text.find("\\n"); printed->has_escapes && at != text.npos;
         at = text.find("\\n", at))
        if (*kind == InputKind::shell) text.replace(at, 2, "; ");
        else return;
    add_text_within(text, *kind, printed->line, printed->column - 1 + (is_quoted ? 1 : 0),
                    is_expanded);
}

/// kubectl apply -f - <<EOF
void ShellReader::manifest(string_view name, Words words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (is_one_of(words[i].plain(), {"-f", "--file", "--filename"}) &&
            words[i + 1].plain() == "-")
            target_ = name;
}

/// cat > train.sh <<EOF: the here-document is a text of its own.
void ShellReader::written_file() {
    auto const target = std::exchange(target_, {});
    auto const body = lexer_.take_body();
    if (!body || target.empty() || input_.is_written_by_script) return;
    auto kind = kind_of(target, body->text);
    if (!kind && has_no_ending(target) && exports_something(body->text)) kind = InputKind::shell;
    if (!kind || !is_one_of_kinds(*kind, {InputKind::shell, InputKind::slurm, InputKind::dotenv,
                                          InputKind::systemd, InputKind::python,
                                          InputKind::kubernetes, InputKind::compose}))
        return;
    auto const text = body->is_expanded ? without_escapes(body->text) : std::string(body->text);
    add_text_within(text, *kind, body->first_line, 0, body->is_expanded);
}

/// A text with an environment of its own. `column` of its first byte in the first line, from 0.
/// `is_expanded`: this shell puts something in the place of $NAME, in whatever quotes it stands.
void ShellReader::add_text_within(string_view text, InputKind kind, std::size_t first_line,
                                  std::size_t column, bool is_expanded) {
    auto last_scope = assignments_.scope + ++other_scopes_;
    std::vector<Assignment> found;
    try {
        found = read_assignments({.text = text,
                                  .file = input_.file,
                                  .kind = kind,
                                  .first_line = first_line,
                                  .first_scope = last_scope,
                                  .repeatable_bytes = assignments_.repeatable_bytes,
                                  .is_written_by_script = true});
    } catch (Error const&) {
        return;  // YAML that is none before the shell has filled it in
    }
    for (auto& one : found) {
        last_scope = std::max(last_scope, one.scope);
        if (one.line == first_line) one.column += column;
        if (kind == InputKind::shell) one.kind = input_.kind;
        if (is_expanded && one.value && one.value->find('$') != std::string::npos)
            one.value.reset();
        written_.push_back(std::move(one));
    }
    other_scopes_ = last_scope - assignments_.scope;
}

/// A word in quotes, behind its first `skipped` bytes, is a script with an environment of its own.
void ShellReader::script_in(ShellToken const& word, std::size_t skipped) {
    auto const raw = input_.text.substr(word.begin + skipped, word.end - word.begin - skipped);
    if (!is_one_quoted_text(raw)) return;
    auto const inside = raw.substr(1, raw.size() - 2);
    bool const is_expanded = raw.front() == '"';
    auto const text = is_expanded ? without_escapes(inside) : std::string(inside);
    add_text_within(text, InputKind::shell, word.line, word.column + skipped, is_expanded);
}

/// bash -c "...", wherever it stands in the words: docker run IMAGE bash -c, srun sh -c. Also
/// ssh HOST "..." and alias NAME='...'.
void ShellReader::inner_script(Words words) {
    if (input_.is_written_by_script || words.size() < 2) return;
    auto const command = words.front().plain();
    if (command == "ssh" && words.size() > 2) return script_in(words.back(), 0);
    if (command == "alias") {
        for (auto const& word : words.subspan(1))
            if (auto const equals = word.parts[0].text.find('='); equals < word.bare)
                script_in(word, equals + 1);
        return;
    }
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        auto const flag = words[i + 1].plain();
        if (!flag.starts_with('-') || flag.starts_with("--") || flag.find('c') == flag.npos)
            continue;
        auto const whole = words[i].literal().value_or("");
        if (is_one_of(string_view(whole).substr(whole.rfind('/') + 1), {"bash", "sh", "zsh"}))
            return script_in(words[i + 2], 0);
    }
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

}  // namespace

std::vector<Assignment> read_shell(InputText const& input) {
    return ShellReader(input).read();
}

}  // namespace rocmtune
