// SPDX-License-Identifier: MIT
// A data file in JSON, read strictly into one array of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/profile_error.hpp"

namespace rocmtune {

/// Largest data file that is read, in bytes, and its deepest nesting.
inline constexpr std::size_t max_data_file_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_data_file_depth = 32;

/// The data set of variables and the one of names are larger: thousands of objects.
inline constexpr std::size_t max_catalogue_file_bytes = std::size_t{16} << 20;

/// A value of a document. Those inside it follow it, up to `end`.
struct JsonValue {
    enum class Kind : std::uint8_t { null, boolean, natural, negative, real, text, array, object };

    /// A piece of the document's bytes.
    struct Piece {
        std::uint32_t first, size;
    };
    union Content {
        bool boolean;
        std::uint64_t natural;
        std::int64_t negative;
        double real;
        Piece text;
    };

    Piece key;  ///< in an object; else empty
    Content content;
    std::uint32_t end;  ///< place of the first value after it that is not inside it
    Kind kind;
};

/// What was read of one file. Views into it live as long as it does.
class JsonDocument {
  public:
    JsonDocument(std::string_view file, std::size_t text_bytes);
    JsonDocument(JsonDocument const&) = delete;
    JsonDocument& operator=(JsonDocument const&) = delete;

    std::string_view file() const { return file_; }

    /// The first value is the whole document; see JsonValue for the order.
    JsonValue const& operator[](std::size_t place) const { return values_[place]; }
    std::string_view key(JsonValue const& value) const { return piece(value.key); }
    /// Of a value of the kind `text`.
    std::string_view text(JsonValue const& value) const { return piece(value.content.text); }

    /// JSON pointer (RFC 6901) to the value at a place.
    std::string pointer(std::size_t place) const;

  private:
    friend class DocumentReader;
    std::string_view piece(JsonValue::Piece at) const {
        return std::string_view(bytes_).substr(at.first, at.size);
    }

    std::string file_;
    std::string bytes_;  ///< keys and texts, one after the other
    std::vector<JsonValue> values_;
};

/// Parses a text. Throws ProfileError for anything that is not JSON in UTF-8, for a key that stands
/// twice in one object, and for a text over the limits.
std::shared_ptr<JsonDocument const> parse_data_file(std::string_view file, std::string_view text,
                                                    std::size_t max_bytes = max_data_file_bytes);

/// Owns the files, texts and lists behind the views of what was parsed; their addresses never move.
class StringPool {
  public:
    std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }

    template <class T>
    std::span<T const> keep(std::vector<T> list) {
        auto const kept = std::make_shared<std::vector<T> const>(std::move(list));
        owned_.push_back(kept);
        return *kept;
    }

    JsonDocument const& keep(std::shared_ptr<JsonDocument const> document) {
        owned_.push_back(document);
        return *document;
    }

  private:
    std::deque<std::string> texts_;
    std::vector<std::shared_ptr<void const>> owned_;
};

}  // namespace rocmtune
