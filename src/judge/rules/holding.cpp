// SPDX-License-Identifier: MIT
#include "judge/rules/holding.hpp"

#include <algorithm>

#include "knowledge/condition_parser.hpp"

namespace rocmtune {

SelectedHost selected_host(Host const& host, std::vector<std::uint64_t> const& rows,
                           TextFacts const* text) {
    SelectedHost selected{.host = &host, .text = text};
    for (auto const& gpu : host.gpus)
        if (is_among(rows, gpu)) selected.gpus.push_back(&gpu);
    selected.unselected = host.gpus.size() - selected.gpus.size();
    return selected;
}

std::vector<Holding> holdings(std::span<Condition const> conditions, SelectedHost const& selected) {
    Evaluator evaluator(selected);
    if (!asks_about_gpu(conditions)) return {{"host", evaluator(conditions, nullptr)}};
    // Which GPUs there are may not be known.
    if (selected.gpus.empty())
        return {{"host", {why_gpus_are_unread(*selected.host) ? Truth::unknown : Truth::no}}};
    std::vector<Holding> all;
    for (auto const* gpu : selected.gpus) {
        auto subject = gpu->pci_address.value_or("host");
        if (std::ranges::find(all, subject, &Holding::subject) == all.end())
            all.push_back({std::move(subject), evaluator(conditions, gpu)});
    }
    return all;
}

Holding best_holding(std::span<Condition const> conditions, SelectedHost const& selected) {
    auto all = holdings(conditions, selected);
    auto const truth = [](Holding const& one) { return one.decision.truth; };
    return std::move(*std::ranges::max_element(all, {}, truth));
}

std::vector<Evidence> evidence_of(std::vector<Because> const& because) {
    std::vector<Evidence> evidence;
    for (auto const& [subject, field, value] : because) {
        auto source = subject + ' ' + field;
        bool const known = std::ranges::find(evidence, source, &Evidence::source) != evidence.end();
        // How many GPUs a condition counts says nothing without the condition.
        if (!known && field != "gpus")
            evidence.push_back({std::move(source), value.value_or("not known")});
    }
    return evidence;
}

}  // namespace rocmtune
