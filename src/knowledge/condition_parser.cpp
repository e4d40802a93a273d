// SPDX-License-Identifier: MIT
#include "knowledge/condition_parser.hpp"

#include <algorithm>
#include <type_traits>

#include "base/text.hpp"
#include "base/version.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

template <class T>
constexpr FieldType type_of() {
    if constexpr (std::is_same_v<T, std::string>) return FieldType::text;
    else if constexpr (std::is_same_v<T, bool>) return FieldType::flag;
    else if constexpr (std::is_integral_v<T>) return FieldType::number;
    else if constexpr (std::is_floating_point_v<T>) return FieldType::real;
    else if constexpr (std::is_same_v<T, std::vector<std::string>>) return FieldType::names;
    else if constexpr (requires { typename T::mapped_type; }) return FieldType::map;
    else return FieldType::records;
}

/// Visits default-made entities: only the types matter.
template <class Entity>
std::optional<FieldType> type_in(std::string_view key) {
    std::optional<FieldType> found;
    static Entity const empty;
    visit_fields(empty, [&]<class T>(Field const& field, Fact<T> const&) {
        if (field.key == key) found = type_of<T>();
    });
    return found;
}

constexpr std::array<std::string_view, 7> comparison_words{
    "is", "in", "at_least", "below", "starts_with", "contains", "present"};

/// What an operand is compared as.
enum class OperandType : std::uint8_t { text, number, real, flag, version };

/// A kind of leaf: its head and the further keys and comparisons that it may have.
struct LeafForm {
    std::string_view head;
    ConditionKind kind;
    std::string_view comparisons;  ///< blank-separated
};

constexpr std::array<LeafForm, 8> leaf_forms{{
    {"field", ConditionKind::field, ""},  // by the type of the fact
    {"package", ConditionKind::package, "at_least below present"},
    {"package_hip", ConditionKind::package_hip, "at_least below present"},
    {"version", ConditionKind::version, "at_least below present"},
    {"installed", ConditionKind::installed, ""},
    {"count", ConditionKind::count, "is at_least below"},
    {"line", ConditionKind::line, ""},
    {"said", ConditionKind::said, "is in at_least below starts_with present"},
}};

constexpr bool is_of_text(ConditionKind kind) {
    return kind == ConditionKind::line || kind == ConditionKind::said;
}

constexpr std::string_view comparisons_of(FieldType type) {
    switch (type) {
        case FieldType::text: return "is in at_least below starts_with present";
        case FieldType::map: return "is in at_least below starts_with present";
        case FieldType::number: return "is in at_least below present";
        case FieldType::real: return "at_least below present";
        case FieldType::flag: return "is present";
        case FieldType::names: return "contains present";
        case FieldType::records: return "present";
    }
    return "";
}

bool has_word(std::string_view list, std::string_view word) {
    auto const all = words(list);
    return std::ranges::find(all, word) != all.end();
}

OperandType operand_type(FieldType type, Comparison comparison) {
    if (comparison == Comparison::present || type == FieldType::flag) return OperandType::flag;
    if (type == FieldType::number) return OperandType::number;
    if (type == FieldType::real) return OperandType::real;
    auto const ordered = comparison == Comparison::at_least || comparison == Comparison::below;
    return ordered ? OperandType::version : OperandType::text;
}

class Parser {
  public:
    Parser(StringPool& pool, OfText of_text) : pool_(pool), of_text_(of_text) {}

    /// What all must hold.
    void nodes(JsonNode const& list) {
        auto const at = open({.kind = ConditionKind::all});
        for (auto const& item : list.items()) node(item);
        close(at);
    }

    void node(JsonNode const& json) {
        if (nodes_.size() >= max_condition_nodes) {
            json.fail("a condition has at most " + std::to_string(max_condition_nodes) + " parts");
        }
        if (auto const children = json.find("all"))
            return group(json, *children, ConditionKind::all);
        if (auto const children = json.find("any"))
            return group(json, *children, ConditionKind::any);
        if (auto const child = json.find("not")) {
            json.expect_keys({"not"});
            auto const at = open({.kind = ConditionKind::negation});
            node(*child);
            return close(at);
        }
        leaf(json);
    }

