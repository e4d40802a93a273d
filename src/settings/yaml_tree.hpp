// SPDX-License-Identifier: MIT
// YAML as a tree whose nodes know where they stand. An alias is the node that it names: a text of
// a few bytes cannot grow into a large tree.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

struct YamlNode;

/// A member of a map, or an element of a sequence, which has no key.
struct YamlMember {
    YamlNode const* key = nullptr;
    YamlNode const* value = nullptr;
};

struct YamlNode {
    enum class Kind : unsigned char { null, scalar, sequence, map };
    enum class Style : unsigned char { plain, quoted, literal, folded };

    Kind kind = Kind::null;
    Style style = Style::plain;
    std::string text = {};  ///< of a scalar, without quotes and indentation
    std::vector<YamlMember> members = {};
    std::size_t bytes = 0;  ///< of the text, or of the members with those that are scalars
    std::size_t line = 0, column = 0;  ///< of its first byte, behind quote, anchor and tag; from 1

    bool is_scalar() const { return kind == Kind::scalar; }
    bool is_plain(std::string_view word) const { return style == Style::plain && text == word; }
};

/// All documents of a text.
struct YamlTree {
    std::deque<YamlNode> nodes = {};
    std::vector<YamlNode const*> roots = {};
};

/// Nodes of a text that is still read; more are made by machines, or to do harm.
inline constexpr std::size_t max_yaml_nodes = 200'000;

/// Bytes of what aliases name, each time: of a scalar, or of a collection and the scalars in it.
inline constexpr std::size_t max_yaml_alias_bytes = std::size_t{16} << 20;

/// Throws Error for what is no YAML, nested too deeply or too large; it names the line.
YamlTree parse_yaml(std::string_view text, std::size_t first_line);

/// Members of a map with those that it takes over (<<), its own first; of a sequence its elements;
/// else none.
std::vector<YamlMember> members_of(YamlNode const* node);

/// The value of a key that stands in the map itself, or null.
YamlNode const* own_member(YamlNode const* map, std::string_view key);

/// The value of a key, also of one that the map takes over, or null.
YamlNode const* find_member(YamlNode const* map, std::string_view key);

}  // namespace rocmtune
