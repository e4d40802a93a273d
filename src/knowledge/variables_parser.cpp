// SPDX-License-Identifier: MIT
// The keys of a file of variables, as profiles/schema/variables.schema.json describes them.
#include "knowledge/variables_parser.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/gfx_name.hpp"
#include "knowledge/json_node.hpp"
#include "knowledge/value_parser_names.hpp"

namespace rocmtune {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 7> kinds{"environment", "allocator", "precision", "option",
                                    "api",         "practice",  "host"};
constexpr std::array<Word, 5> statuses{"public", "internal", "deprecated", "dead", "never-existed"};
constexpr std::array<Word, 6> uses{"runtime",  "debug",        "build",
                                   "launcher", "code-loading", "cosmetic"};
constexpr std::array<Word, 11> types{"bool", "int",  "float",   "size",    "enum",   "text",
                                     "path", "list", "devices", "version", "options"};
constexpr std::array<Word, 2> abilities{"xnack", "hipblaslt"};
constexpr std::array<Word, 3> classes_of_values{"bad-value", "redundant-default", "debug-left-on"};
constexpr std::array<Word, 3> validities{"known", "observed", "unknown"};

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

class Parser {
  public:
    Parser(JsonNode const& root, StringPool& pool) : root_(root), pool_(pool) {}

    void read_into(ParsedVariables& out) const {
        root_.expect_keys(
            {"$schema", "schema_version", "date", "bibliography", "components", "variables"});
        expect_version_1(root_, "variables");
        out.date = parse_date(root_.at("date"), 10);
        if (auto const book = root_.find("bibliography")) {
            for (auto const& [key, node] : book->members()) {
                out.bibliography[key] = parse_citation(node);
                out.bibliography[key].id = key;
            }
        }
        if (auto const list = root_.find("components")) {
            for (auto const& item : list->items()) {
                out.components.push_back({component(item), item});
            }
        }
        for (auto const& item : root_.at("variables").items()) {
            out.variables.push_back(variable(item));
        }
    }

  private:
    Component component(JsonNode const& node) const {
        node.expect_keys({"id", "title", "package", "distributions", "parser", "newest"});
        Component out;
        out.id = node.at("id").string();
        out.title = node.at("title").string();
        if (auto const package = stated(node, "package")) {
            out.package = package->string_or_empty();
        }
        out.distributions = joined_words(node, "distributions", pool_);
        out.parser = word(node, "parser", value_parser_names);
        if (auto const newest = stated(node, "newest")) {
            out.newest = parse_date(*newest, 4);
        }
        return out;
    }

    ParsedVariable variable(JsonNode const& node) const {
        node.expect_keys(
            {"name",          "kind",          "readers",       "status",          "use",
             "type",          "parser",        "words",         "minimum",         "maximum",
             "default",       "default_text",  "effect",        "former_defaults", "scope",
             "harm",          "folklore",      "security",      "validity",        "replaced_by",
             "aliases",       "sources",       "last_verified", "gfx_prefixes",    "needs",
             "judged_values", "contradictions"});
        ParsedVariable out{.variable = {}, .readers = {}, .sources = {}, .node = node};
        read_words(node, out.variable);
        out.variable.name = name(node.at("name"), out.variable.kind);
        read_values(node, out.variable);
        read_texts(node, out.variable);
        read_validity(node, out.variable);
        out.variable.aliases = names(node, "aliases", out.variable.kind);
        out.variable.gfx_prefixes = prefixes(node);
        out.variable.needs = word(node, "needs", abilities);
        read_judged_values(node, out.variable);
        read_contradictions(node, out.variable);
        out.readers = list(node, "readers");
        if (!node.find("readers")) {
            node.fail("the key \"readers\" is missing; [] says that nothing reads it");
        }
        out.sources = list(node, "sources");
        if (out.sources.empty()) {
            node.fail("every variable needs a source");
        }
        out.variable.last_verified = parse_date(node.at("last_verified"), 10);
        return out;
    }

    void read_words(JsonNode const& node, Variable& out) const {
        out.kind = node.at("kind").word(kinds);
        out.status = node.at("status").word(statuses);
        out.use = node.at("use").word(uses);
        out.type = node.at("type").word(types);
        out.parser = word(node, "parser", value_parser_names);
    }

    void read_values(JsonNode const& node, Variable& out) const {
        out.words = list(node, "words");
        if (!out.words.empty() && out.type != "enum") {
            node.at("words").fail("only a variable of type enum has words");
        }
        out.minimum = number(node, "minimum");
        out.maximum = number(node, "maximum");
        if (out.minimum && out.maximum && *out.minimum > *out.maximum) {
            node.at("minimum").fail("larger than the maximum");
        }
        if (auto const value = stated(node, "default")) {
            out.default_value = value->string_or_empty();
        }
        out.default_text = text(node, "default_text");
        for (auto const& item : items(node, "former_defaults")) {
            item.expect_keys({"value", "until"});
            out.former_defaults.push_back(
                {item.at("value").string_or_empty(), version(item.at("until"))});
        }
    }

    /// One row for each of the values of an object, or one for all numbers below a limit.
    void read_judged_values(JsonNode const& node, Variable& out) const {
        for (auto const& item : items(node, "judged_values")) {
            item.expect_keys({"values", "any_case", "below", "class", "certain", "why", "instead"});
            JudgedValue judged{};
            judged.any_case = flag(item, "any_case");
            judged.below = number(item, "below");
            judged.lint_class = item.at("class").word(classes_of_values);
            judged.certain = item.at("certain").boolean();
            judged.why = item.at("why").string();
            judged.instead = text(item, "instead");
            auto const values = list(item, "values");
            if (values.empty() != judged.below.has_value()) {
                item.fail("expected either \"values\" or \"below\"");
            }
            if (judged.below) {
                if (*judged.below < 1) item.at("below").fail("expected a number above 0");
                out.judged_values.push_back(judged);
            }
            for (auto const value : values) {
                judged.value = value;
                out.judged_values.push_back(judged);
            }
        }
    }

