// SPDX-License-Identifier: MIT
// The quick search for the name that was meant finds what the plain one does.
#include "judge/lint/lint.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/text.hpp"

namespace rocmtune {
namespace {

std::string without_digits(std::string_view name) {
    std::string letters(name);
    std::erase_if(letters, [](char c) { return c >= '0' && c <= '9'; });
    return letters;
}

/// Every known name in the order of its rank.
std::vector<std::string_view> known_names() {
    std::vector<std::string_view> all;
    for (auto const& variable : embedded_catalogue().all())
        if (variable.kind == "environment" && variable.status != "dead" &&
            variable.status != "never-existed")
            all.push_back(variable.name);
    for (auto const name : embedded_catalogue().names().all()) all.push_back(name);
    return all;
}

/// The definition: all are compared, and the first of the nearest is meant; none for longer names.
std::optional<std::string_view> plainly_nearest(std::string_view name,
                                                std::vector<std::string_view> const& known) {
    if (name.size() > NearNames::longest) return std::nullopt;
    std::size_t best_distance = (name.size() >= 12 ? 2 : 1) + 1;
    std::optional<std::string_view> best;
    for (auto const candidate : known) {
        auto const difference =
            std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
        if (difference >= best_distance) continue;
        if (without_digits(candidate) == without_digits(name)) continue;
        auto const distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

/// Up to three slips of one of the kinds that edit_distance() counts.
std::string mangled(std::string name, std::mt19937& chance) {
    for (auto slips = chance() % 4; slips > 0 && name.size() > 2; --slips) {
        auto const at = 1 + chance() % (name.size() - 2);
        auto const letter = "ABCDEGHIKLMNOPRST_019"[chance() % 21];
        switch (chance() % 4) {
            case 0: name.erase(at, 1); break;
            case 1: name.insert(at, 1, letter); break;
            case 2: name[at] = letter; break;
            default: std::swap(name[at], name[at - 1]);
        }
    }
    return name;
}

TEST(NearNames, finds_what_the_plain_search_finds) {
    auto const known = known_names();
    NearNames const near(embedded_catalogue());
    std::mt19937 chance(20261125);
    std::size_t found = 0;
    for (int i = 0; i < 90; ++i) {
        auto const name = mangled(std::string(known[chance() % known.size()]), chance);
        auto const expected = plainly_nearest(name, known);
        EXPECT_EQ(near.nearest_to(name), expected) << name;
        found += expected ? 1 : 0;
    }
    EXPECT_GT(found, 40U);
}

TEST(NearNames, has_none_for_odd_lengths) {
    NearNames const near(embedded_catalogue());
    EXPECT_FALSE(near.nearest_to(""));
    EXPECT_FALSE(near.nearest_to(std::string(NearNames::longest + 1, 'A')));
    EXPECT_FALSE(near.nearest_to(std::string(NearNames::longest, 'A')));
}

TEST(NearNames, keeps_siblings_apart) {
    NearNames const near(embedded_catalogue());
    // Differs from a known name by its number alone.
    EXPECT_NE(near.nearest_to("HSA_ENABLE_SDMA7"), "HSA_ENABLE_SDMA");
    EXPECT_EQ(near.nearest_to("HSA_ENABLE_SDMAS"), "HSA_ENABLE_SDMA");
}

}  // namespace
}  // namespace rocmtune
