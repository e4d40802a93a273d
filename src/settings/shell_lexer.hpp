// SPDX-License-Identifier: MIT
// Words and operators of a shell script, as far as assignments need them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/cursor.hpp"

namespace rocmtune {

/// A part of a word.
struct WordPart {
    enum class Kind : unsigned char { literal, variable, unknown };
    Kind kind = Kind::literal;
    std::string text = {};                     ///< the literal, or the name of the variable
    std::optional<std::string> fallback = {};  ///< of ${NAME:-x}: x
};

struct ShellToken {
    enum class Kind : unsigned char { word, operation, end };
    Kind kind = Kind::end;
    std::string_view operation = {};   ///< "\n", ";", "&&", "|", "(", ">", ...
    std::vector<WordPart> parts = {};  ///< of a word, never empty
    std::size_t bare = 0;              ///< bytes of the first part before any quote
    std::size_t line = 0, column = 0;
    std::size_t begin = 0, end = 0;  ///< its bytes in the text

    /// The word if it is nothing but text without quotes, else empty.
    std::string_view plain() const;
    /// The text, if no part of it has to be expanded.
    std::optional<std::string> literal() const;
};

/// Takes any text. Comments and command substitutions are left out.
class ShellLexer {
  public:
    ShellLexer(std::string_view text, std::size_t first_line) : cursor_(text, first_line) {}

    ShellToken next();

    /// A here-document.
    struct Body {
        std::string_view text;
        std::size_t first_line;
        bool is_expanded;  ///< the shell that writes it takes $NAME and backslashes in it
    };
    /// The first one behind the end of line that was taken last.
    std::optional<Body> take_body() { return std::exchange(body_, std::nullopt); }

  private:
    struct HereDocument {
        std::string delimiter;
        bool strips_tabs;
        bool is_expanded;
    };

    void skip_blanks();
    ShellToken take();
    ShellToken operation();
    ShellToken word();
    void add_text(ShellToken& token, char c);
    void single_quotes(ShellToken& token);
    void dollar_quotes(ShellToken& token);
    void double_quotes(ShellToken& token);
    void expansion(ShellToken& token);
    void braces(ShellToken& token);
    void skip_parentheses();
    void skip_backticks();
    void here_document(std::string_view operation);
    void skip_bodies();
    Body skip_body(HereDocument const& document);

    Cursor cursor_;
    std::vector<HereDocument> pending_ = {};
    std::optional<Body> body_ = {};
};

}  // namespace rocmtune
