// SPDX-License-Identifier: MIT
#include "knowledge/citation_parser.hpp"

#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "base/version.hpp"

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

void check(JsonNode const& node, Citation& source) {
    if (source.url.empty() && source.reference.empty())
        node.fail("a source needs a url or a reference");
    if (!source.url.empty() && !source.url.starts_with("https://"))
        node.at("url").fail("expected a url that starts with https://");
}

TextRule const version_text{[](std::string_view text) { return version_parts(text).has_value(); },
                            "expected a version such as \"6.2\""};
TextRule const target_text{is_gfx_target, "expected a gfx target such as \"gfx90a\""};
TextRule const variable_text{is_variable_name, "a variable is named with letters, digits and _"};
TextRule const date_text{is_date, "expected a date such as \"2026-08\""};
TextRule const day_text{[](std::string_view text) { return text.size() == 10 && is_date(text); },
                        "expected a date such as \"2026-08-31\""};

std::string_view parse_date(JsonNode const& node, std::size_t shortest) {
    auto const& rule = shortest == 10 ? day_text : date_text;
    if (!rule.fits(node.string())) node.fail(rule.otherwise);
    return node.string();
}

void expect_version_1(JsonNode const& root, std::string_view what) {
    auto const node = root.at("schema_version");
    if (!node.string().starts_with("1."))
        node.fail("this program reads " + std::string(what) + " of version 1.x");
}

}  // namespace rocmtune
