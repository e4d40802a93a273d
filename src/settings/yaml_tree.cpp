// SPDX-License-Identifier: MIT
#include "settings/yaml_tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"
#include "settings/cursor.hpp"

namespace rocmtune {
namespace {

class TreeBuilder : public YAML::EventHandler {
  public:
    TreeBuilder(std::string_view text, std::size_t first_line)
        : text_(text), lines_(split(text, '\n')), first_line_(first_line) {}

    YamlTree take() {
        check_last_quote();
        return std::move(tree_);
    }

    // Anchors count anew in each document.
    void OnDocumentStart(YAML::Mark const&) override { anchors_.clear(); }
    void OnDocumentEnd() override {}

    void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override {
        place(add(mark, anchor, YamlNode::Kind::null));
    }
    void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override {
        count(mark);
        auto const found = anchors_.find(anchor);
        if (found == anchors_.end()) return;
        alias_bytes_ += found->second->bytes;
        if (alias_bytes_ > max_yaml_alias_bytes)
            throw Error(fmt::format("line {}: aliases repeat more than {}", line_of(mark),
                                    human_bytes(max_yaml_alias_bytes)));
        place(found->second);
    }
    void OnScalar(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                  std::string const& value) override {
        auto* node = add(mark, anchor, YamlNode::Kind::scalar);
        node->text = value;
        node->bytes = value.size();
        find_text(*node);
        last_scalar_ = node;
        place(node);
    }
    void OnSequenceStart(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(add(mark, anchor, YamlNode::Kind::sequence));
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(add(mark, anchor, YamlNode::Kind::map));
    }
    void OnMapEnd() override { close(); }

  private:
    struct Open {
        YamlNode* node;
        YamlNode const* key = nullptr;  // of a map, while its value is awaited
    };

    void count(YAML::Mark const& mark) {
        if (++count_ > max_yaml_nodes)
            throw Error(fmt::format("line {}: more than {} values", line_of(mark), max_yaml_nodes));
    }

    std::size_t line_of(YAML::Mark const& mark) const {
        return first_line_ + static_cast<std::size_t>(std::max(mark.line, 0));
    }

    YamlNode* add(YAML::Mark const& mark, YAML::anchor_t anchor, YamlNode::Kind kind) {
        count(mark);
        auto& node = tree_.nodes.emplace_back();
        node.kind = kind;
        node.line = line_of(mark);
        node.column = static_cast<std::size_t>(std::max(mark.column, 0)) + 1;
        if (anchor != YAML::NullAnchor) anchors_.insert_or_assign(anchor, &node);
        return &node;
    }

    /// Puts a node where it belongs: below the innermost open one.
    void place(YamlNode const* node) {
        if (open_.empty()) return tree_.roots.push_back(node);
        auto& parent = open_.back();
        parent.node->bytes += sizeof(YamlMember) + (node->is_scalar() ? node->bytes : 0);
        if (parent.node->kind == YamlNode::Kind::sequence) {
            parent.node->members.push_back({nullptr, node});
        } else if (parent.key == nullptr) {
            parent.key = node;
        } else {
            parent.node->members.push_back({parent.key, node});
            parent.key = nullptr;
        }
    }

    void open(YamlNode* node) {
        place(node);
        open_.push_back({node});
    }

    void close() { open_.pop_back(); }

    std::string_view source_line(std::size_t line) const {
        auto const index = line - first_line_;
        return index < lines_.size() ? lines_[index] : std::string_view();
    }

    /// From where the parser saw the node to its text: behind anchor, tag, quote; for a block to
    /// the first line below, at its indentation.
    void find_text(YamlNode& node) const {
        auto const line = source_line(node.line);
        auto at = node.column - 1;
        while (at < line.size() && (line[at] == '&' || line[at] == '!')) {
            while (at < line.size() && !is_blank(line[at])) ++at;
            while (at < line.size() && is_blank(line[at])) ++at;
        }
        auto const first = at < line.size() ? line[at] : '\0';
        if (first == '|' || first == '>') return find_block(node, first);
        bool const quoted = first == '"' || first == '\'';
        if (quoted) node.style = YamlNode::Style::quoted;
        node.column = at + (quoted ? 2 : 1);
    }

