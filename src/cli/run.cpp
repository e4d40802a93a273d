// SPDX-License-Identifier: MIT
#include "cli/run.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <span>

#include <sys/resource.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "bench/worker.hpp"
#include "cli/arguments.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "commands/commands.hpp"
#include "commands/report_output.hpp"
#include "commands/rights.hpp"
#include "knowledge/scrub.hpp"
#include "machine/worker.hpp"
#include "measure/output.hpp"
#include "measure/terminal.hpp"
#include "probe/workers.hpp"
#include "show/json.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

/// The other side of run_workers(). Comes before anything else: every worker pays for the way here.
void be_worker_if_asked(std::vector<std::string> const& words) {
    if (words.size() < 2 || words[0] != "--internal-worker") return;
    auto const* worker = find_worker(words[1]);
    if (worker == nullptr) worker = bench::find_worker(words[1]);
    if (worker != nullptr) be_worker(*worker, std::span(words).subspan(2), find_worker);
}

/// Generators that the build and the tests call; not part of the contract.
bool run_internal(std::vector<std::string> const& words) {
    if (words.size() != 1) return false;
    if (words[0] == "--internal-man-page") print(man_page());
    else if (words[0] == "--internal-report-schema") print(json_text(report_schema(), true));
    else return false;
    return true;
}

/// With less of it than was tested a deep document or a search would end us by SIGSEGV.
void require_stack() {
    constexpr rlim_t least = rlim_t{256} << 10U;
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
    throw Error(fmt::format("a stack of {} is needed, and the limit here is {}", human_bytes(least),
                            human_bytes(limit.rlim_cur)),
                "raise the limit: ulimit -s 8192", Exit::undetermined);
}

void print_version(Arguments const& arguments) {
    print(arguments.has("--verbose") ? version_text() + rights_text() : version_text());
}

Exit dispatch(std::vector<std::string> const& words) {
    if (run_internal(words)) return Exit::ok;
    auto const arguments = parse_arguments(words);
    if (arguments.help) return print(help_text(arguments.command, help_width())), Exit::ok;
    if (arguments.version) return print_version(arguments), Exit::ok;
    require_stack();
    auto const* command = find_command(arguments.command.empty() ? "probe" : arguments.command);
    check_outputs(arguments);
    give_up_rights(arguments, Moment::arguments_are_known);
    return command->run(arguments);
}

/// The document that a program reading our JSON gets instead of a report.
std::string error_document(std::vector<std::string> const& words, ReportError const& error) {
    Report report;
    report.command = wanted_command(words);
    report.errors.push_back(error);
    report.exit_code = error.code;
    scrub(report);
    return json_text(to_json(report), true);
}

/// True if the document is in the file of --output.
bool write_to_file(std::vector<std::string> const& words, std::string const& document) try {
    auto const file = wanted_output(words);
    if (!file || *file == "-") return false;
    replace_file(*file, document);
    return true;
} catch (Error const&) {
    return false;  // it goes to standard output instead: somebody waits for a document
}

/// Monitoring systems read standard output and their own codes, of errors, too.
std::optional<Exit> fail_for_monitoring(std::vector<std::string> const& words,
                                        ReportError const& error) {
    auto const format = wanted_format(words);
    bool const nagios = format == "nagios";
    if (wanted_command(words) != "check" || (!nagios && format != "npd")) return std::nullopt;
    auto line = printable(scrubbed(error.message));
    std::replace(line.begin(), line.end(), '|', '/');  // the bar starts the performance data
    try {
        print(nagios ? fmt::format("ROCMTUNE UNKNOWN - {}\n", line) : line + '\n');
    } catch (Error const&) {
        // The code alone has to tell.
    }
    return static_cast<Exit>(nagios ? 3 : 2);
}

Exit fail(std::vector<std::string> const& words, ReportError const& error) {
    tell(error.message, error.hint);
    if (auto const code = fail_for_monitoring(words, error)) return *code;
    if (!wants_json(words)) return error.code;
    auto const document = error_document(words, error);
    try {
        if (!write_to_file(words, document)) print(document);
    } catch (Error const& second) {
        if (second.what() != error.message) tell(second.what(), second.hint());
    }
    return error.code;
}

/// env(1) has a code of its own for what is not the command's fault.
Exit code_of(std::vector<std::string> const& words, Exit code) {
    constexpr auto own_failure_of_run = static_cast<Exit>(125);
    return wanted_command(words) == "run" ? own_failure_of_run : code;
}

}  // namespace

Exit run(std::vector<std::string> const& words) {
    try {
        be_worker_if_asked(words);
        return dispatch(words);
    } catch (Error const& error) {
        return fail(words, {error.what(), error.hint(), code_of(words, error.code())});
    } catch (std::bad_alloc const&) {
        return fail(words, {"out of memory", {}, code_of(words, Exit::internal)});
    } catch (std::exception const& error) {
        return fail(words, {fmt::format("internal error: {}", error.what()), "please report this",
                            code_of(words, Exit::internal)});
    }
}

}  // namespace rocmtune
