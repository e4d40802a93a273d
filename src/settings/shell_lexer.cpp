// SPDX-License-Identifier: MIT
// After POSIX, "Shell Command Language", 2.2 to 2.7, and what bash adds to it.
#include "settings/shell_lexer.hpp"

#include <array>

#include "base/text.hpp"

namespace rocmtune {
namespace {

bool is_operator(char c) {
    return std::string_view("\n;&|()<>").find(c) != std::string_view::npos;
}

void add_unknown(ShellToken& token) {
    token.parts.push_back({.kind = WordPart::Kind::unknown});
}

/// The text of a fallback: nothing if it has to be expanded itself.
std::optional<std::string> plain_text(std::string_view text) {
    if (text.find_first_of("$`\\") != text.npos) return std::nullopt;
    std::string out;
    for (auto const c : text)
        if (c != '"' && c != '\'') out += c;
    return out;
}

/// What stands between the braces of ${...}.
WordPart brace_part(std::string_view inside) {
    std::size_t size = 0;
    while (size < inside.size() && is_name_character(inside[size])) ++size;
    WordPart part{.kind = WordPart::Kind::variable, .text = std::string(inside.substr(0, size))};
    auto rest = inside.substr(size);
    if (size == 0) part.kind = WordPart::Kind::unknown;
    if (rest.empty()) return part;
    if (rest.front() == ':') rest.remove_prefix(1);
    bool const has_fallback = !rest.empty() && (rest.front() == '-' || rest.front() == '=');
    if (has_fallback) part.fallback = plain_text(rest.substr(1));
    if (!part.fallback) part.kind = WordPart::Kind::unknown;
    return part;
}

}  // namespace

std::string_view ShellToken::plain() const {
    if (kind != Kind::word || parts.size() != 1 || parts[0].kind != WordPart::Kind::literal)
        return {};
    return bare == parts[0].text.size() ? std::string_view(parts[0].text) : std::string_view();
}

std::optional<std::string> ShellToken::literal() const {
    std::string text;
    for (auto const& part : parts) {
        if (part.kind != WordPart::Kind::literal) return std::nullopt;
        text += part.text;
    }
    return text;
}

ShellToken ShellLexer::next() {
    skip_blanks();
    auto const begin = cursor_.place();
    auto token = take();
    token.begin = begin;
    // The bodies of here-documents behind the end of a line are no part of it.
    token.end = token.operation == "\n" ? begin + 1 : cursor_.place();
    return token;
}

ShellToken ShellLexer::take() {
    if (cursor_.at_end()) return {.line = cursor_.line(), .column = cursor_.column()};
    return is_operator(cursor_.peek()) ? operation() : word();
}

/// Also comments and continued lines.
void ShellLexer::skip_blanks() {
    while (!cursor_.at_end()) {
        if (is_blank(cursor_.peek())) cursor_.take();
        else if (cursor_.starts_with("\\\n")) cursor_.skip(2);
        else if (cursor_.starts_with("\\\r\n")) cursor_.skip(3);
        else if (cursor_.peek() == '#') cursor_.take_line();
        else return;
    }
}

ShellToken ShellLexer::operation() {
    // The longest first.
    static constexpr std::array<std::string_view, 20> operations{
        "<<<", "<<-", "&>>", ";;&", "<<", ">>", "&&", "||", ";;", "&>",
        ">&",  "<&",  ">|",  "<>",  "\n", ";",  "&",  "|",  "(",  ")"};
    ShellToken token{
        .kind = ShellToken::Kind::operation, .line = cursor_.line(), .column = cursor_.column()};
    token.operation = cursor_.peek() == '<' ? "<" : ">";
    for (auto const each : operations) {
        if (!cursor_.starts_with(each)) continue;
        token.operation = each;
        break;
    }
    cursor_.skip(token.operation.size());
    if (token.operation == "\n") skip_bodies();
    if (token.operation == "<<" || token.operation == "<<-") here_document(token.operation);
    return token;
}

void ShellLexer::add_text(ShellToken& token, char c) {
    if (token.parts.empty() || token.parts.back().kind != WordPart::Kind::literal)
        token.parts.emplace_back();
    token.parts.back().text += c;
}

ShellToken ShellLexer::word() {
    ShellToken token{
        .kind = ShellToken::Kind::word, .line = cursor_.line(), .column = cursor_.column()};
    bool is_bare = true;
    while (!cursor_.at_end() && !is_blank(cursor_.peek()) && !is_operator(cursor_.peek())) {
        auto const c = cursor_.peek();
        is_bare = is_bare && std::string_view("'\"\\$`").find(c) == std::string_view::npos;
        if (c == '\'') single_quotes(token);
        else if (c == '"') double_quotes(token);
        else if (c == '$') expansion(token);
        else if (c == '`') skip_backticks(), add_unknown(token);
        else if (c == '\\') {
            cursor_.take();
            if (cursor_.at_end()) break;
            if (auto const next = cursor_.take(); next != '\n') add_text(token, next);
        } else {
            add_text(token, cursor_.take());
            if (is_bare) ++token.bare;
        }
    }
    if (token.parts.empty()) token.parts.emplace_back();
    return token;
}

void ShellLexer::single_quotes(ShellToken& token) {
    cursor_.take();
    if (token.parts.empty()) token.parts.emplace_back();
    while (!cursor_.at_end() && cursor_.peek() != '\'') add_text(token, cursor_.take());
    cursor_.skip(1);
}

/// $'...': escapes other than those of quote and backslash are rare enough to leave them open.
void ShellLexer::dollar_quotes(ShellToken& token) {
    cursor_.skip(2);
    while (!cursor_.at_end() && cursor_.peek() != '\'') {
        if (cursor_.peek() == '\\') cursor_.take(), add_unknown(token);
        if (!cursor_.at_end()) add_text(token, cursor_.take());
    }
    cursor_.skip(1);
}

void ShellLexer::double_quotes(ShellToken& token) {
    cursor_.take();
    if (token.parts.empty()) token.parts.emplace_back();
    while (!cursor_.at_end() && cursor_.peek() != '"') {
        auto const c = cursor_.peek();
        if (c == '$') {
            expansion(token);
        } else if (c == '`') {
            skip_backticks(), add_unknown(token);
        } else if (c == '\\') {
            cursor_.take();
            auto const next = cursor_.peek();
            bool const is_escape =
                std::string_view("$`\"\\\n").find(next) != std::string_view::npos;
            if (!is_escape) add_text(token, '\\');
            else if (!cursor_.at_end() && cursor_.take() != '\n') add_text(token, next);
        } else {
            add_text(token, cursor_.take());
        }
    }
    cursor_.skip(1);
}

void ShellLexer::expansion(ShellToken& token) {
    if (cursor_.peek(1) == '(') {
        skip_parentheses();
        return add_unknown(token);
    }
    if (cursor_.peek(1) == '{') return braces(token);
    if (cursor_.peek(1) == '\'') return dollar_quotes(token);
    cursor_.take();
    std::string name;
    while (is_name_character(cursor_.peek())) name += cursor_.take();
    if (!name.empty()) {
        token.parts.push_back({.kind = WordPart::Kind::variable, .text = std::move(name)});
    } else if (!cursor_.at_end() &&
               std::string_view("@*#?$!-").find(cursor_.peek()) != std::string_view::npos) {
        cursor_.take();
        add_unknown(token);
    } else {
        add_text(token, '$');
    }
}

void ShellLexer::braces(ShellToken& token) {
    cursor_.skip(2);
    std::string inside;
    for (std::size_t depth = 1; !cursor_.at_end();) {
        auto const c = cursor_.take();
        if (c == '{') ++depth;
        if (c == '}' && --depth == 0) break;
        inside += c;
    }
    token.parts.push_back(brace_part(inside));
}

/// $(...), with quotes inside, since they may hold parentheses.
void ShellLexer::skip_parentheses() {
    cursor_.take();
    std::size_t depth = 0;
    char quote = '\0';
    while (!cursor_.at_end()) {
        auto const c = cursor_.take();
        if (c == '\\' && quote != '\'') cursor_.skip(1);
        else if (quote != '\0') quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"') quote = c;
        else if (c == '(') ++depth;
        else if (c == ')' && --depth == 0) return;
    }
}

void ShellLexer::skip_backticks() {
    cursor_.take();
    while (!cursor_.at_end()) {
        auto const c = cursor_.take();
        if (c == '\\') cursor_.skip(1);
        if (c == '`') return;
    }
}

void ShellLexer::here_document(std::string_view operation) {
    while (is_blank(cursor_.peek()) && !cursor_.at_end()) cursor_.take();
    if (cursor_.at_end() || is_operator(cursor_.peek())) return;
    auto const token = word();
    if (auto const delimiter = token.literal())
        pending_.push_back({*delimiter, operation == "<<-", !token.plain().empty()});
}

void ShellLexer::skip_bodies() {
    body_.reset();
    for (auto const& document : pending_) {
        auto const body = skip_body(document);
        if (!body_) body_ = body;
    }
    pending_.clear();
}

ShellLexer::Body ShellLexer::skip_body(HereDocument const& document) {
    Body body{
        .text = cursor_.rest(), .first_line = cursor_.line(), .is_expanded = document.is_expanded};
    auto const size = body.text.size();
    while (!cursor_.at_end()) {
        auto const left = cursor_.rest().size();
        auto line = cursor_.take_line();
        cursor_.skip(1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        while (document.strips_tabs && line.starts_with('\t')) line.remove_prefix(1);
        if (line != document.delimiter) continue;
        body.text = body.text.substr(0, size - left);
        break;
    }
    return body;
}

}  // namespace rocmtune
