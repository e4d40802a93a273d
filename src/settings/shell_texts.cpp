// SPDX-License-Identifier: MIT
#include "settings/shell_texts.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/text.hpp"

namespace rocmtune {
namespace {

using std::string_view;

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

}  // namespace

/// echo 'export A=1': what stands in one pair of quotes, or in none at all.
void ShellTexts::prints(bool has_escapes, ShellWords words) {
    while (!words.empty() && words.front().plain().starts_with('-')) words = words.subspan(1);
    if (words.empty() || input_.is_written_by_script) return;
    printed_ = {words.front().begin, words.back().end, words.front().line, words.front().column,
                has_escapes};
}

/// echo 'export A=1' >> ~/.bashrc, echo A=1 | sudo tee -a /etc/environment
void ShellTexts::end_pipe() {
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
    add(text, *kind, printed->line, printed->column - 1 + (is_quoted ? 1 : 0), is_expanded);
}

/// kubectl apply -f - <<EOF
void ShellTexts::reads_manifest(string_view name, ShellWords words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (is_one_of(words[i].plain(), {"-f", "--file", "--filename"}) &&
            words[i + 1].plain() == "-")
            target_ = name;
}

/// cat > train.sh <<EOF: the here-document is a text of its own.
void ShellTexts::end_line(std::optional<ShellLexer::Body> const& body) {
    auto const target = std::exchange(target_, {});
    if (!body || target.empty() || input_.is_written_by_script) return;
    auto kind = kind_of(target, body->text);
    if (!kind && has_no_ending(target) && exports_something(body->text)) kind = InputKind::shell;
    if (!kind || !is_one_of_kinds(*kind, {InputKind::shell, InputKind::slurm, InputKind::dotenv,
                                          InputKind::systemd, InputKind::python,
                                          InputKind::kubernetes, InputKind::compose}))
        return;
    auto const text = body->is_expanded ? without_escapes(body->text) : std::string(body->text);
    add(text, *kind, body->first_line, 0, body->is_expanded);
}

/// A text with an environment of its own. `column` of its first byte in the first line, from 0.
/// `is_expanded`: this shell puts something in the place of $NAME, in whatever quotes it stands.
void ShellTexts::add(string_view text, InputKind kind, std::size_t first_line, std::size_t column,
                     bool is_expanded) {
    auto last_scope = new_scope();
    auto part = assignments_.part(text, last_scope, first_line);
    part.kind = kind;
    part.is_written_by_script = true;
    for (auto& one : read_if_whole(part)) {
        last_scope = std::max(last_scope, one.scope);
        if (one.line == first_line) one.column += column;
        if (kind == InputKind::shell) one.kind = input_.kind;
        if (is_expanded && one.value && one.value->find('$') != std::string::npos)
            one.value.reset();
        found_.push_back(std::move(one));
    }
    other_scopes_ = last_scope - assignments_.scope;
}

/// A word in quotes, behind its first `skipped` bytes, is a script with an environment of its own.
void ShellTexts::script_in(ShellToken const& word, std::size_t skipped) {
    auto const raw = input_.text.substr(word.begin + skipped, word.end - word.begin - skipped);
    if (!is_one_quoted_text(raw)) return;
    auto const inside = raw.substr(1, raw.size() - 2);
    bool const is_expanded = raw.front() == '"';
    auto const text = is_expanded ? without_escapes(inside) : std::string(inside);
    add(text, InputKind::shell, word.line, word.column + skipped, is_expanded);
}

/// bash -c "...", wherever it stands in the words: docker run IMAGE bash -c, srun sh -c. Also
/// ssh HOST "..." and alias NAME='...'.
void ShellTexts::command(ShellWords words) {
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

}  // namespace rocmtune
