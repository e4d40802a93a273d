// SPDX-License-Identifier: MIT
// rocmtune lint.
#include "judge/lint/lint.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <span>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/lint_text.hpp"
#include "machine/spool.hpp"
#include "measure/accepted.hpp"
#include "measure/host_readers.hpp"
#include "measure/in_order.hpp"
#include "measure/output.hpp"
#include "rocmtune/error.hpp"
#include "settings/inputs.hpp"

namespace rocmtune {
namespace {

/// Whether the settings are for a host whose readers of them can be looked at.
bool knows_readers(LintCommand const& options) {
    return options.files.empty() || !options.processes.empty() || options.shows_readers ||
           !can_scan(options.host);
}

/// Whether there are GPUs for which the settings are: --gpu says so of files, too.
bool knows_host(LintCommand const& options) {
    return knows_readers(options) || !options.host.gpus.empty();
}

/// Texts are independent of each other. More threads than this would wait for the disk.
std::size_t threads_for(std::size_t files) {
    constexpr std::size_t most = 8;
    constexpr std::size_t files_worth_a_thread = 32;
    auto const processors = std::max(std::thread::hardware_concurrency(), 1u);
    return std::min({most, std::size_t{processors}, files / files_worth_a_thread + 1});
}

/// Calls `work` with every number below `count`, in any order, on several threads.
void for_each_number(std::size_t count, std::function<void(std::size_t)> const& work) {
    std::atomic<std::size_t> next = 0;
    auto const run = [&] {
        for (auto i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::future<void>> others;
    for (auto left = threads_for(count); left > 1; --left)
        others.push_back(std::async(std::launch::async, run));
    run();
    for (auto& other : others) other.get();
}

class LintRun {
  public:
    enum class Scan : bool { no, yes };

    /// `host`: one that was read already; null: it is read here if the texts are for it. Without a
    /// scan nothing is said of settings that no library here reads.
    explicit LintRun(LintCommand const& options, Host const* host = nullptr, Scan scan = Scan::yes)
        : options_(options),
          catalogue_(catalogue_for(options.host.data)),
          chips_(chips_for(options.host.data)),
          accepted_(options.baseline, options.ignore, options.host.data.patience) {
        report_.command = "lint";
        report_.lint.emplace();
        state_releases();
        if (host == nullptr && !knows_host(options)) return;
        if (host == nullptr) report_.host = read_host(options.host);
        host_ = host != nullptr ? host : &*report_.host;
        choose_gpus();
        if (scan == Scan::yes && (host != nullptr || knows_readers(options))) find_readers();
        context_.host = judged_host();
        context_.readers = readers_ ? &*readers_ : nullptr;
        context_.some_gpus = chosen_.has_value();
    }

    /// Judges the environment of the host alone. The report has the findings.
    Report run_environment() {
        environment();
        return std::move(report_);
    }

    /// Judges what the arguments name. The findings go to the stream, and none is kept.
    /// `diff` takes what --diff shows, file by file.
    void run(FindingStream& stream, std::function<void(std::string_view)> diff) {
        stream_ = &stream;
        diff_ = std::move(diff);
        files();
        for (auto const pid : options_.processes) process(pid);
        if (options_.files.empty() && options_.processes.empty()) environment();
        for (auto const& text : accepted_.expired()) tell(text);
    }

    /// What is known up to now.
    Report& report() { return report_; }

  private:
    void problem(std::string const& message, Exit code = Exit::usage) {
        report_.errors.push_back({message, "", code});
        if (report_.exit_code != Exit::usage) report_.exit_code = code;
    }

    /// @throws Error for a package that no component has.
    void state_releases() {
        for (auto const& release : options_.releases)
            if (!is_known_package(release.package, catalogue_))
                throw Error(fmt::format("no setting is known to be read by {}", release.package),
                            "torch, vllm, sglang, ray, triton, ollama, rocm and others are known");
        context_.releases = options_.releases;
    }

    /// The report has the host as a whole; the settings are judged for the chosen GPUs.
    void choose_gpus() {
        auto const rows = options_.host.rows_of(*host_);
        if (rows.empty()) return;
        report_.lint->rows = rows;
        chosen_ = *host_;
        keep_rows(rows, *chosen_);
    }

    /// The host that the settings are for; null where that is not known.
    Host const* judged_host() const { return chosen_ ? &*chosen_ : host_; }

    void find_readers() {
        if (!can_scan(options_.host)) return;
        auto files = scanned_readers(*host_, catalogue_);
        readers_ = index_of(files, catalogue_);
        if (options_.shows_readers) report_.readers = std::move(files);
    }

    void files() {
        std::vector<InputFile> all;
        auto const patience = bounded_below(options_.host.data.patience);
        for (auto const& path : options_.files)
            std::ranges::move(input_files(path, patience), std::back_inserter(all));
        files_ = all.size();
        InOrder<JudgedText> order([this](JudgedText part) { add(std::move(part)); });
        for_each_number(all.size(), [&](std::size_t i) {
            auto const put = [&](JudgedText part) { order.put(i, std::move(part)); };
            try {
                visit_file(all[i], options_.kind, visitor_for(put), patience);
                order.end(i);
            } catch (...) {
                order.give_up();
                throw;
            }
        });
    }

    void process(long pid) {
        auto const put = [this](JudgedText part) { add(std::move(part)); };
        visit_process(pid, visitor_for(put));
        JudgedText mapped;
        mapped.findings = lint_mapped_libraries(maps_of_process(pid));
        mapped.summary.accepted = std::erase_if(mapped.findings, [this](Finding const& finding) {
            return accepted_.accepts({}, finding);
        });
        std::erase_if(mapped.findings, [this](Finding const& finding) {
            return finding.verdict < options_.min_level;
        });
        add(std::move(mapped));
    }

    /// What the host's own process has; a recording has it, too.
    void environment() {
        if (!host_->environment)
            return problem("the environment was not recorded", Exit::undetermined);
        judge_.judge(environment_settings(*host_),
                     [this](JudgedText part) { add(std::move(part)); });
    }

    InputVisitor visitor_for(PartSink const& put) const {
        return {[this, put](InputText const& text) { judge_.judge(text, put); },
                [put](std::string const& message) { put({.problem = message}); },
                [this, put](std::string const& message) {
                    // One that stands alone leaves nothing to judge.
                    if (files_ > 1) return put({.passed_over = message});
                    put({.problem =
                             fmt::format("{}: {}", message,
                                         fmt::join(std::span(input_kind_words).subspan(2), ", "))});
                }};
    }

    /// In the order of the texts.
    void add(JudgedText part) {
        if (!part.problem.empty()) problem(part.problem);
        if (!part.passed_over.empty()) tell(part.passed_over);
        if (!part.diff.empty()) diff_(part.diff);
        auto const known = accepted_.take_known(part.findings);
        report_.lint->texts += part.summary.texts;
        report_.lint->assignments += part.summary.assignments;
        report_.lint->accepted += part.summary.accepted + known;
        report_.lint->repaired += part.summary.repaired;
        if (stream_ == nullptr)
            return void(std::ranges::move(part.findings, std::back_inserter(report_.findings)));
        stream_->add(report_, part.findings);
        for (auto const& finding : part.findings) count_as_written(finding, *report_.lint);
    }

    LintCommand const& options_;
    Catalogue catalogue_;
    ChipSet chips_;
    AcceptedSettings accepted_;
    Host const* host_ = nullptr;  ///< the report's own, or one that was read already; null: none
    std::optional<Host> chosen_ = {};  ///< with the GPUs of --gpu alone
    std::optional<ReaderIndex> readers_ = {};
    Report report_ = {};
    LintContext context_ = {catalogue_, chips_};
    TextJudge judge_ = {context_, accepted_, options_.min_level, options_.mending};
    std::size_t files_ = 0;
    FindingStream* stream_ = nullptr;  ///< null: the report keeps the findings
    std::function<void(std::string_view)> diff_ = {};
};

Exit exit_of(Report const& report, Verdict fail_on) {
    auto const has = [&](Verdict verdict) {
        return count_of(verdict, *report.lint, report.findings) > 0;
    };
    return fails(fail_on, has) ? graver(report.exit_code, Exit::findings) : report.exit_code;
}

/// A document that was begun is ended with what went wrong: a second one must not follow it.
void run_into(FindingStream& stream, LintRun& lint,
              std::function<void(std::string_view)> const& diff) try {
    lint.run(stream, diff);
} catch (Error const& error) {
    if (!stream.is_begun()) throw;
    lint.report().errors.push_back({error.what(), error.hint(), error.code()});
    lint.report().exit_code = error.code();
}

/// Files are judged for this host if it is asked for; an environment of another process is not
/// theirs to read who have no rights. `is_read`: this host was asked.
void give_up_rights_of_lint(LintCommand const& options, bool is_read) {
    // Files that are changed lie anywhere.
    if (!options.processes.empty() || options.mending == Mending::fix) return;
    bool const for_this_host = !options.host.gpus.empty() || options.shows_readers;
    bool const has_texts = !options.files.empty();
    bool const needs_no_host = !options.host.is_this_host() || (has_texts && !for_this_host);
    if (is_read ? needs_no_host || !has_texts : !needs_no_host) return;
    auto names = options.files;
    for (auto const& name : {options.host.root, options.host.replay})
        if (name) names.push_back(*name);
    give_up_rights(options.output, names);
}

/// What root changes is decided by data of root alone, whoever names others.
void refuse_foreign_data(LintCommand const& options) {
    if (options.mending != Mending::fix || !options.host.data.directory || ::geteuid() != 0) return;
    throw Error(
        "as root --fix changes files by the data of the system alone, and takes no "
        "--profiles",
        "--diff shows what they would change; /etc/rocmtune/profiles belongs to the system");
}

/// In the place of the findings, which --also gets.
void write_diff(Output const& output, Spool& diff) {
    if (!output.prints()) replace_file(*output.file, diff.mapped());
    else if (!output.is_quiet) diff.hand_on(print);
}

}  // namespace

void lint_environment(HostChoice const& choice, Report& report) {
    LintCommand const options{.host = choice};
    auto found = LintRun(options, &*report.host).run_environment();
    // Nothing found in nothing would look like an environment that is in order.
    if (found.errors.empty()) report.lint = found.lint;
    std::ranges::move(found.findings, std::back_inserter(report.findings));
    std::ranges::move(found.errors, std::back_inserter(report.errors));
}

std::vector<Finding> harm_in_environment(HostChoice const& choice, Host const& host) {
    LintCommand const options{.host = choice};
    auto found = LintRun(options, &host, LintRun::Scan::no).run_environment().findings;
    std::erase_if(found, [](Finding const& finding) { return finding.verdict == Verdict::info; });
    return found;
}

Exit run_lint(LintCommand const& options) {
    refuse_foreign_data(options);
    bool const shows_diff = options.mending == Mending::diff;
    auto output = options.output;
    output.is_quiet = output.is_quiet || shows_diff;
    if (shows_diff) output.file.reset();
    FindingStream stream(output);
    Spool diff;
    give_up_rights_of_lint(options, false);
    LintRun lint(options);
    give_up_rights_of_lint(options, true);
    run_into(stream, lint, [&](std::string_view text) { diff.add(text); });
    if (shows_diff) write_diff(options.output, diff);
    auto& report = lint.report();
    for (auto const& error : report.errors) tell(error.message, error.hint);
    report.exit_code = exit_of(report, options.fail_on);
    stream.end(report);
    return report.exit_code;
}

}  // namespace rocmtune
