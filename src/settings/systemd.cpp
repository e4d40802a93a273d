// SPDX-License-Identifier: MIT
// Environment= of systemd units, after systemd.exec(5).
#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/logical_lines.hpp"

namespace rocmtune {
namespace {

/// The value as the program gets it; nothing if it has %h or its like, which are replaced when the
/// unit starts.
std::optional<std::string> without_specifiers(std::string_view text) {
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            ++i;
            if (i < text.size() && text[i] != '%') return std::nullopt;
        }
        value += i < text.size() ? text[i] : '%';
    }
    return value;
}

class UnitReader {
  public:
    explicit UnitReader(InputText const& input) : input_(input) {}

    std::vector<Assignment> read() {
        for (auto const& line : logical_lines(input_.text, input_.first_line)) take(line);
        return std::move(assignments_);
    }

  private:
    void take(LogicalLine const& line) {
        auto const text = trim(line.text);
        if (text.empty() || text.front() == '#' || text.front() == ';') return;
        auto const equals = line.text.find('=');
        if (equals == std::string::npos) return;
        auto const key = trim(std::string_view(line.text).substr(0, equals));
        if (key == "Environment") environment(line, equals + 1);
        if (key == "UnsetEnvironment")
            for (auto const& word : list_words(line.text, equals + 1, false))
                add(line, word, word.text.substr(0, word.text.find('='))).unset = true;
    }

    void environment(LogicalLine const& line, std::size_t from) {
        auto const words = list_words(line.text, from, false);
        // An empty list takes back what the unit set before.
        if (words.empty()) assignments_.clear();
        for (auto const& word : words) {
            auto const equals = word.text.find('=');
            if (equals == std::string::npos) continue;
            auto const name = word.text.substr(0, equals);
            if (is_variable_name(name))
                add(line, word, name).value =
                    without_specifiers(std::string_view(word.text).substr(equals + 1));
        }
    }

    Assignment& add(LogicalLine const& line, ListWord const& word, std::string name) {
        bool const quoted = line.text[word.offset] == '"' || line.text[word.offset] == '\'';
        auto const place = line.place(word.offset + (quoted ? 1 : 0));
        make_room(assignments_);
        return assignments_.emplace_back(Assignment{.name = std::move(name),
                                                    .file = input_.file,
                                                    .line = place.line,
                                                    .column = place.column,
                                                    .kind = input_.kind,
                                                    .scope = input_.first_scope});
    }

    InputText const& input_;
    std::vector<Assignment> assignments_ = {};
};

}  // namespace

std::vector<Assignment> read_systemd(InputText const& input) {
    return UnitReader(input).read();
}

}  // namespace rocmtune
