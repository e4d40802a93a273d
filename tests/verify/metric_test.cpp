// SPDX-License-Identifier: MIT
#include "judge/verify/input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::verify {
namespace {

using testing::HasSubstr;
using testing::Optional;

Reading read(std::string const& metric, std::string_view output) {
    return MetricReader(metric).read(output);
}

TEST(Metric, is_the_first_group) {
    auto const it = read("rate=([0-9.]+)", "noise\nrate=12.5 tokens/s\n");
    EXPECT_THAT(it.value, Optional(12.5));
    EXPECT_EQ(it.unit, "tokens/s");
}

TEST(Metric, without_a_group_is_the_number_behind_the_match) {
    auto const it = read("Throughput", "Throughput (median): 1.5e3GB/s\n");
    EXPECT_THAT(it.value, Optional(1500.0));
    EXPECT_EQ(it.unit, "GB/s");
}

TEST(Metric, is_that_of_the_last_line_that_matches) {
    EXPECT_THAT(read("step", "step 1\nstep 2\nstep 3\nbye\n").value, Optional(3.0));
}

TEST(Metric, in_json_that_nests_too_deep_is_not_looked_for) {
    auto const nest = std::string(300'000, '[') + std::string(300'000, ']');
    EXPECT_FALSE(read("/a", "{\"a\":1,\"b\":" + nest + "}").value);
}

TEST(Metric, is_found_in_json_by_pointer) {
    EXPECT_THAT(read("/a/0/b", R"({"a":[{"b":7}]})").value, Optional(7.0));
    EXPECT_THAT(read("/b", "loading...\n{\"b\":1}\n{\"b\":2}\n").value, Optional(2.0));
}

TEST(Metric, of_output_without_it_says_why) {
    EXPECT_EQ(read("x", "").problem, "it printed nothing");
    EXPECT_EQ(read("x", " \n").problem, "it printed nothing");
    EXPECT_EQ(read("x", "y 3").problem,
              "nothing that it printed matches --metric; its last line: y 3");
    EXPECT_EQ(read("x", "y\n z \n\n").problem,
              "nothing that it printed matches --metric; its last line: z");
    EXPECT_EQ(read("/x", "y 3").problem, "it printed no JSON");
    EXPECT_EQ(read("/x", "{\"y\":3}").problem, "its JSON has no /x");
    EXPECT_EQ(read("/01", "[1,2,3]").problem, "its JSON has no /01");
    EXPECT_EQ(read("/x", "{\"x\":\"3\"}").problem, "/x is no number but string");
    EXPECT_EQ(read("rate", "rate unknown").problem, "no number stands behind the match");
    EXPECT_EQ(read("rate: (.*)", "rate: fast").problem, "'fast' is no number");
    EXPECT_EQ(read("rate", "rate 1,234 MB/s").problem, "'1,234 MB/s' is no number");
}

TEST(Metric, that_has_no_logarithm_is_none) {
    for (auto const* const number : {"0", "-3", "1e999"})
        EXPECT_FALSE(read("x", std::string("x ") + number).value) << number;
    EXPECT_THAT(read("x", "x -3").problem, HasSubstr("only numbers above 0"));
    EXPECT_FALSE(read("x (.*)", "x nan").value);
}

TEST(Metric, of_a_line_without_end_is_looked_for_in_its_beginning) {
    EXPECT_THAT(read("x(\\d+)", "x5" + std::string(1000000, 'a')).value, Optional(5.0));
    EXPECT_FALSE(read("(a|b)*c", std::string(1000000, 'a')).value);
}

TEST(Metric, that_is_neither_expression_nor_pointer_is_refused) {
    EXPECT_THROW(MetricReader("("), Error);
    EXPECT_THROW(MetricReader("/~x"), Error);
}

TEST(Metric, of_time_is_known_by_its_unit) {
    EXPECT_TRUE(is_time_unit("ms"));
    EXPECT_TRUE(is_time_unit("seconds"));
    EXPECT_FALSE(is_time_unit("GB/s"));
    EXPECT_FALSE(is_time_unit(""));
}

}  // namespace
}  // namespace rocmtune::verify
