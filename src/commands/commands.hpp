// SPDX-License-Identifier: MIT
// What each command takes, and the function that runs it: one source file a command. The command
// line fills the options (cli/typed_options.cpp); an option that was not given has its default.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands/advice.hpp"
#include "commands/lint_text.hpp"
#include "commands/output.hpp"
#include "judge/checks/check.hpp"
#include "judge/plan/setup.hpp"
#include "judge/verify/input.hpp"
#include "measure/benchmarks.hpp"
#include "measure/host_input.hpp"
#include "rocmtune/assignment.hpp"
#include "rocmtune/error.hpp"
#include "rocmtune/stated_release.hpp"

namespace rocmtune {

struct ProbeCommand {
    HostChoice host = {};
    Output output = {};
    bool is_alone = false;                  ///< rocmtune without the name of a command
    std::vector<std::string> visible = {};  ///< NAME=VALUE, masks of a process
    std::optional<double> watch_seconds = {};
    bool names_format = false;                ///< JSON lines, also on a terminal
    std::optional<std::uint64_t> count = {};  ///< of documents; absent: no end
    std::optional<std::string> flight = {};   ///< file of a flight record (measure/flight.hpp)
    bool is_bug_report = false;
    bool measures = false;  ///< the bug report has figures
};
Exit run_probe(ProbeCommand const& options);

struct EnvCommand {
    HostChoice host = {};
    Output output = {};
    AdviceChoice advice = {};
};
Exit run_env(EnvCommand const& options);

struct RunCommand {
    HostChoice host = {};
    AdviceChoice advice = {};
    Output output = {};  ///< of what is said of a command that fails
    std::vector<std::string> command = {};
    bool diagnoses = false;  ///< the command is watched, and said why it failed
    std::optional<std::chrono::milliseconds> hang = {};  ///< as DiagnoseCommand has it
    bool is_dry = false;
    bool is_quiet = false;
    bool is_verbose = false;
};
Exit run_run(RunCommand const& options);

/// Says that a program could not be started, and gives the code that env(1) has for it: 127 if it
/// is not there, else 126.
Exit not_started(std::string const& program, int error);

struct ExplainCommand {
    HostChoice host = {};
    Output output = {};
    AdviceChoice advice = {};
    std::string name = {};
};
Exit run_explain(ExplainCommand const& options);

struct CheckCommand {
    HostChoice host = {};
    Output output = {};
    CheckLevel level = CheckLevel::quick;
    std::vector<std::string> only = {}, skip = {};  ///< words of means()
    std::vector<std::string> expect_gpus = {};      ///< N or modules=N
    std::optional<std::string> expect = {}, learn = {}, baseline = {}, ignore = {};  ///< files
    bool force = false;  ///< also GPUs on which a job computes are to work
    Verdict fail_on = Verdict::fail;
};
Exit run_check(CheckCommand const& options);

struct DiagnoseCommand {
    HostChoice host = {};
    Output output = {};
    std::vector<std::string> inputs = {};   ///< texts, files, "-"; none: the host itself is judged
    std::vector<std::string> command = {};  ///< is run in place of them, and watched
    std::optional<std::chrono::milliseconds> hang = {};  ///< a command so long silent is looked at
    Verdict fail_on = Verdict::fail;
};
Exit run_diagnose(DiagnoseCommand const& options);
/// The same where the rights that it does not need are given up already.
Exit answer_diagnose(DiagnoseCommand const& options);

/// Whether a line is a known message or has the words of an error.
bool speaks_of_error(std::string const& line);

/// Judges the inputs; `read` gives the host as far as they need it. Fills diagnosis, errors and
/// exit code of the report.
using HostReader = std::function<Host(HostNeeds const&)>;
void diagnose_text(DiagnoseCommand const& options, HostReader const& read, Report& report);

struct LintCommand {
    HostChoice host = {};
    Output output = {};
    std::vector<std::string> files = {};  ///< or directories; "-": standard input
    std::vector<long> processes = {};
    std::optional<InputKind> kind = {};        ///< of the files; absent: as they look
    std::vector<StatedRelease> releases = {};  ///< that the settings are for
    bool shows_readers = false;
    std::optional<std::string> baseline = {}, ignore = {};  ///< files
    Verdict min_level = Verdict::info;                      ///< milder findings are none
    Mending mending = Mending::none;
    Verdict fail_on = Verdict::fail;
};
Exit run_lint(LintCommand const& options);

/// Judges the environment of Report::host as lint without files does: adds findings and the summary
/// of lint, or an error with code 3 where the environment is not known.
void lint_environment(HostChoice const& choice, Report& report);

/// The fails and warnings of that, without a look at the installed libraries, which make notes;
/// none where the environment is not known.
std::vector<Finding> harm_in_environment(HostChoice const& choice, Host const& host);

struct BenchCommand {
    Output output = {};
    BenchmarkChoice benchmarks = {};
};
Exit run_bench(BenchCommand const& options);

struct VerifyCommand {
    Output output = {};
    HostChoice host = {};  ///< that recommendations are for
    AdviceChoice advice = {};
    std::vector<std::string> settings = {};  ///< NAME=VALUE
    std::vector<std::string> unset = {};     ///< names
    std::optional<std::string> env_file = {};
    std::optional<std::string> benchmark = {};
    std::optional<std::string> shell_line = {};  ///< measured in place of a benchmark
    std::vector<std::string> command = {};       ///< likewise, and no shell sees it
    std::optional<std::string> ready = {};      ///< the command is a server: its line when it is up
    std::optional<std::string> load_line = {};  ///< for the shell: what loads the server
    std::optional<std::string> metric = {};
    std::optional<bool> lower_is_better = {};
    double budget_seconds = 120;
    double margin = 0.02;  ///< ratio: smaller effects do not matter
    std::vector<std::string> assume_read = {};
    bool is_self_test = false;
    DeviceChoice devices = {};
    std::string dtype = {};
    std::optional<std::uint64_t> size = {};
    Verdict fail_on = Verdict::fail;

