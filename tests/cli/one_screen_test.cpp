// SPDX-License-Identifier: MIT
// rocmtune alone: the worst finding, dead settings and the next command, on one screen. And the
// helps, which fit a terminal of 80 columns.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "cli/options.hpp"
#include "show/layout.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string screen_of(std::string const& host) {
    auto const result = run({"--replay", host});
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
}

TEST(OneScreen, of_a_host_with_failures_shows_the_worst_and_names_check) {
    auto const text = screen_of(host_file("mi300x-degraded"));
    EXPECT_THAT(text, HasSubstr("findings"));
    EXPECT_THAT(text, HasSubstr(" fail "));
    EXPECT_THAT(text, HasSubstr("rocmtune check says what to do"));
    EXPECT_THAT(text, HasSubstr("rocmtune explain RT"));
    EXPECT_THAT(run({"probe", "--replay", host_file("mi300x-degraded")}).out,
                Not(HasSubstr("rocmtune check")));
}

TEST(OneScreen, of_a_host_in_order_names_env) {
    auto const text = screen_of(host_file("rx7900xt"));
    EXPECT_THAT(text, Not(HasSubstr("findings")));
    EXPECT_THAT(text, HasSubstr("rocmtune env says what to set here"));
}

/// The screen of a host with more variables set, "env NAME=value" on a line each.
std::string screen_with(std::string const& host, std::string const& settings) {
    Directory const directory;
    auto text = content_of(host_file(host));
    text.insert(text.find('\n', text.find("\nlabel ") + 1) + 1, settings);
    write_file(directory / "host", text);
    std::string flat;
    auto const screen = screen_of(directory / "host");
    for (auto const word : words(screen)) flat.append(word).append(" ");
    return flat;
}

TEST(OneScreen, shows_settings_that_nothing_reads) {
    auto const screen = screen_with("rx7900xt", "env HIP_TRACE_API=1\n");
    EXPECT_THAT(screen, HasSubstr("settings RT5001 warn HIP_TRACE_API: nothing reads it any more"));
    EXPECT_THAT(screen, HasSubstr("rocmtune env --unset clears the settings"));
}

TEST(OneScreen, shows_every_fail_and_warning_that_lint_has_of_the_environment) {
    auto const screen = screen_with("rx7900xt",
                                    "env NCCL_DEBUG=INFO\nenv HSA_XNACK=yes\n"
                                    "env LD_PRELOAD=/tmp/x.so\n"
                                    "env NCCL_SOCKET_IFNAME=lo\n");
    EXPECT_THAT(screen, HasSubstr("settings RT5004 fail HSA_XNACK"));
    EXPECT_THAT(screen, HasSubstr("RT5011 fail LD_PRELOAD"));
    EXPECT_THAT(screen, HasSubstr("RT5006 warn NCCL_DEBUG"));
    EXPECT_THAT(screen, Not(HasSubstr("NCCL_SOCKET_IFNAME:"))) << "a note is no news";
    EXPECT_THAT(screen, HasSubstr("rocmtune lint says what to do about each setting"));
    EXPECT_THAT(screen, HasSubstr("rocmtune env --unset clears 2 of the settings"));
}

TEST(OneScreen, calls_the_worst_of_all_findings_the_worst) {
    auto const warned = screen_with("mi300x-x8", "");
    ASSERT_THAT(warned, Not(HasSubstr(" fail ")));
    auto const screen = screen_with("mi300x-x8", "env HSA_XNACK=yes\n");
    EXPECT_THAT(screen, HasSubstr("rocmtune explain RT5004 says what the worst means"));
}

TEST(OneScreen, fits_and_its_document_is_that_of_probe) {
    for (auto const* host : {"mi300x-degraded", "rx7900xt-x2", "no-gpu", "wsl"}) {
        auto const screen = screen_of(host_file(host));
        for (auto const line : lines(screen)) EXPECT_LE(display_width(line), 100U) << line;
        EXPECT_TRUE(run({"--json", "--replay", host_file(host)}).out ==
                    run({"probe", "--json", "--replay", host_file(host)}).out);
    }
}

/// A line that is pasted stays whole.
bool is_example(std::string_view command, std::string_view line) {
    return std::ranges::any_of(find_command(command)->examples, [&](Example const& example) {
        return line == "  " + std::string(example.line);
    });
}

std::string help_of(std::string_view command, std::string const& option, int columns) {
    auto launch = rocmtune_with({std::string(command), option});
    launch.environment["COLUMNS"] = std::to_string(columns);
    auto const result = run(launch);
    EXPECT_EQ(result.code, 0) << command << result.err;
    for (auto const line : lines(result.out)) {
        if (is_example(command, line)) continue;
        EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    }
    return result.out;
}

TEST(Help, of_every_command_fits_a_terminal_of_80_columns_and_32_lines) {
    for (auto const& command : all_commands())
        for (int const columns : {80, 100})
            EXPECT_LE(lines(help_of(command.name, "--help", columns)).size(), 32U) << command.name;
}

TEST(Help, names_every_option_and_all_help_describes_it) {
    for (auto const& command : all_commands()) {
        auto const brief = help_of(command.name, "--help", 80);
        auto const text = help_of(command.name, "--help-all", 80);
        std::string whole;
        for (auto const word : words(text)) whole += std::string(word) + ' ';
        for (auto const* option : options_of(command.name)) {
            EXPECT_THAT(brief, testing::HasSubstr(std::string(option->name))) << command.name;
            EXPECT_THAT(whole, testing::HasSubstr(std::string(option->help))) << command.name;
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
