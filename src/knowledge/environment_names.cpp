// SPDX-License-Identifier: MIT
// Matching of environment names against the embedded tables; allocates nothing.
#include "knowledge/environment_names.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "knowledge/generated_tables.hpp"

namespace rocmtune {
namespace {

bool contains(std::span<std::string_view const> sorted, std::string_view name) {
    return std::ranges::binary_search(sorted, name);
}

/// Whether the pattern, in capitals, stands at this place of the name.
bool stands_at(std::string_view name, std::size_t place, std::string_view pattern) {
    auto const part = name.substr(place, pattern.size());
    return std::ranges::equal(part, pattern, {}, to_upper);
}

bool fits(std::string_view name, std::size_t first, std::size_t end, SecretMatch match) {
    auto const begins = first == 0 || name[first - 1] == '_';
    auto const ends = end == name.size() || name[end] == '_';
    switch (match) {
        case SecretMatch::anywhere: return true;
        case SecretMatch::word: return begins && ends;
        case SecretMatch::word_end: return ends;
        case SecretMatch::last_word: return begins && end == name.size();
    }
    return true;
}

bool matches(std::string_view name, SecretPattern const& pattern) {
    for (std::size_t at = 0; at + pattern.text.size() <= name.size(); ++at) {
        if (stands_at(name, at, pattern.text) &&
            fits(name, at, at + pattern.text.size(), pattern.match)) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool is_relevant_name(std::string_view name) {
    auto const& tables = generated::environment_tables;
    if (is_listed_name(name)) return true;
    for (auto at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1)) {
        if (at + 1 < name.size() && contains(tables.prefixes, name.substr(0, at + 1))) {
            return true;
        }
    }
    return false;
}

bool is_listed_name(std::string_view name) {
    return contains(generated::environment_tables.names, name);
}

bool is_secret_name(std::string_view name) {
    auto const& tables = generated::environment_tables;
    auto const caught = [&](SecretPattern const& pattern) { return matches(name, pattern); };
    return std::ranges::any_of(tables.secrets, caught) && !contains(tables.not_secret, name);
}

}  // namespace rocmtune
