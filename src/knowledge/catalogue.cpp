// SPDX-License-Identifier: MIT
// Look-ups in the catalogue, embedded or made from files.
#include "knowledge/catalogue.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "knowledge/catalogue_builder.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune {
namespace {

template <class Entry, class Projection>
Entry const* find_sorted(std::vector<Entry> const& table, std::string_view wanted, Projection key) {
    auto const found = std::ranges::lower_bound(table, wanted, {}, key);
    return found != table.end() && std::invoke(key, *found) == wanted ? &*found : nullptr;
}

bool holds_names(std::string_view path) {
    return path.substr(path.rfind('/') + 1) == "names.json";
}

}  // namespace

Variable const* Catalogue::find(std::string_view name) const {
    if (auto const* variable = find_sorted(data_->variables, name, &Variable::name)) {
        return variable;
    }
    if (auto const* alias = find_sorted(data_->aliases, name, &Alias::name)) {
        return alias->variable;
    }
    auto const stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    return stem.size() == name.size()
               ? nullptr
               : find_sorted(data_->variables, std::string(stem).append(number_mark),
                             &Variable::name);
}

Component const* Catalogue::component(std::string_view id) const {
    auto const* own = find_sorted(data_->components, id, &Component::id);
    return own ? own : names().component(id);
}

Catalogue const& embedded_catalogue() {
    static Catalogue const catalogue{
        lay_variables(nullptr, {{"variables.json", embedded_file("variables.json").value()}}),
        KnownNames::embedded()};
    return catalogue;
}

Catalogue with_overrides(Catalogue const& base, std::vector<ProfileText> const& files) {
    auto names = base.names();
    std::vector<ProfileView> views;
    for (auto const& file : files) {
        if (holds_names(file.name)) {
            names = parse_names(file.name, file.text);
        } else {
            views.push_back({file.name, file.text});
        }
    }
    return Catalogue{lay_variables(base.data(), views), std::move(names)};
}

}  // namespace rocmtune
