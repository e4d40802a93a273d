// SPDX-License-Identifier: MIT
// Names that the stack reads (profiles/names.json), thousands of them: what is said of one is read
// when somebody asks for it.
#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// A library, framework or tool that reads variables.
struct Component {
    std::string_view id;       ///< "rocr"
    std::string_view title;    ///< "ROCr (HSA runtime)"
    std::string_view package;  ///< Python package or library whose version counts; may be empty
    std::string_view parser;   ///< a word of value_parser_names.hpp; may be empty
    std::string_view
        newest;  ///< date of the newest text of it that was read, "2026-08"; may be empty
    std::string_view distributions =
        {};  ///< names under which the Python package is installed, blanks
             ///< between; * is one or more bytes; empty: its own name
};

class DataReader;
class JsonNode;

/// A component as data files state it. Throws ProfileError.
Component parse_component(JsonNode const& node, DataReader const& reader);

/// Whether the Python package of that name on the index, in lower case with hyphens, brings the
/// component.
bool is_distribution_of(Component const& component, std::string_view distribution);

/// A name that a component reads, or read once. Nothing more is known of it than this.
struct KnownName {
    std::string_view name;
    Component const* component = nullptr;  ///< never null
    std::string_view scope;                ///< a word of name_scopes
    std::string default_value;             ///< literal default in its code, or empty
    std::string text_date;  ///< date of the newest text with the reader; empty: not known
    std::string absent_by;  ///< date of the first text without it; empty: still there
};

/// A rule by which a component makes up names at run time.
struct NameFamily {
    std::string_view
        pattern;  ///< "HSA_OVERRIDE_GFX_VERSION_*"; each * stands for one or more bytes
    Component const* component = nullptr;  ///< never null
    std::string_view rule;                 ///< how the names come about, for people
};

/// debug-build: a constant in the builds that users have.
inline constexpr std::string_view name_scopes[] = {"runtime", "build", "tool", "debug-build"};

/// The names of one file. Cheap to copy; what it returns lives as long as one copy.
class KnownNames {
  public:
    /// What is kept of the file.
    struct Data;

    KnownNames();  ///< none
    explicit KnownNames(std::shared_ptr<Data const> data) : data_(std::move(data)) {}
    /// The embedded ones, found at the first question.
    static KnownNames embedded() { return KnownNames(nullptr); }

    /// Every component that reads this name, or read it once; empty for an unknown name.
    std::vector<KnownName> readers(std::string_view name) const;
    bool contains(std::string_view name) const { return place(name) < size(); }

    /// The first family whose pattern fits, or null.
    NameFamily const* family(std::string_view name) const;

    Component const* component(std::string_view id) const;  ///< or null

    std::size_t size() const;
    std::string_view operator[](std::size_t place) const;
    /// Every name, sorted: a range of std::string_view.
    auto all() const {
        return std::views::iota(std::size_t{0}, size()) |
               std::views::transform([names = *this](std::size_t i) { return names[i]; });
    }
    std::span<Component const> components() const;  ///< sorted by id
    std::span<NameFamily const> families() const;   ///< the longer patterns first
    std::string_view date() const;

  private:
    Data const& data() const;
    std::size_t place(std::string_view name) const;  ///< size() for an unknown name

    std::shared_ptr<Data const> data_;  ///< null for the embedded ones
};

/// Reads a file as profiles/schema/names.schema.json describes it, and checks all of it. Throws
/// ProfileError.
KnownNames parse_names(std::string_view file, std::string_view text);

}  // namespace rocmtune
