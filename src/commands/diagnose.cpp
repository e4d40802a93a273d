// SPDX-License-Identifier: MIT
// rocmtune diagnose.
#include "judge/diagnose/diagnose.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "judge/diagnose/lines.hpp"
#include "knowledge/messages.hpp"
#include "machine/held_signals.hpp"
#include "machine/kernel_log.hpp"
#include "measure/check_host.hpp"
#include "measure/flight.hpp"
#include "measure/gpu_watch.hpp"
#include "measure/output.hpp"
#include "measure/text_stream.hpp"
#include "measure/watched_command.hpp"
#include "probe/log_story.hpp"
#include "rocmtune/error.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

// ---- the text -----------------------------------------------------------------------------------

bool exists(std::string const& word) {
    std::error_code ignored;
    return std::filesystem::exists(word, ignored);
}

/// Who names a file that is not there wants to know that, and not that its name is no known error.
bool looks_like_path(std::string_view word) {
    if (word.find_first_of(" \n\t") != word.npos || word.find("://") != word.npos) return false;
    return word.find('/') != word.npos ||
           std::ranges::any_of(std::array{".log", ".txt", ".out", ".err"},
                               [&](char const* end) { return word.ends_with(end); });
}

bool is_file(std::string const& word) {
    std::error_code ignored;
    // A word of an error may be the name of a directory that lies about here.
    bool const other = std::filesystem::is_directory(word, ignored) && !looks_like_path(word);
    return word == "-" || (exists(word) && !other);
}

/// The kernel's lines of a text, for LogStory, which needs to know the host.
struct KernelLines {
    static constexpr std::size_t most_bytes = std::size_t{4} << 20;

    std::vector<std::pair<std::uint64_t, std::string>> lines = {};
    std::size_t bytes = 0;

    /// `before`: what was left out at its beginning.
    void add(std::string_view line, std::uint64_t number, std::string_view before = {}) {
        if (bytes >= most_bytes) return;
        auto& kept = lines.emplace_back(number, before).second;
        kept += line.substr(0, 4 * max_log_text_bytes);
        bytes += kept.size();
    }
};

/// What all arguments say together; lines are counted through.
class TextReader {
  public:
    explicit TextReader(DataChoice const& data) : patience_(data.patience) {}

    void read(std::vector<std::string> const& inputs) {
        bool is_word = false;  // of a text whose quotes were forgotten
        for (auto const& input : inputs) {
            bool const joins = std::exchange(is_word, false);
            if (is_file(input)) {
                read_file(input);
            } else if (looks_like_path(input)) {
                throw Error(fmt::format("there is no file {}", printable(input)),
                            "a text that looks like a path: echo TEXT | rocmtune diagnose -");
            } else {
                is_word = input.find_first_of(" \n") == input.npos;
                if (!joins || !is_word) lines_.end();
                lines_.add(joins && is_word ? ' ' + input : input);
            }
        }
        lines_.end();
    }

    /// What a command has printed.
    void read_output(std::string_view text) {
        lines_.add(text);
        lines_.end();
    }

    RecognisedText take() { return recogniser_.take(); }
    KernelLines const& kernel() const { return kernel_; }
    FlightReader const& flight() const { return flight_; }
    bool is_empty() const { return is_empty_; }
    std::string const& ended_early() const { return ended_early_; }

  private:
    void read_file(std::string const& path) {
        lines_.end();
        auto const why = stream_text(
            path, [this](std::string_view piece) { lines_.add(piece); }, patience_);
        if (!why.empty()) ended_early_ = fmt::format("{}: {}", printable(path), why);
        lines_.end();
    }

    void take_line(std::string_view line, std::uint64_t number) {
        is_empty_ = false;
        if (flight_.take(line)) return;
        recogniser_.add(line, number);
        if (may_concern_a_gpu(line)) kernel_.add(line, number);
        else if (number <= Recogniser::few_lines && recogniser_.is_of_driver(line))
            kernel_.add(line, number, "amdgpu: ");  // who types a message often leaves that out
    }

    FilePatience patience_;
    Recogniser recogniser_ = {};
    KernelLines kernel_ = {};
    FlightReader flight_ = {};
    LineReader lines_{
        [this](std::string_view line, std::uint64_t number) { take_line(line, number); }};
    bool is_empty_ = true;
    std::string ended_early_ = {};
};

