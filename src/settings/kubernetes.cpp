// SPDX-License-Identifier: MIT
// Kubernetes manifests: env of containers wherever they stand (pods, jobs, operators' own kinds),
// scripts that their shells run, and the variables in ConfigMaps.
#include <set>

#include "base/text.hpp"
#include "settings/yaml_settings.hpp"

namespace rocmtune {
namespace {

/// $(NAME) is another variable.
std::optional<std::string> kubernetes_value(YamlNode const& node) {
    if (node.text.find("$(") != std::string::npos) return std::nullopt;
    return node.text;
}

class KubernetesReader {
  public:
    explicit KubernetesReader(InputText const& input) : settings_(input, kubernetes_value) {}

    std::vector<Assignment> read(YamlTree const& tree) {
        for (auto const* root : tree.roots) walk(root, 0);
        return settings_.take();
    }

  private:
    /// Every node once: aliases may lead to one by many ways, or in a circle.
    void walk(YamlNode const* node, std::size_t depth) {
        constexpr std::size_t deepest = 64;
        if (depth > deepest || !seen_.insert(node).second) return;
        auto const* kind = own_member(node, "kind");
        if (kind != nullptr && kind->text == "ConfigMap") config_map(node);
        for (auto const* list : {"initContainers", "containers", "ephemeralContainers"})
            for (auto const& container : members_of(own_member(node, list)))
                if (container.key == nullptr) add_container(container.value);
        for (auto const& member : node->members) walk(member.value, depth + 1);
    }

    void add_container(YamlNode const* container) {
        settings_.begin_environment();
        for (auto const& entry : members_of(find_member(container, "env"))) {
            auto const* name = find_member(entry.value, "name");
            if (name == nullptr) continue;
            auto const* value = find_member(entry.value, "value");
            if (value != nullptr) settings_.add(*name, *value);
            else settings_.add_open(*name);
        }
        auto words = scalars_of(find_member(container, "command"));
        auto const arguments = scalars_of(find_member(container, "args"));
        words.insert(words.end(), arguments.begin(), arguments.end());
        settings_.add_shell_command(words);
    }

    /// A container takes its names over with envFrom; other keys are names of files.
    void config_map(YamlNode const* map) {
        settings_.begin_environment();
        for (auto const& member : members_of(find_member(map, "data")))
            if (member.key != nullptr && member.value->style != YamlNode::Style::literal)
                settings_.add(*member.key, *member.value);
    }

    YamlSettings settings_;
    std::set<YamlNode const*> seen_ = {};
};

}  // namespace

std::vector<Assignment> read_kubernetes(InputText const& input) {
    return KubernetesReader(input).read(parse_yaml(input.text, input.first_line));
}

}  // namespace rocmtune