    bool measures_command() const { return shell_line || !command.empty(); }
};
Exit run_verify(VerifyCommand const& options);

struct TuneCommand {
    VerifyCommand measured = {};             ///< what is measured, and how; its settings may have
                                             ///< several values: NAME=V1,V2
    std::vector<std::string> launches = {};  ///< words before the command
    verify::ResultRule result = {};
    bool resumes = false;
    bool only_observes = false;
    std::vector<std::string> regions = {};  ///< NAME=REGEX, cut from the watched run
};
Exit run_tune(TuneCommand const& options);

struct ReportCommand {
    HostChoice host = {};
    Output output = {};
    AdviceChoice advice = {};
    std::vector<std::string> parts = {};  ///< of the document, in its order
    std::vector<std::string> files = {};  ///< reports to be put together; none: a host is looked at
    BenchmarkChoice benchmarks = {};
    Verdict fail_on = Verdict::fail;
};
Exit run_report(ReportCommand const& options);

struct CompareCommand {
    Output output = {};
    std::vector<std::string> reports = {};
    double margin = 0.03;  ///< ratio: smaller changes of measurements do not matter
    bool is_gate = false;  ///< a comparison without measurements has not passed
    Verdict fail_on = Verdict::fail;
};
Exit run_compare(CompareCommand const& options);

struct FleetCommand {
    Output output = {};
    std::vector<std::string> inputs = {};
    Verdict fail_on = Verdict::fail;
};
Exit run_fleet(FleetCommand const& options);

struct PlanCommand {
    HostChoice host = {};
    Output output = {};
    PlanWish wish = {};
    std::vector<std::string> models = {};            ///< files, folders, ids
    std::optional<std::uint64_t> parameters = {};    ///< without one
    std::optional<std::uint64_t> memory_bytes = {};  ///< of GPUs that this host may not have
    Verdict fail_on = Verdict::fail;
};
Exit run_plan(PlanCommand const& options);

struct BuildsCommand {
    HostChoice host = {};
    Output output = {};
    std::vector<std::string> frameworks = {};  ///< none: all
    std::vector<std::string> targets = {};     ///< in place of a host
    std::string installer = {};                ///< of installer_words; empty: the best
    std::optional<std::string> python = {};
    bool shows_targets = false;
};
Exit run_builds(BuildsCommand const& options);

struct CacheCommand {
    Output output = {};
    bool clears = false;
};
Exit run_cache(CacheCommand const& options);

struct SchemaCommand {
    DataChoice data = {};
    Output output = {};
    std::string name = {};
};
Exit run_schema(SchemaCommand const& options);

}  // namespace rocmtune
