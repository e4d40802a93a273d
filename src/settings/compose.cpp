// SPDX-License-Identifier: MIT
// Compose files: environment of services, as a map and as a list. Build arguments reach no program.
// https://github.com/compose-spec/compose-spec/blob/main/05-services.md#environment
#include "base/text.hpp"
#include "settings/yaml_settings.hpp"

namespace rocmtune {
namespace {

/// $$ is one dollar sign; any other begins a variable of whoever calls compose.
std::optional<std::string> compose_value(YamlNode const& node) {
    std::string value;
    for (std::size_t at = 0; at < node.text.size(); ++at) {
        bool const dollar = node.text[at] == '$';
        if (dollar && (at + 1 == node.text.size() || node.text[at + 1] != '$')) return std::nullopt;
        if (dollar) ++at;
        value += node.text[at];
    }
    return value;
}

}  // namespace

std::vector<Assignment> read_compose(InputText const& input) {
    auto const tree = parse_yaml(input.text, input.first_line);
    YamlSettings settings(input, compose_value);
    for (auto const* root : tree.roots) {
        for (auto const& service : members_of(find_member(root, "services"))) {
            settings.begin_environment();
            for (auto const& member : members_of(find_member(service.value, "environment"))) {
                if (member.key == nullptr) settings.add_word(*member.value);
                // Without a value the variable of whoever calls compose is passed on.
                else if (member.value->is_scalar()) settings.add(*member.key, *member.value);
            }
            for (auto const* line : {"entrypoint", "command"})
                settings.add_shell_command(scalars_of(find_member(service.value, line)));
        }
    }
    return settings.take();
}

}  // namespace rocmtune
