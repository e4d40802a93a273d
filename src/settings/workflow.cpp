// SPDX-License-Identifier: MIT
// Workflows and composite actions of GitHub Actions: env of the workflow, of its jobs and steps,
// and the scripts that steps run.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
#include <algorithm>

#include "base/text.hpp"
#include "settings/yaml_settings.hpp"

namespace rocmtune {
namespace {

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

std::vector<Assignment> read_workflow(InputText const& input) {
    return WorkflowReader(input).read(parse_yaml(input.text, input.first_line));
}

}  // namespace rocmtune
