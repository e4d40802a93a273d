// SPDX-License-Identifier: MIT
// rocmtune lint.
#include "lint/lint.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/accepted_settings.hpp"
#include "cli/commands.hpp"
#include "cli/data_files.hpp"
#include "cli/fail_on.hpp"
#include "cli/host_input.hpp"
#include "cli/host_lint.hpp"
#include "cli/host_readers.hpp"
#include "cli/output.hpp"
#include "cli/report_output.hpp"
#include "cli/rights.hpp"
#include "cli/selected_rows.hpp"
#include "cli/user_file.hpp"
#include "collect/inputs.hpp"
#include "lint/mapped_libraries.hpp"

namespace rocmtune {
namespace {

struct KindWord {
    std::string_view word;
    InputKind kind;
};

constexpr KindWord kind_words[] = {
    {"shell", InputKind::shell},           {"slurm", InputKind::slurm},
    {"dotenv", InputKind::dotenv},         {"dockerfile", InputKind::dockerfile},
    {"systemd", InputKind::systemd},       {"modulefile", InputKind::modulefile},
    {"rccl-conf", InputKind::rccl_conf},   {"markdown", InputKind::markdown},
    {"python", InputKind::python},         {"compose", InputKind::compose},
    {"kubernetes", InputKind::kubernetes}, {"workflow", InputKind::workflow},
};

std::optional<InputKind> wanted_kind(Arguments const& arguments) {
    auto const word = arguments.value("--kind");
    if (!word) return std::nullopt;
    auto const row = std::ranges::find(kind_words, *word, &KindWord::word);
    return row == std::end(kind_words) ? std::nullopt : std::optional(row->kind);
}

/// Whether the settings are for a host whose readers of them can be looked at.
bool knows_readers(Arguments const& arguments) {
    return arguments.positionals.empty() || arguments.has("--process") ||
           arguments.has("--readers") || !can_scan(arguments);
}

/// Whether there are GPUs for which the settings are: --gpu says so of files, too.
bool knows_host(Arguments const& arguments) {
    return knows_readers(arguments) || arguments.has("--gpu");
}

/// A line with a secret in it is not shown, whatever was found beside it.
void add_excerpts(std::vector<Assignment> const& assignments, std::string_view text,
                  std::vector<Finding>& findings) {
    if (findings.empty() || text.empty()) return;
    std::set<std::size_t> secret;
    for (auto const& assignment : assignments)
        if (is_secret(assignment)) secret.insert(assignment.line);
    auto const all = lines(text);
    for (auto& finding : findings) {
        auto const line = finding.setting->line;
        if (line > 0 && line <= all.size() && !secret.contains(line))
            finding.setting->excerpt = all[line - 1];
    }
}

/// What came of one input.
struct JudgedText {
    std::vector<Finding> findings = {};
    LintSummary summary = {};
    std::string problem = {};
};

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
    explicit LintRun(Arguments const& arguments, Host const* host = nullptr, Scan scan = Scan::yes)
        : arguments_(arguments),
          catalogue_(catalogue_for(arguments)),
          chips_(chips_for(arguments)),
          accepted_(arguments) {
        report_.command = "lint";
        report_.lint.emplace();
        if (host == nullptr && !knows_host(arguments)) return;
        (void)parse_gpu_selectors(arguments.values("--gpu"));  // complains before anything is read
        report_.host = host != nullptr ? *host : read_host(arguments);
        choose_gpus();
        if (scan == Scan::yes && (host != nullptr || knows_readers(arguments))) find_readers();
    }

    /// Judges the environment of the host alone.
    Report run_environment() {
        environment();
        return std::move(report_);
    }

    Report run() {
        files();
        for (auto const& pid : arguments_.values("--process")) process(pid);
        if (arguments_.positionals.empty() && !arguments_.has("--process")) environment();
        for (auto const& text : accepted_.expired()) tell(text);
        return std::move(report_);
    }

  private:
    void problem(std::string const& message, Exit code = Exit::usage) {
        report_.errors.push_back({message, "", code});
        if (report_.exit_code != Exit::usage) report_.exit_code = code;
    }

    /// The report has the host as a whole; the settings are judged for the chosen GPUs.
    void choose_gpus() {
        auto const rows = selected_rows(arguments_, *report_.host);
        if (rows.empty()) return;
        report_.lint->rows = rows;
        chosen_ = *report_.host;
        keep_rows(rows, *chosen_);
    }

    /// The host that the settings are for; null where that is not known.
    Host const* judged_host() const {
        if (chosen_) return &*chosen_;
        return report_.host ? &*report_.host : nullptr;
    }

