// SPDX-License-Identifier: MIT
#include "judge/checks/checks.hpp"

#include "base/host.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/findings.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {
namespace {

bool is_meant(std::vector<std::string> const& words, Check const& check) {
    return std::ranges::any_of(words, [&](auto const& word) { return means(word, check); });
}

/// Why the check has no answer on this kind of host; empty if it has.
std::string_view unfit(Check const& check, Host const& host) {
    if (check.where == Where::in_wsl) return host.is_wsl.value_or(false) ? "" : "asked of WSL only";
    // What would be wrong with a host for GPUs is no fault of one without.
    // The log may know one that is gone.
    bool const log_knows =
        check.theme == "kernel-log" && host.kernel_messages && !host.kernel_messages->empty();
    if (host.gpus.empty() && check.name != "gpus-found" && !log_knows)
        return "no AMD GPU was found";
    if (check.where == Where::anywhere) return {};
    if (host.is_wsl.value_or(false)) return "WSL shows GPUs through /dev/dxg, without this driver";
    if (check.where == Where::host_only && in_container(host))
        return "a container does not show or change this of its host";
    return {};
}

/// The host with the rows that were asked for; a copy only where some are not.
std::optional<Host> narrowed(Host const& host, std::vector<std::uint64_t> const& rows) {
    if (rows.empty()) return std::nullopt;
    auto copy = host;
    std::erase_if(copy.gpus, [&](Gpu const& gpu) {
        return std::ranges::find(rows, gpu.row.value_or(0)) == rows.end();
    });
    if (!host.kernel_messages) return copy;
    auto messages = *host.kernel_messages;
    std::erase_if(messages, [&](KernelMessage const& message) {
        return message.pci_address && std::ranges::none_of(copy.gpus, [&](Gpu const& gpu) {
                   return gpu.pci_address.value() == *message.pci_address;
               });
    });
    copy.kernel_messages = {};
    copy.kernel_messages.offer(std::move(messages), host.kernel_messages.source());
    return copy;
}

/// Whether reading ended before its end: of the devices, or of the software only, which is read
/// after them.
struct Cut {
    bool devices = false;
    bool software = false;

    template <class T>
    void operator()(Field const&, Fact<T> const& fact) {
        if (fact || !is_cut_short(fact.detail())) return;
        software = true;
        devices |= fact.detail().starts_with("/sys/");
    }
    template <class T>
    void operator()(Field const&, T const&) {}
};

/// What was not read might be what is wrong: a list may have had more names, a card another one
/// beside it. What is known to be wrong stays so.
void withdraw_passes(Host const& host, std::vector<Finding>& findings) {
    constexpr std::string_view of_software[] = {"rocm", "frameworks", "environment", "caches"};
    Cut cut;
    visit_fields(host, cut);
    for (auto const& gpu : host.gpus) visit_fields(gpu, cut);
    if (!cut.software) return;
    for (auto& finding : findings) {
        auto const* check = find_check(finding.id);
        bool const software = check != nullptr &&
                              std::ranges::find(of_software, check->theme) != std::end(of_software);
        if (finding.verdict != Verdict::pass || (!cut.devices && !software)) continue;
        finding.verdict = Verdict::unknown;
        finding.message = "reading was cut short; what was read says: " + finding.message;
    }
}

/// Whether this check lets GPUs work and compares what comes back.
bool is_work(Check const& check) {
    return check.name == "liveness" || check.name == "kernels";
}

bool has_answer(Finding const& finding) {
    return finding.verdict == Verdict::pass || finding.verdict == Verdict::info ||
           finding.verdict == Verdict::warn || finding.verdict == Verdict::fail;
}

}  // namespace

std::span<Check const> all_checks() {
    static auto const all = [] {
        std::vector<Check> rows;
        for (auto const part :
             {driver_checks(), driver_build_checks(), access_checks(), enumeration_checks(),
              host_checks(), network_checks(), link_checks(), power_checks(), hardware_checks(),
              kernel_log_checks(), rocm_checks(), framework_checks(), cache_checks(), wsl_checks(),
              library_code_checks(), advisory_checks(), measured_checks()})
            rows.insert(rows.end(), part.begin(), part.end());
        std::ranges::sort(rows, {}, &Check::id);
        return rows;
    }();
    return all;
}

Check const* find_check(std::string_view word) {
    for (auto const& check : all_checks())
        if (check.name == word || check.id == word) return &check;
    return nullptr;
}

