// SPDX-License-Identifier: MIT
// What the readers of Compose, Kubernetes and GitHub's YAML share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/collect.hpp"
#include "settings/yaml_tree.hpp"

namespace rocmtune {

/// The settings of one YAML text. Every environment in it has a scope of its own.
class YamlSettings {
  public:
    /// The value as the program gets it; nothing if that is known only later.
    using ValueOf = std::function<std::optional<std::string>(YamlNode const& value)>;

    YamlSettings(InputText const& input, ValueOf value_of)
        : input_(input),
          value_of_(std::move(value_of)),
          scope_(input.first_scope),
          bytes_left_(input.repeatable_bytes) {}

    void begin_environment() { ++scope_; }

    void add(YamlNode const& name, YamlNode const& value);
    /// "NAME=VALUE" in one scalar.
    void add_word(YamlNode const& word);
    /// A name whose value comes from elsewhere.
    void add_open(YamlNode const& name);
    /// A scalar that a shell runs, in the environment that began last.
    void add_script(YamlNode const& script);
    /// The element behind "-c" of a command line, if there is one.
    void add_shell_command(std::vector<YamlNode const*> const& words);

    std::vector<Assignment> take() { return std::move(assignments_); }

  private:
    void add(YamlNode const& at, std::string_view name, std::optional<std::string> value);
    /// Counts the text of a scalar once for every use of it. @throws Error if it is too much.
    void use(YamlNode const& scalar);

    InputText const& input_;
    ValueOf value_of_;
    std::vector<Assignment> assignments_ = {};
    std::size_t scope_;
    std::size_t bytes_left_;
};

/// Scalars of a sequence, or the one scalar itself.
std::vector<YamlNode const*> scalars_of(YamlNode const* node);

}  // namespace rocmtune
