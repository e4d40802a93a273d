// SPDX-License-Identifier: MIT
// Strict JSON: the parser's events are watched for repeated keys and depth, values for their type.
#include "knowledge/json_node.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/ascii.hpp"
#include "base/json_mistake.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

/// A key as a step of a JSON pointer (RFC 6901), safe to print and of bounded length.
std::string pointer_step(std::string_view key) {
    constexpr std::size_t longest = 80;
    std::string step = "/";
    for (char const c : key.substr(0, longest)) {
        auto const control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        step += c == '~' ? "~0" : c == '/' ? "~1" : control ? "?" : std::string(1, c);
    }
    return key.size() > longest ? step + "..." : step;
}

/// Follows the events of the parser to know where it is.
class Watcher {
  public:
    explicit Watcher(std::string_view file) : file_(file) {}

    void on(json::parse_event_t event, json const& value) {
        using Event = json::parse_event_t;
        switch (event) {
            case Event::object_start: return open(false);
            case Event::array_start: return open(true);
            case Event::key: return on_key(value.get_ref<std::string const&>());
            case Event::object_end:
            case Event::array_end: levels_.pop_back(); return on_value();
            case Event::value: return on_value();
        }
    }

  private:
    struct Level {
        bool is_array;
        std::size_t index = 0;
        std::string key = {};
        std::set<std::string, std::less<>> keys = {};
    };

    void open(bool is_array) {
        if (levels_.size() == max_data_file_depth) {
            fail("nested deeper than " + std::to_string(max_data_file_depth) + " levels");
        }
        levels_.push_back({is_array});
    }

    void on_key(std::string const& key) {
        levels_.back().key = key;
        if (!levels_.back().keys.insert(key).second) {
            fail("this key stands twice in its object");
        }
    }

    void on_value() {
        if (!levels_.empty()) {
            ++levels_.back().index;
        }
    }

    [[noreturn]] void fail(std::string_view message) const {
        std::string pointer;
        for (auto const& level : levels_) {
            pointer += pointer_step(level.is_array ? std::to_string(level.index) : level.key);
        }
        throw ProfileError(file_, pointer, message);
    }

    std::string_view file_;
    std::vector<Level> levels_;
};

}  // namespace

std::shared_ptr<json const> parse_data_file(std::string_view file, std::string_view text,
                                            std::size_t max_bytes) {
    if (text.size() > max_bytes) {
        throw ProfileError(file, "", "larger than " + std::to_string(max_bytes) + " bytes");
    }
    Watcher watcher(file);
    auto const watch = [&](int, json::parse_event_t event, json& value) {
        watcher.on(event, value);
        return true;
    };
    try {
        return std::make_shared<json const>(json::parse(text, watch));
    } catch (json::exception const& error) {
        throw ProfileError(file, "",
                           "not valid JSON: " + std::string(plain_json_error(error.what())));
    }
}

void JsonNode::fail(std::string_view message) const {
    throw ProfileError(file_, pointer_, message);
}

void JsonNode::expect_keys(std::initializer_list<std::string_view> known) const {
    for (auto const& [key, node] : members()) {
        if (std::ranges::find(known, key) == known.end()) {
            node.fail("unknown key");
        }
    }
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    if (!value_->is_object()) {
        fail("expected an object");
    }
    auto const member = value_->find(std::string(key));
    if (member == value_->end()) {
        return std::nullopt;
    }
    return JsonNode(file_, *member, pointer_ + pointer_step(key));
}

JsonNode JsonNode::at(std::string_view key) const {
    auto node = find(key);
    if (!node) {
        fail("the key \"" + std::string(key) + "\" is missing");
    }
    return *std::move(node);
}

std::vector<std::pair<std::string_view, JsonNode>> JsonNode::members() const {
    if (!value_->is_object()) {
        fail("expected an object");
    }
    std::vector<std::pair<std::string_view, JsonNode>> all;
    for (auto const& [key, value] : value_->get_ref<json::object_t const&>()) {
        all.emplace_back(key, JsonNode(file_, value, pointer_ + pointer_step(key)));
    }
    return all;
}

std::vector<JsonNode> JsonNode::items() const {
    if (!value_->is_array()) {
        fail("expected an array");
    }
    std::vector<JsonNode> all;
    for (auto const& value : *value_) {
        all.emplace_back(file_, value, pointer_ + "/" + std::to_string(all.size()));
    }
    return all;
}

bool JsonNode::is_null() const {
    return value_->is_null();
}

bool JsonNode::is_string() const {
    return value_->is_string();
}

bool JsonNode::boolean() const {
    if (!value_->is_boolean()) {
        fail("expected true or false");
    }
    return value_->get<bool>();
}

std::string_view JsonNode::string() const {
    auto const text = string_or_empty();
    if (text.empty()) {
        fail("expected a string of 1 to 1000 bytes");
    }
    return text;
}

std::string_view JsonNode::string_or_empty() const {
    if (!value_->is_string()) {
        fail("expected a string");
    }
    std::string_view const text = value_->get_ref<std::string const&>();
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
    // Not the very least number: no C++ literal writes it in the generated tables.
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto const fits = value_->is_number_unsigned()
                          ? value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                          : value_->is_number_integer() && value_->get<std::int64_t>() >= -most;
    if (!fits) {
        fail("expected a whole number of 64 bits");
    }
    return value_->get<std::int64_t>();
}

std::uint64_t JsonNode::integer(std::uint64_t low, std::uint64_t high) const {
    auto const number = value_->is_number_unsigned() ? value_->get<std::uint64_t>() : 0;
    if (!value_->is_number_unsigned() || number < low || number > high) {
        fail("expected a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return number;
}

double JsonNode::real(double low, double high) const {
    auto const number = value_->is_number() ? value_->get<double>() : low - 1;
    if (!value_->is_number() || !(number >= low && number <= high)) {
        auto const plain = [](double bound) { return json(bound).dump(); };
        fail("expected a number from " + plain(low) + " to " + plain(high));
    }
    return number;
}

bool JsonNode::is_boolean() const {
    return value_->is_boolean();
}

bool JsonNode::is_object() const {
    return value_->is_object();
}

bool JsonNode::is_array() const {
    return value_->is_array();
}

std::uint16_t JsonNode::hexadecimal(std::size_t digits) const {
    auto const text = value_->is_string() ? string() : std::string_view{};
    if (text.size() != digits + 2 || !text.starts_with("0x") ||
        !std::ranges::all_of(text.substr(2), is_hexadecimal)) {
        fail("expected a string of 0x and " + std::to_string(digits) + " hexadecimal digits");
    }
    return static_cast<std::uint16_t>(std::stoul(std::string(text), nullptr, 16));
}

}  // namespace rocmtune
