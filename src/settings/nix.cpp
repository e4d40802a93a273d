// SPDX-License-Identifier: MIT
// NAME = "VALUE"; in Nix, wherever it stands: in environmentVariables of a service, in
// environment.variables, in a shell. What is computed is left open.
#include <algorithm>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

using std::string_view;

/// Options of NixOS have small letters.
bool is_environment_name(string_view name) {
    return is_variable_name(name) &&
           std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// The variable that an attribute sets; empty: none. services.ollama.rocmOverrideGfx of NixOS sets
/// one: nixos/modules/services/misc/ollama.nix
string_view variable_of(string_view attribute) {
    auto const name = attribute.substr(attribute.rfind('.') + 1);
    if (name == "rocmOverrideGfx") return "HSA_OVERRIDE_GFX_VERSION";
    return is_environment_name(name) ? name : string_view();
}

class NixReader {
  public:
    explicit NixReader(InputText const& input)
        : cursor_(input.text, input.first_line), assignments_(input) {}

    std::vector<Assignment> read() {
        while (!cursor_.at_end()) {
            auto const c = cursor_.peek();
            if (c == '#') cursor_.take_line();
            else if (cursor_.starts_with("/*")) skip_behind("*/");
            else if (cursor_.starts_with("''")) skip_behind("''");
            else if (c == '"') quoted_name();
            else if (is_name_character(c)) name();
            else {
                // Each set of braces is an environment of its own.
                if (c == '{' || c == '}') ++assignments_.scope;
                cursor_.take();
            }
        }
        return assignments_.take();
    }

  private:
    void skip_behind(string_view end) {
        cursor_.skip(2);
        while (!cursor_.at_end() && !cursor_.starts_with(end)) cursor_.take();
        cursor_.skip(end.size());
    }

    void skip_space() {
        while (is_blank(cursor_.peek()) || cursor_.peek() == '\n') cursor_.take();
    }

    /// The text between quotes; nothing if some of it is computed.
    std::optional<std::string> take_string() {
        std::string text;
        bool is_open = false;
        cursor_.take();
        while (!cursor_.at_end() && cursor_.peek() != '"') {
            is_open = is_open || cursor_.starts_with("${");
            if (cursor_.peek() == '\\') cursor_.take();
            if (!cursor_.at_end()) text += cursor_.take();
        }
        cursor_.skip(1);
        return is_open ? std::nullopt : std::optional(std::move(text));
    }

    void quoted_name() {
        line_ = cursor_.line();
        column_ = cursor_.column() + 1;
        auto const text = take_string();
        if (text) assign(*text);
    }

    void name() {
        line_ = cursor_.line();
        column_ = cursor_.column();
        std::string attribute;
        while (is_name_character(cursor_.peek()) || cursor_.peek() == '.' || cursor_.peek() == '-')
            attribute += cursor_.take();
        column_ += attribute.rfind('.') + 1;  // npos + 1 is 0
        assign(attribute);
    }

    void assign(string_view attribute) {
        auto const variable = variable_of(attribute);
        skip_space();
        if (variable.empty() || cursor_.peek() != '=' || cursor_.peek(1) == '=') return;
        cursor_.take();
        skip_space();
        assignments_.add(variable, take_value(), line_, column_);
    }

    /// A string or a number that is the whole value.
    std::optional<std::string> take_value() {
        std::optional<std::string> value;
        if (cursor_.peek() == '"') {
            value = take_string();
        } else if (cursor_.peek() >= '0' && cursor_.peek() <= '9') {
            value.emplace();
            while (is_name_character(cursor_.peek())) *value += cursor_.take();
        }
        skip_space();
        return cursor_.peek() == ';' ? value : std::nullopt;
    }

    Cursor cursor_;
    AssignmentList assignments_;
    std::size_t line_ = 0, column_ = 0;  ///< of the name
};

}  // namespace

std::vector<Assignment> read_nix(InputText const& input) {
    return NixReader(input).read();
}

}  // namespace rocmtune
