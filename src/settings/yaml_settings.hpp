// SPDX-License-Identifier: MIT
// Collects the settings of one YAML text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/collect.hpp"
#include "settings/yaml_tree.hpp"

namespace rocmtune {

/// Every environment in the text has a scope of its own.
class YamlSettings {
  public:
    /// The value as the program gets it; nothing if that is known only later.
    using ValueOf = std::function<std::optional<std::string>(YamlNode const& value)>;

    YamlSettings(InputText const& input, ValueOf value_of)
        : value_of_(std::move(value_of)), assignments_(input) {}

    void begin_environment() { ++assignments_.scope; }

    void add(YamlNode const& name, YamlNode const& value);
    /// "NAME=VALUE" in one scalar.
    void add_word(YamlNode const& word);
    /// A map of variables, or a list of "NAME=VALUE" and of {name: NAME, value: VALUE}.
    void add_list(YamlNode const* list);
    /// A scalar that a shell runs, in the environment that began last.
    void add_script(YamlNode const& script);
    /// A scalar that is YAML itself: the values of a chart.
    void add_values(YamlNode const& values);
    /// The element behind "-c" of a command line, if there is one.
    void add_shell_command(std::vector<YamlNode const*> const& words);

    std::vector<Assignment> take() { return assignments_.take(); }

  private:
    void add(YamlNode const& at, std::string_view name, std::optional<std::string> value);
    /// Counts the text of a scalar once for every use of it. @throws Error if it is too much.
    void use(YamlNode const& scalar);

    ValueOf value_of_;
    AssignmentList assignments_;
};

}  // namespace rocmtune
