// SPDX-License-Identifier: MIT
#include "knowledge/messages.hpp"

#include <algorithm>

#include "knowledge/data_in_force.hpp"
#include "knowledge/records_by_id.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 4> state_words{"pass", "info", "warn", "fail"};

}  // namespace

/// pass, info, warn and fail alone: the other verdicts are of what was not looked at.
template <class Visitor>
void visit_fields(MessageClass& it, Visitor&& v) {
    v(DataKey{"id"}, it.id);
    v(DataKey{"name"}, it.name);
    v(DataKey{"component"}, it.component);
    v(DataKey{"says"}, it.says);
    v(DataKey{"finding"}.optional(), it.finding);
    v(DataKey{"verdict"}.optional().one_of(state_words), it.verdict);
    v(DataKey{"verdict_elsewhere"}.optional().one_of(state_words), it.verdict_elsewhere);
    v(DataKey{"when_ended"}.optional().one_of(state_words), it.when_ended);
    v(DataKey{"permanent"}.optional(), it.permanent);
    v(DataKey{"unbound"}.optional(), it.unbound);
    v(DataKey{"of"}.optional(), it.of);
    v(DataKey{"ended_by"}.optional(), it.ended_by);
    v(DataKey{"after"}.optional(), it.after);
    v(DataKey{"wordings"}.not_empty("a class needs a wording"), it.wordings);
    v(DataKey{"not"}.optional(), it.excluded);
    v(DataKey{"next_step"}.optional(), it.next_step);
    v(DataKey{"action"}, it.action);
    v(DataKey{"sources"}.not_empty("a class needs a source"), it.sources);
}

void read_data(JsonNode const& node, DataReader const&, std::vector<Reference>& sources) {
    for (auto const& item : node.items()) {
        item.expect_keys({"file", "release"});
        sources.push_back({.title = "Linux, " + std::string(item.at("file").string()),
                           .url = {},
                           .version = std::string(item.at("release").string())});
    }
}

void check(JsonNode const& node, MessageClass& kind) {
    if (!node.find("verdict_elsewhere")) kind.verdict_elsewhere = kind.verdict;
    if (kind.finding.empty() != (kind.verdict == Verdict::pass))
        node.fail("a class has a finding and a verdict, or neither");
    for (auto const& wording : kind.wordings)
        if (anchor_of(wording).size() < least_anchor_bytes)
            node.at("wordings").fail("'" + wording + "' has no 8 literal bytes in a row");
}

std::vector<MessageClass> parse_message_classes(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "classes"});
    StringPool pool;
    auto classes = records_by_id<MessageClass>(root.at("classes"), DataReader(pool));
    for (auto const& kind : classes) {
        auto named = kind.ended_by;
        if (!kind.after.empty()) named.push_back(kind.after);
        for (auto const& id : named)
            if (std::ranges::none_of(classes, [&](auto const& other) { return other.id == id; }))
                root.at("classes").fail(kind.id + " names " + id + ", which is not there");
    }
    return classes;
}

std::span<MessageClass const> message_classes() {
    static std::vector<MessageClass> const classes =
        parse_message_classes("messages.json", data_text("messages.json").value_or("{}"));
    return classes;
}

MessageClass const* find_message_class(std::string_view id) {
    return find_by_id(message_classes(), id);
}

}  // namespace rocmtune
