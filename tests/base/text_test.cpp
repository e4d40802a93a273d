// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace rocmtune::test {
namespace {

using Views = std::vector<std::string_view>;
using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

// ---- parts ------------------------------------------------------------------------------------

TEST(Text, trimming_takes_white_space_only) {
    EXPECT_EQ(trim(" \t\r\n\v\fa b\n "), "a b");
    EXPECT_EQ(trim(""), "");
    EXPECT_EQ(trim(" \n"), "");
    EXPECT_EQ(trim(std::string_view("\0a\0", 3)), std::string_view("\0a\0", 3));
    EXPECT_EQ(trim("\xc2\xa0x"), "\xc2\xa0x") << "a no-break space is text";
}

TEST(Text, splitting_keeps_empty_parts) {
    EXPECT_EQ(split("a,b", ','), (Views{"a", "b"}));
    EXPECT_EQ(split(",a,,", ','), (Views{"", "a", "", ""}));
    EXPECT_EQ(split("", ','), Views{""});
    EXPECT_EQ(split(",", ','), (Views{"", ""}));
}

TEST(Text, words_have_no_empty_parts) {
    EXPECT_EQ(words("  a \t b\nc  "), (Views{"a", "b", "c"}));
    EXPECT_EQ(words(" \n\t"), Views{});
    EXPECT_EQ(words(""), Views{});
}

TEST(Text, lines_lose_their_ends) {
    EXPECT_EQ(lines("a\nb\n"), (Views{"a", "b"}));
    EXPECT_EQ(lines("a\nb"), (Views{"a", "b"})) << "a last line without end";
    EXPECT_EQ(lines("a\r\nb\r\n\r\n"), (Views{"a", "b", ""}));
    EXPECT_EQ(lines("\n\n"), (Views{"", ""}));
    EXPECT_EQ(lines("a\rb\n"), (Views{"a\rb"})) << "a lone carriage return ends no line";
    EXPECT_EQ(lines(""), Views{});
    EXPECT_EQ(lines("\n"), Views{""});
}

TEST(Text, key_value_lines_keep_order_and_repetition) {
    EXPECT_EQ(key_value_lines("a 1\nb  2 3 \nnone\n\na 4\n"),
              (Pairs{{"a", "1"}, {"b", "2 3"}, {"a", "4"}}));
    EXPECT_EQ(key_value_lines("A=1\r\nB = 2\n=3\nC=\n", '='),
              (Pairs{{"A", "1"}, {"B", "2"}, {"", "3"}, {"C", ""}}));
    EXPECT_EQ(key_value_lines(""), Pairs{});
}

TEST(Text, is_split_at_the_first_separator_only) {
    using Pair = std::pair<std::string_view, std::string_view>;
    EXPECT_EQ(split_once("A=b=c", '='), Pair("A", "b=c"));
    EXPECT_EQ(split_once("=", '='), Pair("", ""));
    EXPECT_EQ(split_once("A", '='), std::nullopt);
}

TEST(Text, upper_changes_ascii_letters_only) {
    EXPECT_EQ(upper("gfx90a [Radeon]"), "GFX90A [RADEON]");
    EXPECT_EQ(upper("\xc3\xa4"), "\xc3\xa4");
}

TEST(Text, lower_changes_ascii_letters_only) {
    EXPECT_EQ(lower("GFX90A [Radeon]"), "gfx90a [radeon]");
    EXPECT_EQ(lower("\xc3\x84"), "\xc3\x84");
}

// ---- numbers ------------------------------------------------------------------------------------

TEST(Text, unsigned_numbers_are_the_whole_text) {
    EXPECT_EQ(to_unsigned("0"), 0U);
    EXPECT_EQ(to_unsigned("0010"), 10U) << "no octal in sysfs";
    EXPECT_EQ(to_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(to_unsigned("0x744c"), 0x744cU);
    EXPECT_EQ(to_unsigned("0XFF"), 255U);
    EXPECT_EQ(to_unsigned("0xffffffffffffffff"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(to_unsigned("ff", 16), 255U);
    EXPECT_EQ(to_unsigned("777", 8), 511U);
}

TEST(Text, what_is_no_unsigned_number_is_none) {
    for (auto const* text : {"", "-1", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "0x", "0x-1", "0x+1",
                             "0x0x1", "x1", "18446744073709551616", "0x10000000000000000",
                             "99999999999999999999999999", "1k", "\xd9\xa1"})
        EXPECT_EQ(to_unsigned(text), std::nullopt) << text;
    EXPECT_EQ(to_unsigned("0x10", 10), std::nullopt);
    EXPECT_EQ(to_unsigned("0x10", 16), std::nullopt);
    EXPECT_EQ(to_unsigned("8", 8), std::nullopt);
    EXPECT_EQ(to_unsigned(std::string_view("1\0", 2)), std::nullopt);
    EXPECT_EQ(to_unsigned(std::string_view()), std::nullopt);
}

TEST(Text, signed_numbers_have_both_limits) {
    EXPECT_EQ(to_signed("-1"), -1);
    EXPECT_EQ(to_signed("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(to_signed("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    for (auto const* text : {"", "-", "--1", "+1", "- 1", "9223372036854775808",
                             "-9223372036854775809", "0x10", "1.5"})
        EXPECT_EQ(to_signed(text), std::nullopt) << text;
}

TEST(Text, real_numbers_are_finite_and_whole_texts) {
    EXPECT_EQ(to_real("1.5"), 1.5);
    EXPECT_EQ(to_real("-0.25"), -0.25);
    EXPECT_EQ(to_real("1e3"), 1000);
    for (auto const* text : {"", "inf", "-inf", "infinity", "nan", "nan(1)", "1e999", "-1e999",
                             "0x1p3", "1.5x", " 1", "1 ", ".", "-", "e5", "1e", "1-2", "+"})
        EXPECT_EQ(to_real(text), std::nullopt) << text;
}

TEST(Text, a_leading_number_stops_at_its_unit) {
    EXPECT_EQ(leading_real("2500Mhz"), 2500);
    EXPECT_EQ(leading_real("16.0 GT/s PCIe"), 16);
    EXPECT_EQ(leading_real("-3 C"), -3);
    for (auto const* text : {"", "Unknown", " 5", "inf", "nan", "+5"})
        EXPECT_EQ(leading_real(text), std::nullopt) << text;
    EXPECT_EQ(leading_real("1" + std::string(400, '0')), std::nullopt) << "above every double";
}

// ---- natural order ------------------------------------------------------------------------------

TEST(Text, numbers_inside_names_compare_by_value) {
    Views const sorted{"",           "card",        "card0",     "card1",  "card1-DP-1",
                       "card1-DP-2", "card1-DP-10", "card2",     "card10", "card100",
                       "cardX",      "renderD9",    "renderD128"};
    for (std::size_t i = 0; i < sorted.size(); ++i)
        for (std::size_t j = 0; j < sorted.size(); ++j)
            EXPECT_EQ(natural_less(sorted[i], sorted[j]), i < j) << sorted[i] << " < " << sorted[j];
}

TEST(Text, numbers_of_any_length_compare) {
    EXPECT_TRUE(natural_less("a99999999999999999999999", "a100000000000000000000000"));
    EXPECT_FALSE(natural_less("a100000000000000000000000", "a99999999999999999999999"));
}

TEST(Text, the_natural_order_is_a_strict_weak_order) {
    std::mt19937 random(7);
    std::string const alphabet = std::string("0012 9a-b.:\xff\x80", 13);
    std::vector<std::string> names{"",    "0",    "00", "000", "a0", "a00",
                                   "a0b", "a00b", "0a", "00a", "1",  "01"};
    while (names.size() < 90) {
        std::string name;
        for (auto length = random() % 6; length > 0; --length)
            name += alphabet[random() % alphabet.size()];
        names.push_back(name);
    }
    for (auto const& a : names) {
        EXPECT_FALSE(natural_less(a, a)) << a;
        for (auto const& b : names) {
            EXPECT_EQ(a != b, natural_less(a, b) || natural_less(b, a))
                << "total: " << a << " and " << b;
            EXPECT_FALSE(natural_less(a, b) && natural_less(b, a)) << a << " and " << b;
            if (!natural_less(a, b)) continue;
            for (auto const& c : names) {
                ASSERT_TRUE(!natural_less(b, c) || natural_less(a, c))
                    << a << " < " << b << " < " << c;
            }
        }
    }
}

// ---- the nearest word ---------------------------------------------------------------------------

TEST(Text, a_slip_finds_the_word_that_was_meant) {
    Views const known{"probe", "schema", "completion", "help"};
    EXPECT_EQ(nearest("prboe", known), "probe") << "neighbours swapped";
    EXPECT_EQ(nearest("prob", known), "probe");
    EXPECT_EQ(nearest("probes", known), "probe");
    EXPECT_EQ(nearest("shcema", known), "schema");
    EXPECT_EQ(nearest("compltion", known), "completion");
    EXPECT_EQ(nearest("probe", known), "probe");
}

TEST(Text, what_is_too_far_is_not_suggested) {
    Views const known{"probe", "schema", "on"};
    for (auto const* word : {"", "xyz", "benchmark", "abc", "p", "xx"})
        EXPECT_EQ(nearest(word, known), std::nullopt) << word;
    EXPECT_EQ(nearest("--bogus", Views{"--loss"}), std::nullopt) << "dashes are no letters";
    EXPECT_EQ(nearest("--boss", Views{"--loss"}), "--loss");
    EXPECT_EQ(nearest(std::string(100000, 'p'), known), std::nullopt);
    EXPECT_EQ(nearest("probe", {}), std::nullopt);
}

TEST(Text, one_edit_for_each_three_letters_begun) {
    EXPECT_TRUE(nearest("abX", Views{"abc"}));
    EXPECT_FALSE(nearest("aXX", Views{"abc"}));
    EXPECT_TRUE(nearest("abXX", Views{"abcd"}));
    EXPECT_FALSE(nearest("aXXX", Views{"abcd"}));
}

TEST(Text, of_several_the_first_nearest_wins) {
    EXPECT_EQ(nearest("cat", Views{"car", "cap", "cat"}), "cat");
    EXPECT_EQ(nearest("cax", Views{"car", "cap"}), "car");
}

// ---- printing -----------------------------------------------------------------------------------

TEST(Text, plain_and_utf8_text_prints_as_it_is) {
    for (std::string const text : {"", "Radeon RX 7900 XT", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
                                   "\xc2\xa0", "\xf4\x8f\xbf\xbf"})
        EXPECT_EQ(printable(text), text);
}

TEST(Text, nothing_that_steers_a_terminal_is_printed) {
    EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
    EXPECT_EQ(printable("\x07\x08\x7f"), "\\x07\\x08\\x7f");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "\\xc2\\x9b2J")
        << "CSI as one C1 character";
    EXPECT_EQ(printable("\xc2\x80\xc2\x9f\xc2\xa0"), "\\xc2\\x80\\xc2\\x9f\xc2\xa0");
    EXPECT_EQ(printable("\x9b"
                        "2J"),
              "\\x9b2J");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a b c d");
}

TEST(Text, nothing_that_turns_text_around_is_printed) {
    EXPECT_EQ(printable("a\xe2\x80\xae"
                        "b"),
              "a\\xe2\\x80\\xaeb")
        << "RIGHT-TO-LEFT OVERRIDE";
    EXPECT_EQ(printable("\xe2\x81\xa6x\xe2\x81\xa9"), "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9")
        << "isolates";
    EXPECT_EQ(printable("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"),
              "\\xd8\\x9c\\xe2\\x80\\x8e\\xe2\\x80\\x8f")
        << "marks";
    EXPECT_EQ(printable("\xe2\x80\x8d\xd8\x9b"), "\xe2\x80\x8d\xd8\x9b") << "their neighbours";
    EXPECT_EQ(printable("\xe2\x80\x93"), "\xe2\x80\x93") << "a dash is fine";
}

TEST(Text, broken_utf8_is_shown_byte_by_byte) {
    EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
    EXPECT_EQ(printable("\xc3"), "\\xc3");
    EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
    EXPECT_EQ(printable("\xe2\x28\xa1"), "\\xe2(\\xa1");
}

TEST(Text, what_was_printed_is_clean_whatever_came_in) {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (auto length = random() % 12; length > 0; --length)
            bytes += static_cast<char>(random() % 4 == 0 ? 0xC2 : random() % 256);
        auto const clean = printable(bytes);
        ASSERT_TRUE(is_utf8(clean));
        ASSERT_TRUE(std::none_of(clean.begin(), clean.end(),
                                 [](unsigned char c) { return c < 0x20 || c == 0x7F; }));
        ASSERT_EQ(printable(clean), clean);
    }
}

TEST(Text, utf8_is_as_rfc_3629_has_it) {
    for (std::string const text : {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                   "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(text));
    for (std::string const text :
         {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xe0\x9f\xbf", "\xed\xa0\x80",
          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "a\xff"})
        EXPECT_FALSE(is_utf8(text));
}

TEST(Text, bytes_read_as_people_say_them) {
    EXPECT_EQ(human_bytes(0), "0 B");
    EXPECT_EQ(human_bytes(1023), "1023 B");
    EXPECT_EQ(human_bytes(1024), "1 KiB");
    EXPECT_EQ(human_bytes(1536), "1.5 KiB");
    EXPECT_EQ(human_bytes(65536), "64 KiB");
    EXPECT_EQ(human_bytes(21458059264), "20 GiB");
    EXPECT_EQ(human_bytes(25753026560), "24 GiB");
    EXPECT_EQ(human_bytes(206141652992), "192 GiB");
    EXPECT_EQ(human_bytes((std::uint64_t{1} << 40) - 1), "1 TiB") << "not 1024 GiB";
    EXPECT_EQ(human_bytes(std::uint64_t{99} << 30 | std::uint64_t{1023} << 20), "100 GiB");
    EXPECT_EQ(human_bytes(std::numeric_limits<std::uint64_t>::max()), "16384 PiB");
}

}  // namespace
}  // namespace rocmtune::test
