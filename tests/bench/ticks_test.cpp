// SPDX-License-Identifier: MIT
#include "bench/ticks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "rocmtune/error.hpp"
#include "support/run_program.hpp"

namespace rocmtune::bench {
namespace {

using test::Directory;
using test::write_file;
using testing::HasSubstr;

std::string complaint(std::string const& name, std::string const& text) {
    Directory const directory;
    write_file(directory / name, text);
    try {
        (void)read_ticks(directory / name, 10, {});
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Exit::usage);
        return error.what();
    }
    return "nothing";
}

TEST(Ticks, of_a_csv_are_read_with_their_header) {
    Directory const directory;
    write_file(directory / "day.csv", "Price,Volume\n10.5,3\n 10.75 , 4.5\n\n10.5,1\r\n");
    auto const ticks = read_ticks(directory / "day.csv", 1000, 0.25);
    EXPECT_EQ(ticks.grid.bins, 2U);
    EXPECT_EQ(ticks.grid.low, 10.5);
    auto const profile = profile_of(ticks.grid, ticks.scale, ticks.sums());
    EXPECT_EQ(profile.volumes, (std::vector<double>{4, 4.5}));
    EXPECT_EQ(ticks.rounded, 0U);
}

TEST(Ticks, of_a_binary_file_are_little_endian_pairs) {
    Directory const directory;
    float const pairs[] = {100, 1, 101, 2, 102, 3};
    write_file(directory / "day.f32",
               std::string(reinterpret_cast<char const*>(pairs), sizeof pairs));
    auto const ticks = read_ticks(directory / "day.f32", 1000, 1.0);
    EXPECT_EQ(profile_of(ticks.grid, ticks.scale, ticks.sums()).volumes,
              (std::vector<double>{1, 2, 3}));
}

TEST(Ticks, with_many_digits_fall_on_their_ticks) {
    // fp32 cannot hold these prices, but it holds what they are above the lowest.
    Directory const directory;
    write_file(directory / "day.csv", "price,volume\n65432.10,1\n65432.11,1\n65432.13,1\n");
    auto const ticks = read_ticks(directory / "day.csv", 1000, 0.01);
    EXPECT_EQ(ticks.sums().size(), 4U);
    EXPECT_EQ(profile_of(ticks.grid, ticks.scale, ticks.sums()).volumes,
              (std::vector<double>{1, 1, 0, 1}));
}

TEST(Ticks, below_zero_are_prices_like_others) {
    Directory const directory;
    write_file(directory / "oil.csv", "price,volume\n-37.63,5\n-37.62,1\n");
    EXPECT_DOUBLE_EQ(read_ticks(directory / "oil.csv", 2, {}).grid.low, -37.63);
}

TEST(Ticks, that_make_no_sense_are_refused_with_their_line) {
    EXPECT_THAT(complaint("a.csv", "10,1\n"),
                HasSubstr("line 1: the header price,volume is missing"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10,1\n11;2\n"),
                HasSubstr("line 3: not two numbers"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10,x\n"), HasSubstr("line 2"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10\n"), HasSubstr("line 2"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10,1,2\n"), HasSubstr("line 2"));
    EXPECT_THAT(complaint("a.csv", "price,volume\nnan,1\n"),
                HasSubstr("line 2: the price is not a finite number"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10,inf\n"),
                HasSubstr("the volume is not a finite number"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10,1e300\n"),
                HasSubstr("the volume is not a finite number"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n10,-1\n"), HasSubstr("the volume is negative"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n"), HasSubstr("there are no ticks"));
    EXPECT_THAT(complaint("a.f32", "12345"), HasSubstr("pair 1: the file ends inside it"));
    EXPECT_THAT(complaint("a.f32", ""), HasSubstr("there are no ticks"));
}

TEST(Ticks, whose_prices_are_too_far_apart_are_refused) {
    for (std::string const prices : {"1e308,1\n-1e308,2", "-1e200,1\n1e200,1", "0,1\n1e39,1"})
        EXPECT_THAT(complaint("a.csv", "price,volume\n" + prices + "\n"),
                    HasSubstr("too far apart"));
    Directory const directory;
    write_file(directory / "a.csv", "price,volume\n1,1\n");
    EXPECT_THROW((void)read_ticks(directory / "a.csv", 10, 1e-50), Error);
    write_file(directory / "a.csv", "price,volume\n1e308,1\n");
    EXPECT_THROW((void)read_ticks(directory / "a.csv", 10, 1e-3), Error);
}

TEST(Ticks, come_from_regular_files_only) {
    Directory const directory;
    ASSERT_EQ(::mkfifo((directory / "fifo").c_str(), 0600), 0);
    for (auto const& [path, why] : {std::pair{directory.path(), "it is a directory"},
                                    {directory / "fifo", "it is no regular file"},
                                    {std::string("/dev/zero"), "it is no regular file"}}) {
        try {
            (void)read_ticks(path, 10, {});
            ADD_FAILURE() << path;
        } catch (Error const& error) {
            EXPECT_THAT(error.what(), HasSubstr(why));
        }
    }
}

TEST(Ticks, in_lines_without_an_end_are_refused) {
    EXPECT_THAT(complaint("a.csv", std::string(1 << 20, 'x')), HasSubstr("line 1: longer than"));
    EXPECT_THAT(complaint("a.csv", "price,volume\n1,1\n" + std::string(100'000, ' ')),
                HasSubstr("line 3: longer than 4096 bytes"));
}

TEST(Ticks, of_a_file_in_many_pieces_are_all_there) {
    Directory const directory;
    std::string csv = "price,volume\n";
    std::vector<float> pairs;
    for (int i = 0; i < 30'000; ++i) {
        csv += fmt::format("{}.5,{}{}\n", i % 7, i % 3, i % 5 == 0 ? "\r" : "");
        pairs.insert(pairs.end(), {static_cast<float>(i % 7) + 0.5F, static_cast<float>(i % 3)});
    }
    csv.pop_back();
    write_file(directory / "a.csv", csv);
    write_file(directory / "a.f32", std::string(reinterpret_cast<char const*>(pairs.data()),
                                                pairs.size() * sizeof(float)));
    auto const text = read_ticks(directory / "a.csv", 7, 1.0);
    auto const binary = read_ticks(directory / "a.f32", 7, 1.0);
    EXPECT_EQ(text.size(), 30'000U);
    EXPECT_EQ(text.offsets, binary.offsets);
    EXPECT_EQ(text.volumes, binary.volumes);
}

TEST(Ticks, of_no_file_are_an_error) {
    EXPECT_THROW((void)read_ticks("/no/such.csv", 10, {}), Error);
}

TEST(Ticks, made_up_are_the_same_every_time_and_keep_to_their_rows) {
    for (auto const distribution : distributions) {
        auto const ticks = make_ticks(distribution, 10000, 100);
        auto const sums = ticks.sums();
        EXPECT_EQ(sums, make_ticks(distribution, 10000, 100).sums()) << distribution;
        auto const used = std::count_if(sums.begin(), sums.end(), [](auto sum) { return sum > 0; });
        EXPECT_EQ(used == 1, distribution == "one-bin") << distribution;
        EXPECT_EQ(ticks.vanished, 0U);
    }
}

TEST(Ticks, sums_are_exact) {
    auto const ticks = make_ticks("uniform", 5000, 7);
    std::vector<std::uint64_t> expected(7);
    for (std::size_t i = 0; i < ticks.size(); ++i)
        expected[static_cast<std::size_t>(ticks.offsets[i] * 4)] +=
            ticks.scale.fixed(ticks.volumes[i]);
    EXPECT_EQ(ticks.sums(), expected);
}

TEST(Ticks, whose_volumes_reach_too_far_say_what_is_lost) {
    Directory const directory;
    write_file(directory / "day.csv", "price,volume\n1,1e9\n2,1\n3,0.001\n");
    auto const ticks = read_ticks(directory / "day.csv", 3, {});
    EXPECT_EQ(ticks.vanished, 2U);
    EXPECT_GE(ticks.rounded, 2U);
}

}  // namespace
}  // namespace rocmtune::bench
