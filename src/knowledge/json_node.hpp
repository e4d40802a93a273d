// SPDX-License-Identifier: MIT
// Strict reading of JSON data files: every mistake names the file and the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/json_document.hpp"

namespace rocmtune {

/// A JSON value together with where it stands. Each reading function throws ProfileError if the
/// value is of another type or out of range. Small; valid as long as the document, as are its
/// texts.
class JsonNode {
  public:
    explicit JsonNode(JsonDocument const& document) : JsonNode(document, 0) {}

    [[noreturn]] void fail(std::string_view message) const;

    /// Checks that this is an object with no other keys than these.
    void expect_keys(std::initializer_list<std::string_view> known) const;

    /// The member of an object; absent if the key is not there.
    std::optional<JsonNode> find(std::string_view key) const;
    /// The member of an object, which must be there.
    JsonNode at(std::string_view key) const;
    /// The members of an object with their keys, sorted by key.
    std::vector<std::pair<std::string_view, JsonNode>> members() const;
    /// The elements of an array.
    std::vector<JsonNode> items() const;

    bool is_null() const;
    bool is_string() const;
    bool boolean() const;
    /// 1 to 1000 bytes without control characters.
    std::string_view string() const;
    /// The same, or nothing.
    std::string_view string_or_empty() const;
    /// One of these words.
    std::string_view word(std::span<std::string_view const> words) const;
    std::int64_t signed_integer() const;
    std::uint64_t integer(std::uint64_t low, std::uint64_t high) const;
    /// A number, whole or not.
    double real(double low, double high) const;
    bool is_boolean() const;
    bool is_object() const;
    bool is_array() const;
    /// A string of "0x" and exactly so many hexadecimal digits (4 at most).
    std::uint16_t hexadecimal(std::size_t digits) const;

    std::string_view file() const { return document_->file(); }
    std::string pointer() const { return document_->pointer(place_); }

  private:
    using Kind = JsonValue::Kind;

    JsonNode(JsonDocument const& document, std::size_t place)
        : document_(&document), place_(static_cast<std::uint32_t>(place)) {}

    JsonValue const& value() const { return (*document_)[place_]; }
    bool is(Kind kind) const { return value().kind == kind; }
    /// Calls `visit` with each value directly inside this one, in the order of the file.
    template <class Visit>
    void each(Visit visit) const {
        for (auto at = place_ + 1; at != value().end; at = (*document_)[at].end)
            visit(JsonNode(*document_, at));
    }
    std::string_view key() const { return document_->key(value()); }
    double number_or(double otherwise) const;

    JsonDocument const* document_;
    std::uint32_t place_;
};

}  // namespace rocmtune
