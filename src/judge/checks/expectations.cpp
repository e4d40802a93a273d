// SPDX-License-Identifier: MIT
#include "judge/checks/expectations.hpp"

#include <set>

#include "base/text.hpp"
#include "host/subject.hpp"
#include "judge/checks/evidence.hpp"
#include "judge/checks/verdicts.hpp"

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
void judge_values(Entity const& entity, std::string const& subject,
                  std::map<std::string, std::string> const& expected, Verdicts& verdicts) {
    for (auto const& [name, value] : expected)
        with_fact(entity, name, [&, &key = name, &wanted = value](auto const& fact) {
            if (!fact) {
                // Expected and not there is no less a miss than another value.
                bool const absent = fact.reason() == Missing::absent;
                verdicts.give(
                    absent ? Verdict::fail : Verdict::unknown, subject,
                    fmt::format("{} is {}, expected {}", key, missing_name(fact.reason()), wanted));
                return;
            }
            auto const text = fact_text(*fact);
            bool const same = equal(text, wanted);
            verdicts
                .give(same ? Verdict::pass : Verdict::fail, subject,
                      same ? fmt::format("{} is {}", key, text)
                           : fmt::format("{} is {}, expected {}", key, text, wanted))
                .evidence = {evidence(fact)};
        });
}

void judge_count(std::string_view what, std::optional<std::uint64_t> expected, std::size_t there,
                 Verdicts& verdicts) {
    if (!expected) return;
    verdicts.give(there == *expected ? Verdict::pass : Verdict::fail, "host",
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
    judge_values(host, "host", expected.host, of_host);
    Verdicts of_gpu("RT3903", findings);
    for (auto const& gpu : host.gpus) judge_values(gpu, subject_of(gpu), expected.each_gpu, of_gpu);
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

}  // namespace rocmtune