    void find_readers() {
        bool const is_asked = arguments_.has("--readers");
        if (!can_scan(arguments_)) {
            if (is_asked)
                throw Error("--readers looks at this machine, not at a recorded one",
                            "leave out --root and --replay");
            return;
        }
        auto files = scanned_readers(*report_.host, catalogue_);
        readers_ = index_of(files, catalogue_);
        if (is_asked) report_.readers = std::move(files);
    }

    void files() {
        std::vector<InputFile> all;
        auto const patience = file_patience(arguments_);
        for (auto const& path : arguments_.positionals)
            std::ranges::move(input_files(path, patience), std::back_inserter(all));
        std::vector<JudgedText> judged(all.size());
        auto const kind = wanted_kind(arguments_);
        for_each_number(all.size(), [&](std::size_t i) {
            visit_file(all[i], kind, visitor_for(judged[i]), patience);
        });
        for (auto& text : judged) add(std::move(text));
    }

    void process(std::string const& text) {
        auto const pid = to_signed(text);
        if (!pid || *pid < 1) throw Error(fmt::format("'{}' is no process id", printable(text)));
        JudgedText judged;
        visit_process(static_cast<long>(*pid), visitor_for(judged));
        std::ranges::move(lint_mapped_libraries(maps_of_process(static_cast<long>(*pid))),
                          std::back_inserter(judged.findings));
        judged.summary.accepted += accepted_.take_accepted({}, judged.findings);
        add(std::move(judged));
    }

    /// What the host's own process has; a recording has it, too.
    void environment() {
        if (!report_.host->environment)
            return problem("the environment was not recorded", Exit::undetermined);
        add(judge(environment_settings(*report_.host), {}));
    }

    InputVisitor visitor_for(JudgedText& judged) const {
        return {[this, &judged](InputText const& text) { judged = judge(text); },
                [&judged](std::string const& message) { judged.problem = message; }};
    }

    JudgedText judge(InputText const& input) const {
        try {
            return judge(read_assignments(input), input.text);
        } catch (Error const& error) {
            return {.problem =
                        fmt::format("cannot read {}: {}", printable(input.file), error.what())};
        }
    }

    JudgedText judge(std::vector<Assignment> const& assignments, std::string_view text) const {
        JudgedText judged;
        judged.findings = lint(assignments, context());
        judged.summary = {.texts = 1,
                          .assignments = assignments.size(),
                          .accepted = accepted_.take_accepted(text, judged.findings)};
        add_excerpts(assignments, text, judged.findings);
        return judged;
    }

    void add(JudgedText judged) {
        if (!judged.problem.empty()) problem(judged.problem);
        auto const known = accepted_.take_known(judged.findings);
        report_.lint->texts += judged.summary.texts;
        report_.lint->assignments += judged.summary.assignments;
        report_.lint->accepted += judged.summary.accepted + known;
        std::ranges::move(judged.findings, std::back_inserter(report_.findings));
    }

    LintContext context() const {
        return {catalogue_, chips_, judged_host(), readers_ ? &*readers_ : nullptr,
                chosen_.has_value()};
    }

    Arguments const& arguments_;
    Catalogue catalogue_;
    ChipSet chips_;
    AcceptedSettings accepted_;
    std::optional<Host> chosen_ = {};  ///< with the GPUs of --gpu alone
    std::optional<ReaderIndex> readers_ = {};
    Report report_ = {};
};

Exit exit_of(Report const& report, Arguments const& arguments) {
    if (report.exit_code == Exit::usage) return report.exit_code;
    return fails(report.findings, arguments) ? Exit::findings : report.exit_code;
}

}  // namespace

void lint_environment(Arguments const& arguments, Report& report) {
    auto found = LintRun(arguments, &*report.host).run_environment();
    // Nothing found in nothing would look like an environment that is in order.
    if (found.errors.empty()) report.lint = found.lint;
    std::ranges::move(found.findings, std::back_inserter(report.findings));
    std::ranges::move(found.errors, std::back_inserter(report.errors));
}

std::vector<Finding> harm_in_environment(Arguments const& arguments, Host const& host) {
    auto found = LintRun(arguments, &host, LintRun::Scan::no).run_environment().findings;
    std::erase_if(found, [](Finding const& finding) { return finding.verdict == Verdict::info; });
    return found;
}

Exit run_lint(Arguments const& arguments) {
    LintRun lint(arguments);
    give_up_rights(arguments, Moment::host_is_read);
    auto report = lint.run();
    for (auto const& error : report.errors) tell(error.message);
    report.exit_code = exit_of(report, arguments);
    write_report(report, arguments);
    return report.exit_code;
}

}  // namespace rocmtune
