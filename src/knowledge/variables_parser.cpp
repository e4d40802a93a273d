// SPDX-License-Identifier: MIT
// The keys of a file of variables, as profiles/schema/variables.schema.json describes them.
#include "knowledge/variables_parser.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

using Word = std::string_view;
using Words = Word const[];

constexpr Words kinds = {"environment", "allocator", "precision", "option",
                         "api",         "practice",  "host"};
constexpr Words statuses = {"public", "internal", "deprecated", "dead", "never-existed"};
constexpr Words uses = {"runtime", "debug", "build", "launcher", "code-loading", "cosmetic"};
constexpr Words types = {"bool", "int",  "float",   "size",    "enum",   "text",
                         "path", "list", "devices", "version", "options"};
constexpr Words abilities = {"xnack", "hipblaslt"};
constexpr Words classes_of_values = {"bad-value", "redundant-default", "debug-left-on"};
constexpr Words validities = {"known", "observed", "unknown"};

/// What a shell can set, or a family of such names that end in a number.
bool is_name_or_family(std::string_view text) {
    if (text.ends_with(number_mark)) text.remove_suffix(number_mark.size());
    return is_variable_name(text);
}

/// Options, attributes of an API, module parameters, words for a practice: no quote and nothing
/// that a shell expands.
bool is_plain_name(std::string_view text) {
    constexpr std::string_view more = "_-.:/+=,() ";
    return text.front() != ' ' && text.back() != ' ' && std::ranges::all_of(text, [&](char c) {
               return is_letter(c) || is_digit(c) || more.find(c) != std::string_view::npos;
           });
}

bool is_version(std::string_view text) {
    return is_digit(text.front()) && std::ranges::all_of(text, [](char c) {
               return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-' || c == '+';
           });
}

constexpr TextRule reader_version{
    [](Word text) { return text.size() <= 64 && is_version(text); },
    "expected a version such as \"6.4\" or a date such as \"2024-10\""};
constexpr TextRule prefix_text{is_gfx_prefix,
                               "expected a prefix of gfx targets, such as \"gfx94\""};

DataKey version(Word key) {
    return DataKey{key}.optional().like(reader_version);
}
DataKey text(Word key) {
    return DataKey{key}.optional();
}

void check_name(JsonNode const& node, Word kind) {
    constexpr std::size_t longest = 128;
    auto const name = node.string();
    if (name.size() > longest) node.fail("a name has 128 bytes at most");
    if (kind == "environment" && !is_name_or_family(name))
        node.fail("expected letters, digits and underscores, no digit first");
    if (kind != "environment" && !is_plain_name(name))
        node.fail("expected letters, digits and _ - . : / + = , ( ) or spaces between them");
}

/// No text twice in the list under a key.
void check_once(JsonNode const& parent, Word key) {
    auto const list = parent.find(key);
    if (!list || list->is_null()) return;
    std::vector<Word> seen;
    for (auto const& item : list->items()) {
        if (std::ranges::find(seen, item.string()) != seen.end())
            item.fail("stands twice in the list");
        seen.push_back(item.string());
    }
}

/// The versions of a variable or of a contradiction.
struct Versions {
    Word kind, of, since, until, checked;
};
struct OfVariable : Versions {};
struct OfContradiction : Versions {};

/// One object of judged values: of each of `values`, or of all numbers below a limit.
struct JudgedValues : JudgedValue {
    std::vector<Word> values;
};

}  // namespace

template <class Visitor>
void visit_fields(OfVariable& it, Visitor&& v) {
    v(DataKey{"kind"}.one_of(validities), it.kind);
    v(version("since"), it.since);
    v(version("until"), it.until);
    v(version("checked"), it.checked);
}

template <class Visitor>
void visit_fields(OfContradiction& it, Visitor&& v) {
    v(DataKey{"of"}, it.of);
    v(version("since"), it.since);
    v(version("until"), it.until);
}

template <class Visitor>
void visit_fields(FormerDefault& it, Visitor&& v) {
    v(DataKey{"value"}.or_empty(), it.value);
    v(DataKey{"until"}.like(reader_version), it.until);
}

template <class Visitor>
void visit_fields(JudgedValues& it, Visitor&& v) {
    v(DataKey{"values"}.optional(), it.values);
    v(DataKey{"any_case"}.optional(), it.any_case);
    v(DataKey{"below"}, it.below);
    v(DataKey{"class"}.one_of(classes_of_values), it.lint_class);
    v(DataKey{"certain"}, it.certain);
    v(DataKey{"why"}, it.why);
    v(text("instead"), it.instead);
}

template <class Visitor>
void visit_fields(Contradiction& it, Visitor&& v) {
    OfContradiction versions;
    v(text("value"), it.value);
    v(DataKey{"with"}, it.with);
    v(text("with_value"), it.with_value);
    v(text("versions"), versions);
    v(DataKey{"certain"}, it.certain);
    v(DataKey{"why"}, it.why);
    v(DataKey{"remove"}, it.remove);
    it.package = versions.of, it.since = versions.since, it.until = versions.until;
}

