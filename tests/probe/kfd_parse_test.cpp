// SPDX-License-Identifier: MIT
#include "probe/parsers.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

TEST(KfdParse, key_value_lines_become_numbers) {
    auto const properties =
        parse_kfd_properties("simd_count 192\nhive_id 18091350218769748594\nlast 7");
    EXPECT_EQ(kfd_property(properties, "simd_count"), 192U);
    EXPECT_EQ(kfd_property(properties, "hive_id"), 18091350218769748594U);
    EXPECT_EQ(kfd_property(properties, "last"), 7U);
    EXPECT_EQ(kfd_property(properties, "absent"), std::nullopt);
    EXPECT_EQ(kfd_property(properties, "simd"), std::nullopt);
}

TEST(KfdParse, lines_that_are_no_numbers_are_left_out) {
    auto const properties = parse_kfd_properties(
        "a -1\nb 0x10\nc\nd \ne 1 2\nf 18446744073709551616\ng 1.5\n 5\nsibling_map 1,0,0\nok "
        "3\n\n\n");
    EXPECT_EQ(properties.size(), 1U) << "only ok";
    EXPECT_EQ(kfd_property(properties, "ok"), 3U);
    EXPECT_TRUE(parse_kfd_properties("").empty());
    EXPECT_TRUE(parse_kfd_properties("\n\n").empty());
}

TEST(KfdParse, the_last_of_several_equal_keys_counts) {
    EXPECT_EQ(kfd_property(parse_kfd_properties("a 1\na 2\n"), "a"), 2U);
}

TEST(KfdParse, the_steps_of_a_target_are_hexadecimal_digits) {
    EXPECT_EQ(gfx_target_name(90000), "gfx900");
    EXPECT_EQ(gfx_target_name(90010), "gfx90a");
    EXPECT_EQ(gfx_target_name(90012), "gfx90c");
    EXPECT_EQ(gfx_target_name(90402), "gfx942");
    EXPECT_EQ(gfx_target_name(100306), "gfx1036");
    EXPECT_EQ(gfx_target_name(110000), "gfx1100");
    EXPECT_EQ(gfx_target_name(110501), "gfx1151");
    EXPECT_EQ(gfx_target_name(120500), "gfx1250");
    EXPECT_EQ(gfx_target_name(80003), "gfx803");
}

TEST(KfdParse, what_is_no_target_has_no_name) {
    for (std::uint64_t const version :
         {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{9999}, std::uint64_t{91600},
          std::uint64_t{90016}, std::uint64_t{1000000}, ~std::uint64_t{0}})
        EXPECT_EQ(gfx_target_name(version), std::nullopt) << version;
}

TEST(KfdParse, links_have_a_kind_or_their_number) {
    EXPECT_EQ(link_kind(11), "xgmi");
    EXPECT_EQ(link_kind(2), "pcie");
    EXPECT_EQ(link_kind(1), "hypertransport");
    EXPECT_EQ(link_kind(0), "type-0");
    EXPECT_EQ(link_kind(6), "type-6");
    EXPECT_EQ(link_kind(16), "type-16");
    EXPECT_EQ(link_kind(~std::uint64_t{0}), "type-18446744073709551615");
}

}  // namespace
}  // namespace rocmtune::test
