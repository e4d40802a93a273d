// SPDX-License-Identifier: MIT
// The library's parser tells what it sees; that becomes the document, watched for repeated keys and
// depth.
#include "codec/json_node.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_text.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;
using Kind = JsonValue::Kind;

std::string profile_error(std::string_view file, std::string_view pointer,
                          std::string_view message) {
    std::string all(file);
    return all.append(": ").append(pointer).append(pointer.empty() ? "" : ": ").append(message);
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// A key as a step of a JSON pointer, safe to print and of bounded length.
std::string pointer_step(std::string_view key) {
    constexpr std::size_t longest = 80;
    std::string step = "/";
    for (char const c : key.substr(0, longest))
        step += c == '~' ? "~0" : c == '/' ? "~1" : is_control(c) ? "?" : std::string(1, c);
    return key.size() > longest ? step + "..." : step;
}

/// The keys of one object so far. Most objects are small, or have their keys in order.
class SeenKeys {
  public:
    /// Whether the key is a new one.
    bool add(std::string_view key) {
        auto const in_order = keys_.empty() || keys_.back() < key;
        is_sorted_ = is_sorted_ && in_order;
        auto const is_new = is_sorted_ || !contains(key);
        keys_.push_back(key);
        return is_new;
    }

    void clear() {
        keys_.clear();
        if (!looked_up_.empty()) looked_up_.clear();
        is_sorted_ = true;
    }

  private:
    bool contains(std::string_view key) {
        constexpr std::size_t few = 32;
        if (keys_.size() <= few) return std::ranges::find(keys_, key) != keys_.end();
        looked_up_.insert(keys_.begin() + static_cast<std::ptrdiff_t>(looked_up_.size()),
                          keys_.end());
        return looked_up_.contains(key);
    }

    std::vector<std::string_view> keys_;
    std::unordered_set<std::string_view> looked_up_;
    bool is_sorted_ = true;
};

}  // namespace

/// The events of nlohmann::json::sax_parse; their names are the library's.
class DocumentReader {
  public:
    DocumentReader(JsonDocument& out, JsonLimits const& limits)
        : out_(out), limits_(limits), levels_(limits.levels) {}

