// SPDX-License-Identifier: MIT
// What changed since an earlier report, and what the site has accepted.
#include "checks/checks.hpp"
#include "checks/expectations.hpp"
#include "host/subject.hpp"

namespace rocmtune {
namespace {

struct Row {
    std::string_view name;
    Number Gpu::*fact;
};

constexpr Row rows[] = {{"pcie_replay_count", &Gpu::pcie_replay_count},
                        {"aer_correctable", &Gpu::aer_correctable},
                        {"aer_nonfatal", &Gpu::aer_nonfatal},
                        {"aer_fatal", &Gpu::aer_fatal},
                        {"bad_pages_retired", &Gpu::bad_pages_retired},
                        {"bad_pages_pending", &Gpu::bad_pages_pending},
                        {"bad_pages_unreservable", &Gpu::bad_pages_unreservable}};

void add_blocks(Gpu const& gpu, GpuCounters& counters) {
    if (!gpu.ras_blocks) return;
    for (auto const& block : *gpu.ras_blocks)
        for (auto const& [kind, count] :
             {std::pair{"uncorrectable", block.uncorrectable},
              std::pair{"correctable", block.correctable}, std::pair{"deferred", block.deferred}})
            if (count) counters.counts.emplace(fmt::format("{} {}", block.name, kind), *count);
}

bool is_accepted(Accepted const& entry, Finding const& finding) {
    if (entry.subject != "*" && entry.subject != finding.subject) return false;
    auto const* check = find_check(finding.id);
    return entry.word == finding.id || (check != nullptr && means(entry.word, *check));
}

bool is_complaint(Finding const& finding) {
    return finding.verdict == Verdict::info || finding.verdict == Verdict::warn ||
           finding.verdict == Verdict::fail;
}

}  // namespace

std::vector<GpuCounters> counters_of(Host const& host) {
    std::vector<GpuCounters> all;
    for (auto const& gpu : host.gpus) {
        auto& counters = all.emplace_back(GpuCounters{subject_of(gpu), {}});
        for (auto const& row : rows)
            if (auto const& fact = gpu.*row.fact)
                counters.counts.emplace(std::string(row.name), *fact);
        add_blocks(gpu, counters);
    }
    return all;
}

std::vector<Finding> judge_baseline(Host const& host, std::vector<GpuCounters> const& baseline) {
    std::vector<Finding> findings;
    Verdicts verdicts("RT3904", findings);
    auto const now = counters_of(host);
    for (auto const& before : baseline) {
        auto const same = std::find_if(now.begin(), now.end(), [&](GpuCounters const& counters) {
            return counters.subject == before.subject;
        });
        if (same == now.end()) {
            verdicts.fail(before.subject, "the GPU was there when the baseline was written");
            continue;
        }
        bool grown = false;
        for (auto const& [name, count] : same->counts) {
            auto const old = before.counts.find(name);
            // A smaller number is one that started anew with the driver.
            if (old == before.counts.end() || count <= old->second) continue;
            grown = true;
            verdicts.warn(before.subject,
                          fmt::format("{} has grown from {} to {}", name, old->second, count));
        }
        if (!grown) verdicts.pass(before.subject, "no error counter has grown");
    }
    return findings;
}

void apply_accepted(std::vector<Accepted> const& accepted, std::string const& today,
                    std::vector<Finding>& findings) {
    for (auto& finding : findings) {
        if (!is_complaint(finding)) continue;
        for (auto const& entry : accepted) {
            // Dates in this notation compare as texts.
            if (entry.until < today || !is_accepted(entry, finding)) continue;
            finding.message = fmt::format("accepted until {} ({}): {} {}", entry.until,
                                          entry.reason, word_of(finding.verdict), finding.message);
            finding.verdict = Verdict::skip;
            finding.action = Action::none;
            break;
        }
    }
    Verdicts verdicts("RT3905", findings);
    for (auto const& entry : accepted)
        if (entry.until < today)
            verdicts.info("host", fmt::format("line {}: {} was accepted until {} ({})", entry.line,
                                              entry.word, entry.until, entry.reason));
}

}  // namespace rocmtune
