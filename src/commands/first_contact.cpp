// SPDX-License-Identifier: MIT
#include "commands/first_contact.hpp"

#include <chrono>

#include <fmt/format.h>

#include "machine/command.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"
#include "reports/whole_report.hpp"
#include "rocmtune/error.hpp"
#include "show/formats.hpp"

namespace rocmtune {
namespace {

using std::chrono::seconds;

struct Run {
    std::string_view name;
    std::vector<std::string> words;
    seconds time;  ///< together less than ten minutes
};

std::vector<Run> planned() {
    return {
        {"check", {"check", "-l", "medium"}, seconds(150)},
        {"bench", {"bench", "--backend", "hip", "--quick"}, seconds(300)},
        {"verify", {"verify", "--self-test", "--backend", "hip", "--budget", "60"}, seconds(120)}};
}

CommandRequest request_of(Run const& run) {
    CommandRequest request{.words = {"/proc/self/exe"}, .deadline = run.time};
    request.words.insert(request.words.end(), run.words.begin(), run.words.end());
    request.words.emplace_back("--json");
    // Asked to end, a command prints what it knows.
    request.grace = seconds(8);
    request.most_output_bytes = std::size_t{64} << 20;
    return request;
}

/// What the host repeats of itself is in the recording; samples of thousands of runs are not
/// needed.
std::string document_of(Report report) {
    report.host.reset();
    report.visibility.reset();
    for (auto& one : report.measurements) one.samples.clear();
    return find_format("json", report.command)->render(report, TextStyle{});
}

void take(Run const& run, std::string const& text, FirstContact& contact) {
    auto report = read_whole_report(text, std::string(run.name));
    for (auto const& error : report.errors)
        contact.problems.push_back(fmt::format("{}: {}", run.name, error.message));
    contact.documents.emplace_back(fmt::format("/rocmtune/{}.json", run.name), document_of(report));
    if (run.name == "check") contact.runs.check = std::move(report.findings);
    if (run.name == "bench") contact.runs.bench = std::move(report.measurements);
    if (run.name == "verify") contact.runs.verification = std::move(report.findings);
}

}  // namespace

FirstContact make_first_contact(bool quiet) {
    FirstContact contact;
    if (!quiet)
        print_error(
            "rocmtune: measuring on every GPU: check -l medium, bench --quick, verify "
            "--self-test; at most 10 minutes, ^C ends it\n");
    for (auto const& run : planned()) {
        if (HeldSignals::waiting()) break;
        if (!quiet)
            print_error(fmt::format("rocmtune: {} (at most {} s) ...\n", fmt::join(run.words, " "),
                                    run.time.count()));
        auto const request = request_of(run);
        auto const outcome = run_command(request);
        try {
            take(run, outcome.output, contact);
        } catch (Error const&) {
            contact.problems.push_back(
                fmt::format("{}: no report: {}", run.name, end_text(outcome, request)));
        }
    }
    return contact;
}

}  // namespace rocmtune