/// The text's own log is that of the host which is meant: its lines are judged as those of the
/// kernel log are.
void take_kernel_log(KernelLines const& kernel, Host& host, RecognisedText& text) {
    MessageMatcher const matcher(message_classes());
    LogStory story(matcher, host);
    std::map<std::string, std::vector<std::uint64_t>> lines_of;
    for (auto const& [number, line] : kernel.lines) {
        story.add(line);
        if (auto const* kind = matcher.match(line)) {
            auto& numbers = lines_of[kind->id];
            constexpr std::size_t most = 10;
            if (numbers.size() < most) numbers.push_back(number);
        }
    }
    auto messages = story.messages({});
    if (messages.empty()) return;
    add_kernel_messages(messages, lines_of, text);
    host.kernel_messages = {};
    host.kernel_messages.offer(std::move(messages), {"text", "the text"});
    host.kernel_log_start_seconds = {};
    host.kernel_log_start_seconds.miss(Missing::absent, "a text is a part of a log");
}

/// What the kernel said since then.
std::vector<KernelMessage> messages_since(double seconds, Host const& host) {
    std::vector<KernelMessage> newer;
    if (host.kernel_messages)
        std::ranges::copy_if(
            *host.kernel_messages, std::back_inserter(newer),
            [&](KernelMessage const& message) { return message.seconds.value_or(0) >= seconds; });
    return newer;
}

// ---- the host -----------------------------------------------------------------------------------

/// What the text's lines of the kernel can come from.
std::vector<std::string> possible_causes(KernelLines const& kernel) {
    MessageMatcher const matcher(message_classes());
    std::set<std::string> ids;
    for (auto const& [number, line] : kernel.lines)
        if (auto const* kind = matcher.match(line))
            for (auto& id : causes_of(*kind)) ids.insert(std::move(id));
    return {ids.begin(), ids.end()};
}

/// The readers that no possible cause needs. In WSL only libraries know which GPUs there are; what
/// is not known is laid beside the whole host.
HostNeeds needs_of(RecognisedText const& text, KernelLines const& kernel,
                   HostChoice const& choice) {
    HostNeeds needs;
    if (choice.is_this_host() && exists("/dev/dxg")) return needs;
    auto causes = possible_causes(text);
    if (causes.empty() && shows_error(text)) return needs;
    // Lines of the kernel are judged by the GPUs that there are.
    causes.emplace_back("RT3601");
    for (auto& id : possible_causes(kernel)) causes.push_back(std::move(id));
    needs.left_out = needless_readers(causes.front());
    for (auto const& id : causes) {
        auto const also = needless_readers(id);
        std::erase_if(needs.left_out, [&](std::string_view reader) {
            return std::ranges::count(also, reader) == 0;
        });
    }
    return needs;
}

bool has_kind(std::vector<std::string> const& ids, std::string_view prefix) {
    return std::ranges::any_of(ids, [&](std::string const& id) { return id.starts_with(prefix); });
}

/// What the checks and lint say about these ids; of none, about everything.
std::vector<Finding> judge(DiagnoseCommand const& options, Host const& host,
                           std::vector<std::string> const& ids) {
    auto const& choice = options.host;
    CheckSelection selection;
    selection.rows = choice.rows_of(host);
    selection.skip = {"liveness", "measured"};  // no GPU is let work
    selection.builds = own_builds_for(choice.data);
    for (auto const& id : ids)
        if (find_check(id) != nullptr) selection.only.push_back(id);
    std::vector<Finding> findings;
    if (ids.empty() || !selection.only.empty())
        findings = run_checks(host, chips_for(choice.data), selection);
    if (has_kind(ids, "RT1")) append(findings, judge_device_map(host));
    if (has_kind(ids, "RT5")) append(findings, harm_in_environment(choice, host));
    return findings;
}

Exit exit_of(DiagnosisAnswer answer, Verdict fail_on) {
    switch (answer) {
        case DiagnosisAnswer::cause_here:
            return fail_on == Verdict::pass ? Exit::ok : Exit::findings;
        case DiagnosisAnswer::no_error: return Exit::ok;
        default: return Exit::undetermined;
    }
}

