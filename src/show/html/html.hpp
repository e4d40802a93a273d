// SPDX-License-Identifier: MIT
// Html: markup that is right by construction. Names of elements and attributes are literals of this
// program; every text and every value goes through escaping; what is opened is closed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// Text between tags or in quotes: no character of it is markup. What is no UTF-8, control
/// characters and those that turn the direction of writing are shown as text (printable).
std::string html_text(std::string_view text);

/// A name of an element, of an attribute or of a class. It can only be made of a literal.
class Literal {
  public:
    template <std::size_t size>
    consteval Literal(char const (&text)[size]) : text_(text, size - 1) {}  // NOLINT: no `explicit`
    constexpr std::string_view view() const { return text_; }

  private:
    std::string_view text_;
};

class Html {
  public:
    struct Attribute {
        Literal name;
        std::string value;
    };
    using Attributes = std::initializer_list<Attribute>;

    Html& open(Literal tag, Attributes attributes = {});
    /// Closes the element that was opened last.
    Html& close();
    Html& text(std::string_view text);
    /// An element with nothing but text in it.
    Html& element(Literal tag, std::string_view text, Attributes attributes = {});
    /// An element that has no end: input, col, line.
    Html& single(Literal tag, Attributes attributes = {});
    /// A file of ours, such as a style sheet, as it is.
    Html& asset(std::string_view content);
    /// JSON for a script: it cannot end the element that it stands in.
    Html& data(std::string_view json);
    /// What another builder made.
    Html& part(Html&& other);

    bool empty() const { return out_.empty(); }
    /// Closes what is open. The builder is empty afterwards.
    std::string take();

  private:
    void tag(Literal name, Attributes attributes);

    std::string out_;
    std::vector<std::string_view> open_;
};

/// "https://..." as a link, anything else as text.
Html link_html(std::string const& text, std::string const& url);

}  // namespace rocmtune
