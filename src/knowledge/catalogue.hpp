// SPDX-License-Identifier: MIT
// The catalogue: what is known of each environment variable, option, API and practice.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/chips.hpp"

namespace rocmtune {

/// A library, framework or tool that reads variables.
struct Component {
    std::string_view id;       ///< "rocr"
    std::string_view title;    ///< "ROCr (HSA runtime)"
    std::string_view package;  ///< Python package or library whose version counts; may be empty
    std::string_view parser;   ///< how its values are read, a row of value_parsers.cpp
    std::string_view newest;   ///< date of the newest text of it that was read, "2026-08"
};

/// A default that once was another.
struct FormerDefault {
    std::string_view value;  ///< as text; "" is an empty value
    std::string_view until;  ///< first version or date with the next default
};

/// One variable, option, API or practice. Empty text means: nothing is known to say.
struct Variable {
    std::string_view name;
    std::string_view kind;    ///< environment, allocator, precision, option, api, practice or host
    std::string_view status;  ///< public, internal, deprecated, dead, never-existed
    std::string_view use;     ///< runtime, debug, build, launcher, code-loading or cosmetic
    std::string_view
        type;  ///< bool, int, float, size, enum, text, path, list, devices, version, options
    std::string_view parser;                  ///< of its component unless stated
    std::span<std::string_view const> words;  ///< the values of an enum
    std::optional<long long> minimum, maximum;
    std::optional<std::string_view>
        default_value;              ///< exact text that means the default; absent: depends or none
    std::string_view default_text;  ///< the default in words
    std::span<FormerDefault const> former_defaults;
    std::string_view effect, scope, harm, folklore, security;
    std::string_view validity_kind, since, until;
    std::string_view replaced_by;
    std::span<std::string_view const> aliases;
    std::span<Component const* const> readers;  ///< the owner first; empty: nothing reads it
    std::span<Citation const* const> sources;   ///< never empty
    std::string_view last_verified;             ///< "2026-09-01"
};

/// A name that a component reads, of which nothing more is known than that.
struct KnownName {
    std::string_view name;
    std::string_view component;
    std::string_view scope;          ///< runtime, build or tool
    std::string_view default_value;  ///< literal default in its code, or empty
    std::string_view text_date;      ///< date of the text in which the reader was found
    std::string_view absent_by;      ///< newest text without it; empty: still there
};

struct CatalogueTables {
    std::span<Variable const> variables;  ///< sorted by name
    std::span<KnownName const> names;     ///< sorted by name, then component
    std::string_view date;                ///< of the data set
};

/// Read-only look-ups; results live as long as one copy of the catalogue.
class Catalogue {
  public:
    explicit Catalogue(CatalogueTables const& tables, std::shared_ptr<void const> owner = nullptr)
        : tables_(tables), owner_(std::move(owner)) {}

    Variable const* find(std::string_view name) const;                ///< by name or alias, or null
    std::span<KnownName const> readers(std::string_view name) const;  ///< may be empty
    std::span<Variable const> all() const { return tables_.variables; }
    std::span<KnownName const> names() const { return tables_.names; }
    std::string_view date() const { return tables_.date; }

  private:
    CatalogueTables tables_;
    std::shared_ptr<void const> owner_;
};

/// The catalogue this program was built with.
Catalogue const& embedded_catalogue();

/// The catalogue with objects of variables.json files laid over it, last wins, by name.
/// Throws ProfileError.
Catalogue with_overrides(Catalogue const& base, std::vector<ProfileText> const& files);

}  // namespace rocmtune
