// SPDX-License-Identifier: MIT
// rocmtune plan.
#include "judge/plan/plan.hpp"

#include "base/host.hpp"
#include "commands/commands.hpp"
#include "commands/model_files.hpp"
#include "judge/plan/model.hpp"

namespace rocmtune {
namespace {

using Shapes = std::vector<ModelShape>;

/// @throws Error also for a wish that cannot be met.
Shapes possible_shapes(PlanCommand const& options, PlanData const& data) {
    Shapes shapes;
    if (options.models.empty()) shapes.push_back(assumed_shape(options.parameters.value(), data));
    for (auto const& model : options.models)
        shapes.push_back(model_shape(model, data, options.host.data.patience));
    for (auto const& shape : shapes) (void)setup_of(options.wish, 1, shape, data);
    return shapes;
}

/// GPUs that nobody has are planned for without looking at this host.
std::vector<PlanGpu> gpus_for(PlanCommand const& options, Report& report, std::string& unknown) {
    if (options.memory_bytes) return given_memory(*options.memory_bytes);
    report.host = read_host(options.host);
    unknown = why_gpus_are_unread(*report.host).value_or("");
    return gpu_memory(*report.host, options.host.rows_of(*report.host));
}

Exit code_of(std::vector<Finding> const& findings, Verdict fail_on) {
    if (fails(findings, fail_on)) return Exit::findings;
    for (auto const& finding : findings)
        if (finding.verdict == Verdict::unknown) return Exit::undetermined;
    return Exit::ok;
}

}  // namespace

Exit run_plan(PlanCommand const& options) {
    bool const asks_this_host = !options.memory_bytes && options.host.is_this_host();
    if (options.memory_bytes) give_up_rights(options.output, std::vector<std::string>{});
    else give_up_rights(options.output, options.host);
    auto const data = plan_data_for(options.host.data);
    Report report;
    report.command = "plan";
    Shapes shapes;
    if (options.models.empty()) shapes = possible_shapes(options, data);
    std::string unknown;
    auto const gpus = gpus_for(options, report, unknown);
    // A file may be of others: it is parsed when no rights are needed any more.
    if (!options.models.empty() && asks_this_host)
        give_up_rights(options.output, std::vector<std::string>{});
    if (shapes.empty()) shapes = possible_shapes(options, data);
    std::vector<Plan> plans;
    for (auto const& shape : shapes)
        plans.push_back(make_plan(shape, options.wish, data, gpus, unknown));
    report.findings = judge_plans(plans);
    if (plans.size() == 1) report.plan = std::move(plans.front());
    else report.plans = std::move(plans);
    report.exit_code = code_of(report.findings, options.fail_on);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
