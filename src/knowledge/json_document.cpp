// SPDX-License-Identifier: MIT
// The library's parser tells what it sees; that becomes the document, watched for repeated keys and
// depth.
#include "knowledge/json_document.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/json_mistake.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;
using Kind = JsonValue::Kind;

/// A key as a step of a JSON pointer, safe to print and of bounded length.
std::string pointer_step(std::string_view key) {
    constexpr std::size_t longest = 80;
    std::string step = "/";
    for (char const c : key.substr(0, longest)) {
        auto const control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        step += c == '~' ? "~0" : c == '/' ? "~1" : control ? "?" : std::string(1, c);
    }
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
    explicit DocumentReader(JsonDocument& out) : out_(out) {}

    bool null() { return add(Kind::null, {}); }
    bool boolean(bool value) { return add(Kind::boolean, {.boolean = value}); }
    bool number_unsigned(std::uint64_t value) { return add(Kind::natural, {.natural = value}); }
    bool number_integer(std::int64_t value) { return add(Kind::negative, {.negative = value}); }
    bool number_float(double value, std::string const&) { return add(Kind::real, {.real = value}); }
    bool string(std::string const& text) { return add(Kind::text, {.text = keep(text)}); }
    bool binary(json::binary_t const&) { return false; }
    bool start_object(std::size_t) { return open(Kind::object); }
    bool start_array(std::size_t) { return open(Kind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string const& text) {
        key_ = keep(text);
        if (!levels_[depth_ - 1].keys.add(out_.piece(key_))) {
            // As a value, so that its pointer can be told.
            null();
            end_levels(place());
            throw ProfileError(out_.file_, out_.pointer(out_.values_.size() - 1),
                               "this key stands twice in its object");
        }
        return true;
    }

    bool parse_error(std::size_t, std::string const&, json::exception const& error) {
        throw ProfileError(out_.file_, "",
                           "not valid JSON: " + std::string(plain_json_error(error.what())));
    }

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
        out_.values_.push_back({std::exchange(key_, {}), content, place() + 1, kind});
        return true;
    }

    bool open(Kind kind) {
        if (depth_ == levels_.size()) {
            end_levels(place() + 1);
            add(kind, {});
            throw ProfileError(
                out_.file_, out_.pointer(out_.values_.size() - 1),
                "nested deeper than " + std::to_string(max_data_file_depth) + " levels");
        }
        levels_[depth_].place = out_.values_.size();
        levels_[depth_++].keys.clear();
        return add(kind, {});
    }

    bool close() {
        out_.values_[levels_[--depth_].place].end = place();
        return true;
    }

    void end_levels(std::uint32_t end) {
        for (std::size_t i = 0; i < depth_; ++i) out_.values_[levels_[i].place].end = end;
    }

    JsonDocument& out_;
    std::array<Level, max_data_file_depth> levels_;
    std::size_t depth_ = 0;
    JsonValue::Piece key_ = {};
};

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

std::shared_ptr<JsonDocument const> parse_data_file(std::string_view file, std::string_view text,
                                                    std::size_t max_bytes) {
    if (text.size() > max_bytes) {
        throw ProfileError(file, "", "larger than " + std::to_string(max_bytes) + " bytes");
    }
    auto const document = std::make_shared<JsonDocument>(file, text.size());
    DocumentReader reader(*document);
    json::sax_parse(text, &reader);
    return document;
}

}  // namespace rocmtune
