// SPDX-License-Identifier: MIT
#include "knowledge/terms.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "codec/data_reader.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 6> kinds{"module-parameter", "kernel-argument", "file",
                                                "library",          "option",          "word"};
constexpr std::array<std::string_view, 4> states{"public", "deprecated", "dead", "never-existed"};

/// The fact that belongs to a term is for tests of the data alone.
void read_sources(JsonNode const& node, std::vector<Reference>& sources) {
    for (auto const& item : node.items()) {
        item.expect_keys({"title", "url", "version"});
        sources.push_back({.title = std::string(item.at("title").string()),
                           .url = std::string(item.at("url").string()),
                           .version = std::string(item.at("version").string())});
    }
    if (sources.empty()) node.fail("a term needs a source");
}

bool is_called(Term const& term, std::string_view name, bool any_case) {
    auto const same = [&](std::string const& one) {
        return any_case ? lower(one) == lower(name) : one == name;
    };
    return same(term.name) || std::ranges::any_of(term.aliases, same);
}

}  // namespace

template <class Visitor>
void visit_fields(Term& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(DataKey{"kind"}.one_of(kinds), it.kind);
    v(DataKey{"aliases"}, it.aliases);
    v(DataKey{"status"}.one_of(states), it.status);
    v(DataKey{"summary"}, it.summary);
    v(DataKey{"values"}.or_empty(), it.values);
    v(DataKey{"default_value"}.or_empty(), it.default_value);
    v(DataKey{"effect"}.or_empty(), it.effect);
    v(DataKey{"harm"}.or_empty(), it.harm);
    v(DataKey{"folklore"}.or_empty(), it.folklore);
    v(DataKey{"instead"}.or_empty(), it.instead);
    v(DataKey{"since"}, it.since);
    v(DataKey{"until"}, it.until);
    v(DataKey{"see"}, it.see);
}

std::vector<Term> parse_terms(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "date", "terms"});
    StringPool pool;
    DataReader const reader(pool);
    std::vector<Term> terms;
    for (auto const& node : root.at("terms").items()) {
        Term term;
        visit_fields(term,
                     [&](DataKey const& key, auto& member) { reader.member(node, key, member); });
        read_sources(node.at("sources"), term.sources);
        terms.push_back(std::move(term));
    }
    return terms;
}

std::span<Term const> all_terms() {
    static auto const terms = parse_terms("terms.json", embedded_file("terms.json").value());
    return terms;
}

Term const* find_term(std::string_view name) {
    for (bool const any_case : {false, true})
        for (auto const& term : all_terms())
            if (is_called(term, name, any_case)) return &term;
    return nullptr;
}

}  // namespace rocmtune
