// SPDX-License-Identifier: MIT
#include "knowledge/terms.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 6> term_kinds{"module-parameter", "kernel-argument", "file",
                                                     "library",          "option",          "word"};
constexpr std::array<std::string_view, 4> term_states{"public", "deprecated", "dead",
                                                      "never-existed"};

bool is_called(Term const& term, std::string_view name, bool any_case) {
    auto const same = [&](std::string const& one) {
        return any_case ? lower(one) == lower(name) : one == name;
    };
    return same(term.name) || std::ranges::any_of(term.aliases, same);
}

}  // namespace

template <class Visitor>
void visit_fields(TermFact& it, Visitor&& v) {
    v(DataKey{"field"}, it.field);
    v(DataKey{"entry"}, it.entry);
}

template <class Visitor>
void visit_fields(Term& it, Visitor&& v) {
    v(DataKey{"name"}, it.name);
    v(DataKey{"kind"}.one_of(term_kinds), it.kind);
    v(DataKey{"aliases"}, it.aliases);
    v(DataKey{"status"}.one_of(term_states), it.status);
    v(DataKey{"summary"}, it.summary);
    v(DataKey{"values"}.or_empty(), it.values);
    v(DataKey{"default_value"}.or_empty(), it.default_value);
    v(DataKey{"effect"}.or_empty(), it.effect);
    v(DataKey{"harm"}.or_empty(), it.harm);
    v(DataKey{"folklore"}.or_empty(), it.folklore);
    v(DataKey{"instead"}.or_empty(), it.instead);
    v(DataKey{"since"}, it.since);
    v(DataKey{"until"}, it.until);
    v(DataKey{"fact"}, it.fact);
    v(DataKey{"see"}, it.see);
    v(DataKey{"sources"}.not_empty("a term needs a source"), it.sources);
}

std::vector<Term> parse_terms(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "date", "terms"});
    StringPool pool;
    std::vector<Term> terms;
    DataReader(pool).read(root.at("terms"), DataKey{"terms"}, terms);
    return terms;
}

std::span<Term const> all_terms() {
    static auto const terms = parse_terms("terms.json", data_text("terms.json").value());
    return terms;
}

Term const* find_term(std::string_view name) {
    for (bool const any_case : {false, true})
        for (auto const& term : all_terms())
            if (is_called(term, name, any_case)) return &term;
    return nullptr;
}

}  // namespace rocmtune
