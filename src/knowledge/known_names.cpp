// SPDX-License-Identifier: MIT
#include "knowledge/known_names.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Whether a pattern in which each * stands for one or more bytes fits the whole name.
bool fits(std::string_view pattern, std::string_view name) {
    // After a mismatch the last star takes one byte more; earlier stars need not move.
    std::size_t star = std::string_view::npos, resume = 0, p = 0, n = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = ++n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p, ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    return p == pattern.size();
}

}  // namespace

bool is_distribution_of(Component const& component, std::string_view distribution) {
    if (component.distributions.empty()) return component.package == distribution;
    return std::ranges::any_of(words(component.distributions), [&](std::string_view pattern) {
        return fits(pattern, distribution);
    });
}

std::size_t KnownNames::place(std::string_view name) const {
    auto const found = std::ranges::lower_bound(
        tables_.names, name, {}, [this](NameEntry const& entry) { return text(entry.text); });
    auto const is_it = found != tables_.names.end() && text(found->text) == name;
    return is_it ? static_cast<std::size_t>(found - tables_.names.begin()) : size();
}

std::vector<KnownName> KnownNames::readers(std::string_view name) const {
    std::vector<KnownName> all;
    auto const at = place(name);
    if (at == size()) {
        return all;
    }
    auto const end = at + 1 < size() ? tables_.names[at + 1].first_reader : tables_.readers.size();
    for (std::size_t i = tables_.names[at].first_reader; i < end; ++i) {
        auto const& reader = tables_.readers[i];
        all.push_back({(*this)[at], &tables_.components[reader.component],
                       name_scopes[reader.scope], text(reader.default_text), text(reader.date),
                       text(reader.absent_by)});
    }
    return all;
}

NameFamily const* KnownNames::family(std::string_view name) const {
    auto const found = std::ranges::find_if(
        tables_.families, [&](NameFamily const& each) { return fits(each.pattern, name); });
    return found == tables_.families.end() ? nullptr : &*found;
}

Component const* KnownNames::component(std::string_view id) const {
    auto const found = std::ranges::lower_bound(tables_.components, id, {}, &Component::id);
    return found != tables_.components.end() && found->id == id ? &*found : nullptr;
}

}  // namespace rocmtune
