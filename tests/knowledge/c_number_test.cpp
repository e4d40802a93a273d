// SPDX-License-Identifier: MIT
// The stand-in for strtoll against the real one.
#include "knowledge/value_readings.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <random>

namespace rocmtune {
namespace {

/// Since glibc 2.38 strtoll reads "0b1", too, where a program is compiled as C23 or with GNU's
/// extensions, as this test is; what ROCm's libraries are compiled with is older.
bool is_binary(std::string_view text) {
    auto const at = text.find_first_not_of(" \t\n\v\f\r+-");
    return at != text.npos && (text.substr(at, 2) == "0b" || text.substr(at, 2) == "0B");
}

void expect_like_strtoll(std::string const& text, int base) {
    if (is_binary(text)) return;
    errno = 0;
    char* end = nullptr;
    auto const wanted = std::strtoll(text.c_str(), &end, base);
    auto const overflow = errno == ERANGE;
    auto const read = read_c_number(text, base);
    EXPECT_EQ(read.as_signed(), wanted) << text << " in base " << base;
    EXPECT_EQ(read.over_signed(), overflow) << text;
    EXPECT_EQ(read.found, end != text.c_str()) << text;
    if (read.found) {
        EXPECT_EQ(read.rest, std::string_view(end)) << text;
    }
}

TEST(CNumber, reads_what_strtoll_reads) {
    for (auto const* text : {"",
                             " ",
                             "0",
                             "-0",
                             "+",
                             "-",
                             "+7",
                             "- 7",
                             " \t\n\v\f\r7",
                             "12abc",
                             "0x",
                             "0x1f",
                             "0Xg",
                             "-0x10",
                             "010",
                             "08",
                             "00",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "-9223372036854775809",
                             "18446744073709551616",
                             "0xffffffffffffffff",
                             "1e3",
                             "0x0x1"}) {
        expect_like_strtoll(text, 0);
        expect_like_strtoll(text, 10);
    }
}

TEST(CNumber, reads_random_texts_as_strtoll_does) {
    std::mt19937 random(42);
    constexpr std::string_view letters = " \t+-0001234567890xXabfg.9999";
    for (int round = 0; round < 50000; ++round) {
        std::string text;
        for (auto length = random() % 24; length > 0; --length) {
            text += letters[random() % letters.size()];
        }
        expect_like_strtoll(text, round % 2 == 0 ? 0 : 10);
    }
}

TEST(CNumber, saturates_above_64_bits_without_a_sign) {
    EXPECT_FALSE(read_c_number("18446744073709551615", 10).overflow);
    EXPECT_EQ(read_c_number("18446744073709551615", 10).text(), "18446744073709551615");
    EXPECT_TRUE(read_c_number("18446744073709551616", 10).overflow);
    EXPECT_EQ(read_c_number("-5", 10).text(), "-5");
    EXPECT_EQ(read_c_number("-0", 10).text(), "0");
}

}  // namespace
}  // namespace rocmtune
