// SPDX-License-Identifier: MIT
#include "settings/yaml_settings.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// From a place in the text of a scalar to the one in the file.
void move_place(Assignment& assignment, YamlNode const& script) {
    using Style = YamlNode::Style;
    if (script.style == Style::folded ||
        (script.style != Style::literal && assignment.line > script.line)) {
        // Where its lines were joined is not known.
        assignment.line = script.line;
        assignment.column = script.column;
    } else {
        assignment.column += script.column - 1;
    }
}

}  // namespace

void YamlSettings::add(YamlNode const& name, YamlNode const& value) {
    bool const fits = value.is_scalar() || value.kind == YamlNode::Kind::null;
    if (!name.is_scalar() || !fits) return;
    use(name);
    use(value);
    add(name, name.text, value_of_(value));
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

void YamlSettings::add_list(YamlNode const* list) {
    begin_environment();
    for (auto const& member : members_of(list)) {
        auto const* name = find_member(member.value, "name");
        auto const* value = find_member(member.value, "value");
        if (member.key != nullptr) add(*member.key, *member.value);
        else if (name == nullptr) add_word(*member.value);
        else if (value != nullptr) add(*name, *value);
        else if (name->is_scalar()) use(*name), add(*name, name->text, std::nullopt);
    }
}

void YamlSettings::add_script(YamlNode const& script) {
    if (!script.is_scalar()) return;
    use(script);
    assignments_.add_part(
        read_shell(assignments_.part(script.text, assignments_.scope, script.line)),
        assignments_.scope, [&](Assignment& one) { move_place(one, script); });
}

void YamlSettings::add_values(YamlNode const& values) {
    if (!values.is_scalar()) return;
    use(values);
    auto part = assignments_.part(values.text, assignments_.scope, values.line);
    part.kind = InputKind::values;
    assignments_.add_part(read_if_whole(part), assignments_.scope, [&](Assignment& one) {
        move_place(one, values);
        one.kind = InputKind::kubernetes;
    });
}

void YamlSettings::add_shell_command(std::vector<YamlNode const*> const& words) {
    auto const is_flag = [](YamlNode const* word) {
        return word->text.starts_with('-') && !word->text.starts_with("--") &&
               word->text.ends_with('c');
    };
    auto const flag = std::ranges::find_if(words, is_flag);
    if (flag != words.end() && flag + 1 != words.end()) add_script(**(flag + 1));
}

void YamlSettings::add(YamlNode const& at, std::string_view name,
                       std::optional<std::string> value) {
    // Environments that share an anchor repeat its settings: few bytes would make many of them.
    if (is_variable_name(name)) assignments_.add(name, std::move(value), at.line, at.column);
}

void YamlSettings::use(YamlNode const& scalar) {
    auto& left = assignments_.repeatable_bytes;
    if (scalar.text.size() > left) throw Error("longer settings than people write");
    left -= scalar.text.size();
}

}  // namespace rocmtune
