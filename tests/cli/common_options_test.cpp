// SPDX-License-Identifier: MIT
// Every command takes the common options, or the manual says why it does not.
#include "cli/options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "cli/help.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using Words = std::vector<std::string>;

bool takes(std::string_view command, std::string_view name) {
    return std::ranges::any_of(options_of(command),
                               [&](Option const* option) { return option->name == name; });
}

bool has_word(std::string_view list, std::string_view word) {
    auto const all = words(list);
    return std::ranges::find(all, word) != all.end();
}

std::size_t reasons_for(std::string_view command, std::string_view option) {
    return static_cast<std::size_t>(
        std::ranges::count_if(lacking_options(), [&](LackingOption const& row) {
            return has_word(row.commands, command) && has_word(row.options, option);
        }));
}

TEST(CommonOptions, are_taken_by_a_command_or_lack_in_it_for_one_reason) {
    for (auto const option : common_options())
        for (auto const& command : all_commands())
            EXPECT_EQ(reasons_for(command.name, option), takes(command.name, option) ? 0 : 1)
                << command.name << ' ' << option;
}

TEST(CommonOptions, reasons_name_common_options_and_commands_only) {
    for (auto const& row : lacking_options()) {
        for (auto const option : words(row.options))
            EXPECT_NE(std::ranges::find(common_options(), option), common_options().end())
                << option;
        for (auto const command : words(row.commands))
            EXPECT_NE(find_command(command), nullptr) << command;
        EXPECT_FALSE(row.why.empty()) << row.options;
    }
}

TEST(CommonOptions, and_what_lacks_them_stand_in_the_manual) {
    auto const page = man_page();
    auto const begin = page.find(".Sh COMMON OPTIONS");
    ASSERT_NE(begin, page.npos);
    auto text = page.substr(begin, page.find("\n.Sh ", begin) - begin);
    std::ranges::replace(text, '\n', ' ');
    for (auto const& row : lacking_options())
        EXPECT_THAT(text, testing::HasSubstr(std::string(row.why))) << row.options;
}

/// What -q leaves of commands that took it late: files are written, the exit code stays.
TEST(CommonOptions, quiet_runs_write_files_and_print_nothing) {
    for (auto const& words :
         {Words{"env", "--replay", host_file("mi300x-x8")}, Words{"cache", "status"}}) {
        Directory const place;
        auto quiet = words;
        quiet.insert(quiet.end(), {"-q", "--also", "json:" + (place / "a.json")});
        auto const result = run(quiet);
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_EQ(result.out + result.err, "");
        EXPECT_THAT(content_of(place / "a.json"), testing::HasSubstr("rocmtune-report"));
    }
}

}  // namespace
}  // namespace rocmtune::test