    void read_contradictions(JsonNode const& node, Variable& out) const {
        for (auto const& item : items(node, "contradictions")) {
            item.expect_keys(
                {"value", "with", "with_value", "versions", "certain", "why", "remove"});
            Contradiction it{};
            it.value = text(item, "value");
            it.with = name(item.at("with"), out.kind);
            if (it.with == out.name) item.at("with").fail("expected another variable");
            it.with_value = text(item, "with_value");
            it.certain = item.at("certain").boolean();
            it.why = item.at("why").string();
            it.remove = item.at("remove").word(std::array<Word, 2>{out.name, it.with});
            read_versions(item, it);
            out.contradictions.push_back(it);
        }
    }

    void read_versions(JsonNode const& node, Contradiction& out) const {
        auto const versions = stated(node, "versions");
        if (!versions) return;
        versions->expect_keys({"of", "since", "until"});
        out.package = versions->at("of").string();
        if (auto const since = stated(*versions, "since")) out.since = version(*since);
        if (auto const until = stated(*versions, "until")) out.until = version(*until);
        if (out.since.empty() && out.until.empty()) {
            versions->fail("expected \"since\", \"until\" or both");
        }
    }

    static bool flag(JsonNode const& parent, std::string_view key) {
        auto const node = stated(parent, key);
        return node && node->boolean();
    }

    void read_texts(JsonNode const& node, Variable& out) const {
        out.effect = node.at("effect").string();
        out.scope = text(node, "scope");
        out.harm = text(node, "harm");
        out.folklore = text(node, "folklore");
        out.security = text(node, "security");
        out.replaced_by = text(node, "replaced_by");
    }

    void read_validity(JsonNode const& node, Variable& out) const {
        out.validity_kind = "unknown";
        auto const validity = stated(node, "validity");
        if (!validity) {
            return;
        }
        validity->expect_keys({"kind", "since", "until", "checked"});
        out.validity_kind = validity->at("kind").word(validities);
        if (auto const since = stated(*validity, "since")) {
            out.since = version(*since);
        }
        if (auto const until = stated(*validity, "until")) {
            out.until = version(*until);
        }
        if (auto const checked = stated(*validity, "checked")) {
            out.checked = version(*checked);
        }
    }

    std::string_view name(JsonNode const& node, std::string_view kind) const {
        constexpr std::size_t longest = 128;
        auto const text = node.string();
        if (text.size() > longest) {
            node.fail("a name has 128 bytes at most");
        }
        auto const is_variable = kind == "environment";
        if (is_variable && !is_name_or_family(text)) {
            node.fail("expected letters, digits and underscores, no digit first");
        }
        if (!is_variable && !is_plain_name(text)) {
            node.fail("expected letters, digits and _ - . : / + = , ( ) or spaces between them");
        }
        return text;
    }

    std::vector<std::string_view> names(JsonNode const& node, std::string_view key,
                                        std::string_view kind) const {
        std::vector<std::string_view> out;
        for (auto const& item : items(node, key)) {
            out.push_back(name(item, kind));
        }
        return out;
    }

    std::vector<std::string_view> prefixes(JsonNode const& node) const {
        for (auto const& item : items(node, "gfx_prefixes")) {
            if (!is_gfx_prefix(item.string())) {
                item.fail("expected a prefix of gfx targets, such as \"gfx94\"");
            }
        }
        return list(node, "gfx_prefixes");
    }

    std::string_view version(JsonNode const& node) const {
        auto const text = node.string();
        if (text.size() > 64 || !is_version(text)) {
            node.fail("expected a version such as \"6.4\" or a date such as \"2024-10\"");
        }
        return text;
    }

    std::string_view text(JsonNode const& parent, std::string_view key) const {
        return text_or_empty(parent, key);
    }

    template <std::size_t count>
    std::string_view word(JsonNode const& parent, std::string_view key,
                          std::array<Word, count> const& words) const {
        auto const node = stated(parent, key);
        return node ? node->word(words) : std::string_view{};
    }

    std::vector<std::string_view> list(JsonNode const& parent, std::string_view key) const {
        std::vector<std::string_view> out;
        for (auto const& item : items(parent, key)) {
            auto const entry = item.string();
            if (std::ranges::find(out, entry) != out.end()) {
                item.fail("stands twice in the list");
            }
            out.push_back(entry);
        }
        return out;
    }

    static std::optional<long long> number(JsonNode const& parent, std::string_view key) {
        auto const node = stated(parent, key);
        return node ? std::optional<long long>(node->signed_integer()) : std::nullopt;
    }

    static std::vector<JsonNode> items(JsonNode const& parent, std::string_view key) {
        auto const node = stated(parent, key);
        return node ? node->items() : std::vector<JsonNode>{};
    }

    /// The member, unless it is null.
    static std::optional<JsonNode> stated(JsonNode const& parent, std::string_view key) {
        auto node = parent.find(key);
        return node && !node->is_null() ? std::move(node) : std::nullopt;
    }

    JsonNode const& root_;
    StringPool& pool_;
};

}  // namespace

ParsedVariables parse_variables(std::string_view file, std::string_view text, StringPool& pool) {
    ParsedVariables parsed;
    auto const& document = pool.keep(parse_data_file(file, text, max_catalogue_file_bytes));
    Parser(JsonNode(document), pool).read_into(parsed);
    return parsed;
}

}  // namespace rocmtune