    void find_block(YamlNode& node, char indicator) const {
        node.style = indicator == '|' ? YamlNode::Style::literal : YamlNode::Style::folded;
        node.line += 1;
        node.column = 1;
        auto const content = split(node.text, '\n');
        auto const filled = std::ranges::find_if(content, [](auto text) { return !text.empty(); });
        if (filled == content.end()) return;
        auto const offset = static_cast<std::size_t>(filled - content.begin());
        auto const indent = source_line(node.line + offset).find(filled->substr(0, 1));
        if (indent != std::string_view::npos) node.column = indent + 1;
    }

    /// The parser takes a quote without an end for one that ends with the text, which swallows all
    /// settings below it. Only the last scalar can be such a one.
    void check_last_quote() const {
        if (last_scalar_ == nullptr || last_scalar_->style != YamlNode::Style::quoted) return;
        auto const line = source_line(last_scalar_->line);
        if (line.size() < last_scalar_->column - 1) return;
        auto const* const inside = line.data() + last_scalar_->column - 1;
        auto const rest = text_.substr(static_cast<std::size_t>(inside - text_.data()));
        if (!has_end(rest, inside[-1]))
            throw Error(fmt::format("line {}: a quoted text without an end", last_scalar_->line));
    }

    static bool has_end(std::string_view rest, char quote) {
        for (std::size_t i = 0; i < rest.size(); ++i) {
            bool const escapes = quote == '"' ? rest[i] == '\\' : rest.substr(i, 2) == "''";
            if (escapes) ++i;
            else if (rest[i] == quote) return true;
        }
        return false;
    }

    std::string_view text_;
    std::vector<std::string_view> lines_;
    std::size_t first_line_;
    YamlNode const* last_scalar_ = nullptr;
    YamlTree tree_ = {};
    std::vector<Open> open_ = {};
    std::map<YAML::anchor_t, YamlNode*> anchors_ = {};
    std::size_t count_ = 0;
    std::size_t alias_bytes_ = 0;
};

/// The own members of a map without <<, then those of what << names, each map once and not more of
/// them than people write: every map of a text may take over the same large one.
class MemberList {
  public:
    std::vector<YamlMember> collect(YamlNode const* map) {
        take(map, 0);
        return std::move(members_);
    }

  private:
    void take(YamlNode const* map, std::size_t depth) {
        constexpr std::size_t deepest = 16;
        constexpr std::size_t most_merged = 512;
        if (map->kind != YamlNode::Kind::map || depth > deepest || !seen_.insert(map).second)
            return;
        for (auto const& member : map->members) {
            if (depth > 0 && ++merged_ > most_merged) return;
            if (!member.key->is_plain("<<") && names_.insert(member.key->text).second)
                members_.push_back(member);
        }
        for (auto const& member : map->members)
            if (member.key->is_plain("<<")) merge(member.value, depth + 1);
    }

    void merge(YamlNode const* value, std::size_t depth) {
        if (value->kind != YamlNode::Kind::sequence) return take(value, depth);
        for (auto const& element : value->members) take(element.value, depth);
    }

    std::vector<YamlMember> members_ = {};
    std::set<YamlNode const*> seen_ = {};
    std::set<std::string_view> names_ = {};
    std::size_t merged_ = 0;
};

}  // namespace

YamlTree parse_yaml(std::string_view text, std::size_t first_line) {
    TreeBuilder builder(text, first_line);
    std::istringstream stream{std::string(text)};
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (YAML::DeepRecursion const& exception) {
        throw Error(fmt::format("nested more than {} deep", exception.depth()));
    } catch (YAML::Exception const& exception) {
        auto const line = first_line + static_cast<std::size_t>(std::max(exception.mark.line, 0));
        throw Error(fmt::format("line {}: {}", line, exception.msg));
    }
    return builder.take();
}

std::vector<YamlMember> members_of(YamlNode const* node) {
    if (node == nullptr) return {};
    if (node->kind == YamlNode::Kind::sequence) return node->members;
    return MemberList().collect(node);
}

YamlNode const* own_member(YamlNode const* map, std::string_view key) {
    if (map == nullptr || map->kind != YamlNode::Kind::map) return nullptr;
    for (auto const& member : map->members)
        if (member.key->text == key) return member.value;
    return nullptr;
}

YamlNode const* find_member(YamlNode const* map, std::string_view key) {
    if (auto const* own = own_member(map, key)) return own;
    if (own_member(map, "<<") == nullptr) return nullptr;
    for (auto const& member : members_of(map))
        if (member.key != nullptr && member.key->text == key) return member.value;
    return nullptr;
}

}  // namespace rocmtune
