// SPDX-License-Identifier: MIT
// Edits of scripts: of files, of code blocks, of RUN, of the literal blocks of YAML.
#include <algorithm>
#include <span>
#include <vector>

#include "base/text.hpp"
#include "settings/repair_parts.hpp"
#include "settings/shell_lexer.hpp"

namespace rocmtune {
namespace {

using std::string_view;
using Words = std::span<ShellToken const>;

/// One statement; the operators are empty at the ends of the text.
struct Statement {
    std::vector<ShellToken> words = {};
    string_view before = {}, behind = {};
    ShellToken next = {};          ///< the token behind the operator
    bool follows_keyword = false;  ///< then, do, { and their like, or a prompt, stand before it
    std::size_t begin() const { return words.front().begin; }
    std::size_t end() const { return words.back().end; }
};

bool redirects(string_view operation) {
    return operation.starts_with('<') || operation.starts_with('>') || operation == "&>" ||
           operation == "&>>";
}

/// The statement with the word that holds `at`; without words if there is none.
Statement statement_at(MendedPlace const& place) {
    constexpr std::size_t longest = 64 * 1024;
    auto const begin = place.lines.begin(joined_lines(place.lines, place.at).first);
    ShellLexer lexer(place.text().substr(begin, longest), 1);
    Statement statement;
    bool is_found = false;
    for (auto token = lexer.next(); token.kind != ShellToken::Kind::end; token = lexer.next()) {
        token.begin += begin;
        token.end += begin;
        is_found = is_found || (token.begin <= place.at && place.at < token.end);
        bool const ends = token.kind == ShellToken::Kind::operation && !redirects(token.operation);
        if (!ends) {
            statement.words.push_back(std::move(token));
            continue;
        }
        if (is_found) {
            statement.behind = token.operation;
            statement.next = lexer.next();
            return statement;
        }
        statement = {.before = token.operation};
        if (token.begin > place.at) return {};
    }
    return is_found ? statement : Statement{};
}

/// Takes off what only leads to the command: keywords, RUN with its options, a prompt.
void take_leaders(MendedPlace const& place, Statement& statement) {
    auto const is_leader = [&](ShellToken const& word) {
        auto const text = word.plain();
        if (place.kind == InputKind::dockerfile && (lower(text) == "run" || text.starts_with("--")))
            return true;
        if (is_one_of(word.literal().value_or(""), {"$", "%"})) return true;
        return is_one_of(text, {"if", "while", "until", "then", "elif", "else", "do", "!", "time",
                                "begin", "{"});
    };
    while (!statement.words.empty() && is_leader(statement.words.front())) {
        statement.words.erase(statement.words.begin());
        statement.follows_keyword = true;
    }
}

bool is_assignment(ShellToken const& word) {
    if (word.kind != ShellToken::Kind::word) return false;
    auto const& first = word.parts.front();
    if (first.kind != WordPart::Kind::literal) return false;
    auto const equals = first.text.find('=');
    return equals != std::string::npos && equals < word.bare &&
           is_variable_name(string_view(first.text).substr(0, equals));
}

bool is_at(ShellToken const& word, std::size_t at) {
    return word.begin <= at && at < word.end;
}

/// What the word at the place is in its statement.
struct Role {
    enum class Kind : unsigned char {
        none,
        statement,  ///< the statement does nothing but set this
        word,       ///< one NAME=VALUE of several words
        option,     ///< NAME=VALUE behind -e
    };
    Kind kind = Kind::none;
    std::size_t index = 0;  ///< of the word
};

/// export A=1 B=2: `arguments` behind the command.
Role declared(Words words, std::size_t first, std::size_t index) {
    std::size_t others = 0;
    for (auto i = first; i < words.size(); ++i)
        if (i != index && !words[i].plain().starts_with('-')) ++others;
    return {others == 0 ? Role::Kind::statement : Role::Kind::word, index};
}

/// The first word that is no NAME=VALUE, nor a command that only runs another one.
std::size_t command_in(Words words) {
    std::size_t at = 0;
    while (at < words.size()) {
        if (is_assignment(words[at])) ++at;
        else if (is_one_of(words[at].plain(),
                           {"env", "sudo", "exec", "command", "nohup", "nice", "/usr/bin/env"}))
            do ++at;
            while (at < words.size() && words[at].plain().starts_with('-'));
        else break;
    }
    return at;
}

Role role_of(Words words, std::size_t at) {
    auto const own = std::ranges::find_if(words, [&](auto const& word) { return is_at(word, at); });
    if (own == words.end()) return {};
    auto const index = static_cast<std::size_t>(own - words.begin());
    auto const command = command_in(words);
    bool const names_itself = own->begin == at && is_assignment(*own);
    if (command == words.size()) {
        bool const is_alone = words.size() == 1 && names_itself;
        bool const all_set = std::ranges::all_of(words, is_assignment);
        if (!names_itself || !all_set) return {};
        return {is_alone ? Role::Kind::statement : Role::Kind::word, index};
    }
    if (index < command) return names_itself ? Role{Role::Kind::word, index} : Role{};
    auto const name = words[command].plain();
    if (is_one_of(name, {"export", "declare", "typeset", "local", "readonly"}))
        return names_itself ? declared(words, command + 1, index) : Role{};
    bool const is_setenv = name == "setenv" && index == command + 1 && words.size() == index + 2;
    bool const is_fish = name == "set" && index + 2 == words.size() && index > command + 1;
    if ((is_setenv || is_fish) && own->begin == at && command == 0)
        return {Role::Kind::statement, index};
    bool const is_option =
        names_itself && index > 0 && is_one_of(words[index - 1].plain(), {"-e", "--env", "-x"});
    bool const is_joined = own->plain().starts_with("--env=") && own->begin + 6 == at;
    return is_option || is_joined ? Role{Role::Kind::option, index} : Role{};
}

/// Whether a block that ends here would be empty without the line.
bool opens_block(string_view line) {
    auto const text = trim(line);
    for (string_view const word : {"then", "do", "else", "{", "(", ")", "begin", "in"})
        if (text.ends_with(word)) return true;
    return false;
}

bool joins_next(string_view line) {
    auto const text = trim(line);
    return text.ends_with("&&") || text.ends_with("||") || text.ends_with('|');
}

bool closes(ShellToken const& word) {
    return word.kind != ShellToken::Kind::word ||
           is_one_of(word.plain(),
                     {"fi", "done", "esac", "}", "else", "elif", "then", "do", "end"});
}

/// The statement is all that its lines have, beside a comment.
bool is_alone(MendedPlace const& place, Statement const& statement) {
    auto const& lines = place.lines;
    auto const before =
        place.slice(lines.begin(lines.line_of(statement.begin())), statement.begin());
    auto const last = lines.line_of(statement.end() - 1);
    auto const behind = trim(place.slice(statement.end(), lines.next(last)));
    bool const shows_prompt = trim(before) == "$" || trim(before) == "%";
    return (trim(before).empty() || shows_prompt) &&
           (behind.empty() || behind == ";" || behind.starts_with('#'));
}

Edit without_statement(MendedPlace const& place, Statement const& statement) {
    // This does nothing wherever a command may stand.
    Edit const nothing{.begin = statement.begin(), .end = statement.end(), .text = ":"};
    auto const above = place.lines.filled_above(place.lines.line_of(statement.begin()));
    auto const line_above = above > 0 ? place.lines.line(above) : string_view();
    if (joins_next(line_above)) return nothing;
    if (is_alone(place, statement))
        return opens_block(line_above)
                   ? nothing
                   : without_lines(place.lines, statement.begin(), statement.end());
    bool const begins = is_one_of(statement.before, {"", "\n", ";"});
    bool const goes_on = is_one_of(statement.behind, {";", "&&"}) && !closes(statement.next);
    bool const may_go = place.kind == InputKind::dockerfile || !statement.follows_keyword;
    if (begins && goes_on && may_go)
        return {.begin = statement.begin(),
                .end = statement.next.begin +
                       place.lines.begin(joined_lines(place.lines, place.at).first)};
    return nothing;
}

Edit without_word(MendedPlace const& place, Words words, std::size_t index, std::size_t count) {
    auto const first = index + 1 - count;
    ListItem item{.begin = words[first].begin,
                  .end = words[index].end,
                  .previous_end = first > 0 ? words[first - 1].end : words[first].begin};
    if (index + 1 < words.size()) item.next = words[index + 1].begin;
    return without_item(place.text(), item);
}

}  // namespace

std::optional<Edit> shell_edit(MendedPlace const& place) {
    auto statement = statement_at(place);
    take_leaders(place, statement);
    auto const [kind, index] = role_of(statement.words, place.at);
    if (kind == Role::Kind::none) return std::nullopt;
    if (place.renames()) return renamed_at(place);
    auto const& word = statement.words[index];
    if (!place.removes()) {
        bool const has_equals = place.text().substr(place.name_end(), 1) == "=";
        if (has_equals) return value_at(place, place.name_end() + 1, word.end);
        auto const& value = statement.words.back();
        return value_at(place, value.begin, value.end);
    }
    if (kind == Role::Kind::statement) return without_statement(place, statement);
    bool const has_option_word = kind == Role::Kind::option && word.begin == place.at;
    return without_word(place, statement.words, index, has_option_word ? 2 : 1);
}

}  // namespace rocmtune
