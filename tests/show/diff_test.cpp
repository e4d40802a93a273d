// SPDX-License-Identifier: MIT
// Unified diffs, as patch(1) takes them.
#include "show/diff.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

std::string diff(std::string_view before, std::string_view after) {
    return unified_diff("./x", before, after,
                        [](std::string_view line) { return line.find("secret") == line.npos; });
}

TEST(Diff, is_empty_for_equal_texts) {
    EXPECT_EQ(diff("a\n", "a\n"), "");
}

TEST(Diff, has_three_lines_around_a_change) {
    EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
              "--- a/x\n+++ b/x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

TEST(Diff, has_a_hunk_for_each_change_far_from_the_others) {
    auto const text = diff("1\na\nb\nc\nd\ne\nf\ng\n2\n", "a\nb\nc\nd\ne\nf\ng\n");
    EXPECT_EQ(
        text,
        "--- a/x\n+++ b/x\n@@ -1,4 +1,3 @@\n-1\n a\n b\n c\n@@ -6,4 +5,3 @@\n e\n f\n g\n-2\n");
}

TEST(Diff, joins_changes_that_are_near) {
    EXPECT_EQ(diff("1\na\n2\n", "a\n3\n"), "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n-1\n a\n-2\n+3\n");
}

TEST(Diff, says_where_the_last_line_has_no_end) {
    EXPECT_EQ(diff("a\nb", "a\nc"),
              "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
              "\\ No newline at end of file\n");
}

TEST(Diff, names_the_line_before_an_empty_range) {
    EXPECT_EQ(diff("a\n", ""), "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n");
}

TEST(Diff, leaves_lines_out_that_nobody_may_see) {
    EXPECT_EQ(diff("secret\n1\nb\nsecret\nc\n2\n", "secret\nb\nsecret\nc\n"),
              "--- a/x\n+++ b/x\n@@ -2,2 +2 @@\n-1\n b\n@@ -5,2 +4 @@\n c\n-2\n");
}

}  // namespace
}  // namespace rocmtune
