// SPDX-License-Identifier: MIT
#include "show/layout.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

TEST(Layout, width_counts_columns) {
    EXPECT_EQ(display_width(""), 0U);
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("\u00e4\u20ac"), 2U);
    EXPECT_EQ(display_width("\u5bbd\uac00\uff21\U0001F600"), 8U) << "wide characters";
    EXPECT_EQ(display_width("e\u0301\u200d\ufe0f"), 1U) << "marks and joiners";
    EXPECT_EQ(display_width("\xff\xc3"), 2U) << "bytes that are no characters";
}

TEST(Layout, a_shortened_text_fits_and_says_so) {
    EXPECT_EQ(shorten("Radeon", 6), "Radeon");
    EXPECT_EQ(shorten("Radeon RX", 6), "Rade..");
    EXPECT_EQ(shorten("Radeon RX 7900", 9), "Radeon..") << "no blank before the dots";
    EXPECT_EQ(shorten("\u5bbd\u5bbd\u5bbd\u5bbd", 7), "\u5bbd\u5bbd..");
    for (std::string const text :
         {"plain text that is long", "\u5bbd\u5bbd\u5bbd\u5bbd\u5bbd\u5bbd\u5bbd\u5bbd",
          "a\u5bbd"
          "b\u5bbd"
          "c\u5bbd"
          "d\u5bbd",
          "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301"})
        for (std::size_t width = 3; width < 20; ++width) {
            EXPECT_LE(display_width(shorten(text, width)), width) << text << ' ' << width;
            EXPECT_TRUE(is_utf8(shorten(text, width))) << "no character is cut in two";
        }
}

TEST(Layout, lines_break_at_blanks) {
    EXPECT_EQ(wrapped("one two three", 7), (Strings{"one two", "three"}));
    EXPECT_EQ(wrapped("  one   two ", 80), Strings{"one two"});
    EXPECT_EQ(wrapped("", 10), Strings{""});
}

TEST(Layout, a_word_longer_than_the_line_is_cut) {
    EXPECT_EQ(wrapped("a bcdefghij k", 4), (Strings{"a", "bcde", "fghi", "j k"}));
    EXPECT_EQ(wrapped("\u5bbd\u5bbd\u5bbd", 5), (Strings{"\u5bbd\u5bbd", "\u5bbd"}));
    EXPECT_EQ(wrapped("\u5bbd\u5bbd", 1), (Strings{"\u5bbd", "\u5bbd"}))
        << "ends even where nothing fits";
    for (auto const& line : wrapped(std::string(1000, 'x') + " and " + std::string(7, 'y'), 33))
        EXPECT_LE(display_width(line), 33U);
}

TEST(Layout, wrapping_loses_no_letter) {
    std::string const text =
        "the quick " + std::string(50, 'b') + " jumps \u5bbd\u5bbd\u5bbd\u5bbd\u5bbd\u5bbd over";
    for (std::size_t width = 1; width < 70; ++width) {
        std::string joined;
        for (auto const& line : wrapped(text, width)) joined += line;
        std::erase(joined, ' ');
        std::string letters = text;
        std::erase(letters, ' ');
        EXPECT_EQ(joined, letters) << width;
    }
}

TEST(Layout, a_screen_without_utf8_gets_ascii) {
    TextStyle ascii;
    ascii.utf8 = false;
    EXPECT_EQ(for_screen("a\u00e4\u5bbd\U0001F600z", ascii), "a???z");
    EXPECT_EQ(for_screen("\xff\x1b[0m", ascii), "\\xff\\x1b[0m");
    EXPECT_EQ(for_screen("a\u00e4", TextStyle{}), "a\u00e4");
}

TEST(Layout, colour_is_for_screens_that_asked) {
    EXPECT_EQ(emphasised("x", Emphasis::heading, TextStyle{}), "x");
    TextStyle color;
    color.color = true;
    EXPECT_EQ(emphasised("x", Emphasis::none, color), "x");
    for (auto const emphasis : {Emphasis::heading, Emphasis::quiet, Emphasis::notable}) {
        auto const text = emphasised("x", emphasis, color);
        EXPECT_TRUE(text.starts_with("\x1b[") && text.ends_with("x\x1b[0m")) << text;
    }
}

TEST(Layout, a_table_aligns_its_columns) {
    EXPECT_EQ(table_text({{"GPU", true}, {"name"}}, {{"0", "a"}, {"10", "bb"}}, TextStyle{}),
              " GPU  name\n   0  a\n  10  bb\n");
    EXPECT_EQ(table_text({{"name"}, {"n", true}}, {{"\u5bbd", "1"}, {"abc", "2"}}, TextStyle{}),
              " name  n\n \u5bbd    1\n abc   2\n");
}

TEST(Layout, a_table_drops_columns_and_shrinks_names_to_fit) {
    std::vector<Column> const columns{
        {"key"}, {"name", false, false, true}, {"first", false, true}, {"second", false, true}};
    std::vector<Strings> const rows{{"0", std::string(30, 'n'), "f", std::string(40, 's')}};
    TextStyle style;
    style.width = 60;
    auto const text = table_text(columns, rows, style);
    EXPECT_NE(text.find("first"), text.npos) << "the last one goes first";
    EXPECT_EQ(text.find("second"), text.npos);
    style.width = 20;
    auto const narrow = table_text(columns, rows, style);
    for (auto const line : lines(narrow)) EXPECT_LE(display_width(line), 20U) << line;
}

TEST(Layout, cells_are_filtered_for_the_screen) {
    auto const text = table_text({{"name"}}, {{"a\nb\x1b[2J"}}, TextStyle{});
    EXPECT_EQ(text, " name\n a b\\x1b[2J\n");
}

}  // namespace
}  // namespace rocmtune::test