template <class Visitor>
void visit_fields(ParsedVariable& parsed, Visitor&& v) {
    auto& it = parsed.variable;
    OfVariable validity;
    validity.kind = "unknown";
    v(DataKey{"name"}, it.name);
    v(DataKey{"kind"}.one_of(kinds), it.kind);
    v(DataKey{"readers"}.optional(), parsed.readers);
    v(DataKey{"status"}.one_of(statuses), it.status);
    v(DataKey{"use"}.one_of(uses), it.use);
    v(DataKey{"type"}.one_of(types), it.type);
    v(text("parser").one_of(value_parser_names), it.parser);
    v(text("words"), it.words);
    v(DataKey{"minimum"}, it.minimum);
    v(DataKey{"maximum"}, it.maximum);
    v(DataKey{"default"}.or_empty(), it.default_value);
    v(text("default_text"), it.default_text);
    v(DataKey{"effect"}, it.effect);
    v(text("former_defaults"), it.former_defaults);
    v(text("scope"), it.scope);
    v(text("harm"), it.harm);
    v(text("folklore"), it.folklore);
    v(text("security"), it.security);
    v(text("validity"), validity);
    v(text("replaced_by"), it.replaced_by);
    v(text("aliases"), it.aliases);
    v(text("sources"), parsed.sources);
    v(DataKey{"last_verified"}.like(day_text), it.last_verified);
    v(text("gfx_prefixes").like(prefix_text), it.gfx_prefixes);
    v(text("needs").one_of(abilities), it.needs);
    v(text("judged_values"), it.judged_values);
    v(text("contradictions"), it.contradictions);
    it.validity_kind = validity.kind;
    it.since = validity.since, it.until = validity.until, it.checked = validity.checked;
}

void check(JsonNode const& node, JudgedValues& judged) {
    if (judged.values.empty() != judged.below.has_value())
        node.fail("expected either \"values\" or \"below\"");
    if (judged.below && *judged.below < 1) node.at("below").fail("expected a number above 0");
    check_once(node, "values");
}

/// One row for each of the values of an object, or one for all numbers below a limit.
void read_data(JsonNode const& node, DataReader const& reader, std::vector<JudgedValue>& out) {
    for (auto const& item : node.items()) {
        auto const judged = reader.record<JudgedValues>(item);
        if (judged.below) out.push_back(judged);
        for (auto const value : judged.values) {
            out.push_back(judged);
            out.back().value = value;
        }
    }
}

void check(JsonNode const& node, OfContradiction& versions) {
    if (versions.since.empty() && versions.until.empty())
        node.fail("expected \"since\", \"until\" or both");
}

namespace {

void check_contradictions(JsonNode const& node, Variable const& variable) {
    for (std::size_t i = 0; i < variable.contradictions.size(); ++i) {
        auto const item = node.at("contradictions").items()[i];
        check_name(item.at("with"), variable.kind);
        auto const with = item.at("with").string();
        if (with == variable.name) item.at("with").fail("expected another variable");
        (void)item.at("remove").word(std::array<Word, 2>{variable.name, with});
    }
}

}  // namespace

void check(JsonNode const& node, ParsedVariable& parsed) {
    auto const& variable = parsed.variable;
    check_name(node.at("name"), variable.kind);
    if (!variable.words.empty() && variable.type != "enum")
        node.at("words").fail("only a variable of type enum has words");
    if (variable.minimum && variable.maximum && *variable.minimum > *variable.maximum)
        node.at("minimum").fail("larger than the maximum");
    for (auto const* key : {"words", "gfx_prefixes", "readers", "sources"}) check_once(node, key);
    check_contradictions(node, variable);
    if (!variable.aliases.empty())
        for (auto const& item : node.at("aliases").items()) check_name(item, variable.kind);
    if (!node.find("readers"))
        node.fail("the key \"readers\" is missing; [] says that nothing reads it");
    if (parsed.sources.empty()) node.fail("every variable needs a source");
}

ParsedVariables parse_variables(std::string_view file, std::string_view text, StringPool& pool) {
    auto const& document = pool.keep(parse_data_file(file, text, max_catalogue_file_bytes));
    JsonNode const root(document);
    root.expect_keys(
        {"$schema", "schema_version", "date", "bibliography", "components", "variables"});
    expect_version_1(root, "variables");
    DataReader const reader(pool);
    ParsedVariables parsed;
    parsed.date = parse_date(root.at("date"), 10);
    reader.member(root, DataKey{"bibliography"}.optional(), parsed.bibliography);
    for (auto& [id, source] : parsed.bibliography) source.id = id;
    if (auto const list = root.find("components"))
        for (auto const& item : list->items())
            parsed.components.push_back({parse_component(item, reader), item});
    for (auto const& item : root.at("variables").items()) {
        parsed.variables.push_back({.variable = {}, .readers = {}, .sources = {}, .node = item});
        reader.fill(item, parsed.variables.back());
    }
    return parsed;
}

}  // namespace rocmtune
