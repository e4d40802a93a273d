// SPDX-License-Identifier: MIT
#include "knowledge/rule_rows.hpp"

#include <algorithm>

namespace rocmtune {
namespace {

template <class Enum>
std::string enumerator(std::string_view type, Enum value) {
    return std::string(type) + "(" + std::to_string(static_cast<int>(value)) + ")";
}

std::string condition_row(Condition const& node, ListTables& lists) {
    return braces({enumerator("ConditionKind", node.kind),
                   enumerator("Comparison", node.comparison), flag(node.of_gpu),
                   cpp_view(node.name), cpp_view(node.entry), lists.texts(node.operands),
                   std::to_string(node.size) + "u"});
}

std::string validity_row(RuleValidity const& validity, ListTables& lists) {
    return braces({cpp_view(validity.kind), cpp_view(validity.of), cpp_view(validity.since),
                   cpp_view(validity.until), cpp_view(validity.checked),
                   lists.texts(validity.versions)});
}

std::string rule_row(Rule const& rule, OwnedTables const& tables, ListTables& lists) {
    auto const file = rule.file.substr(rule.file.rfind('/') + 1);
    return braces(
        {cpp_view(rule.id),
         cpp_view(rule.profile),
         cpp_view(file),
         cpp_view(rule.pointer),
         flag(rule.everywhere),
         flag(rule.per_gpu),
         cpp_view(rule.name),
         cpp_view(rule.value),
         cpp_view(rule.value_from),
         enumerator("SettingKind", rule.kind),
         enumerator("Level", rule.level),
         lists.list("Workload", rule.workloads,
                    [](Workload one) { return enumerator("Workload", one); }),
         lists.list("FrameworkChoice", rule.frameworks,
                    [](FrameworkChoice one) { return enumerator("FrameworkChoice", one); }),
         lists.texts(rule.unless_set),
         lists.list("Condition", rule.when,
                    [&](Condition const& node) { return condition_row(node, lists); }),
         cpp_view(rule.why),
         validity_row(rule.validity, lists),
         cpp_view(rule.confidence),
         cpp_view(rule.verify_with),
         source_list(rule.sources, tables, lists)});
}

}  // namespace

std::string ListTables::array_name(std::string_view type) {
    std::string name = "list_of_";
    for (char const c : type) {
        name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
    }
    return name;
}

std::string ListTables::source_text() const {
    std::string out;
    auto const add = [&](std::string const& type, std::vector<std::string> const& rows) {
        if (!rows.empty()) out += array(type, array_name(type), rows);
    };
    constexpr auto texts = "std::string_view";
    if (auto const first = tables_.find(texts); first != tables_.end()) add(texts, first->second);
    for (auto const& [type, rows] : tables_) {
        if (type != texts) add(type, rows);
    }
    return out;
}

std::string source_list(std::span<Citation const* const> sources, OwnedTables const& tables,
                        ListTables& lists) {
    return lists.list("Citation const*", sources, [&](Citation const* source) {
        return "&sources[" + index_of(tables.sources, source) + "]";
    });
}

std::vector<std::string> rule_rows(OwnedTables const& tables, ListTables& lists) {
    return rows(tables.rules, [&](Rule const& rule) { return rule_row(rule, tables, lists); });
}

}  // namespace rocmtune
