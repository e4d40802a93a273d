// SPDX-License-Identifier: MIT
#include "knowledge/messages.hpp"

#include <algorithm>

#include "knowledge/embedded.hpp"
#include "knowledge/json_node.hpp"
#include "knowledge/message_matcher.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 4> state_words{"pass", "info", "warn", "fail"};

std::string text_or_empty(JsonNode const& node, std::string_view key) {
    auto const member = node.find(key);
    return member && !member->is_null() ? std::string(member->string()) : std::string();
}

std::vector<std::string> texts_of(JsonNode const& node, std::string_view key) {
    std::vector<std::string> texts;
    if (auto const list = node.find(key))
        for (auto const& item : list->items()) texts.emplace_back(item.string());
    return texts;
}

/// pass, info, warn and fail have the same numbers in `Verdict`.
Verdict state_of(JsonNode const& node, std::string_view key, Verdict otherwise) {
    auto const member = node.find(key);
    if (!member) return otherwise;
    auto const word = member->word(state_words);
    auto const at = std::find(state_words.begin(), state_words.end(), word) - state_words.begin();
    return static_cast<Verdict>(at);
}

template <std::size_t count>
std::size_t place_of(JsonNode const& node, std::array<std::string_view, count> const& words) {
    auto const word = node.word(words);
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

std::vector<Reference> sources_of(JsonNode const& node) {
    std::vector<Reference> sources;
    for (auto const& item : node.at("sources").items()) {
        item.expect_keys({"file", "release"});
        sources.push_back({.title = "Linux, " + std::string(item.at("file").string()),
                           .url = {},
                           .version = std::string(item.at("release").string())});
    }
    if (sources.empty()) node.at("sources").fail("a class needs a source");
    return sources;
}

MessageClass class_of(JsonNode const& node) {
    node.expect_keys({"id", "name", "component", "says", "finding", "verdict", "verdict_elsewhere",
                      "when_ended", "permanent", "unbound", "of", "ended_by", "after", "wordings",
                      "not", "next_step", "action", "sources"});
    MessageClass kind;
    kind.id = node.at("id").string();
    kind.name = node.at("name").string();
    kind.component = node.at("component").string();
    kind.says = node.at("says").string();
    kind.finding = text_or_empty(node, "finding");
    kind.verdict = state_of(node, "verdict", Verdict::pass);
    kind.verdict_elsewhere = state_of(node, "verdict_elsewhere", kind.verdict);
    kind.when_ended = state_of(node, "when_ended", Verdict::info);
    if (auto const permanent = node.find("permanent")) kind.permanent = permanent->boolean();
    if (auto const unbound = node.find("unbound")) kind.unbound = unbound->boolean();
    if (auto const of = node.find("of"))
        kind.of = static_cast<MessageOf>(place_of(*of, message_of_words));
    kind.ended_by = texts_of(node, "ended_by");
    kind.after = text_or_empty(node, "after");
    kind.wordings = texts_of(node, "wordings");
    kind.excluded = texts_of(node, "not");
    kind.next_step = text_or_empty(node, "next_step");
    if (auto const action = node.find("action"))
        kind.action = static_cast<Action>(place_of(*action, action_words));
    kind.sources = sources_of(node);
    if (kind.finding.empty() != (kind.verdict == Verdict::pass))
        node.fail("a class has a finding and a verdict, or neither");
    if (kind.wordings.empty()) node.at("wordings").fail("a class needs a wording");
    for (auto const& wording : kind.wordings)
        if (anchor_of(wording).size() < least_anchor_bytes)
            node.at("wordings").fail("'" + wording + "' has no 8 literal bytes in a row");
    return kind;
}

}  // namespace

std::vector<MessageClass> parse_message_classes(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "classes"});
    std::vector<MessageClass> classes;
    for (auto const& node : root.at("classes").items()) {
        auto kind = class_of(node);
        if (!classes.empty() && kind.id <= classes.back().id)
            node.at("id").fail("ids stand in their order, each once");
        classes.push_back(std::move(kind));
    }
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
        parse_message_classes("messages.json", embedded_file("messages.json").value_or("{}"));
    return classes;
}

MessageClass const* find_message_class(std::string_view id) {
    auto const classes = message_classes();
    auto const found = std::ranges::lower_bound(classes, id, {}, &MessageClass::id);
    return found == classes.end() || found->id != id ? nullptr : &*found;
}

}  // namespace rocmtune