    bool null() { return add(Kind::null, {}); }
    bool boolean(bool value) { return add(Kind::boolean, {.boolean = value}); }
    bool number_unsigned(std::uint64_t value) { return add(Kind::natural, {.natural = value}); }
    bool number_integer(std::int64_t value) { return add(Kind::negative, {.negative = value}); }
    bool number_float(double value, std::string const&) { return add(Kind::real, {.real = value}); }
    bool string(std::string const& text) { return add(Kind::text, {.text = keep(text)}); }
    bool binary(json::binary_t const&) { return false; }  // of other formats than JSON
    bool start_object(std::size_t) { return open(Kind::object); }
    bool start_array(std::size_t) { return open(Kind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string const& text) {
        key_ = keep(text);
        if (!limits_.keys_once || levels_[depth_ - 1].keys.add(out_.piece(key_))) return true;
        null();  // so that its pointer can be told
        return fail("this key stands twice in its object");
    }

    bool parse_error(std::size_t position, std::string const&, json::exception const& error) {
        return fail(std::string(plain_json_error(error.what())),
                    std::max<std::size_t>(position, 1));
    }

    std::optional<JsonProblem> const& problem() const { return problem_; }

  private:
    struct Level {
        std::size_t place = 0;
        SeenKeys keys = {};
    };

    std::uint32_t place() const { return static_cast<std::uint32_t>(out_.values_.size()); }

    JsonValue::Piece keep(std::string_view text) {
        auto const first = static_cast<std::uint32_t>(out_.bytes_.size());
        out_.bytes_ += text;
        return {first, static_cast<std::uint32_t>(text.size())};
    }

    bool add(Kind kind, JsonValue::Content content) {
        if (out_.values_.size() >= limits_.values)
            return fail("it has more than " + std::to_string(limits_.values) + " values");
        out_.values_.push_back({std::exchange(key_, {}), content, place() + 1, kind});
        return true;
    }

    bool open(Kind kind) {
        bool const is_too_deep = depth_ == levels_.size();
        if (!add(kind, {})) return false;
        if (is_too_deep)
            return fail("nested deeper than " + std::to_string(limits_.levels) + " levels");
        levels_[depth_].place = out_.values_.size() - 1;
        levels_[depth_++].keys.clear();
        return true;
    }

    bool close() {
        out_.values_[levels_[--depth_].place].end = place();
        return true;
    }

    bool fail(std::string message, std::size_t position = 0) {
        problem_ = {std::move(message), position};
        while (depth_ > 0) close();
        return false;
    }

    JsonDocument& out_;
    JsonLimits limits_;
    std::vector<Level> levels_;
    std::size_t depth_ = 0;
    JsonValue::Piece key_ = {};
    std::optional<JsonProblem> problem_ = {};
};

ProfileError::ProfileError(std::string_view file, std::string_view pointer,
                           std::string_view message)
    : Error(profile_error(file, pointer, message)), file_(file), pointer_(pointer) {}

JsonDocument::JsonDocument(std::string_view file, std::size_t text_bytes) : file_(file) {
    // An escape is longer than what it stands for, so that views of the bytes never move.
    bytes_.reserve(text_bytes);
    constexpr std::size_t usual_bytes = 16;  // of a value; what is not needed is never touched
    values_.reserve(text_bytes / usual_bytes + 1);
}

std::string JsonDocument::pointer(std::size_t place) const {
    std::string steps;
    for (std::size_t at = 0; at != place;) {
        auto const is_array = values_[at].kind == Kind::array;
        std::size_t index = 0;
        for (++at; values_[at].end <= place; at = values_[at].end) ++index;
        steps += pointer_step(is_array ? std::to_string(index) : key(values_[at]));
    }
    return steps;
}

std::optional<JsonProblem> read_json(JsonDocument& out, std::string_view text,
                                     JsonLimits const& limits) {
    DocumentReader reader(out, limits);
    json::sax_parse(text, &reader);
    return reader.problem();
}

std::shared_ptr<JsonDocument const> parse_data_file(std::string_view file, std::string_view text,
                                                    std::size_t max_bytes) {
    if (text.size() > max_bytes)
        throw ProfileError(file, "", "larger than " + std::to_string(max_bytes) + " bytes");
    auto const document = std::make_shared<JsonDocument>(file, text.size());
    if (auto const problem = read_json(*document, text, {.levels = max_data_file_depth})) {
        if (problem->position > 0)
            throw ProfileError(file, "", "not valid JSON: " + problem->message);
        throw ProfileError(file, document->last_pointer(), problem->message);
    }
    return document;
}

std::shared_ptr<JsonDocument const> parse_line(std::string_view line) {
    auto const document = std::make_shared<JsonDocument>("", line.size());
    bool const is_good =
        !read_json(*document, line, {.levels = most_json_levels, .keys_once = false});
    return is_good && JsonNode(*document).is_object() ? document : nullptr;
}

void JsonNode::fail(std::string_view message) const {
    throw ProfileError(file(), pointer(), message);
}

void JsonNode::expect_keys(std::span<std::string_view const> known) const {
    expect(is_object(), "expected an object");
    std::optional<JsonNode> wrong;
    each([&](JsonNode const& node) {
        auto const is_known = std::ranges::find(known, node.key()) != known.end();
        if (!is_known && (!wrong || node.key() < wrong->key())) wrong = node;
    });
    if (wrong) wrong->fail("unknown key");
}

std::optional<JsonNode> JsonNode::find(std::string_view wanted) const {
    expect(is_object(), "expected an object");
    for (auto at = place_ + 1; at != value().end; at = (*document_)[at].end) {
        JsonNode const node(*document_, at);
        if (node.key() == wanted) return node;
    }
    return std::nullopt;
}

JsonNode JsonNode::at(std::string_view key) const {
    auto const node = find(key);
    if (!node) fail("the key \"" + std::string(key) + "\" is missing");
    return *node;
}

std::vector<std::pair<std::string_view, JsonNode>> JsonNode::members() const {
    expect(is_object(), "expected an object");
    std::vector<std::pair<std::string_view, JsonNode>> all;
    each([&](JsonNode const& node) { all.emplace_back(node.key(), node); });
    std::ranges::sort(all, {}, [](auto const& member) { return member.first; });
    return all;
}

std::vector<JsonNode> JsonNode::items() const {
    expect(is_array(), "expected an array");
    std::vector<JsonNode> all;
    each([&](JsonNode const& node) { all.push_back(node); });
    return all;
}

bool JsonNode::boolean() const {
    expect(is_boolean(), "expected true or false");
    return value().content.boolean;
}

std::string_view JsonNode::string() const {
    auto const text = string_or_empty();
    expect(!text.empty(), "expected a string of 1 to 1000 bytes");
    return text;
}

std::string_view JsonNode::string_or_empty() const {
    expect(is_string(), "expected a string");
    expect(text().size() <= 1000, "expected a string of 1 to 1000 bytes");
    expect(std::ranges::none_of(text(), is_control), "control characters are not allowed");
    return text();
}

std::string_view JsonNode::word(std::span<std::string_view const> words) const {
    auto const text = string();
    if (std::ranges::find(words, text) != words.end()) return text;
    std::string known;
    for (auto const& each : words) known.append(known.empty() ? "" : ", ").append(each);
    fail("expected one of " + known);
}

std::int64_t JsonNode::signed_integer() const {
    // Without the very least number, so that each has its opposite.
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    auto const& content = value().content;
    if (is_natural() && content.natural <= static_cast<std::uint64_t>(most))
        return static_cast<std::int64_t>(content.natural);
    expect(is(Kind::negative) && content.negative >= -most, "expected a whole number of 64 bits");
    return content.negative;
}

std::uint64_t JsonNode::integer(std::uint64_t low, std::uint64_t high) const {
    auto const number = is_natural() ? value().content.natural : 0;
    if (!is_natural() || number < low || number > high)
        fail("expected a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return number;
}

double JsonNode::real(double low, double high) const {
    auto const number = is_number() ? *number_of(plain()) : low - 1;
    if (!(number >= low && number <= high)) {
        auto const plain = [](double bound) { return json(bound).dump(); };
        fail("expected a number from " + plain(low) + " to " + plain(high));
    }
    return number;
}

std::uint16_t JsonNode::hexadecimal(std::size_t digits) const {
    auto const text = is_string() ? string() : std::string_view{};
    if (text.size() != digits + 2 || !text.starts_with("0x") ||
        !std::ranges::all_of(text.substr(2), is_hexadecimal))
        fail("expected a string of 0x and " + std::to_string(digits) + " hexadecimal digits");
    return static_cast<std::uint16_t>(std::stoul(std::string(text), nullptr, 16));
}

std::string_view JsonNode::text() const {
    return is_string() ? document_->text(value()) : std::string_view();
}

PlainValue JsonNode::plain() const {
    auto const& content = value().content;
    switch (value().kind) {
        case Kind::boolean: return content.boolean;
        case Kind::natural: return content.natural;
        case Kind::negative: return content.negative;
        case Kind::real: return content.real;
        case Kind::text: return std::string(text());
        default: return {};
    }
}

std::optional<double> number_of(PlainValue const& value) {
    if (auto const* number = std::get_if<double>(&value)) return *number;
    if (auto const* number = std::get_if<std::uint64_t>(&value))
        return static_cast<double>(*number);
    if (auto const* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
    return std::nullopt;
}

}  // namespace rocmtune
