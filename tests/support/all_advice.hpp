// SPDX-License-Identifier: MIT
// What the embedded profiles recommend for every composed host, level, workload and framework.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "judge/rules/advise.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {

struct Case {
    std::string label;  ///< host, level, workload and framework
    Host const* host;
    Selection selection;
    Advice advice;

    /// What a script would set.
    std::map<std::string, std::string> variables() const {
        std::map<std::string, std::string> all;
        for (auto const& one : advice.recommendations) {
            if (one.kind == "environment" || one.kind == "allocator") all[one.name] = one.value;
        }
        return all;
    }

    Recommendation const* find(std::string_view name) const {
        for (auto const& one : advice.recommendations) {
            if (one.name == name) return &one;
        }
        return nullptr;
    }
};

inline std::map<std::string, Host> const& composed_hosts() {
    static auto const hosts = [] {
        std::map<std::string, Host> all;
        for (auto const& name : host_names()) all[name] = report_of(name).host.value();
        return all;
    }();
    return hosts;
}

inline void add_cases(std::string const& name, Host const& host, std::vector<Case>& cases) {
    for (std::size_t level = 0; level < level_words.size(); ++level) {
        for (std::size_t work = 0; work < workload_words.size(); ++work) {
            for (std::size_t frame = 0; frame < framework_words.size(); ++frame) {
                Selection const selection{static_cast<Level>(level), static_cast<Workload>(work),
                                          static_cast<FrameworkChoice>(frame)};
                cases.push_back({fmt::format("{} {} {} {}", name, level_words[level],
                                             workload_words[work], framework_words[frame]),
                                 &host, selection,
                                 advise(host, embedded_chips(), embedded_catalogue(), selection)});
            }
        }
    }
}

inline std::vector<Case> const& all_advice() {
    static auto const cases = [] {
        std::vector<Case> all;
        for (auto const& [name, host] : composed_hosts()) add_cases(name, host, all);
        return all;
    }();
    return cases;
}

/// Selected by "host level workload framework".
inline Case const& advice_for(std::string_view label) {
    for (auto const& one : all_advice()) {
        if (one.label == label) return one;
    }
    throw std::runtime_error("no such case");
}

}  // namespace rocmtune::test
