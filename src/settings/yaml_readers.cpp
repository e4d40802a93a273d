// SPDX-License-Identifier: MIT
// Readers of YAML: Compose files, Kubernetes manifests, GitHub's workflows and composite actions.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "settings/collect.hpp"
#include "settings/yaml_settings.hpp"
#include "settings/yaml_tree.hpp"

namespace rocmtune {
namespace {

/// Scalars of a sequence, or the one scalar itself.
std::vector<YamlNode const*> scalars_of(YamlNode const* node) {
    std::vector<YamlNode const*> scalars;
    if (node == nullptr) return scalars;
    if (node->is_scalar()) scalars.push_back(node);
    for (auto const& member : node->members)
        if (member.key == nullptr && member.value->is_scalar()) scalars.push_back(member.value);
    return scalars;
}

// Compose files: environment of services, as a map and as a list. Build arguments reach no program.
// https://github.com/compose-spec/compose-spec/blob/main/05-services.md#environment

/// "{{ x }}"
bool is_filled_in(YamlNode const& node) {
    return node.text.find("{{") != std::string::npos;
}

/// The default of a value that is nothing but ${NAME:-default} or ${NAME-default}; else null.
std::optional<std::string> compose_default(std::string_view text) {
    if (!text.starts_with("${") || text.find('}') + 1 != text.size()) return std::nullopt;
    auto const inner = text.substr(2, text.size() - 3);
    auto const dash = inner.find('-');
    auto const colon = dash != inner.npos && dash > 0 && inner[dash - 1] == ':' ? 1u : 0u;
    if (dash == inner.npos || !is_variable_name(inner.substr(0, dash - colon))) return std::nullopt;
    auto const value = inner.substr(dash + 1);
    if (value.find('$') != value.npos) return std::nullopt;
    return std::string(value);
}

/// $$ is one dollar sign; any other begins a variable of whoever calls compose.
std::optional<std::string> compose_value(YamlNode const& node) {
    if (is_filled_in(node)) return std::nullopt;
    if (auto value = compose_default(node.text)) return value;
    std::string value;
    for (std::size_t at = 0; at < node.text.size(); ++at) {
        bool const dollar = node.text[at] == '$';
        if (dollar && (at + 1 == node.text.size() || node.text[at + 1] != '$')) return std::nullopt;
        if (dollar) ++at;
        value += node.text[at];
    }
    return value;
}

// Kubernetes manifests: env of containers wherever they stand (pods, jobs, operators' own kinds),
// scripts that their shells run, and the variables in ConfigMaps.

/// $(NAME) is another variable, and {{ }} is filled in by what reads the file.
std::optional<std::string> kubernetes_value(YamlNode const& node) {
    if (node.text.find("$(") != std::string::npos || is_filled_in(node)) return std::nullopt;
    return node.text;
}

/// A map of names in capitals, or a list of {name: NAME}.
bool holds_variables(YamlNode const* node) {
    if (node == nullptr) return false;
    auto const& members = node->members;
    auto const is_variable = [](YamlMember const& member) {
        auto const* name = member.key != nullptr ? member.key : own_member(member.value, "name");
        bool const fits = member.key == nullptr || member.value->members.empty();
        return fits && name != nullptr && name->is_scalar() && is_capital_name(name->text);
    };
    return !members.empty() && std::ranges::all_of(members, is_variable);
}

/// Values of Helm charts and settings of other programs: what stands below "env" and the like.
/// Every node once: aliases may lead to one by many ways, or in a circle.
void add_environments(YamlNode const* node, YamlSettings& settings, std::set<YamlNode const*>& seen,
                      std::size_t depth = 0) {
    constexpr std::size_t deepest = 64;
    if (depth > deepest || !seen.insert(node).second) return;
    for (auto const& [key, value] : node->members) {
        bool const is_environment =
            key != nullptr && (is_environment_key(key->text) ||
                               (may_be_environment_key(key->text) && holds_variables(value)));
        if (is_environment) settings.add_list(value);
        else add_environments(value, settings, seen, depth + 1);
    }
}

/// Blanks in the place of // comments and of tabs, which YAML does not take. Columns stay.
std::string without_json_comments(std::string_view text) {
    std::string result(text);
    bool in_text = false;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (in_text && result[i] == '\\') ++i;
        else if (result[i] == '"') in_text = !in_text;
        else if (!in_text && result[i] == '\t') result[i] = ' ';
        else if (!in_text && result.compare(i, 2, "//") == 0)
            while (i < result.size() && result[i] != '\n') result[i++] = ' ';
    }
    return result;
}

class KubernetesReader {
  public:
    explicit KubernetesReader(InputText const& input) : settings_(input, kubernetes_value) {}

    std::vector<Assignment> read(YamlTree const& tree) {
        for (auto const* root : tree.roots) walk(root, 0);
        return settings_.take();
    }

