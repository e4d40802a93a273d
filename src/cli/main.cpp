// SPDX-License-Identifier: MIT
// The whole program but for its commands: parses, runs, reports errors in the asked form.
#include <algorithm>
#include <csignal>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "bench/worker.hpp"
#include "cli/arguments.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "codec/json.hpp"
#include "commands/explanations.hpp"
#include "commands/newer_data.hpp"
#include "commands/output.hpp"
#include "knowledge/scrub.hpp"
#include "machine/worker.hpp"
#include "measure/output.hpp"
#include "probe/workers.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

/// For help texts.
std::size_t help_width() {
    return std::clamp<std::size_t>(width_of(STDOUT_FILENO), 60, 100);
}

/// The other side of run_workers(). Comes before anything else: every worker pays for the way here.
void be_worker_if_asked(std::vector<std::string> const& words) {
    if (words.size() < 2 || words[0] != "--internal-worker") return;
    auto const* worker = find_worker(words[1]);
    if (worker == nullptr) worker = bench::find_worker(words[1]);
    if (worker != nullptr) be_worker(*worker, std::span(words).subspan(2), find_worker);
}

/// Generators that the build and the tests call; not part of the contract.
bool run_internal(std::vector<std::string> const& words) {
    if (words.size() == 2 && words[0] == "--internal-man-tables") print(man_tables(words[1]));
    else if (words.size() != 1) return false;
    else if (words[0] == "--internal-man-page") print(man_page());
    else if (words[0] == "--internal-explanations")
        print(json_text(to_json(all_explanations()), true));
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
    if (!arguments.has("--verbose")) return print(version_text());
    require_stack();
    auto const data = data_age_text();  // before all rights are given up
    print(version_text() + rights_text() + data);
}

Exit dispatch(std::vector<std::string> const& words) {
    if (run_internal(words)) return Exit::ok;
    auto const arguments = parse_arguments(words);
    if (arguments.has("--help-all"))
        return print(whole_help(arguments.command, help_width())), Exit::ok;
    if (arguments.has("--help")) return print(help_text(arguments.command, help_width())), Exit::ok;
    take_newer_data({.patience = arguments.milliseconds("--timeout")});
    if (arguments.has("--version")) return print_version(arguments), Exit::ok;
    require_stack();
    return find_command(arguments.command.empty() ? "probe" : arguments.command)->run(arguments);
}

// ---- what went wrong ----------------------------------------------------------------------------

/// The document that a program reading our JSON gets instead of a report.
std::string error_document(Arguments const& asked, ReportError const& error) {
    Report report;
    report.command = asked.command;
    report.errors.push_back(error);
    report.exit_code = error.code;
    scrub(report);
    return json_text(to_json(report), true);
}

/// True if the document is in the file of --output.
bool write_to_file(Arguments const& asked, std::string const& document) try {
    auto const file = asked.value("--output");
    if (!file || *file == "-") return false;
    replace_file(*file, document);
    return true;
} catch (Error const&) {
    return false;  // it goes to standard output instead: somebody waits for a document
}

/// Monitoring systems read standard output and their own codes, of errors, too.
std::optional<Exit> fail_for_monitoring(Arguments const& asked, ReportError const& error) {
    auto const format = asked.value("--format");
    bool const nagios = format == "nagios";
    if (asked.command != "check" || (!nagios && format != "npd")) return std::nullopt;
    auto line = printable(scrubbed(error.message));
    std::replace(line.begin(), line.end(), '|', '/');  // the bar starts the performance data
    try {
        print(nagios ? fmt::format("ROCMTUNE UNKNOWN - {}\n", line) : line + '\n');
    } catch (Error const&) {
        // The code alone has to tell.
    }
    return static_cast<Exit>(nagios ? 3 : 2);
}

/// Whether a program waits for a JSON document, however broken the rest of the line is.
bool wants_json(Arguments const& asked) {
    auto const has = [&](std::string_view option, std::string_view value) {
        auto const values = asked.values(option);
        return std::ranges::find(values, value) != values.end();
    };
    return has("--json", "true") || has("--format", "json");
}

/// env(1) has a code of its own for what is not the command's fault.
Exit code_of(Arguments const& asked, Exit code) {
    constexpr auto own_failure_of_run = static_cast<Exit>(125);
    return asked.command == "run" ? own_failure_of_run : code;
}

Exit fail(std::vector<std::string> const& words, ReportError error) {
    auto const asked = understood(words);
    error.code = code_of(asked, error.code);
    tell(error.message, error.hint);
    if (auto const code = fail_for_monitoring(asked, error)) return *code;
    if (!wants_json(asked)) return error.code;
    auto const document = error_document(asked, error);
    try {
        if (!write_to_file(asked, document)) print(document);
    } catch (Error const& second) {
        if (second.what() != error.message) tell(second.what(), second.hint());
    }
    return error.code;
}

/// `words` is the command line without the program's name.
Exit run(std::vector<std::string> const& words) try {
    be_worker_if_asked(words);
    return dispatch(words);
} catch (Error const& error) {
    return fail(words, {error.what(), error.hint(), error.code()});
} catch (std::bad_alloc const&) {
    return fail(words, {"out of memory", {}, Exit::internal});
} catch (std::exception const& error) {
    return fail(words, {fmt::format("internal error: {}", error.what()), "please report this",
                        Exit::internal});
}

}  // namespace
}  // namespace rocmtune

namespace {

/// A closed standard stream would give its number to the next file that is opened, and a message
/// would then be written into that file. The stand-in refuses the use that the stream has.
void hold_standard_streams() {
    for (int fd = 0; fd <= 2; ++fd)
        if (::fcntl(fd, F_GETFD) < 0)
            (void)::open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

void ignore(int) {}

/// A reader that goes away shows as EPIPE where we write, and a limit on sizes of files as EFBIG,
/// not as a death without a word that leaves half of a file. A handler does that, because it is
/// gone in a command that we become, while SIG_IGN would stay.
void outlive_failed_writes() {
    for (int const signal : {SIGPIPE, SIGXFSZ})
        if (std::signal(signal, ignore) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
    hold_standard_streams();
    outlive_failed_writes();
    std::vector<std::string> const words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return static_cast<int>(rocmtune::run(words));
}
