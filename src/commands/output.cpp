// SPDX-License-Identifier: MIT
#include "commands/output.hpp"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

#include "base/text.hpp"
#include "machine/held_signals.hpp"
#include "machine/sandbox.hpp"
#include "machine/written_file.hpp"
#include "measure/output.hpp"
#include "measure/output_process.hpp"
#include "show/env/env_formats.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

bool is_set(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

/// https://no-color.org and https://bixense.com/clicolors
bool wants_color(Output const& output) {
    if (!output.allows_color || is_set("NO_COLOR")) return false;
    if (is_set("CLICOLOR_FORCE")) return true;
    return obeys_escapes();
}

/// A file has no terminal: no colour, and the usual width.
TextStyle file_style(Output const& output) {
    return {.verbosity = output.verbosity};
}

void note_directories_not_read(Report& report) {
    for (auto const& [problem, hint] : directories_not_read())
        report.errors.push_back({problem, hint, Exit::undetermined});
    scrub(report);
}

/// Texts are still judged for the host of the report as it is.
Report without_secrets(Report report) {
    scrub(report);
    return report;
}

/// Valgrind and the like need rights of their own in the process that they look into.
bool sandbox_is_off() {
    auto const* const value = ::secure_getenv("ROCMTUNE_SANDBOX");
    return value != nullptr && std::string_view(value) == "off";
}

}  // namespace

Format const* format_of(std::string_view command, std::string_view name) {
    if (command == "env") return find_env_format(name);
    auto const* const format = find_format(name, command);
    return format == nullptr && command == "tune" ? find_env_format(name) : format;
}

std::vector<Format const*> formats_for(std::string_view command) {
    std::vector<Format const*> all;
    if (command != "env") all = formats_of(command);
    if (command != "env" && command != "tune") return all;
    for (auto const& format : all_env_formats())
        if (command == "env" || find_format(format.name, command) == nullptr)
            all.push_back(&format);
    return all;
}

SideDocument parse_also(std::string_view command, std::string const& text) {
    auto const colon = text.find(':');
    if (colon == text.npos || colon + 1 == text.size())
        throw Error(fmt::format("--also needs FORMAT:FILE, not '{}'", printable(text)),
                    "for example --also json:report.json");
    auto const name = text.substr(0, colon);
    SideDocument const also{format_of(command, name), text.substr(colon + 1)};
    if (also.file == "-")
        throw Error("--also writes to a file", "--format says what standard output gets");
    if (also.format != nullptr) return also;
    std::vector<std::string_view> names;
    for (auto const* format : formats_for(command)) names.push_back(format->name);
    throw Error(fmt::format("--also knows no format '{}'", printable(name)),
                suggestion(name, names, fmt::format("choose one of {}", fmt::join(names, ", "))));
}

void refuse_shared_files(std::vector<WrittenFile> const& files) {
    std::map<std::pair<std::string, std::string>, std::string_view>
        options;  // by what they replace
    for (auto const& [option, name] : files) {
        auto const target = Destination(name).identity();
        if (!target) continue;
        auto const [other, is_new] = options.emplace(*target, option);
        if (!is_new)
            throw Error(fmt::format("{} and {} write the same file {}", other->second, option,
                                    printable(name)),
                        "give each of them a file of its own");
    }
}

bool obeys_escapes() {
    char const* const terminal = std::getenv("TERM");
    bool const dumb = terminal == nullptr || std::strcmp(terminal, "dumb") == 0;
    return !dumb && ::isatty(STDOUT_FILENO) == 1;
}

TextStyle style_of(Output const& output) {
    auto style = file_style(output);
    if (output.file) return style;
    std::setlocale(LC_CTYPE, "");
    style.width = width_of(STDOUT_FILENO);
    style.color = wants_color(output);
    style.utf8 = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
    return style;
}

void write_text(Output const& output, std::string_view text) {
    if (output.prints()) print(text);
    else replace_file(*output.file, text);
}

void write_report(Report& report, Output const& output) {
    note_directories_not_read(report);
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): what is captured, not a parameter
    write_report([&report](Format const&) -> Report const& { return report; }, output);
}

void write_report(ReportFor const& report_for, Output const& output) {
    // The side files come first: if one cannot be written, nothing was printed yet that says
    // otherwise.
    for (auto const& [format, file] : output.also)
        replace_file(file, format->render(report_for(*format), file_style(output)));
    if (output.is_quiet && output.prints()) return;
    auto const& format = *output.format;
    write_text(output, format.render(report_for(format), style_of(output)));
}

// ---- what is written while it is found ----------------------------------------------------------

FindingDocument::FindingDocument(Format const& format, std::string file, TextStyle const& style)
    : format_(finding_format(format.name)), file_(std::move(file)), style_(style) {
    if (!file_.empty() || format_.head_comes_last || format_.is_by_verdict) waiting_.emplace();
}