  private:
    /// Every node once, as above.
    void walk(YamlNode const* node, std::size_t depth) {
        constexpr std::size_t deepest = 64;
        if (depth > deepest || !seen_.insert(node).second) return;
        auto const* kind = own_member(node, "kind");
        if (kind != nullptr && kind->text == "ConfigMap") config_map(node);
        // Values of a chart: Flux (HelmRelease) and Argo CD (Application).
        if (kind != nullptr && is_one_of(kind->text, {"HelmRelease", "Application"}))
            for (auto const* key : {"values", "valuesObject"}) chart_values(node, key, depth);
        // Those of k3s and RKE2 have them as one text.
        if (kind != nullptr && is_one_of(kind->text, {"HelmChart", "HelmChartConfig"}))
            if (auto const* values = own_member(find_member(node, "spec"), "valuesContent"))
                settings_.add_values(*values);
        for (auto const* list : {"initContainers", "containers", "ephemeralContainers"})
            for (auto const& container : members_of(own_member(node, list)))
                if (container.key == nullptr) add_container(container.value);
        for (auto const& member : node->members) walk(member.value, depth + 1);
    }

    void chart_values(YamlNode const* node, std::string_view key, std::size_t depth) {
        constexpr std::size_t deepest = 5;  // spec.sources[].helm.valuesObject
        if (auto const* values = own_member(node, key))
            return add_environments(values, settings_, seen_);
        if (depth > deepest) return;
        for (auto const& member : node->members) chart_values(member.value, key, depth + 1);
    }

    void add_container(YamlNode const* container) {
        settings_.add_list(find_member(container, "env"));
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

// Workflows and composite actions of GitHub Actions: env of the workflow, of its jobs and steps,
// and the scripts that steps run.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax

/// ${{ }} is computed by the runner. True without quotes is a boolean, and those come out small.
std::optional<std::string> workflow_value(YamlNode const& node) {
    if (node.text.find("${{") != std::string::npos) return std::nullopt;
    auto const small = lower(node.text);
    bool const is_boolean =
        node.style == YamlNode::Style::plain && (small == "true" || small == "false");
    return is_boolean ? small : node.text;
}

class WorkflowReader {
  public:
    explicit WorkflowReader(InputText const& input) : settings_(input, workflow_value) {}

    std::vector<Assignment> read(YamlTree const& tree) {
        for (auto const* root : tree.roots) {
            add_environment({root});
            for (auto const& job : members_of(find_member(root, "jobs"))) add_job(root, job.value);
            add_steps({root}, find_member(find_member(root, "runs"), "steps"));
        }
        return settings_.take();
    }

  private:
    using Levels = std::vector<YamlNode const*>;

    /// The inner levels win. A level that adds nothing makes no environment of its own.
    void add_environment(Levels const& levels) {
        if (members_of(find_member(levels.back(), "env")).empty()) return;
        settings_.begin_environment();
        for (auto const* level : levels)
            for (auto const& member : members_of(find_member(level, "env")))
                if (member.key != nullptr) settings_.add(*member.key, *member.value);
    }

    void add_job(YamlNode const* root, YamlNode const* job) {
        add_environment({root, job});
        if (auto const* container = find_member(job, "container"); container != nullptr)
            add_environment({container});
        add_steps({root, job}, find_member(job, "steps"));
    }

    void add_steps(Levels levels, YamlNode const* steps) {
        levels.push_back(nullptr);
        for (auto const& step : members_of(steps)) {
            levels.back() = step.value;
            add_environment(levels);
            // Every step begins with a shell of its own.
            settings_.begin_environment();
            auto const* script = find_member(step.value, "run");
            auto const* shell = find_member(step.value, "shell");
            if (script != nullptr && (shell == nullptr || shell->text.starts_with("sh") ||
                                      shell->text.starts_with("bash")))
                settings_.add_script(*script);
        }
    }

    YamlSettings settings_;
};

}  // namespace

std::vector<Assignment> read_values(InputText const& input) {
    YamlSettings settings(input, kubernetes_value);
    std::set<YamlNode const*> seen;
    bool const is_json = trim(input.text).starts_with('{');
    auto const tree = is_json ? parse_yaml(without_json_comments(input.text), input.first_line)
                              : parse_yaml(input.text, input.first_line);
    for (auto const* root : tree.roots) add_environments(root, settings, seen);
    return settings.take();
}

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

std::vector<Assignment> read_kubernetes(InputText const& input) {
    return KubernetesReader(input).read(parse_yaml(input.text, input.first_line));
}

std::vector<Assignment> read_workflow(InputText const& input) {
    return WorkflowReader(input).read(parse_yaml(input.text, input.first_line));
}

}  // namespace rocmtune
