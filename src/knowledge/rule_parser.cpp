// SPDX-License-Identifier: MIT
#include "knowledge/rule_parser.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.hpp"
#include "base/version.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/condition_parser.hpp"

namespace rocmtune {
namespace {

constexpr std::array<std::string_view, 3> validity_words{"known", "observed", "unknown"};
constexpr std::array<std::string_view, 3> confidence_words{"documented", "source", "observed"};
constexpr std::array<std::string_view, 4> verify_words{"bandwidth", "gemm", "vpoc", "collectives"};

/// The enumerator whose word stands there.
template <class Enum, std::size_t count>
Enum enumerator(JsonNode const& node, std::array<std::string_view, count> const& words) {
    auto const found = std::ranges::find(words, node.word(words));
    return static_cast<Enum>(found - words.begin());
}

class Parser {
  public:
    Parser(ParsedProfile const& profile, StringPool& pool) : profile_(profile), pool_(pool) {}

    ParsedRule read(JsonNode const& node) const {
        node.expect_keys({"id", "name", "kind", "value", "value_from", "level", "workloads",
                          "frameworks", "unless_set", "when", "why", "validity", "confidence",
                          "verify_with", "sources"});
        ParsedRule parsed;
        auto& rule = parsed.rule;
        rule.profile = profile_.name;
        rule.file = profile_.file;
        rule.pointer = pool_.keep(node.pointer());
        rule.everywhere = profile_.extends.empty() && !profile_.gfx_target && !profile_.family;
        read_setting(node, rule);
        read_reach(node, rule);
        rule.why = node.at("why").string();
        rule.validity = validity(node.at("validity"));
        rule.confidence = node.at("confidence").word(confidence_words);
        if (auto const with = node.find("verify_with"); with && !with->is_null()) {
            rule.verify_with = with->word(verify_words);
        }
        parsed.sources =
            parse_source_ids(node.at("sources"), "every recommendation needs a source");
        return parsed;
    }

  private:
    void read_setting(JsonNode const& node, Rule& rule) const {
        rule.id = node.at("id").string();
        rule.name = node.at("name").string();
        rule.kind = enumerator<SettingKind>(node.at("kind"), setting_kind_words);
        rule.level = enumerator<Level>(node.at("level"), level_words);
        auto const value = node.find("value");
        auto const from = node.find("value_from");
        if (value.has_value() == from.has_value()) node.fail("expected one of value, value_from");
        if (value) rule.value = value->string();
        if (from) rule.value_from = from->word(value_words);
        if (rule.kind == SettingKind::environment) check_name(node.at("name"));
    }

    /// What every shell takes as a name.
    static void check_name(JsonNode const& node) {
        if (!is_variable_name(node.string()))
            node.fail("a variable is named with letters, digits and _");
    }

    void read_reach(JsonNode const& node, Rule& rule) const {
        rule.workloads = list<Workload>(node, "workloads", workload_words);
        rule.frameworks = list<FrameworkChoice>(node, "frameworks", framework_words);
        for (auto const framework : rule.frameworks) {
            if (framework == FrameworkChoice::automatic || framework == FrameworkChoice::none) {
                node.at("frameworks").fail("expected names of frameworks");
            }
        }
        if (auto const names = node.find("unless_set")) {
            std::vector<std::string_view> all;
            for (auto const& item : names->items()) {
                check_name(item);
                all.push_back(item.string());
            }
            rule.unless_set = pool_.keep(std::move(all));
        }
        if (auto const when = node.find("when")) {
            rule.when = pool_.keep(parse_condition(*when, pool_));
            rule.per_gpu = asks_about_gpu(rule.when);
        }
    }

    template <class Enum, class Words>
    std::span<Enum const> list(JsonNode const& node, std::string_view key,
                               Words const& words) const {
        std::vector<Enum> all;
        if (auto const items = node.find(key)) {
            for (auto const& item : items->items()) all.push_back(enumerator<Enum>(item, words));
        }
        return pool_.keep(std::move(all));
    }

    RuleValidity validity(JsonNode const& node) const {
        node.expect_keys({"kind", "of", "since", "until", "checked", "versions"});
        RuleValidity out{};
        out.kind = node.at("kind").word(validity_words);
        out.of = text_or_empty(node, "of");
        out.since = version(node, "since");
        out.until = version(node, "until");
        out.checked = version(node, "checked");
        if (auto const versions = node.find("versions")) {
            std::vector<std::string_view> all;
            for (auto const& item : versions->items()) all.push_back(item.string());
            out.versions = pool_.keep(std::move(all));
        }
        check(node, out);
        return out;
    }

    static void check(JsonNode const& node, RuleValidity const& range) {
        auto const bounded = !range.since.empty() || !range.until.empty() || !range.checked.empty();
        if (bounded && range.of.empty()) node.fail("versions of what? \"of\" is missing");
        if (range.kind == "observed" && range.versions.empty()) {
            node.fail("observed in which versions? \"versions\" is missing");
        }
        auto const order = compare_versions(range.since, range.until);
        if (order && *order >= 0) node.fail("the range ends before it begins");
    }

    std::string_view version(JsonNode const& parent, std::string_view key) const {
        auto const text = text_or_empty(parent, key);
        if (!text.empty() && !version_parts(text)) {
            parent.at(key).fail("expected a version such as \"6.2\"");
        }
        return text;
    }

    ParsedProfile const& profile_;
    StringPool& pool_;
};

}  // namespace

std::vector<ParsedRule> parse_rules(JsonNode const& root, ParsedProfile const& profile,
                                    StringPool& pool) {
    auto const node = root.find("recommendations");
    if (!node) return {};
    auto const items = node->items();
    if (items.size() > max_rules) {
        node->fail("a profile has at most " + std::to_string(max_rules) + " recommendations");
    }
    std::vector<ParsedRule> rules;
    std::set<std::string_view> ids;
    for (auto const& item : items) {
        rules.push_back(Parser(profile, pool).read(item));
        if (!ids.insert(rules.back().rule.id).second) {
            item.at("id").fail("this id stands twice in the file");
        }
    }
    return rules;
}

}  // namespace rocmtune