void note_unread(std::string const& message, std::string const& hint, Report& report) {
    report.exit_code = graver(report.exit_code, Exit::undetermined);
    report.errors.push_back({message, hint, Exit::undetermined});
    tell(message, hint);
}

/// Without a text: as check does, for the worst that it finds.
void diagnose_this_host(DiagnoseCommand const& options, Report& report) {
    auto const start = std::chrono::steady_clock::now();
    CheckSelection selection;
    auto const host = read_host(options.host, needs_of_check(options.host, selection.level));
    selection.rows = options.host.rows_of(host);
    auto findings = check_host(options.host, host, chips_for(options.host.data), start, selection);
    auto const summary = summary_of(host, findings, selection.rows);
    report.exit_code = exit_of(summary, options.fail_on);
    if (report.exit_code == Exit::no_device) report.exit_code = Exit::undetermined;
    append(findings, harm_in_environment(options.host, host));
    report.diagnosis = diagnose_host({host, findings, selection.rows});
    if (report.exit_code != Exit::undetermined) return;
    auto const why = summary.undetermined.empty() ? "no AMD GPU was found" : summary.undetermined;
    report.errors.push_back({why, "rocmtune check shows all that is unknown", report.exit_code});
    tell(why, report.errors.back().hint);
}

/// Whether a message says that the program goes on without the GPU. A note says it, too, of a
/// program that was meant to: it counts where GPUs `rested` all the time.
bool says_without_gpu(SeenMessage const& message, bool rested) {
    auto const* symptom = find_symptom(message.shown.id);
    return symptom != nullptr && symptom->silent && (rested || symptom->role != SymptomRole::note);
}

/// `since`: seconds since boot from which on the kernel's own log belongs to the text, too.
/// `rested`: no GPU did anything meanwhile, so that notes of going on without one are errors.
void judge_text(DiagnoseCommand const& options, HostReader const& read, TextReader& reader,
                std::optional<double> since, Report& report, bool rested = false) {
    auto text = reader.take();
    for (auto& message : text.messages)
        if (rested && says_without_gpu(message, true)) message.shown.role = SymptomRole::error;
    bool const asks_host = since || shows_error(text) || !reader.kernel().lines.empty();
    auto host = asks_host ? read(needs_of(text, reader.kernel(), options.host)) : Host();
    take_kernel_log(reader.kernel(), host, text);
    if (since) add_kernel_messages(messages_since(*since, host), {}, text);
    auto const ids = possible_causes(text);
    auto const findings = shows_error(text) ? judge(options, host, ids) : std::vector<Finding>();
    report.diagnosis = diagnose(std::move(text), {host, findings, options.host.rows_of(host)});
    if ((report.diagnosis->flight_seconds = reader.flight().seconds()))
        report.diagnosis->gpu_activity = reader.flight().activity();
    if (ids.empty()) report.diagnosis->ruled_out = ruled_out(findings);
    report.exit_code = exit_of(report.diagnosis->answer, options.fail_on);
    if (reader.is_empty() && !since)
        note_unread("the text is empty",
                    "errors are often printed apart: COMMAND 2>&1 | rocmtune diagnose -", report);
    if (!reader.ended_early().empty())
        note_unread("not all was read: " + reader.ended_early(), {}, report);
}

}  // namespace

bool speaks_of_error(std::string const& line) {
    Recogniser recogniser;
    std::string storage;
    auto const clean = clean_line(line, storage);
    recogniser.add(clean, 1);
    auto const text = recogniser.take();
    return shows_error(text) || MessageMatcher(message_classes()).match(clean) != nullptr;
}

