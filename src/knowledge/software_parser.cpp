// SPDX-License-Identifier: MIT
#include "knowledge/software_parser.hpp"

#include <algorithm>

#include "base/version.hpp"
#include "knowledge/citation_parser.hpp"

namespace rocmtune {
namespace {

/// Numbers with dots between them and nothing else: it becomes a part of a command.
bool is_release(std::string_view text) {
    bool after_digit = false;
    for (char const c : text) {
        bool const digit = c >= '0' && c <= '9';
        if (!digit && (c != '.' || !after_digit)) return false;
        after_digit = digit;
    }
    return after_digit && version_parts(text);
}

std::string_view release(JsonNode const& node, StringPool& pool) {
    if (!is_release(node.string())) node.fail("expected a release such as \"7.1\"");
    return pool.keep(node.string());
}

std::span<std::string_view const> targets(JsonNode const& list, StringPool& pool) {
    std::vector<std::string_view> all;
    for (auto const& item : list.items()) {
        if (!is_gfx_target(item.string())) item.fail("expected a gfx target such as \"gfx90a\"");
        all.push_back(pool.keep(item.string()));
    }
    if (all.empty()) list.fail("expected at least one gfx target");
    return pool.keep(std::move(all));
}

Cited<TorchWheel> parse_wheel(JsonNode const& node, StringPool& pool) {
    node.expect_keys({"rocm", "targets", "note", "sources"});
    Cited<TorchWheel> parsed;
    parsed.pointer = node.pointer();
    parsed.value = {.rocm = release(node.at("rocm"), pool),
                    .targets = targets(node.at("targets"), pool),
                    .note = text_or_empty(node, "note", pool),
                    .sources = {}};
    parsed.sources = parse_source_ids(node.at("sources"), "every wheel needs a source", pool);
    return parsed;
}

}  // namespace

bool is_same(TorchWheel const& one, TorchWheel const& other) {
    return compare_versions(one.rocm, other.rocm) == std::strong_ordering::equal;
}

std::vector<Cited<TorchWheel>> parse_wheels(JsonNode const& root, StringPool& pool) {
    std::vector<Cited<TorchWheel>> wheels;
    auto const list = root.find("pytorch_wheels");
    if (!list) return wheels;
    auto const items = list->items();
    if (items.size() > max_software) {
        list->fail("a profile has at most " + std::to_string(max_software) + " wheels");
    }
    for (auto const& item : items) {
        auto parsed = parse_wheel(item, pool);
        auto const same = [&](auto const& other) { return is_same(parsed.value, other.value); };
        if (std::ranges::any_of(wheels, same)) {
            item.at("rocm").fail("this release stands twice in the file");
        }
        wheels.push_back(std::move(parsed));
    }
    return wheels;
}

}  // namespace rocmtune
