// SPDX-License-Identifier: MIT
#include "settings/yaml_settings.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// From a place in the text of a scalar to the one in the file.
void move_place(Assignment& assignment, YamlNode const& script) {
    if (script.style == YamlNode::Style::literal) {
        assignment.column += script.column - 1;
    } else if (script.style == YamlNode::Style::folded || assignment.line > script.line) {
        // Where its lines were joined is not known.
        assignment.line = script.line;
        assignment.column = script.column;
    } else {
        assignment.column += script.column - 1;
    }
}

}  // namespace

void YamlSettings::add(YamlNode const& at, std::string_view name,
                       std::optional<std::string> value) {
    if (!is_variable_name(name)) return;
    // Environments that share an anchor repeat its settings: few bytes would make many of them.
    make_room(assignments_);
    assignments_.push_back({.name = std::string(name),
                            .value = std::move(value),
                            .file = input_.file,
                            .line = at.line,
                            .column = at.column,
                            .kind = input_.kind,
                            .scope = scope_});
}

void YamlSettings::add(YamlNode const& name, YamlNode const& value) {
    bool const fits = value.is_scalar() || value.kind == YamlNode::Kind::null;
    if (!name.is_scalar() || !fits) return;
    use(name);
    use(value);
    add(name, name.text, value_of_(value));
}

void YamlSettings::use(YamlNode const& scalar) {
    if (scalar.text.size() > bytes_left_) throw Error("longer settings than people write");
    bytes_left_ -= scalar.text.size();
}

void YamlSettings::add_word(YamlNode const& word) {
    auto const equals = word.text.find('=');
    if (!word.is_scalar() || equals == std::string::npos) return;
    use(word);
    auto value = word;
    value.text = word.text.substr(equals + 1);
    value.style = YamlNode::Style::quoted;  // a part of a text is a text
    add(word, word.text.substr(0, equals), value_of_(value));
}

void YamlSettings::add_open(YamlNode const& name) {
    if (!name.is_scalar()) return;
    use(name);
    add(name, name.text, std::nullopt);
}

void YamlSettings::add_script(YamlNode const& script) {
    if (!script.is_scalar()) return;
    use(script);
    auto found = read_shell({.text = script.text,
                             .file = input_.file,
                             .kind = input_.kind,
                             .first_line = script.line,
                             .first_scope = scope_,
                             .repeatable_bytes = bytes_left_});
    bytes_left_ = left_to_repeat(bytes_left_, found);
    for (auto& assignment : found) {
        make_room(assignments_);
        move_place(assignment, script);
        assignments_.push_back(std::move(assignment));
        scope_ = std::max(scope_, assignments_.back().scope);
    }
}

void YamlSettings::add_shell_command(std::vector<YamlNode const*> const& words) {
    auto const is_flag = [](YamlNode const* word) {
        return word->text.starts_with('-') && !word->text.starts_with("--") &&
               word->text.ends_with('c');
    };
    auto const flag = std::ranges::find_if(words, is_flag);
    if (flag != words.end() && flag + 1 != words.end()) add_script(**(flag + 1));
}

std::vector<YamlNode const*> scalars_of(YamlNode const* node) {
    std::vector<YamlNode const*> scalars;
    if (node == nullptr) return scalars;
    if (node->is_scalar()) scalars.push_back(node);
    for (auto const& member : node->members)
        if (member.key == nullptr && member.value->is_scalar()) scalars.push_back(member.value);
    return scalars;
}

}  // namespace rocmtune
