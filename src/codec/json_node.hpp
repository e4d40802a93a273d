// SPDX-License-Identifier: MIT
// A JSON text read into one array of values, and a value of it together with where it stands. All
// JSON that the program reads by fields comes this way: data files, reports, answers of workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocmtune/error.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {

/// A profile or another JSON data file cannot be used. what() is "FILE: POINTER: message".
class ProfileError : public Error {
  public:
    ProfileError(std::string_view file, std::string_view pointer, std::string_view message);

    std::string const& file() const { return file_; }

    /// JSON pointer (RFC 6901) to the value at fault; empty for the whole document.
    std::string const& pointer() const { return pointer_; }

  private:
    std::string file_;
    std::string pointer_;
};

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
    bool is_empty() const { return values_.empty(); }

    /// The first value is the whole document; see JsonValue for the order.
    JsonValue const& operator[](std::size_t place) const { return values_[place]; }
    std::string_view key(JsonValue const& value) const { return piece(value.key); }
    /// Of a value of the kind `text`.
    std::string_view text(JsonValue const& value) const { return piece(value.content.text); }

    /// JSON pointer (RFC 6901) to the value at a place.
    std::string pointer(std::size_t place) const;
    std::string last_pointer() const { return pointer(values_.size() - 1); }

  private:
    friend class DocumentReader;
    std::string_view piece(JsonValue::Piece at) const {
        return std::string_view(bytes_).substr(at.first, at.size);
    }

    std::string file_;
    std::string bytes_;  ///< keys and texts, one after the other
    std::vector<JsonValue> values_;
};

/// What is refused in a text that is JSON.
struct JsonLimits {
    std::size_t levels;  ///< of objects and lists in each other
    std::size_t values = std::size_t(-1);
    bool keys_once = true;  ///< no key stands twice in one object
};

/// What is wrong with a text. The document then holds what stands before it.
struct JsonProblem {
    std::string message = {};
    std::size_t position = 0;  ///< of a mistake of syntax: its byte, from 1; else 0
};

/// Reads a text into an empty document.
std::optional<JsonProblem> read_json(JsonDocument& out, std::string_view text,
                                     JsonLimits const& limits);

/// Largest data file that is read, in bytes, and its deepest nesting.
inline constexpr std::size_t max_data_file_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_data_file_depth = 32;

/// The data set of variables and the one of names are larger: thousands of objects.
inline constexpr std::size_t max_catalogue_file_bytes = std::size_t{16} << 20;

/// Parses a text. Throws ProfileError for anything that is not JSON in UTF-8, for a key that stands
/// twice in one object, and for a text over the limits.
std::shared_ptr<JsonDocument const> parse_data_file(std::string_view file, std::string_view text,
                                                    std::size_t max_bytes = max_data_file_bytes);

/// The object in a line that another process of ours wrote; null if it is no JSON object or nests
/// deeper than `most_json_levels`.
std::shared_ptr<JsonDocument const> parse_line(std::string_view line);

/// A JSON value together with where it stands. The functions that read strictly throw ProfileError
/// if the value is of another type or out of range. Small; valid as long as the document, as are
/// its texts.
class JsonNode {
  public:
    explicit JsonNode(JsonDocument const& document) : JsonNode(document, 0) {}

    [[noreturn]] void fail(std::string_view message) const;

    /// Checks that this is an object with no other keys than these.
    void expect_keys(std::span<std::string_view const> known) const;
    void expect_keys(std::initializer_list<std::string_view> known) const {
        expect_keys(std::span(known.begin(), known.size()));
    }

    /// The member of an object; absent if the key is not there.
    std::optional<JsonNode> find(std::string_view key) const;
    /// The member of an object, which must be there.
    JsonNode at(std::string_view key) const;
    /// The members of an object with their keys, sorted by key.
    std::vector<std::pair<std::string_view, JsonNode>> members() const;
    /// The elements of an array.
    std::vector<JsonNode> items() const;

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
    /// A string of "0x" and exactly so many hexadecimal digits (4 at most).
    std::uint16_t hexadecimal(std::size_t digits) const;

    // What follows refuses nothing.
    bool is_null() const { return is(Kind::null); }
    bool is_string() const { return is(Kind::text); }
    bool is_boolean() const { return is(Kind::boolean); }
    bool is_natural() const { return is(Kind::natural); }
    bool is_integer() const { return is(Kind::natural) || is(Kind::negative); }
    bool is_number() const { return is_integer() || is(Kind::real); }
    bool is_object() const { return is(Kind::object); }
    bool is_array() const { return is(Kind::array); }
    bool is_plain() const { return !is_object() && !is_array(); }
    /// The text of any length; empty if it is none.
    std::string_view text() const;
    /// What is neither an object nor an array.
    PlainValue plain() const;
    std::string_view key() const { return document_->key(value()); }
    /// Calls `visit` with each value directly inside this one, in the order of the file.
    template <class Visit>
    void each(Visit visit) const {
        for (auto at = place_ + 1; at != value().end; at = (*document_)[at].end)
            visit(JsonNode(*document_, at));
    }

    std::string_view file() const { return document_->file(); }
    std::string pointer() const { return document_->pointer(place_); }

  private:
    using Kind = JsonValue::Kind;

    JsonNode(JsonDocument const& document, std::size_t place)
        : document_(&document), place_(static_cast<std::uint32_t>(place)) {}

    JsonValue const& value() const { return (*document_)[place_]; }
    bool is(Kind kind) const { return value().kind == kind; }
    void expect(bool is_right, std::string_view message) const {
        if (!is_right) fail(message);
    }

    JsonDocument const* document_;
    std::uint32_t place_;
};

/// The number, if it is one.
std::optional<double> number_of(PlainValue const& value);

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
