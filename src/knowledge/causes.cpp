// SPDX-License-Identifier: MIT
#include "knowledge/causes.hpp"

#include "knowledge/citation_parser.hpp"
#include "knowledge/condition_parser.hpp"
#include "knowledge/data_in_force.hpp"
#include "knowledge/records_by_id.hpp"

namespace rocmtune {

void read_data(JsonNode const& node, DataReader const& reader, WhenAll& when) {
    when.nodes = parse_conditions(node, reader.pool(), OfText::yes);
}

template <class Visitor>
void visit_fields(CauseRule& it, Visitor&& v) {
    v(DataKey{"id"}, it.id);
    v(DataKey{"here"}.optional(), it.here);
    v(DataKey{"not_here"}.optional(), it.not_here);
    v(DataKey{"unless_here"}.optional(), it.unless_here);
    v(DataKey{"message"}, it.message);
    v(DataKey{"step"}.optional(), it.step);
    v(DataKey{"tells"}.optional(), it.tells);
    v(DataKey{"behind"}.optional(), it.behind);
    v(DataKey{"of_log"}.optional(), it.of_log);
    v(DataKey{"brings"}.optional(), it.brings);
    v(DataKey{"unless"}.optional(), it.unless);
}

template <class Visitor>
void visit_fields(Advisory& it, Visitor&& v) {
    v(DataKey{"id"}, it.id);
    v(DataKey{"title"}, it.title);
    v(DataKey{"says"}, it.says);
    v(DataKey{"when"}, it.when);
    v(DataKey{"text"}.optional(), it.text);
    v(DataKey{"verdict"}, it.verdict);
    v(DataKey{"since"}, it.since);
    v(DataKey{"fixed_in"}, it.fixed_in);
    v(DataKey{"workaround"}, it.workaround);
    v(DataKey{"step"}, it.step);
    v(DataKey{"symptoms"}, it.symptoms);
    v(DataKey{"word"}, it.word);
    v(DataKey{"sources"}, it.sources);
}

namespace {

/// What the nodes of conditions point into.
struct Kept {
    std::shared_ptr<JsonDocument const> document;
    StringPool pool = {};
};

template <class T>
std::vector<T> parse_records(std::string_view file, std::string_view text, std::string_view list) {
    auto const kept = std::make_shared<Kept>(parse_data_file(file, text));
    JsonNode const root(*kept->document);
    root.expect_keys({"$schema", "schema_version", list});
    auto records = records_by_id<T>(root.at(list), DataReader(kept->pool));
    for (auto& record : records)
        visit_fields(record, [&]<class Value>(DataKey const&, Value& value) {
            if constexpr (std::is_same_v<Value, WhenAll>) value.kept = kept;
        });
    return records;
}

}  // namespace

std::vector<CauseRule> parse_cause_rules(std::string_view file, std::string_view text) {
    return parse_records<CauseRule>(file, text, "causes");
}

std::vector<Advisory> parse_advisories(std::string_view file, std::string_view text) {
    return parse_records<Advisory>(file, text, "advisories");
}

std::span<CauseRule const> all_cause_rules() {
    static auto const rules = parse_cause_rules("causes.json", data_text("causes.json").value());
    return rules;
}

std::span<Advisory const> all_advisories() {
    static auto const advisories =
        parse_advisories("advisories.json", data_text("advisories.json").value());
    return advisories;
}

CauseRule const* find_cause_rule(std::string_view id) {
    return find_by_id(all_cause_rules(), id);
}

Advisory const* find_advisory(std::string_view id) {
    return find_by_id(all_advisories(), id);
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
