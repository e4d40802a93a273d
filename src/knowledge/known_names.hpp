// SPDX-License-Identifier: MIT
// Names that the stack reads, thousands of them: compact tables without pointers, so that a start
// of the program relocates and touches nothing of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string_view>
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

/// Whether the Python package of that name on the index, in lower case with hyphens, brings the
/// component.
bool is_distribution_of(Component const& component, std::string_view distribution);

/// A name that a component reads, or read once. Nothing more is known of it than this.
struct KnownName {
    std::string_view name;
    Component const* component = nullptr;  ///< never null
    std::string_view scope;                ///< runtime, build, tool or debug-build
    std::string_view default_value;        ///< literal default in its code, or empty
    std::string_view text_date;  ///< date of the newest text with the reader; empty: not known
    std::string_view absent_by;  ///< date of the first text without it; empty: still there
};

/// A rule by which a component makes up names at run time.
struct NameFamily {
    std::string_view
        pattern;  ///< "HSA_OVERRIDE_GFX_VERSION_*"; each * stands for one or more bytes
    Component const* component = nullptr;  ///< never null
    std::string_view rule;                 ///< how the names come about, for people
};

/// Where a name stands in the pool and where its readers begin; they end where the next one's do.
struct NameEntry {
    std::uint32_t text;
    std::uint32_t first_reader;
};

struct ReaderEntry {
    std::uint32_t default_text, date, absent_by;  ///< places in the pool; 0 is the empty text
    std::uint16_t component;                      ///< place in the table of components
    std::uint16_t scope;                          ///< place in name_scopes
};

/// debug-build: a constant in the builds that users have.
inline constexpr std::string_view name_scopes[] = {"runtime", "build", "tool", "debug-build"};

struct NameTables {
    std::span<char const> pool;             ///< texts that end in NUL; the first is empty
    std::span<NameEntry const> names;       ///< sorted by name; no name twice
    std::span<ReaderEntry const> readers;   ///< of the first name, of the second, ...
    std::span<Component const> components;  ///< sorted by id
    std::span<NameFamily const> families;   ///< the longer patterns first
    std::string_view date;
};

/// Read-only view of such tables. Cheap to copy.
class KnownNames {
  public:
    explicit KnownNames(NameTables const& tables) : tables_(tables) {}

    /// Every component that reads this name, or read it once; empty for an unknown name.
    std::vector<KnownName> readers(std::string_view name) const;
    bool contains(std::string_view name) const { return place(name) < size(); }

    /// The first family whose pattern fits, or null.
    NameFamily const* family(std::string_view name) const;

    Component const* component(std::string_view id) const;  ///< or null

    std::size_t size() const { return tables_.names.size(); }
    std::string_view operator[](std::size_t place) const { return text(tables_.names[place].text); }
    /// Every name, sorted: a range of std::string_view.
    auto all() const {
        return std::views::iota(std::size_t{0}, size()) |
               std::views::transform([names = *this](std::size_t i) { return names[i]; });
    }
    std::span<Component const> components() const { return tables_.components; }
    std::span<NameFamily const> families() const { return tables_.families; }
    std::string_view date() const { return tables_.date; }

  private:
    std::string_view text(std::uint32_t place) const { return {tables_.pool.data() + place}; }
    std::size_t place(std::string_view name) const;  ///< size() for an unknown name

    NameTables tables_;
};

}  // namespace rocmtune
