// SPDX-License-Identifier: MIT
// Matching of environment names against the embedded tables; allocates nothing.
#include "knowledge/environment_names.hpp"

#include <algorithm>
#include <array>

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

/// The patterns that begin with this capital: names are looked up by the thousand.
std::span<SecretPattern const> patterns_of(char letter) {
    static auto const rows = [] {
        std::array<std::span<SecretPattern const>, 26> of_letter;
        auto const first = [](SecretPattern const& pattern) { return pattern.text.front(); };
        for (char c = 'A'; c <= 'Z'; ++c) {
            auto const found =
                std::ranges::equal_range(generated::environment_tables.secrets, c, {}, first);
            of_letter[static_cast<std::size_t>(c - 'A')] = {found.begin(), found.end()};
        }
        return of_letter;
    }();
    return letter >= 'A' && letter <= 'Z' ? rows[static_cast<std::size_t>(letter - 'A')]
                                          : std::span<SecretPattern const>();
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
    return secret_pattern_of(name) != nullptr;
}

bool is_strong(SecretPattern const& pattern) {
    return pattern.match == SecretMatch::anywhere || pattern.match == SecretMatch::word_end;
}

SecretPattern const* secret_pattern_of(std::string_view name) {
    SecretPattern const* found = nullptr;
    for (std::size_t at = 0; at < name.size(); ++at)
        for (auto const& pattern : patterns_of(to_upper(name[at])))
            if (stands_at(name, at, pattern.text) &&
                fits(name, at, at + pattern.text.size(), pattern.match) &&
                (found == nullptr || !is_strong(*found)))
                found = &pattern;
    bool const is_known =
        found != nullptr && contains(generated::environment_tables.not_secret, name);
    return is_known ? nullptr : found;
}

}  // namespace rocmtune
