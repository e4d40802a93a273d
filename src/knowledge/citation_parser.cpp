// SPDX-License-Identifier: MIT
#include "knowledge/citation_parser.hpp"

#include <algorithm>
#include <string>

namespace rocmtune {
namespace {

/// Two digits as a number; the caller has checked that they are digits.
int two_digits(std::string_view text) {
    return (text[0] - '0') * 10 + (text[1] - '0');
}

bool is_date(std::string_view text) {
    constexpr std::string_view pattern = "dddd-dd-dd";
    if (text.size() != 4 && text.size() != 7 && text.size() != 10) {
        return false;
    }
    auto const fits = [](char c, char wanted) {
        return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
    };
    auto const in = [](int number, int high) { return number >= 1 && number <= high; };
    return std::ranges::equal(text, pattern.substr(0, text.size()), fits) &&
           (text.size() < 7 || in(two_digits(text.substr(5)), 12)) &&
           (text.size() < 10 || in(two_digits(text.substr(8)), 31));
}

}  // namespace

std::string_view text_or_empty(JsonNode const& parent, std::string_view key) {
    auto const node = parent.find(key);
    return node && !node->is_null() ? node->string() : std::string_view{};
}

std::string_view joined_words(JsonNode const& parent, std::string_view key, StringPool& pool) {
    std::string joined;
    auto const list = parent.find(key);
    if (!list || list->is_null()) return {};
    for (auto const& item : list->items()) {
        auto const word = item.string();
        if (word.find(' ') != word.npos) item.fail("expected a text without blanks");
        joined += (joined.empty() ? "" : " ") + std::string(word);
    }
    return pool.keep(joined);
}

Citation parse_citation(JsonNode const& node) {
    node.expect_keys({"title", "url", "reference", "version"});
    Citation out;
    out.title = node.at("title").string();
    out.url = text_or_empty(node, "url");
    out.reference = text_or_empty(node, "reference");
    out.version = text_or_empty(node, "version");
    if (out.url.empty() && out.reference.empty()) {
        node.fail("a source needs a url or a reference");
    }
    if (!out.url.empty() && !out.url.starts_with("https://")) {
        node.at("url").fail("expected a url that starts with https://");
    }
    return out;
}

std::vector<ParsedSource> parse_source_ids(JsonNode const& list, std::string_view if_none) {
    std::vector<ParsedSource> sources;
    for (auto const& item : list.items()) {
        auto& entry = sources.emplace_back();
        entry.pointer = item.pointer();
        entry.source.id = item.string();
    }
    if (sources.empty()) list.fail(if_none);
    return sources;
}

std::string_view parse_date(JsonNode const& node, std::size_t shortest) {
    auto const text = node.string();
    if (text.size() < shortest || !is_date(text)) {
        node.fail(shortest == 10 ? "expected a date such as \"2026-08-31\""
                                 : "expected a date such as \"2026-08\"");
    }
    return text;
}

void expect_version_1(JsonNode const& root, std::string_view what) {
    auto const node = root.at("schema_version");
    if (!node.string().starts_with("1.")) {
        node.fail("this program reads " + std::string(what) + " of version 1.x");
    }
}

}  // namespace rocmtune
