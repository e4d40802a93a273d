// SPDX-License-Identifier: MIT
// Values for their type and range.
#include "knowledge/json_node.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/ascii.hpp"

namespace rocmtune {

void JsonNode::fail(std::string_view message) const {
    throw ProfileError(file(), pointer(), message);
}

void JsonNode::expect_keys(std::initializer_list<std::string_view> known) const {
    if (!is_object()) {
        fail("expected an object");
    }
    std::optional<JsonNode> wrong;
    each([&](JsonNode const& node) {
        auto const is_known = std::ranges::find(known, node.key()) != known.end();
        if (!is_known && (!wrong || node.key() < wrong->key())) wrong = node;
    });
    if (wrong) {
        wrong->fail("unknown key");
    }
}

std::optional<JsonNode> JsonNode::find(std::string_view wanted) const {
    if (!is_object()) {
        fail("expected an object");
    }
    for (auto at = place_ + 1; at != value().end; at = (*document_)[at].end) {
        JsonNode const node(*document_, at);
        if (node.key() == wanted) return node;
    }
    return std::nullopt;
}

JsonNode JsonNode::at(std::string_view key) const {
    auto const node = find(key);
    if (!node) {
        fail("the key \"" + std::string(key) + "\" is missing");
    }
    return *node;
}

std::vector<std::pair<std::string_view, JsonNode>> JsonNode::members() const {
    if (!is_object()) {
        fail("expected an object");
    }
    std::vector<std::pair<std::string_view, JsonNode>> all;
    each([&](JsonNode const& node) { all.emplace_back(node.key(), node); });
    std::ranges::sort(all, {}, [](auto const& member) { return member.first; });
    return all;
}

std::vector<JsonNode> JsonNode::items() const {
    if (!is_array()) {
        fail("expected an array");
    }
    std::vector<JsonNode> all;
    each([&](JsonNode const& node) { all.push_back(node); });
    return all;
}

bool JsonNode::is_null() const {
    return is(Kind::null);
}

bool JsonNode::is_string() const {
    return is(Kind::text);
}

bool JsonNode::boolean() const {
    if (!is_boolean()) {
        fail("expected true or false");
    }
    return value().content.boolean;
}

std::string_view JsonNode::string() const {
    auto const text = string_or_empty();
    if (text.empty()) {
        fail("expected a string of 1 to 1000 bytes");
    }
    return text;
}

std::string_view JsonNode::string_or_empty() const {
    if (!is_string()) {
        fail("expected a string");
    }
    auto const text = document_->text(value());
    if (text.size() > 1000) {
        fail("expected a string of 1 to 1000 bytes");
    }
    auto const is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (std::ranges::any_of(text, is_control)) {
        fail("control characters are not allowed");
    }
    return text;
}

std::string_view JsonNode::word(std::span<std::string_view const> words) const {
    auto const text = string();
    if (std::ranges::find(words, text) != words.end()) {
        return text;
    }
    std::string known;
    for (auto const& each : words) {
        known.append(known.empty() ? "" : ", ").append(each);
    }
    fail("expected one of " + known);
}

std::int64_t JsonNode::signed_integer() const {
    // Without the very least number, so that each has its opposite.
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto const& content = value().content;
    if (is(Kind::natural) && content.natural <= static_cast<std::uint64_t>(most)) {
        return static_cast<std::int64_t>(content.natural);
    }
    if (!is(Kind::negative) || content.negative < -most) {
        fail("expected a whole number of 64 bits");
    }
    return content.negative;
}

std::uint64_t JsonNode::integer(std::uint64_t low, std::uint64_t high) const {
    auto const number = is(Kind::natural) ? value().content.natural : 0;
    if (!is(Kind::natural) || number < low || number > high) {
        fail("expected a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return number;
}

double JsonNode::real(double low, double high) const {
    auto const number = number_or(low - 1);
    if (!(number >= low && number <= high)) {
        auto const plain = [](double bound) { return nlohmann::json(bound).dump(); };
        fail("expected a number from " + plain(low) + " to " + plain(high));
    }
    return number;
}

double JsonNode::number_or(double otherwise) const {
    auto const& content = value().content;
    switch (value().kind) {
        case Kind::natural: return static_cast<double>(content.natural);
        case Kind::negative: return static_cast<double>(content.negative);
        case Kind::real: return content.real;
        default: return otherwise;
    }
}

bool JsonNode::is_boolean() const {
    return is(Kind::boolean);
}

bool JsonNode::is_object() const {
    return is(Kind::object);
}

bool JsonNode::is_array() const {
    return is(Kind::array);
}

std::uint16_t JsonNode::hexadecimal(std::size_t digits) const {
    auto const text = is_string() ? string() : std::string_view{};
    if (text.size() != digits + 2 || !text.starts_with("0x") ||
        !std::ranges::all_of(text.substr(2), is_hexadecimal)) {
        fail("expected a string of 0x and " + std::to_string(digits) + " hexadecimal digits");
    }
    return static_cast<std::uint16_t>(std::stoul(std::string(text), nullptr, 16));
}

}  // namespace rocmtune
