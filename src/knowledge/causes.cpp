// SPDX-License-Identifier: MIT
#include "knowledge/causes.hpp"

#include <algorithm>

#include "knowledge/condition_parser.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/record_reader.hpp"

namespace rocmtune {
namespace {

/// The nodes of conditions point into their document.
template <class T>
void keep(std::shared_ptr<JsonDocument const> const& document, T& record) {
    visit_fields(record, [&]<class Value>(Field const&, Value& value) {
        if constexpr (std::is_same_v<Value, WhenAll>)
            value.kept = std::make_shared<
                std::pair<std::shared_ptr<void const>, std::shared_ptr<JsonDocument const>>>(
                value.kept, document);
    });
}

/// The records of a list, in the order of their ids.
template <class T>
std::vector<T> parse_records(std::string_view file, std::string_view text, std::string_view list) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", list});
    std::vector<T> records;
    for (auto const& node : root.at(list).items()) {
        auto& record = records.emplace_back();
        read_record(node, record);
        keep(document, record);
        if (records.size() > 1 && record.id <= records[records.size() - 2].id)
            node.at("id").fail("ids stand in their order, each once");
    }
    return records;
}

template <class T>
T const* found(std::span<T const> records, std::string_view id) {
    auto const at = std::ranges::lower_bound(records, id, {}, &T::id);
    return at == records.end() || at->id != id ? nullptr : &*at;
}

}  // namespace

void read_value(JsonNode const& node, WhenAll& when) {
    auto const pool = std::make_shared<StringPool>();
    when.nodes = parse_conditions(node, *pool, OfText::yes);
    when.kept = pool;
}

std::vector<CauseRule> parse_cause_rules(std::string_view file, std::string_view text) {
    return parse_records<CauseRule>(file, text, "causes");
}

std::vector<Advisory> parse_advisories(std::string_view file, std::string_view text) {
    return parse_records<Advisory>(file, text, "advisories");
}

std::span<CauseRule const> all_cause_rules() {
    static auto const rules =
        parse_cause_rules("causes.json", embedded_file("causes.json").value());
    return rules;
}

std::span<Advisory const> all_advisories() {
    static auto const advisories =
        parse_advisories("advisories.json", embedded_file("advisories.json").value());
    return advisories;
}

CauseRule const* find_cause_rule(std::string_view id) {
    return found(all_cause_rules(), id);
}

Advisory const* find_advisory(std::string_view id) {
    return found(all_advisories(), id);
}

Finding finding_of(Advisory const& advisory, std::string subject) {
    return {.id = advisory.id,
            .verdict = advisory.verdict,
            .action = Action::config,
            .subject = std::move(subject),
            .message = advisory.title + ": " + advisory.says,
            .next_step = advisory.step.empty() ? advisory.workaround : advisory.step,
            .sources = references_of(advisory.sources)};
}

}  // namespace rocmtune
