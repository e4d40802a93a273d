// SPDX-License-Identifier: MIT
// Strict reading of small JSON data files: every mistake names the file and the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/profile_error.hpp"

namespace rocmtune {

/// Largest data file that is read, in bytes, and its deepest nesting.
inline constexpr std::size_t max_data_file_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_data_file_depth = 16;

/// The data set of variables and the one of names are larger: thousands of objects.
inline constexpr std::size_t max_catalogue_file_bytes = std::size_t{16} << 20;

/// Parses a text. Throws ProfileError for anything that is not JSON in UTF-8, for a key that stands
/// twice in one object, and for a text over the limits.
std::shared_ptr<nlohmann::json const> parse_data_file(std::string_view file, std::string_view text,
                                                      std::size_t max_bytes = max_data_file_bytes);

/// A JSON value together with where it stands. Each reading function throws ProfileError if the
/// value is of another type or out of range. Valid as long as the parsed document.
class JsonNode {
  public:
    JsonNode(std::string_view file, nlohmann::json const& value, std::string pointer = {})
        : file_(file), value_(&value), pointer_(std::move(pointer)) {}

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

    std::string_view file() const { return file_; }
    std::string const& pointer() const { return pointer_; }

  private:
    std::string_view file_;
    nlohmann::json const* value_;
    std::string pointer_;
};

}  // namespace rocmtune
