// SPDX-License-Identifier: MIT
// The catalogue: what is known of each environment variable, option, API and practice.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/json_node.hpp"
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
    bool any_case = false;           ///< the reader takes it in upper and lower case
    std::optional<long long> below;  ///< whole numbers from 0 that are smaller
    std::string_view lint_class;     ///< bad-value, redundant-default or debug-left-on
    bool certain = false;            ///< else it is worth a note
    std::string_view why;
    std::string_view instead;  ///< the better value; empty: not to be set at all
};

/// Another variable that this one does not go together with. Of several for one pair the first
/// counts that speaks of the versions at hand; one without a package speaks of all.
struct Contradiction {
    std::string_view value;       ///< of this variable; empty: any
    std::string_view with;        ///< the other one
    std::string_view with_value;  ///< of the other one; empty: any
    bool certain = false;         ///< else it is worth a note
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
    std::string_view parser;              ///< of its component unless stated
    std::vector<std::string_view> words;  ///< the values of an enum
    std::vector<std::string_view>
        gfx_prefixes;        ///< it matters on targets that begin so; empty: not said
    std::string_view needs;  ///< what a GPU must be able to do: xnack, hipblaslt; empty: not said
    std::optional<long long> minimum, maximum;
    std::optional<std::string_view>
        default_value;              ///< exact text that means the default; absent: depends or none
    std::string_view default_text;  ///< the default in words
    std::vector<FormerDefault> former_defaults;
    std::vector<JudgedValue> judged_values;
    std::vector<Contradiction> contradictions;
    std::string_view effect, scope, harm, folklore, security;
    std::string_view validity_kind, since, until;
    std::string_view checked;  ///< newest version or date it was compared with; empty: its owner's
    std::string_view replaced_by;
    std::vector<std::string_view> aliases;
    std::vector<Component const*> readers;  ///< the owner first; empty: nothing reads it
    std::vector<Citation const*> sources;   ///< never empty
    std::string_view last_verified;         ///< "2026-09-01"
};

/// Another name of a variable.
struct Alias {
    std::string_view name;
    Variable const* variable;
};

/// The variables of one or more files, and what they name. Its parts point into each other.
struct CatalogueData {
    StringPool pool;
    std::shared_ptr<CatalogueData const> base;  ///< that it was laid over, if any
    std::vector<Variable> variables;            ///< sorted by name
    std::vector<Alias> aliases;                 ///< sorted by name; none is the name of a variable
    std::vector<Component> components;          ///< that the variables speak of, sorted by id
    std::deque<Citation> sources;               ///< of its own files, without those of `base`
    std::map<std::string_view, Citation const*> bibliography;  ///< by id
    std::string_view date;  ///< of the oldest file that still says something

    CatalogueData() = default;
    CatalogueData(CatalogueData const&) = delete;
    CatalogueData& operator=(CatalogueData const&) = delete;
};

/// Read-only look-ups; results live as long as one copy of the catalogue.
class Catalogue {
  public:
    Catalogue() : Catalogue(std::make_shared<CatalogueData const>(), {}) {}  ///< an empty one
    Catalogue(std::shared_ptr<CatalogueData const> data, KnownNames names)
        : data_(std::move(data)), names_(std::move(names)) {}

    /// The variable of this name, else the one with this alias, else the family that a name with a
    /// number at its end belongs to, else null.
    Variable const* find(std::string_view name) const;

    /// A component of the variables, else of the known names, by id; or null.
    Component const* component(std::string_view id) const;

    /// Who reads this name, as a scan of sources found it; may be empty, also for a variable.
    std::vector<KnownName> readers(std::string_view name) const { return names().readers(name); }

    std::span<Variable const> all() const { return data_->variables; }
    std::span<Component const> components() const { return data_->components; }
    KnownNames const& names() const { return names_; }
    std::shared_ptr<CatalogueData const> const& data() const { return data_; }

    /// Of files laid over each other the oldest that still says something.
    std::string_view date() const { return data_->date; }

  private:
    std::shared_ptr<CatalogueData const> data_;
    KnownNames names_;
};

/// The catalogue this program was built with, read at the first call.
Catalogue const& embedded_catalogue();

/// The catalogue with files laid over it in the given order; the last wins. A file named
/// names.json takes the place of all known names, any other holds variables (variables.schema.json)
/// that take the place of those of the same name. Its variables may name components and sources of
/// the files below. Throws ProfileError: a wrong file, a name twice in one file, an alias of two
/// variables, replaced_by in a circle or to an unknown name, a component or source nobody explains.
Catalogue with_overrides(Catalogue const& base, std::vector<ProfileText> const& files);

/// Rules of the set that `trusted` does not have: their variables must be known to the catalogue,
/// and a value must be one that its reader takes as it is written.
/// @throws ProfileError with the file and the place of the first that is not so.
void check_rule_values(ChipSet const& chips, ChipSet const& trusted, Catalogue const& catalogue);

}  // namespace rocmtune
