// SPDX-License-Identifier: MIT
#include "base/version.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace rocmtune {
namespace {

using Parts = std::vector<std::uint64_t>;
constexpr auto less = std::strong_ordering::less;
constexpr auto equal = std::strong_ordering::equal;
constexpr auto greater = std::strong_ordering::greater;

TEST(Version, compares_by_the_value_of_its_components) {
    EXPECT_EQ(compare_versions("10.0", "7.14"), greater);
    EXPECT_EQ(compare_versions("7.14", "7.2"), greater);
    EXPECT_EQ(compare_versions("6.4.1", "6.4.10"), less);
    EXPECT_EQ(compare_versions("6.4", "6.4.0"), equal);
    EXPECT_EQ(compare_versions("6.4", "6.4.1"), less);
    EXPECT_EQ(compare_versions("06.04", "6.4"), equal);
}

TEST(Version, what_follows_the_numbers_does_not_count) {
    EXPECT_EQ(version_parts("2.11.0+rocm7.0"), (Parts{2, 11, 0}));
    EXPECT_EQ(version_parts("7.2.1-12"), (Parts{7, 2, 1}));
    EXPECT_EQ(version_parts("0.9.2rc2.dev3"), (Parts{0, 9, 2}));
    EXPECT_EQ(version_parts("6.4.x"), (Parts{6, 4}));
    EXPECT_EQ(compare_versions("2.11.0+rocm7.0", "2.11.0"), equal);
    EXPECT_EQ(compare_versions("2.8.0a0+git1", "2.10.0"), less);
}

TEST(Version, a_v_and_an_epoch_before_the_numbers_do_not_count) {
    EXPECT_EQ(version_parts("v6.4"), (Parts{6, 4}));
    EXPECT_EQ(version_parts("1:5.2.3-4"), (Parts{5, 2, 3}));
    EXPECT_EQ(version_parts("v"), std::nullopt);
    EXPECT_EQ(version_parts("version 6"), std::nullopt);
    EXPECT_EQ(version_parts("1:"), std::nullopt);
}

TEST(Version, dates_compare_with_dates) {
    EXPECT_EQ(version_parts("2024-10"), (Parts{2024, 10}));
    EXPECT_EQ(version_parts("2024-10-31"), (Parts{2024, 10, 31}));
    EXPECT_EQ(compare_versions("2024-10", "2024-9"), std::nullopt) << "no month has one digit";
    EXPECT_EQ(compare_versions("2024-10", "2024-09"), greater);
    EXPECT_EQ(compare_versions("2024-10", "2024-10-15"), less);
    EXPECT_EQ(compare_versions("2024-10-01", "2025-01"), less);
}

TEST(Version, a_date_and_a_version_have_no_order) {
    EXPECT_EQ(compare_versions("2024-10", "6.4"), std::nullopt);
    EXPECT_EQ(compare_versions("6.4", "2024-10"), std::nullopt);
    EXPECT_EQ(compare_versions("2024.10", "6.4"), greater) << "points make a version";
    EXPECT_FALSE(is_date_version("2024-13"));
    EXPECT_FALSE(is_date_version("2024-100"));
    EXPECT_FALSE(is_date_version("6024-10"));
    EXPECT_FALSE(is_date_version("12024-10"));
}

TEST(Version, what_does_not_begin_with_a_number_is_none) {
    for (auto const* text : {"", ".", "-1", "+1", " 1", "abc", "unknown", "1234567890123456789"}) {
        EXPECT_EQ(version_parts(text), std::nullopt) << text;
        EXPECT_EQ(compare_versions(text, "1"), std::nullopt) << text;
        EXPECT_EQ(compare_versions("1", text), std::nullopt) << text;
    }
    EXPECT_EQ(version_parts("999999999999999999"), (Parts{999999999999999999}));
    EXPECT_EQ(version_parts("1..2"), (Parts{1}));
    EXPECT_EQ(version_parts("1."), (Parts{1}));
    EXPECT_EQ(version_parts("1.1234567890123456789"), (Parts{1}));
}

/// Random texts of the characters that matter here.
std::string random_version(std::mt19937& random) {
    constexpr std::string_view letters = "0011223456789....--+v:rc";
    std::string text;
    for (auto length = random() % 12; length > 0; --length)
        text += letters[random() % letters.size()];
    return text;
}

TEST(Version, has_the_properties_of_an_order) {
    std::mt19937 random(20260901);
    for (int round = 0; round < 20000; ++round) {
        auto const a = random_version(random), b = random_version(random),
                   c = random_version(random);
        auto const ab = compare_versions(a, b), ba = compare_versions(b, a);
        ASSERT_EQ(ab.has_value(), ba.has_value()) << a << " | " << b;
        if (version_parts(a)) {
            ASSERT_EQ(compare_versions(a, a), equal) << a;
        }
        if (!ab) continue;
        EXPECT_EQ(*ab, 0 <=> *ba) << a << " | " << b;
        auto const bc = compare_versions(b, c);
        if (bc && *ab <= 0 && *bc <= 0) {
            EXPECT_TRUE(*compare_versions(a, c) <= 0) << a << " | " << b << " | " << c;
        }
    }
}

TEST(Version, a_number_more_makes_it_newer) {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        auto const text = std::to_string(random() % 30) + "." + std::to_string(random() % 30);
        auto const next = std::to_string(*version_parts(text)->begin()) + "." +
                          std::to_string(version_parts(text)->back() + 1);
        EXPECT_EQ(compare_versions(text, next), less);
        EXPECT_EQ(compare_versions(text + "-83", next + "+git"), less);
        EXPECT_EQ(compare_versions(text, text + ".0"), equal);
    }
}

}  // namespace
}  // namespace rocmtune
