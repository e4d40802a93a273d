// SPDX-License-Identifier: MIT
// The env scripts in the shells that they are for: values arrive as they are, nothing is run, and
// the undo leaves everything as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "show/env/env_formats.hpp"
#include "support/env_shells.hpp"

namespace rocmtune::test {
namespace {

class ShellScript : public testing::TestWithParam<Shell> {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(GetParam().words[0]))
            GTEST_SKIP() << GetParam().words[0] << " is not installed";
    }
    static std::string script(Report const& report) {
        return find_env_format(GetParam().format)->render(report, {});
    }
    static bool carries_lines() { return GetParam().format != "csh"; }
};

Variables with(Variables variables, Variables const& more) {
    for (auto const& [name, value] : more) variables[name] = value;
    return variables;
}

TEST_P(ShellScript, sets_what_is_not_set_and_keeps_what_is) {
    auto const text = script(report_with({setting("RT_EMPTY", "new"), setting("RT_FREE", "new"),
                                          setting("RT_LOCAL", "new"), setting("RT_SET", "new")}));
    auto const seen =
        trace(GetParam(), text, {{"RT_SET", "old"}, {"RT_EMPTY", ""}}, {{"RT_LOCAL", "mine"}});
    EXPECT_EQ(seen.code, 0);
    EXPECT_EQ(seen.said, "");
    EXPECT_EQ(seen.during, with(seen.before, {{"RT_FREE", "new"}}));
    EXPECT_EQ(seen.again, seen.during);
    EXPECT_EQ(seen.after, seen.before);
    EXPECT_EQ(seen.locals, "mine\n");
    EXPECT_EQ(seen.left, "");
}

TEST_P(ShellScript, sets_nothing_beside_a_variable_that_it_must_not_meet) {
    std::vector<Setting> items;
    for (std::string const name : {"RT_BESIDE", "RT_FREE", "RT_LOCAL_TOO"}) {
        items.push_back(setting(name, "new"));
        items.back().unless_set = {"RT_OTHER", name == "RT_BESIDE" ? "RT_SET" : "RT_NONE"};
    }
    for (bool const force : {false, true}) {
        auto const seen = trace(GetParam(), script(report_with(items, force)),
                                {{"RT_SET", ""}, {"RT_BESIDE", "old"}}, {});
        EXPECT_EQ(seen.code, 0);
        EXPECT_EQ(seen.said, "");
        EXPECT_EQ(seen.during, with(seen.before, {{"RT_FREE", "new"}, {"RT_LOCAL_TOO", "new"}}));
        EXPECT_EQ(seen.after, seen.before);
        EXPECT_EQ(seen.left, "");
    }
}

TEST_P(ShellScript, with_force_overwrites_and_restores_value_absence_and_export) {
    auto const text = script(report_with({setting("RT_EMPTY", "new"), setting("RT_FREE", "new"),
                                          setting("RT_LOCAL", "new"), setting("RT_SET", "new")},
                                         true));
    auto const seen = trace(GetParam(), text, {{"RT_SET", "old  value"}, {"RT_EMPTY", ""}},
                            {{"RT_LOCAL", "mine"}});
    EXPECT_EQ(seen.code, 0);
    EXPECT_EQ(seen.said, "");
    Variables expected{{"RT_FREE", "new"}, {"RT_SET", "new"}, {"RT_EMPTY", "new"}};
    // In csh a shell variable is another thing than an environment variable, and hides it.
    if (GetParam().format != "csh") expected["RT_LOCAL"] = "new";
    EXPECT_EQ(seen.during, with(seen.before, expected));
    EXPECT_EQ(seen.again, seen.during);
    EXPECT_EQ(seen.after, seen.before);
    EXPECT_EQ(seen.locals, "mine\n");
    EXPECT_EQ(seen.left, "");
}

TEST_P(ShellScript, clears_and_brings_back) {
    auto const text = script(report_with({setting("RT_ABSENT", {}), setting("RT_EMPTY", {}),
                                          setting("RT_LOCAL", {}), setting("RT_SET", {})}));
    auto const seen =
        trace(GetParam(), text, {{"RT_SET", "old"}, {"RT_EMPTY", ""}}, {{"RT_LOCAL", "mine"}});
    EXPECT_EQ(seen.code, 0);
    EXPECT_EQ(seen.said, "");
    auto expected = seen.before;
    expected.erase("RT_SET");
    expected.erase("RT_EMPTY");
    EXPECT_EQ(seen.during, expected);
    EXPECT_EQ(seen.again, seen.during);
    EXPECT_EQ(seen.after, seen.before);
    EXPECT_EQ(seen.locals, "mine\n");
    EXPECT_EQ(seen.left, "");
}

TEST_P(ShellScript, hands_on_hostile_values_and_runs_nothing) {
    auto values = hostile_values();
    if (carries_lines())
        for (auto const& value : control_values()) values.push_back(value);
    std::vector<Setting> items;
    Variables expected;
    for (std::size_t i = 0; i < values.size(); ++i) {
        items.push_back(
            setting("RT_" + std::to_string(i) + (i % 7 == 0 ? "_PATH" : ""), values[i]));
        expected[items.back().name] = values[i];
    }
    auto const seen = trace(GetParam(), script(report_with(items)), {}, {});
    EXPECT_EQ(seen.said, "");
    EXPECT_FALSE(seen.injected);
    EXPECT_EQ(seen.during, with(seen.before, expected));
    EXPECT_EQ(seen.again, seen.during);
    EXPECT_EQ(seen.after, seen.before);
    EXPECT_EQ(seen.left, "");
}