bool means(std::string_view word, Check const& check) {
    return word == check.id || word == check.name || word == check.theme;
}

bool is_selected(Check const& check, CheckSelection const& selection) {
    if (check.level > selection.level || is_meant(selection.skip, check)) return false;
    return selection.only.empty() || is_meant(selection.only, check);
}

void fill_steps(Host const& host, std::vector<Finding>& findings) {
    auto places = places_of(host);
    for (auto& finding : findings) {
        auto const gpu = finding.subject == "host"
                             ? std::string()
                             : finding.subject.substr(0, finding.subject.find('/'));
        places.gpu = gpu;
        finding.next_step = filled_step(finding.next_step, places);
    }
}

std::vector<Finding> run_checks(Host const& host, ChipSet const& chips,
                                CheckSelection const& selection) {
    auto const part = narrowed(host, selection.rows);
    auto const& judged = part ? *part : host;
    auto const cards = cards_of(judged, chips);
    CheckContext const context{judged,
                               chips,
                               cards,
                               selection.rules,
                               selection.trials,
                               selection.measurements,
                               selection.builds.get()};
    std::vector<Finding> findings;
    for (auto const& check : all_checks()) {
        if (!is_selected(check, selection)) continue;
        Verdicts verdicts(check.id, findings);
        auto const before = findings.size();
        if (auto const reason = unfit(check, judged); !reason.empty())
            verdicts.skip(std::string(reason));
        else check.judge(context, verdicts);
        if (findings.size() == before) verdicts.skip("no GPU here that it could judge");
    }
    for (auto const& word : selection.only)
        if (auto const* advisory = find_advisory(word)) judge_advisory(*advisory, judged, findings);
    std::erase_if(findings, [&](Finding const& finding) {
        return finding.id.starts_with("RT9") && std::ranges::count(selection.skip, finding.id) > 0;
    });
    withdraw_passes(judged, findings);
    fill_steps(judged, findings);
    return findings;
}

CheckSummary summary_of(Host const& host, std::vector<Finding> const& findings,
                        std::vector<std::uint64_t> const& rows) {
    CheckSummary summary;
    bool some_essential = false;
    std::vector<std::string_view> judged;
    std::vector<std::string_view> exercised;
    bool some_worked = false;
    for (auto const& finding : findings) {
        ++summary.counts[static_cast<std::size_t>(finding.verdict)];
        auto const* check = find_check(finding.id);
        if (check == nullptr || !check->essential) continue;
        some_essential = true;
        if (has_answer(finding)) judged.push_back(finding.subject);
        if (is_work(*check) && finding.subject != "host") {
            some_worked = true;
            if (finding.verdict == Verdict::pass) exercised.push_back(finding.subject);
        }
        bool const unknown =
            finding.verdict == Verdict::unknown || finding.verdict == Verdict::timeout;
        summary.essential_unknown |= unknown;
        if (unknown && summary.undetermined.empty())
            summary.undetermined =
                fmt::format("{} {}: {}", finding.id, finding.subject, finding.message);
    }
    for (auto const& gpu : host.gpus) {
        if (!is_among(rows, gpu)) continue;
        ++summary.gpus;
        auto const subject = subject_of(gpu);
        // A finding about the host says nothing about one GPU; one without an address has been
        // listed by HIP, and hip-devices speaks of it.
        bool const named = subject != "host" || gpu.hip_index;
        if (!named) continue;
        if (std::ranges::find(judged, subject) != judged.end()) ++summary.gpus_judged;
        bool const worked = std::ranges::find(exercised, subject) != exercised.end();
        if (some_worked) summary.gpus_exercised = summary.gpus_exercised.value_or(0) + worked;
    }
    if (summary.undetermined.empty() && summary.gpus > 0 && summary.gpus_judged == 0)
        summary.undetermined =
            some_essential ? "no GPU was judged"
                           : "no GPU was judged: no essential check was among those asked for";
    return summary;
}

Exit exit_of(CheckSummary const& summary, Verdict fail_on) {
    bool const found = fail_on != Verdict::pass &&
                       (summary.count(Verdict::fail) > 0 ||
                        (fail_on == Verdict::warn && summary.count(Verdict::warn) > 0));
    if (found) return Exit::findings;
    if (summary.essential_unknown) return Exit::undetermined;
    if (summary.gpus == 0) return Exit::no_device;
    return summary.gpus_judged == 0 ? Exit::undetermined : Exit::ok;
}

}  // namespace rocmtune
