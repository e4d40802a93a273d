// SPDX-License-Identifier: MIT
// Texts of any origin and length become clean lines.
#include "judge/diagnose/lines.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

std::string clean(std::string_view line) {
    std::string storage;
    return std::string(clean_line(line, storage));
}

using Numbered = std::vector<std::pair<std::string, std::uint64_t>>;

/// The lines of a text that comes in pieces of a size.
Numbered lines_of(std::string_view text, std::size_t size = 1 << 20) {
    Numbered all;
    LineReader reader(
        [&](std::string_view line, std::uint64_t number) { all.emplace_back(line, number); });
    for (std::size_t at = 0; at < text.size(); at += size) reader.add(text.substr(at, size));
    reader.end();
    return all;
}

TEST(CleanLine, a_line_without_need_stays_the_same) {
    std::string const line = "HIP error: out of memory";
    std::string storage;
    EXPECT_EQ(clean_line(line, storage).data(), line.data());
}

TEST(CleanLine, colours_titles_and_links_go) {
    EXPECT_EQ(clean("\x1b[1;31mError\x1b[0m: no"), "Error: no");
    EXPECT_EQ(clean("\x1b]0;title\aError"), "Error");
    EXPECT_EQ(clean("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ Error"), "link Error");
    EXPECT_EQ(clean("\x1b(BError"), "Error");
    EXPECT_EQ(clean("\x1bP1$r\x1b\\Error"), "Error");
}

TEST(CleanLine, a_sequence_without_end_hides_nothing) {
    EXPECT_EQ(clean("\x1b]0;HIP error"), "0;HIP error");
    EXPECT_EQ(clean("Error\x1b"), "Error");
    EXPECT_EQ(clean("Error\x1b["), "Error");
}

TEST(CleanLine, nul_bytes_of_wide_characters_go) {
    EXPECT_EQ(clean(std::string_view("E\0r\0r\0o\0r\0", 10)), "Error");
}

TEST(CleanLine, runs_of_blanks_are_one_and_none_is_at_an_end) {
    EXPECT_EQ(clean("  a \t  b\t"), "a b");
    EXPECT_EQ(clean(" \t "), "");
}

TEST(LineReader, numbers_lines_from_one_and_leaves_out_empty_ones) {
    EXPECT_EQ(lines_of("a\n\nb\r\nc"), (Numbered{{"a", 1}, {"b", 3}, {"c", 4}}));
}

TEST(LineReader, pieces_do_not_matter) {
    std::string const text = "first line\nsecond \x1b[31mline\x1b[0m\n\n10%\r20%\rError: x\nlast";
    for (std::size_t size = 1; size < text.size(); ++size)
        EXPECT_EQ(lines_of(text, size), lines_of(text)) << size;
}

TEST(LineReader, a_progress_bar_hides_no_line_behind_it) {
    EXPECT_EQ(lines_of("10%\r100%\rError: x\nb"),
              (Numbered{{"10%", 1}, {"100%", 1}, {"Error: x", 1}, {"b", 2}}));
}

TEST(LineReader, a_line_without_end_is_cut_and_keeps_its_number) {
    std::string const text(3 * most_line_bytes + 5, 'x');
    for (std::size_t const size : {std::size_t{1000}, text.size()}) {
        auto const lines = lines_of(text, size);
        std::size_t bytes = 0;
        for (auto const& [line, number] : lines) {
            EXPECT_LE(line.size(), most_line_bytes);
            EXPECT_EQ(number, 1U);
            bytes += line.size();
        }
        EXPECT_EQ(bytes, text.size());
    }
}

}  // namespace
}  // namespace rocmtune::test
