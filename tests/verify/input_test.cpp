// SPDX-License-Identifier: MIT
// Files of settings: what a shell would have to tell is refused with its line.
#include "judge/verify/input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocmtune/error.hpp"

namespace rocmtune::verify {
namespace {

TEST(SettingsOfText, are_lines_with_or_without_export_plain_or_in_quotes) {
    auto const settings = settings_of_text(
        "# head\n\nA=1\n  export B=\"two words\"\nC='$HOME'\nD=3 # why\nE=\n", "file");
    EXPECT_EQ(settings,
              (std::vector<EnvironmentChange>{
                  {"A", "1"}, {"B", "two words"}, {"C", "$HOME"}, {"D", "3"}, {"E", ""}}));
}

TEST(SettingsOfText, that_only_a_shell_could_tell_are_errors_with_their_line) {
    for (auto const* line : {"A=$B", "A=\"$B\"", "A=`b`", "A=1;B=2", "A=two words", "A='1' '2'"}) {
        try {
            settings_of_text(std::string("X=1\n") + line + "\n", "run.env");
            ADD_FAILURE() << line;
        } catch (Error const& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("run.env, line 2: only a shell")) << line;
        }
    }
    for (auto const* line : {"echo hello", "1A=2", "=3", "unset A"})
        EXPECT_THROW(settings_of_text(line, "run.env"), Error) << line;
}

}  // namespace
}  // namespace rocmtune::verify
