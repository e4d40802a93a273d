// SPDX-License-Identifier: MIT
#include "commands/bug_report.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/text.hpp"
#include "build_info.hpp"
#include "codec/read_report.hpp"
#include "machine/command.hpp"
#include "machine/held_signals.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"
#include "show/formats.hpp"
#include "show/printer.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view questions =
    "### What rocmtune got wrong\n\n"
    "<!-- Which line or value is wrong, and what would be right? -->\n\n"
    "### How you know\n\n"
    "<!-- The command of another tool with its output, a data sheet, the label on the card. "
    "-->\n\n";

/// A fence longer than any inside, so that the text cannot end the block.
std::string fenced(std::string_view text) {
    std::string fence = "```";
    while (text.find(fence) != text.npos) fence += '`';
    return fmt::format("{}text\n{}{}\n", fence, text, fence);
}

std::string file_section(Recording const& recording) {
    auto const name = recording.file.substr(recording.file.rfind('/') + 1);
    auto text = fmt::format(
        "### The recording\n\n"
        "Attached: `{}` ({}), everything that rocmtune asked of this host, redacted by the "
        "program.\n\n"
        "- replaced: {}\n",
        printable(name), human_bytes(recording.bytes), replaced_text(*recording.redaction));
    if (recording.redaction->dropped_log_lines > 0)
        text += fmt::format("- left out: {}\n", dropped_text(*recording.redaction));
    for (auto const& left : recording.redaction->left)
        text += fmt::format("- still inside: {}\n", left);
    return text;
}

/// What failed comes first: that is what the issue is about.
std::string claims_section(std::vector<CardClaim> claims,
                           std::vector<std::string> const& problems) {
    if (claims.empty() && problems.empty()) return {};
    std::ranges::stable_partition(claims,
                                  [](CardClaim const& c) { return c.end == ClaimEnd::failed; });
    auto const count = [&](ClaimEnd end) {
        return std::ranges::count(claims, end, &CardClaim::end);
    };
    auto text = fmt::format(
        "### What rocmtune claims of this card, and what it did\n\n"
        "{} held, {} failed, {} not reached.\n\n"
        "| GPU | what | claimed | found here | |\n|---|---|---|---|---|\n",
        count(ClaimEnd::held), count(ClaimEnd::failed), count(ClaimEnd::not_reached));
    for (auto const& claim : claims)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_cell(claim.subject),
                            markdown_cell(claim.what),
                            claim.claimed.empty() ? "nothing" : markdown_cell(claim.claimed),
                            markdown_cell(claim.found), claim_end_text(claim.end));
    for (auto const& problem : problems) text += fmt::format("\n- {}\n", printable(problem));
    return text + "\n";
}

// ---- figures ------------------------------------------------------------------------------------

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

void take(Run const& run, std::string const& text, OwnRuns& own) {
    auto report = read_whole_report(text, std::string(run.name));
    for (auto const& error : report.errors)
        own.problems.push_back(fmt::format("{}: {}", run.name, error.message));
    own.documents.emplace_back(fmt::format("/rocmtune/{}.json", run.name), document_of(report));
    if (run.name == "check") own.runs.check = std::move(report.findings);
    if (run.name == "bench") own.runs.bench = std::move(report.measurements);
    if (run.name == "verify") own.runs.verification = std::move(report.findings);
}

}  // namespace

OwnRuns run_own_commands(bool quiet) {
    OwnRuns own;
    if (!quiet)
        print_error(
            "rocmtune: measuring on every GPU: check -l medium, bench --quick, verify --self-test; "
            "at most 10 minutes, ^C ends it\n");
    for (auto const& run : planned()) {
        if (HeldSignals::waiting()) break;
        if (!quiet)
            print_error(fmt::format("rocmtune: {} (at most {} s) ...\n", fmt::join(run.words, " "),
                                    run.time.count()));
        auto const request = request_of(run);
        auto const outcome = run_command(request);
        try {
            take(run, outcome.output, own);
        } catch (Error const&) {
            own.problems.push_back(
                fmt::format("{}: no report: {}", run.name, end_text(outcome, request)));
        }
    }
    return own;
}

std::string bug_report_text(Report const& report, Recording const& recording,
                            std::vector<CardClaim> const& claims,
                            std::vector<std::string> const& problems) {
    return fmt::format("{}### Summary\n\nrocmtune {} (data of {}), `rocmtune probe`:\n\n{}\n{}{}",
                       questions, tool_version, data_date(),
                       fenced(find_format("text", "probe")->render(report, TextStyle{})),
                       claims_section(claims, problems), file_section(recording)) +
           "\n<!-- Look into the file before you send it: it is text inside (tar -xzf, or "
           "rocmtune-host(5)).\n"
           "     rocmtune probe --replay FILE shows what we will see. -->\n";
}

}  // namespace rocmtune