    std::vector<Condition> take() { return std::move(nodes_); }

  private:
    std::size_t open(Condition condition) {
        nodes_.push_back(condition);
        return nodes_.size() - 1;
    }

    void close(std::size_t at) { nodes_[at].size = static_cast<std::uint32_t>(nodes_.size() - at); }

    void group(JsonNode const& json, JsonNode const& children, ConditionKind kind) {
        json.expect_keys({kind == ConditionKind::all ? "all" : "any"});
        auto const at = open({.kind = kind});
        for (auto const& child : children.items()) {
            node(child);
        }
        close(at);
    }

    void leaf(JsonNode const& json) {
        for (auto const& form : leaf_forms) {
            if (is_of_text(form.kind) && of_text_ == OfText::no) continue;
            if (auto const head = json.find(form.head)) {
                return leaf_of(json, *head, form);
            }
        }
        json.fail(
            "a condition has one of all, any, not, field, package, package_hip, version, "
            "installed, count");
    }

    void leaf_of(JsonNode const& json, JsonNode const& head, LeafForm const& form) {
        Condition leaf{.kind = form.kind};
        leaf.name = head.string();
        if (form.kind == ConditionKind::installed) {
            json.expect_keys({"installed"});
            if (!leaf.name.starts_with("lib")) head.fail("expected a library such as \"librccl\"");
            nodes_.push_back(leaf);
            return;
        }
        if (form.kind == ConditionKind::version && leaf.name != "rocm" && leaf.name != "hip") {
            head.fail("expected rocm or hip");
        }
        if (form.kind == ConditionKind::field) return field_leaf(json, head, leaf);
        if (form.kind == ConditionKind::count) return count_leaf(json, head, leaf, form);
        if (form.kind == ConditionKind::line) {
            json.expect_keys({"line"});
            nodes_.push_back(leaf);
            return;
        }
        if (form.kind == ConditionKind::said) return said_leaf(json, leaf, form);
        json.expect_keys({form.head, "at_least", "below", "present"});
        comparisons(json, leaf, form.comparisons, FieldType::text, {});
    }

    void field_leaf(JsonNode const& json, JsonNode const& head, Condition leaf) {
        auto const word = find_field(leaf.name);
        if (!word) head.fail("neither a GPU nor a host has this fact");
        json.expect_keys({"field", "entry", "is", "in", "at_least", "below", "starts_with",
                          "contains", "present"});
        leaf.of_gpu = word->of_gpu;
        auto const entry = json.find("entry");
        if (entry.has_value() != (word->type == FieldType::map)) {
            json.fail(entry ? "this fact has no entries" : "this fact is a map: name an \"entry\"");
        }
        if (entry) leaf.entry = entry->string();
        comparisons(json, leaf, comparisons_of(word->type), word->type, {});
    }

    void said_leaf(JsonNode const& json, Condition leaf, LeafForm const& form) {
        auto const among = json.find("among");
        if (!among) {
            json.expect_keys({"said", "is", "in", "at_least", "below", "starts_with", "present"});
            return comparisons(json, leaf, form.comparisons, FieldType::text, {});
        }
        json.expect_keys({"said", "among"});
        auto const name = among->string();
        constexpr std::string_view of_gpus = "gpus.";
        leaf.of_gpu = name.starts_with(of_gpus);
        leaf.entry = leaf.of_gpu ? name.substr(of_gpus.size()) : name;
        auto const word = find_field(leaf.entry);
        bool const fits = word && word->of_gpu == leaf.of_gpu &&
                          (word->type == FieldType::text || word->type == FieldType::names);
        if (!fits) among->fail("expected a text or a list of texts of the host, or \"gpus.FACT\"");
        nodes_.push_back(leaf);
    }

