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
#include "knowledge/known_names.hpp"

namespace rocmtune {

/// A default that once was another.
struct FormerDefault {
    std::string_view value;  ///< as text; "" is an empty value
    std::string_view until;  ///< first version or date with the next default
};

/// A value that its reader takes as it is meant, and that is a mistake all the same.
struct JudgedValue {
    std::string_view value;          ///< exact text; not looked at where `below` is there
    bool any_case;                   ///< the reader takes it in upper and lower case
    std::optional<long long> below;  ///< whole numbers from 0 that are smaller
    std::string_view lint_class;     ///< bad-value, redundant-default or debug-left-on
    bool certain;                    ///< else it is worth a note
    std::string_view why;
    std::string_view instead;  ///< the better value; empty: not to be set at all
};

/// Another variable that this one does not go together with. Of several for one pair the first
/// counts that speaks of the versions at hand; one without a package speaks of all.
struct Contradiction {
    std::string_view value;       ///< of this variable; empty: any
    std::string_view with;        ///< the other one
    std::string_view with_value;  ///< of the other one; empty: any
    bool certain;                 ///< else it is worth a note
    std::string_view why;
    std::string_view remove;   ///< which of the two is better not set
    std::string_view package;  ///< Python package whose versions it speaks of; empty: of any
    std::string_view since;    ///< first of them; empty: the oldest
    std::string_view until;    ///< first that it no longer holds for; empty: none is known
};

/// At the end of an environment name: stands for any number ("HSA_OVERRIDE_GFX_VERSION_<n>").
inline constexpr std::string_view number_mark = "<n>";

/// One variable, option, API or practice. Empty text means: nothing is known to say.
struct Variable {
    std::string_view name;    ///< one that ends in number_mark stands for a family
    std::string_view kind;    ///< environment, allocator, precision, option, api, practice or host
    std::string_view status;  ///< public, internal, deprecated, dead, never-existed
    std::string_view use;     ///< runtime, debug, build, launcher, code-loading or cosmetic
    std::string_view
        type;  ///< bool, int, float, size, enum, text, path, list, devices, version, options
    std::string_view parser;                  ///< of its component unless stated
    std::span<std::string_view const> words;  ///< the values of an enum
    std::span<std::string_view const>
        gfx_prefixes;        ///< it matters on targets that begin so; empty: not said
    std::string_view needs;  ///< what a GPU must be able to do: xnack, hipblaslt; empty: not said
    std::optional<long long> minimum, maximum;
    std::optional<std::string_view>
        default_value;              ///< exact text that means the default; absent: depends or none
    std::string_view default_text;  ///< the default in words
    std::span<FormerDefault const> former_defaults;
    std::span<JudgedValue const> judged_values;
    std::span<Contradiction const> contradictions;
    std::string_view effect, scope, harm, folklore, security;
    std::string_view validity_kind, since, until;
    std::string_view checked;  ///< newest version or date it was compared with; empty: its owner's
    std::string_view replaced_by;
    std::span<std::string_view const> aliases;
    std::span<Component const* const> readers;  ///< the owner first; empty: nothing reads it
    std::span<Citation const* const> sources;   ///< never empty
    std::string_view last_verified;             ///< "2026-09-01"
};

/// Another name of a variable.
struct Alias {
    std::string_view name;
    Variable const* variable;
};

struct CatalogueTables {
    std::span<Variable const> variables;    ///< sorted by name
    std::span<Alias const> aliases;         ///< sorted by name; none is the name of a variable
    std::span<Component const> components;  ///< that the variables speak of, sorted by id
    std::span<Citation const> sources;      ///< of the bibliography
    std::string_view date;                  ///< of the newest text that the variables rest on
};

/// Read-only look-ups; results live as long as one copy of the catalogue.
class Catalogue {
  public:
    explicit Catalogue(CatalogueTables const& tables, KnownNames names = {},
                       std::shared_ptr<void const> owner = nullptr)
        : tables_(tables), names_(std::move(names)), owner_(std::move(owner)) {}

    /// The variable of this name, else the one with this alias, else the family that a name with a
    /// number at its end belongs to, else null.
    Variable const* find(std::string_view name) const;

    /// A component of the variables, else of the known names, by id; or null.
    Component const* component(std::string_view id) const;

    /// Who reads this name, as a scan of sources found it; may be empty, also for a variable.
    std::vector<KnownName> readers(std::string_view name) const { return names().readers(name); }

    std::span<Variable const> all() const { return tables_.variables; }
    std::span<Component const> components() const { return tables_.components; }
    KnownNames const& names() const { return names_; }
    CatalogueTables const& tables() const { return tables_; }

    /// Of files laid over each other the oldest that still says something.
    std::string_view date() const { return tables_.date; }

  private:
    CatalogueTables tables_;
    KnownNames names_;
    std::shared_ptr<void const> owner_;
};

/// The catalogue this program was built with.
Catalogue const& embedded_catalogue();

/// The catalogue with files laid over it in the given order; the last wins. A file named
/// names.json takes the place of all known names, any other holds variables (variables.schema.json)
/// that take the place of those of the same name. Its variables may name components and sources of
/// the files below. Throws ProfileError: a wrong file, a name twice in one file, an alias of two
/// variables, replaced_by in a circle or to an unknown name, a component or source nobody explains.
Catalogue with_overrides(Catalogue const& base, std::vector<ProfileText> const& files);

}  // namespace rocmtune