Spool& FindingDocument::place_of(Finding const& finding) {
    auto const place = std::ranges::find(lint_verdicts, finding.verdict) - lint_verdicts.begin();
    return waiting_->findings[format_.is_by_verdict ? static_cast<std::size_t>(place) : 0];
}

void FindingDocument::add(Report const& report, std::vector<Finding> const& findings) {
    std::string text;
    for (auto const& finding : findings) {
        bool const is_first = !std::exchange(is_begun_, true);
        if (is_first && !waiting_) text = format_.head(without_secrets(report), style_);
        auto const one = format_.finding(finding, is_first, style_);
        if (waiting_) place_of(finding).add(one);
        else text += one;
    }
    if (!waiting_) print(text);
}

void FindingDocument::end(Report const& report) {
    auto const tail = format_.tail(report, style_);
    if (!waiting_) {
        if (!std::exchange(is_begun_, true)) print(format_.head(report, style_));
        return print(tail);
    }
    auto& document = waiting_->document;
    document.add(format_.head(report, style_));
    for (auto& findings : waiting_->findings)
        findings.hand_on([&](std::string_view piece) { document.add(piece); });
    document.add(tail);
    if (file_.empty()) document.hand_on(print);
    else replace_file(file_, document.mapped());
}

FindingStream::FindingStream(Output const& output) {
    for (auto const& [format, file] : output.also)
        documents_.emplace_back(*format, file, file_style(output));
    if (!output.prints() || !output.is_quiet)
        documents_.emplace_back(*output.format, output.prints() ? "" : *output.file,
                                style_of(output));
}

void FindingStream::add(Report const& report, std::vector<Finding>& findings) {
    for (auto& finding : findings) scrub(finding);
    for (auto& document : documents_) document.add(report, findings);
}

void FindingStream::end(Report& report) {
    note_directories_not_read(report);
    try {
        for (auto& document : documents_)
            if (document.waits()) document.end(report);
    } catch (Error const& error) {
        if (!is_begun()) throw;
        tell(error.what(), error.hint());
        report.errors.push_back({error.what(), error.hint(), error.code()});
        report.exit_code = error.code();
    }
    for (auto& document : documents_)
        if (!document.waits()) document.end(report);
}

bool FindingStream::is_begun() const {
    return std::ranges::any_of(
        documents_, [](auto const& document) { return !document.waits() && document.is_begun(); });
}

// ---- exit codes ---------------------------------------------------------------------------------

bool fails(std::vector<Finding> const& findings, Verdict least) {
    return fails(least, [&](Verdict verdict) {
        return std::ranges::find(findings, verdict, &Finding::verdict) != findings.end();
    });
}

bool fails(Verdict least, std::function<bool(Verdict)> const& has) {
    return least != Verdict::pass &&
           (has(Verdict::fail) || (least == Verdict::warn && has(Verdict::warn)));
}

void note_signal(std::optional<int> signal, std::string_view meaning, Report& report) {
    if (!signal) return;
    constexpr int first_of_signals = 128;
    report.exit_code = static_cast<Exit>(first_of_signals + *signal);
    auto const message = fmt::format("ended early by {}: {}", signal_name(*signal), meaning);
    report.errors.push_back({message, {}, report.exit_code});
    tell(message);
}

bool note_end_by_signal(std::string_view meaning, Report& report) {
    auto const signal = HeldSignals::waiting();
    constexpr std::chrono::seconds writing_grace{2};
    HeldSignals::bound_what_follows(writing_grace);
    note_signal(signal, meaning, report);
    return signal.has_value();
}

// ---- rights -------------------------------------------------------------------------------------

void give_up_rights(Output const& output, std::vector<std::string> const& names) {
    if (sandbox_is_off()) return;
    bool const named = std::ranges::any_of(
        names, [](std::string const& name) { return name.starts_with("/proc/"); });
    auto const others = named ? OtherProcesses::readable : OtherProcesses::hidden;
    std::vector<std::string> files;
    for (auto const& file : output.written) files.push_back(file.name);
    // Our signals must reach the process that writes, and nobody else.
    if (!files.empty() && others == OtherProcesses::hidden) keep_signals_among_us();
    if (start_output_process(std::move(files))) (void)enter_sandbox(others);
}

void give_up_rights(Output const& output, HostChoice const& host) {
    std::vector<std::string> const names{host.root.value_or(""), host.replay.value_or("")};
    if (!host.is_this_host()) give_up_rights(output, names);
}

std::string rights_text() {
    std::string const head =
        "Commands that only read what others wrote give up all other rights before:\n";
    if (sandbox_is_off()) return head + "  off: ROCMTUNE_SANDBOX is set to it\n";
    auto const sandbox = enter_sandbox();
    return fmt::format("{}  Landlock: {}\n  filter of system calls (seccomp): {}\n", head,
                       sandbox.landlock.says, sandbox.filter.says);
}

}  // namespace rocmtune
