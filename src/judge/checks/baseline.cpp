// SPDX-License-Identifier: MIT
// What changed since an earlier report, and what the site has accepted.
#include <set>

#include "host/gpu_use.hpp"
#include "host/subject.hpp"
#include "judge/checks/checks.hpp"
#include "judge/checks/expectations.hpp"

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

GpuCounters const* at(std::vector<GpuCounters> const& all, std::string const& subject) {
    auto const found = std::find_if(all.begin(), all.end(), [&](GpuCounters const& counters) {
        return counters.subject == subject;
    });
    return found == all.end() ? nullptr : &*found;
}

/// A container may have another name each time: the GPUs tell, if they have a number.
bool is_of_another_host(Baseline const& baseline, Host const& host,
                        std::vector<GpuCounters> const& now) {
    if (baseline.hostname.empty() || host.hostname.value_or("") == baseline.hostname) return false;
    if (!host.hostname) return false;
    return std::none_of(baseline.gpus.begin(), baseline.gpus.end(), [&](GpuCounters const& gpu) {
        auto const* const same = at(now, gpu.subject);
        return same != nullptr && !gpu.unique_id.empty() && same->unique_id == gpu.unique_id;
    });
}

/// Reports have more numbers than counters; those of RAS blocks have two words.
bool is_counter(std::string const& name) {
    return name.find(' ') != name.npos ||
           std::any_of(std::begin(rows), std::end(rows),
                       [&](Row const& row) { return row.name == name; });
}

void compare(GpuCounters const& before, GpuCounters const& now, Verdicts& verdicts) {
    if (!before.unique_id.empty() && !now.unique_id.empty() && before.unique_id != now.unique_id)
        return (void)verdicts.info(now.subject, "another GPU than when the baseline was written");
    if (now.asleep) return (void)verdicts.skip(now.subject, "asleep: its counters are not read");
    bool grown = false;
    std::string unread;
    for (auto const& [name, old] : before.counts) {
        if (!is_counter(name)) continue;
        auto const found = now.counts.find(name);
        if (found == now.counts.end()) {
            unread += (unread.empty() ? "" : ", ") + name;
        } else if (found->second > old) {  // a smaller one started anew with the driver
            grown = true;
            verdicts.warn(now.subject,
                          fmt::format("{} has grown from {} to {}", name, old, found->second));
        }
    }
    if (!unread.empty())
        verdicts.unknown(now.subject, "in the baseline, and not to be read now: " + unread);
    else if (!grown) verdicts.pass(now.subject, "no error counter has grown");
}

}  // namespace

std::vector<GpuCounters> counters_of(Host const& host) {
    std::vector<GpuCounters> all;
    for (auto const& gpu : host.gpus) {
        auto& counters = all.emplace_back(GpuCounters{subject_of(gpu)});
        counters.unique_id = gpu.unique_id.value_or("");
        counters.asleep = is_asleep(gpu);
        for (auto const& row : rows)
            // A sum that leaves a bridge out is no figure to compare.
            if (auto const& fact = gpu.*row.fact; fact && fact.limit().empty())
                counters.counts.emplace(std::string(row.name), *fact);
        add_blocks(gpu, counters);
    }
    return all;
}

std::vector<Finding> judge_baseline(Host const& host, Baseline const& baseline) {
    std::vector<Finding> findings;
    Verdicts verdicts("RT3904", findings);
    auto const now = counters_of(host);
    if (is_of_another_host(baseline, host, now)) {
        verdicts.unknown("host", fmt::format("the baseline is a report of {}, this is {}: nothing "
                                             "was compared",
                                             baseline.hostname, *host.hostname));
        return findings;
    }
    for (auto const& before : baseline.gpus)
        if (auto const* const gpu = at(now, before.subject)) compare(before, *gpu, verdicts);
        else verdicts.fail(before.subject, "the GPU was there when the baseline was written");
    return findings;
}

void apply_accepted(std::vector<Accepted> const& accepted, std::string const& today, bool all_ran,
                    std::vector<Finding>& findings) {
    std::set<std::size_t> used;
    for (auto& finding : findings) {
        if (!is_complaint(finding)) continue;
        for (auto const& entry : accepted) {
            // Dates in this notation compare as texts.
            if (entry.until < today || !is_accepted(entry, finding)) continue;
            used.insert(entry.line);
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
        else if (all_ran && !used.contains(entry.line))
            verdicts.info("host", fmt::format("line {}: {} {} matches nothing that was found ({})",
                                              entry.line, entry.word, entry.subject, entry.reason));
}

}  // namespace rocmtune