namespace {

// ---- a command that is watched ------------------------------------------------------------------

/// Whether the output shows that the program went on without the GPU.
bool fell_back(std::string const& output, bool rested) {
    Recogniser recogniser;
    LineReader lines{
        [&](std::string_view line, std::uint64_t number) { recogniser.add(line, number); }};
    lines.add(output);
    lines.end();
    auto const text = recogniser.take();
    return std::ranges::any_of(text.messages, [&](SeenMessage const& message) {
        return says_without_gpu(message, rested);
    });
}

/// Whether somebody who starts this wants the processor.
bool asks_for_processor(std::vector<std::string> const& command) {
    return std::ranges::any_of(command, [](std::string const& word) {
        return upper(word).find("CPU") != std::string::npos;
    });
}

/// A command that ended well: whether it was long enough and the GPUs idle enough to be sure.
bool left_gpus_alone(WatchedEnd const& end, std::vector<std::string> const& command,
                     double seconds) {
    constexpr double least_seconds = 3;  // several looks
    return !end.failed() && seconds >= least_seconds && all_rested(end.gpus) &&
           !asks_for_processor(command);
}

/// Says on standard error what the output and this host show; of GPUs that `rested` only what is
/// a cause here.
void explain_output(DiagnoseCommand const& options, std::string const& output,
                    std::vector<GpuActivity> gpus, double since, std::string_view why,
                    bool rested = false) {
    HeldSignals const signals;
    TextReader reader(options.host.data);
    reader.read_output(output);
    Report report;
    report.command = "diagnose";
    judge_text(
        options, [&](HostNeeds const& needs) { return read_host(options.host, needs); }, reader,
        since, report, rested);
    if (rested && report.diagnosis->answer != DiagnosisAnswer::cause_here) return;
    report.diagnosis->gpu_activity = std::move(gpus);
    if (!options.output.prints() || !options.output.also.empty())
        write_report(report, options.output);
    scrub(report);
    if (options.output.is_quiet) return;
    auto style = style_of(options.output);
    style.width = width_of(STDERR_FILENO);
    style.color = false;
    print_error(fmt::format("\nrocmtune: {}\n{}", why, as_text(report, style)));
}

std::string end_text(WatchedEnd const& end) {
    if (end.signal != 0) return fmt::format("the command was ended by {}", signal_name(end.signal));
    return end.exit_status == 0 ? "the command did not use the GPU"
                                : fmt::format("the command failed with {}", end.exit_status);
}

/// The exit code is that of the command, as a shell has it.
Exit watch_command(DiagnoseCommand const& options) {
    constexpr double slack = 1;  // the clocks of processors differ
    auto const start = kernel_log_seconds(), since = start - slack;
    WatchedCommand command{.words = options.command};
    if ((command.silence = options.hang))
        command.when_silent = [&](std::string const& output, std::vector<GpuActivity> const& gpus) {
            explain_output(options, output, gpus, since,
                           fmt::format("the command has printed nothing for {:.6g} s",
                                       static_cast<double>(options.hang->count()) / 1000));
        };
    auto const end = watch(command);
    if (end.start_error != 0) return not_started(options.command.front(), end.start_error);
    bool const rested = left_gpus_alone(end, options.command, kernel_log_seconds() - start);
    if (!end.failed() && rested && fell_back(end.output, true)) {
        explain_output(options, end.output, end.gpus, since, end_text(end), true);
    } else if (end.failed() || fell_back(end.output, false)) {
        // A shell would say so, and that is what people search for.
        auto const last =
            end.signal == 0 ? std::string() : fmt::format("\n{}", ::strsignal(end.signal));
        explain_output(options, end.output + last, end.gpus, since, end_text(end));
    }
    return static_cast<Exit>(end.signal != 0 ? 128 + end.signal : end.exit_status);
}

}  // namespace

void diagnose_text(DiagnoseCommand const& options, HostReader const& read, Report& report) {
    TextReader reader(options.host.data);
    reader.read(options.inputs);
    judge_text(options, read, reader, std::nullopt, report);
}

Exit run_diagnose(DiagnoseCommand const& options) {
    if (!options.command.empty()) return watch_command(options);
    give_up_rights(options.output, options.host);
    return answer_diagnose(options);
}

Exit answer_diagnose(DiagnoseCommand const& options) {
    HeldSignals const signals;
    Report report;
    report.command = "diagnose";
    if (options.inputs.empty()) diagnose_this_host(options, report);
    else
        diagnose_text(
            options, [&](HostNeeds const& needs) { return read_host(options.host, needs); },
            report);
    note_end_by_signal("what was read up to then was judged", report);
    write_report(report, options.output);
    return report.exit_code;
}

}  // namespace rocmtune
