// SPDX-License-Identifier: MIT
// Look-ups in the catalogue, embedded or made from files.
#include "knowledge/catalogue.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "knowledge/catalogue_tables.hpp"
#include "knowledge/generated_tables.hpp"

namespace rocmtune {
namespace {

template <class Entry, class Projection>
Entry const* find_sorted(std::span<Entry const> table, std::string_view wanted, Projection key) {
    auto const found = std::ranges::lower_bound(table, wanted, {}, key);
    return found != table.end() && std::invoke(key, *found) == wanted ? &*found : nullptr;
}

/// What a catalogue that was made at run time keeps alive.
struct Owner {
    std::shared_ptr<OwnedCatalogue const> tables;
    Catalogue base;
};

}  // namespace

Variable const* Catalogue::find(std::string_view name) const {
    if (auto const* variable = find_sorted(tables_.variables, name, &Variable::name)) {
        return variable;
    }
    if (auto const* alias = find_sorted(tables_.aliases, name, &Alias::name)) {
        return alias->variable;
    }
    auto const stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    return stem.size() == name.size()
               ? nullptr
               : find_sorted(tables_.variables, std::string(stem).append(number_mark),
                             &Variable::name);
}

Component const* Catalogue::component(std::string_view id) const {
    auto const* own = find_sorted(tables_.components, id, &Component::id);
    return own ? own : names_.component(id);
}

Catalogue const& embedded_catalogue() {
    static Catalogue const catalogue{generated::variable_tables};
    return catalogue;
}

Catalogue with_overrides(Catalogue const& base, std::vector<ProfileText> const& files) {
    std::vector<ProfileView> views;
    for (auto const& file : files) {
        views.push_back({file.name, file.text});
    }
    auto const built = build_catalogue(base.tables(), views);
    auto tables = built->view();
    tables.names = base.tables().names;
    return Catalogue{tables, std::make_shared<Owner const>(Owner{built, base})};
}

}  // namespace rocmtune
