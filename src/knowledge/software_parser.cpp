// SPDX-License-Identifier: MIT
#include "knowledge/software_parser.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/version.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/gfx_name.hpp"

namespace rocmtune {
namespace {

/// Numbers with dots between them and nothing else: it becomes a part of a command.
bool is_release(std::string_view text) {
    bool after_digit = false;
    for (char const c : text) {
        if (!is_digit(c) && (c != '.' || !after_digit)) return false;
        after_digit = is_digit(c);
    }
    return after_digit && version_parts(text);
}

std::string_view release(JsonNode const& node) {
    if (!is_release(node.string())) node.fail("expected a release such as \"7.1\"");
    return node.string();
}

std::span<std::string_view const> targets(JsonNode const& list, StringPool& pool) {
    std::vector<std::string_view> all;
    for (auto const& item : list.items()) {
        if (!is_gfx_target(item.string())) item.fail("expected a gfx target such as \"gfx90a\"");
        all.push_back(item.string());
    }
    if (all.empty()) list.fail("expected at least one gfx target");
    return pool.keep(std::move(all));
}

Cited<TorchWheel> parse_wheel(JsonNode const& node, StringPool& pool) {
    node.expect_keys({"rocm", "targets", "note", "sources"});
    Cited<TorchWheel> parsed;
    parsed.pointer = node.pointer();
    parsed.value = {.rocm = release(node.at("rocm")),
                    .targets = targets(node.at("targets"), pool),
                    .note = text_or_empty(node, "note"),
                    .sources = {}};
    parsed.sources = parse_source_ids(node.at("sources"), "every wheel needs a source");
    return parsed;
}

Cited<DebugVariable> parse_debug_variable(JsonNode const& node, StringPool&) {
    node.expect_keys({"name", "off", "effect", "sources"});
    Cited<DebugVariable> parsed;
    parsed.pointer = node.pointer();
    auto const name = node.at("name");
    if (!is_variable_name(name.string())) {
        name.fail("a variable is named with letters, digits and _");
    }
    parsed.value = {.name = name.string(),
                    .off = node.at("off").string(),
                    .effect = node.at("effect").string(),
                    .sources = {}};
    parsed.sources = parse_source_ids(node.at("sources"), "every variable needs a source");
    return parsed;
}

/// The list under a key; `identity` is the key of an element that no two of them have alike.
template <class T>
std::vector<Cited<T>> parse_list(JsonNode const& root, std::string_view key,
                                 std::string_view identity,
                                 Cited<T> (*parse)(JsonNode const&, StringPool&),
                                 StringPool& pool) {
    std::vector<Cited<T>> all;
    auto const list = root.find(key);
    if (!list) return all;
    auto const items = list->items();
    if (items.size() > max_software) {
        list->fail("a profile has at most " + std::to_string(max_software) + " of these");
    }
    for (auto const& item : items) {
        auto parsed = parse(item, pool);
        auto const same = [&](auto const& other) { return is_same(parsed.value, other.value); };
        if (std::ranges::any_of(all, same)) {
            item.at(identity).fail("this " + std::string(identity) + " stands twice in the file");
        }
        all.push_back(std::move(parsed));
    }
    return all;
}

}  // namespace

bool is_same(TorchWheel const& one, TorchWheel const& other) {
    return compare_versions(one.rocm, other.rocm) == std::strong_ordering::equal;
}

bool is_same(DebugVariable const& one, DebugVariable const& other) {
    return one.name == other.name;
}

std::vector<Cited<TorchWheel>> parse_wheels(JsonNode const& root, StringPool& pool) {
    return parse_list(root, "pytorch_wheels", "rocm", parse_wheel, pool);
}

std::vector<Cited<DebugVariable>> parse_debug_variables(JsonNode const& root, StringPool& pool) {
    return parse_list(root, "debug_variables", "name", parse_debug_variable, pool);
}

}  // namespace rocmtune