    void count_leaf(JsonNode const& json, JsonNode const& head, Condition const& leaf,
                    LeafForm const& form) {
        json.expect_keys({"count", "where", "is", "at_least", "below"});
        auto const where = json.find("where");
        if (leaf.name != "gpus" && leaf.name != "unselected_gpus") {
            auto const word = find_field(leaf.name);
            auto const list = word && !word->of_gpu &&
                              (word->type == FieldType::names || word->type == FieldType::records);
            if (!list) head.fail("expected gpus, unselected_gpus or a list of the host");
            if (where) where->fail("only GPUs can be counted by a condition");
        }
        comparisons(json, leaf, form.comparisons, FieldType::number, where);
    }

    /// One node for each comparison of a leaf; several must all hold.
    void comparisons(JsonNode const& json, Condition const& leaf, std::string_view allowed,
                     FieldType type, std::optional<JsonNode> const& where) {
        auto const at = open({.kind = ConditionKind::all});
        for (std::size_t i = 0; i < comparison_words.size(); ++i) {
            auto const operand = json.find(comparison_words[i]);
            if (!operand) continue;
            if (!has_word(allowed, comparison_words[i])) {
                operand->fail("this fact has only the comparisons: " + std::string(allowed));
            }
            auto one = leaf;
            one.comparison = static_cast<Comparison>(i);
            one.operands = operands(*operand, one.comparison, type);
            auto const child = open(one);
            if (where) node(*where);
            close(child);
        }
        close(at);
        if (nodes_.size() == at + 1) json.fail("a comparison is missing: " + std::string(allowed));
        unwrap(at);
    }

    /// A group of one is that one.
    void unwrap(std::size_t at) {
        if (nodes_[at + 1].size + 1 == nodes_[at].size) {
            nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }

    std::span<std::string_view const> operands(JsonNode const& json, Comparison comparison,
                                               FieldType type) {
        std::vector<std::string_view> texts;
        auto const as = operand_type(type, comparison);
        if (comparison != Comparison::in) {
            texts.push_back(operand(json, as));
        } else {
            for (auto const& item : json.items()) texts.push_back(operand(item, as));
            if (texts.empty()) json.fail("expected at least one value");
        }
        return pool_.keep(std::move(texts));
    }

    std::string_view operand(JsonNode const& json, OperandType as) {
        switch (as) {
            case OperandType::flag: return json.boolean() ? "true" : "false";
            case OperandType::number:
                return pool_.keep(std::to_string(json.integer(0, std::uint64_t{1} << 62)));
            case OperandType::real:
                return pool_.keep(std::to_string(json.integer(0, std::uint64_t{1} << 32)));
            case OperandType::version:
                if (!version_parts(json.string())) json.fail("expected a version such as \"6.2\"");
                return json.string();
            case OperandType::text: return json.string_or_empty();  // "" is a value, too
        }
        return {};
    }

    StringPool& pool_;
    OfText of_text_;
    std::vector<Condition> nodes_;
};

}  // namespace

std::optional<FieldWord> find_field(std::string_view key) {
    if (auto const type = type_in<Gpu>(key)) return FieldWord{true, *type};
    if (auto const type = type_in<Host>(key)) return FieldWord{false, *type};
    return std::nullopt;
}

std::vector<Condition> parse_condition(JsonNode const& node, StringPool& pool, OfText of_text) {
    Parser parser(pool, of_text);
    parser.node(node);
    return parser.take();
}

std::vector<Condition> parse_conditions(JsonNode const& list, StringPool& pool, OfText of_text) {
    Parser parser(pool, of_text);
    parser.nodes(list);
    return parser.take();
}

bool asks_about_gpu(std::span<Condition const> condition) {
    for (std::size_t i = 0; i < condition.size(); ++i) {
        if (condition[i].kind == ConditionKind::count) i += condition[i].size - 1;
        else if (condition[i].kind == ConditionKind::field && condition[i].of_gpu) return true;
    }
    return false;
}

}  // namespace rocmtune