TEST_P(ShellScript, restores_hostile_values) {
    auto values = hostile_values();
    for (auto const& value : control_values()) values.push_back(value);
    std::vector<Setting> items;
    Variables old;
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const name = "RT_" + std::to_string(i);
        old[name] = values[i];
        items.push_back(
            setting(name, i % 2 == 0 ? std::optional<std::string>("new") : std::nullopt));
    }
    auto const seen = trace(GetParam(), script(report_with(items, true)), old, {});
    EXPECT_EQ(seen.said, "");
    EXPECT_FALSE(seen.injected);
    EXPECT_EQ(seen.after, seen.before);
    EXPECT_EQ(seen.before, with(seen.before, old));
    EXPECT_EQ(seen.during.at("RT_2"), "new");
}

TEST_P(ShellScript, does_not_run_what_stands_in_comments) {
    std::vector<Setting> items;
    Report report = report_with({});
    auto values = hostile_values();
    for (auto const& value : control_values()) values.push_back(value);
    for (auto const& value : values) {
        auto item = setting("RT_" + std::to_string(items.size()), "1");
        item.why = value;
        item.current = value;
        item.keep = items.size() % 2 == 0;
        item.sources = {{value, value, value}};
        item.validity = {value, value, value, {value}};
        items.push_back(item);
        report.advice->recommendations.push_back(
            {.name = value, .value = value, .kind = "practice", .why = value});
        report.advice->undecided.push_back({value, "missing-fact", value, {}, {}});
        auto& gpu = report.host->gpus.emplace_back();
        gpu.marketing_name.offer(value, {"pci", "x"});
    }
    report.settings->items = items;
    report.settings->workload = "x\ntouch canary";
    auto const seen = trace(GetParam(), script(report), {}, {});
    EXPECT_EQ(seen.said, "");
    EXPECT_FALSE(seen.injected);
    EXPECT_EQ(seen.during.size(), seen.before.size() + items.size());
    EXPECT_EQ(seen.after, seen.before);
}

TEST_P(ShellScript, leaves_alone_what_was_changed_since) {
    auto const csh = GetParam().format == "csh";
    auto const fish = GetParam().format == "fish";
    auto const change = csh    ? "setenv RT_A mine\n"
                        : fish ? "set -gx RT_A mine\n"
                               : "export RT_A=mine\n";
    auto const seen =
        trace(GetParam(), script(report_with({setting("RT_A", "1"), setting("RT_B", "1")})), {}, {},
              change);
    EXPECT_EQ(seen.after, with(seen.before, {{"RT_A", "mine"}}));
}

TEST_P(ShellScript, with_nothing_to_set_still_has_an_undo) {
    auto const seen = trace(GetParam(), script(report_with({})), {}, {});
    EXPECT_EQ(seen.code, 0);
    EXPECT_EQ(seen.said, "");
    EXPECT_EQ(seen.after, seen.before);
    EXPECT_EQ(seen.left, "");
}

INSTANTIATE_TEST_SUITE_P(Every, ShellScript, testing::ValuesIn(all_shells()),
                         [](auto const& shell) { return shell.param.label; });

TEST(BashScript, leaves_read_only_variables_and_arrays_alone) {
    auto const text = find_env_format("bash")->render(
        report_with({setting("RT_LIST", "new"), setting("RT_FIXED", "new")}, true), {});
    Directory const directory;
    write_file(directory / "script", text);
    write_file(directory / "main",
               "set -eu; readonly RT_FIXED=1; RT_LIST=(a b)\n. ./script\necho \"$RT_FIXED "
               "${RT_LIST[*]}\"\nrocmtune_deactivate\necho \"$RT_FIXED ${RT_LIST[*]}\"\n");
    Launch launch;
    launch.words = {"/usr/bin/bash", "./main"};
    launch.directory = directory.path();
    auto const result = run(launch);
    EXPECT_EQ(result.out, "1 a b\n1 a b\n");
    EXPECT_EQ(result.err, "");
}

TEST(BashScript, restores_an_exported_name_without_value) {
    auto const text = find_env_format("bash")->render(report_with({setting("RT_A", "new")}), {});
    Directory const directory;
    write_file(directory / "script", text);
    write_file(directory / "main",
               "export RT_A\n. ./script\nprintenv RT_A\nrocmtune_deactivate\ndeclare -p RT_A\n");
    Launch launch;
    launch.words = {"/usr/bin/bash", "./main"};
    launch.directory = directory.path();
    EXPECT_EQ(run(launch).out, "new\ndeclare -x RT_A\n");
}

TEST(PosixScript, passes_over_a_read_only_variable) {
    auto const text =
        find_env_format("sh")->render(report_with({setting("RT_FIXED", "new")}, true), {});
    Directory const directory;
    write_file(directory / "script", text);
    write_file(directory / "main",
               "set -eu\nreadonly RT_FIXED=1\n. ./script\necho \"$RT_FIXED\"\n");
    for (auto const* shell : {"/usr/bin/dash", "/usr/bin/zsh"}) {
        Launch launch;
        launch.words = {shell, "./main"};
        launch.directory = directory.path();
        auto const result = run(launch);
        EXPECT_EQ(result.out, "1\n") << shell;
        EXPECT_EQ(result.err, "") << shell;
    }
}

}  // namespace
}  // namespace rocmtune::test
