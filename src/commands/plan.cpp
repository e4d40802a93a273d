// SPDX-License-Identifier: MIT
// rocmtune plan.
#include "judge/plan/plan.hpp"

#include "base/host.hpp"
#include "codec/json_node.hpp"
#include "commands/commands.hpp"
#include "judge/plan/model.hpp"
#include "measure/input_files.hpp"

namespace rocmtune {
namespace {

ModelShape shape_for(PlanCommand const& options, PlanData const& data) {
    if (!options.model) return assumed_shape(options.parameters.value(), data);
    try {
        auto const text =
            user_file(*options.model, max_data_file_bytes, options.host.data.patience);
        return read_model_config(*options.model, text, data);
    } catch (ProfileError const& error) {
        throw Error(error.what(),
                    "--model takes the config.json of a model (Hugging Face Transformers)");
    }
}

/// @throws Error also for a wish that cannot be met.
ModelShape possible_shape(PlanCommand const& options, PlanData const& data) {
    auto shape = shape_for(options, data);
    (void)setup_of(options.wish, 1, shape, data);
    return shape;
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
    std::optional<ModelShape> shape;
    if (!options.model) shape = possible_shape(options, data);
    std::string unknown;
    auto gpus = gpus_for(options, report, unknown);
    // A file may be of others: it is parsed when no rights are needed any more.
    if (options.model && asks_this_host) give_up_rights(options.output, std::vector<std::string>{});
    if (!shape) shape = possible_shape(options, data);
    report.plan = make_plan(*shape, options.wish, data, std::move(gpus), std::move(unknown));
    report.findings = judge_plan(*report.plan);
    report.exit_code = code_of(report.findings, options.fail_on);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
