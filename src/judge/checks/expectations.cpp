// SPDX-License-Identifier: MIT
// What a site expects of a host, what changed since an earlier report, and what is accepted.
#include <set>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "judge/checks/checks.hpp"

namespace rocmtune {
namespace {

/// Facts whose value is one text or number.
template <class T>
constexpr bool is_plain = std::is_same_v<T, std::string> || std::is_arithmetic_v<T>;

/// The facts of --learn: what stays as it is until somebody changes the host.
constexpr std::string_view learned_of_host[] = {"kernel_release", "distribution",   "bios_version",
                                                "amdgpu_origin",  "amdgpu_version", "cpu_model",
                                                "cpu_threads"};
constexpr std::string_view learned_of_gpu[] = {
    "marketing_name", "gfx_target",        "pci_device_id",   "compute_units",
    "vram_bytes",     "vbios_version",     "link_max_width",  "link_max_gt_per_s",
    "driver",         "compute_partition", "memory_partition"};

/// Calls `f` with the fact of this name as text, or with why there is none.
template <class Entity, class F>
bool with_fact(Entity const& entity, std::string_view name, F&& f) {
    bool found = false;
    visit_fields(entity, [&]<class T>(Field const& field, T const& fact) {
        if constexpr (requires {
                          typename T::value_type;
                          fact.reason();
                      }) {
            if constexpr (is_plain<typename T::value_type>)
                if (field.key == name) found = true, f(fact);
        }
    });
    return found;
}

bool equal(std::string const& a, std::string const& b) {
    auto const x = to_real(a);
    auto const y = to_real(b);
    return x && y ? *x == *y : a == b;
}

template <class Entity>
void judge_values(Entity const& entity, std::map<std::string, std::string> const& expected,
                  Verdicts const& verdicts) {
    for (auto const& [name, value] : expected)
        with_fact(entity, name, [&, &key = name, &wanted = value](auto const& fact) {
            auto const text = fact ? fact_text(*fact) : std::string(missing_name(fact.reason()));
            if (fact && equal(text, wanted))
                return verdicts.pass(fmt::format("{} is {}", key, text), fact);
            // Expected and not there is no less a miss than another value.
            bool const missed = fact || fact.reason() == Missing::absent;
            verdicts.give(missed ? Verdict::fail : Verdict::unknown,
                          fmt::format("{} is {}, expected {}", key, text, wanted),
                          fact ? Proof(fact) : Proof());
        });
}

void judge_count(std::string_view what, std::optional<std::uint64_t> expected, std::size_t there,
                 Verdicts const& verdicts) {
    if (!expected) return;
    verdicts.give(there == *expected ? Verdict::pass : Verdict::fail,
                  there == *expected ? fmt::format("{} {}, as expected", there, what)
                                     : fmt::format("{} {}, expected {}", there, what, *expected));
}

std::size_t modules_of(Host const& host) {
    std::set<std::string> modules;
    for (auto const& gpu : host.gpus) modules.insert(gpu.module.value_or(subject_of(gpu)));
    return modules.size();
}

template <class Entity>
std::optional<std::string> value_of(Entity const& entity, std::string_view name) {
    std::optional<std::string> text;
    with_fact(entity, name, [&](auto const& fact) {
        if (fact) text = fact_text(*fact);
    });
    return text;
}

/// The value that all GPUs have; nothing where they differ or one does not say.
std::optional<std::string> common_value(Host const& host, std::string_view name) {
    std::optional<std::string> common;
    for (auto const& gpu : host.gpus) {
        auto const value = value_of(gpu, name);
        if (!value || (common && *common != *value)) return std::nullopt;
        common = value;
    }
    return common;
}

struct CounterRow {
    std::string_view name;
    Number Gpu::*fact;
};

constexpr CounterRow counter_rows[] = {{"pcie_replay_count", &Gpu::pcie_replay_count},
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
    auto const found = std::ranges::find_if(
        all, [&](GpuCounters const& counters) { return counters.subject == subject; });
    return found == all.end() ? nullptr : &*found;
}

/// A container may have another name each time: the GPUs tell, if they have a number.
bool is_of_another_host(Baseline const& baseline, Host const& host,
                        std::vector<GpuCounters> const& now) {
    if (baseline.hostname.empty() || host.hostname.value_or("") == baseline.hostname) return false;
    if (!host.hostname) return false;
    return std::ranges::none_of(baseline.gpus, [&](GpuCounters const& gpu) {
        auto const* const same = at(now, gpu.subject);
        return same != nullptr && !gpu.unique_id.empty() && same->unique_id == gpu.unique_id;
    });
}

/// Reports have more numbers than counters; those of RAS blocks have two words.
bool is_counter(std::string const& name) {
    return name.find(' ') != name.npos ||
           std::ranges::any_of(counter_rows,
                               [&](CounterRow const& row) { return row.name == name; });
}

void compare(GpuCounters const& before, GpuCounters const& now, Verdicts const& verdicts) {
    if (!before.unique_id.empty() && !now.unique_id.empty() && before.unique_id != now.unique_id)
        return verdicts.info("another GPU than when the baseline was written");
    if (now.asleep) return verdicts.skip("asleep: its counters are not read");
    bool grown = false;
    std::string unread;
    for (auto const& [name, old] : before.counts) {
        if (!is_counter(name)) continue;
        auto const found = now.counts.find(name);
        if (found == now.counts.end()) {
            unread += (unread.empty() ? "" : ", ") + name;
        } else if (found->second > old) {  // a smaller one started anew with the driver
            grown = true;
            verdicts.warn(fmt::format("{} has grown from {} to {}", name, old, found->second));
        }
    }
    if (!unread.empty()) verdicts.unknown("in the baseline, and not to be read now: " + unread);
    else if (!grown) verdicts.pass("no error counter has grown");
}

}  // namespace

bool is_host_fact(std::string_view name) {
    return with_fact(Host{}, name, [](auto const&) {});
}

bool is_gpu_fact(std::string_view name) {
    return with_fact(Gpu{}, name, [](auto const&) {});
}

std::vector<Finding> judge_expectations(Host const& host, Expectations const& expected) {
    std::vector<Finding> findings;
    Verdicts counts("RT3901", findings);
    judge_count("GPUs", expected.gpus, host.gpus.size(), counts);
    judge_count("cards", expected.modules, modules_of(host), counts);
    Verdicts of_host("RT3902", findings);
    judge_values(host, expected.host, of_host);
    Verdicts of_gpu("RT3903", findings);
    for (auto const& gpu : host.gpus)
        judge_values(gpu, expected.each_gpu, of_gpu.about(subject_of(gpu)));
    return findings;
}

Expectations learned(Host const& host) {
    Expectations result;
    result.gpus = host.gpus.size();
    result.modules = modules_of(host);
    for (auto const name : learned_of_host)
        if (auto const value = value_of(host, name)) result.host.emplace(name, *value);
    for (auto const name : learned_of_gpu)
        if (auto const value = common_value(host, name)) result.each_gpu.emplace(name, *value);
    return result;
}

std::vector<GpuCounters> counters_of(Host const& host) {
    std::vector<GpuCounters> all;
    for (auto const& gpu : host.gpus) {
        auto& counters = all.emplace_back(GpuCounters{subject_of(gpu)});
        counters.unique_id = gpu.unique_id.value_or("");
        counters.asleep = is_asleep(gpu);
        for (auto const& row : counter_rows)
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
        verdicts.unknown(
            fmt::format("the baseline is a report of {}, this is {}: nothing was compared",
                        baseline.hostname, *host.hostname));
        return findings;
    }
    for (auto const& before : baseline.gpus)
        if (auto const* const gpu = at(now, before.subject))
            compare(before, *gpu, verdicts.about(gpu->subject));
        else verdicts.about(before.subject).fail("the GPU was there when the baseline was written");
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
            verdicts.info(fmt::format("line {}: {} was accepted until {} ({})", entry.line,
                                      entry.word, entry.until, entry.reason));
        else if (all_ran && !used.contains(entry.line))
            verdicts.info(fmt::format("line {}: {} {} matches nothing that was found ({})",
                                      entry.line, entry.word, entry.subject, entry.reason));
}

}  // namespace rocmtune
