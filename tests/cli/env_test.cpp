// SPDX-License-Identifier: MIT
// rocmtune env on every composed host: what it sets, and that its scripts work in their shells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/env_shells.hpp"
#include "support/golden.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

Outcome env(std::string const& host, Words const& more) {
    Words words{"env", "--replay", host_file(host)};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

/// A composed host with more variables set, "env NAME=value" on a line each.
std::string with_settings(Directory const& directory, std::string const& host,
                          std::string const& settings) {
    auto text = content_of(host_file(host));
    text.insert(text.find('\n', text.find("\nlabel ") + 1) + 1, settings);
    write_file(directory / "host", text);
    return directory / "host";
}

/// The first line tells the version of the program and the date of its data.
std::string without_release(std::string const& script) {
    return script.substr(script.find('\n') + 1);
}

class EnvOfHost : public testing::TestWithParam<std::string> {};

TEST_P(EnvOfHost, is_the_expected_script) {
    auto const result = env(GetParam(), {"--format", "bash", "--workload", "llm-training"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(
        same_text(without_release(result.out), content_of(expected_file(GetParam(), "env.bash"))));
}

TEST_P(EnvOfHost, sets_the_expected_variables_at_every_level_and_workload) {
    std::string text;
    for (auto const* level : {"conservative", "balanced", "aggressive"})
        for (auto const* workload :
             {"none", "training", "llm-training", "inference", "development"}) {
            auto const result = env(GetParam(), {"--format", "github", "--force", "--level", level,
                                                 "--workload", workload});
            EXPECT_EQ(result.code, 0) << result.err;
            text += std::string(level) + ' ' + workload + '\n' + result.out + '\n';
        }
    EXPECT_TRUE(same_text(text, content_of(expected_file(GetParam(), "env.txt"))));
}

TEST_P(EnvOfHost, works_and_is_undone_in_every_shell) {
    Words const most{"--level", "aggressive", "--workload", "llm-training", "--unset"};
    auto words = most;
    words.insert(words.end(), {"--format", "json"});
    auto const document = json::parse(env(GetParam(), words).out);
    Variables exported;
    for (auto const& [name, value] : document["host"]["environment"].items())
        exported[name] = value;
    for (auto const& shell : all_shells()) {
        if (!std::filesystem::exists(shell.words[0])) continue;
        words = most;
        words.insert(words.end(), {"--format", shell.format});
        auto const seen = trace(shell, env(GetParam(), words).out, exported, {});
        auto expected = seen.before;
        for (auto const& item : document["settings"]["items"]) {
            if (item["value"].is_null()) expected.erase(item["name"]);
            else expected.emplace(item["name"], item["value"]);
        }
        EXPECT_EQ(seen.said, "") << shell.label;
        EXPECT_EQ(seen.during, expected) << shell.label;
        EXPECT_EQ(seen.after, seen.before) << shell.label;
    }
}

TEST_P(EnvOfHost, is_the_same_twice) {
    for (auto const* format : {"sh", "docker", "k8s", "json"})
        EXPECT_EQ(env(GetParam(), {"--format", format}).out,
                  env(GetParam(), {"--format", format}).out);
}

INSTANTIATE_TEST_SUITE_P(Every, EnvOfHost, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(EnvScripts, pass_shellcheck) {
    if (!std::filesystem::exists("/usr/bin/shellcheck"))
        GTEST_SKIP() << "shellcheck is not installed";
    Directory const directory;
    std::map<std::string, Words> files;
    for (auto const& host : host_names())
        for (std::string const format : {"sh", "bash", "docker"}) {
            auto const name = host + '.' + format;
            write_file(directory / name, env(host, {"--format", format, "--level", "aggressive",
                                                    "--workload", "llm-training", "--unset"})
                                             .out);
            files[format == "bash" ? "bash" : "sh"].push_back("./" + name);
        }
    for (auto const& [dialect, names] : files) {
        Launch launch;
        launch.words = {"/usr/bin/shellcheck", "--shell=" + dialect};
        launch.words.insert(launch.words.end(), names.begin(), names.end());
        launch.directory = directory.path();
        auto const result = run(launch);
        EXPECT_EQ(result.code, 0) << result.out.substr(0, 3000);
    }
}

TEST(Env, document_holds_advice_and_settings) {
    auto const document =
        json::parse(env("mi300x-x8", {"--json", "--workload", "llm-training"}).out);
    EXPECT_EQ(document["command"], "env");
    EXPECT_FALSE(document["recommendations"].empty());
    EXPECT_TRUE(document["undecided"].is_array());
    EXPECT_EQ(document["settings"]["workload"], "llm-training");
    EXPECT_EQ(document["settings"]["level"], "balanced");
    EXPECT_FALSE(document.contains("findings")) << "nothing was judged";
    for (auto const& item : document["settings"]["items"])
        EXPECT_EQ(item["keep"], false) << "the recorded host has none of them set";
}

TEST(Env, keeps_what_is_set_and_says_so_unless_forced) {
    Directory const directory;
    auto const host = with_settings(directory, "mi300x-x8", "env HSA_NO_SCRATCH_RECLAIM=0\n");
    auto const kept = run({"env", "--replay", host, "--workload", "training"});
    EXPECT_THAT(kept.out,
                HasSubstr("# Kept: it is '0' in this environment; --force overwrites it."));
    auto const forced = run({"env", "--replay", host, "--workload", "training", "--force"});
    EXPECT_THAT(forced.out, Not(HasSubstr("# Kept:")));
    EXPECT_THAT(forced.out, HasSubstr("# It is '0' in this environment."));
}

class EnvElsewhere : public testing::TestWithParam<std::pair<char const*, char const*>> {};

/// The host has a variable set that is recommended.
TEST_P(EnvElsewhere, does_not_look_at_what_is_set_here) {
    auto const [format, line] = GetParam();
    Directory const directory;
    auto const host = with_settings(directory, "mi300x-x8", "env HSA_NO_SCRATCH_RECLAIM=0\n");
    auto const settings =
        run({"env", "--replay", host, "--format", format, "--workload", "training"});
    EXPECT_EQ(settings.code, 0) << settings.err;
    EXPECT_THAT(settings.out, HasSubstr(line));
    EXPECT_THAT(settings.out, Not(HasSubstr("Kept:")));
    EXPECT_THAT(settings.out, HasSubstr("does not count here"));
}

INSTANTIATE_TEST_SUITE_P(
    Formats, EnvElsewhere,
    testing::Values(std::pair("docker", "--env='HSA_NO_SCRATCH_RECLAIM=1'"),
                    std::pair("k8s",
                              "\n        - name: HSA_NO_SCRATCH_RECLAIM\n          value: \"1\"\n"),
                    std::pair("systemd", "\nEnvironment=\"HSA_NO_SCRATCH_RECLAIM=1\"\n"),
                    std::pair("dotenv", "\nHSA_NO_SCRATCH_RECLAIM=1\n"),
                    std::pair("modulefile", "    setenv HSA_NO_SCRATCH_RECLAIM \"1\"\n")),
    [](auto const& format) { return std::string(format.param.first); });

TEST(Env, looks_at_this_environment_for_one_format_and_not_for_the_other) {
    Directory const directory;
    auto const host = with_settings(directory, "igpu-and-dgpu", "env HIP_VISIBLE_DEVICES=0\n");
    auto const here = run({"env", "--replay", host, "--also", "systemd:" + (directory / "unit")});
    EXPECT_THAT(here.out, HasSubstr("ROCR_VISIBLE_DEVICES: HIP_VISIBLE_DEVICES is set already"));
    EXPECT_THAT(here.out, Not(HasSubstr("export ROCR_VISIBLE_DEVICES")));
    auto const unit = content_of(directory / "unit");
    EXPECT_THAT(unit, HasSubstr("\nEnvironment=\"ROCR_VISIBLE_DEVICES="));
    EXPECT_THAT(unit,
                HasSubstr("# Not together with HIP_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES."));
}

/// The processes of one batch job, or of a container with a cpuset, on a host of 128 cores.
TEST(Env, shares_among_GPUs_the_CPUs_that_the_process_may_use) {
    Directory const directory;
    auto text = content_of(host_file("mi300x-x8"));
    std::string const all = "Cpus_allowed_list:\t0-127";
    ASSERT_NE(text.find(all), std::string::npos);
    write_file(directory / "host",
               text.replace(text.find(all), all.size(), "Cpus_allowed_list:\t0-23,64-71"));
    auto const document = json::parse(run({"env", "--replay", directory / "host", "--json",
                                           "--level", "aggressive", "--workload", "training"})
                                          .out);
    auto const& all_advice = document["recommendations"];
    auto const threads = std::ranges::find_if(
        all_advice, [](json const& one) { return one["name"] == "OMP_NUM_THREADS"; });
    ASSERT_NE(threads, all_advice.end());
    EXPECT_EQ((*threads)["value"], "4");
    auto const fact = json{{"subject", "host"}, {"field", "allowed_cpus"}, {"value", "0-23,64-71"}};
    EXPECT_THAT((*threads)["because"], testing::Contains(fact));
}

TEST(Env, clears_what_is_dead_or_left_on_only_when_asked) {
    EXPECT_THAT(env("rx7900xt-x2", {}).out, Not(HasSubstr("unset HSA_ENABLE_SDMA")));
    EXPECT_THAT(env("rx7900xt-x2", {"--unset"}).out, HasSubstr("then unset HSA_ENABLE_SDMA; fi"));
}

TEST(Env, for_one_gpu_gives_a_mask_and_its_device_only) {
    auto const all = env("mi300x-x8", {"--format", "docker"}).out;
    auto const one = env("mi300x-x8", {"--format", "docker", "--gpu", "2"}).out;
    EXPECT_THAT(all, testing::AllOf(HasSubstr("renderD128"), HasSubstr("renderD184")));
    EXPECT_THAT(
        one, testing::AllOf(Not(HasSubstr("--device='/dev/dri/renderD128'")), HasSubstr("host ")));
    auto const document = json::parse(env("mi300x-x8", {"--json", "--gpu", "2"}).out);
    EXPECT_EQ(document["settings"]["rows"], json::parse("[2]"));
    EXPECT_EQ(document["settings"]["items"][0]["name"], "ROCR_VISIBLE_DEVICES");
}

TEST(Env, writes_a_second_format_to_a_file) {
    Directory const directory;
    auto const result = env("rx7900xt-x2", {"--also", "fish:" + (directory / "f")});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(content_of(directory / "f"), HasSubstr("rocmtune env --format fish | source"));
}

TEST(Env, leaves_out_what_a_report_calls_harmful) {
    Directory const directory;
    write_file(directory / "r",
               R"({"schema": "rocmtune-report", "schema_version": "1.0", "findings": [
        {"name": "HSA_NO_SCRATCH_RECLAIM", "value": "1", "verdict_setting": "harmful"}]})");
    auto const result =
        env("mi300x-x8", {"--workload", "llm-training", "--verified", directory / "r"});
    EXPECT_THAT(result.out, Not(HasSubstr("export HSA_NO_SCRATCH_RECLAIM")));
    EXPECT_THAT(result.out,
                HasSubstr("Not decided: HSA_NO_SCRATCH_RECLAIM: 1 was measured to be harmful"));
}

/// A profile of an administrator who means ill: nothing of it is set.
TEST(Env, never_sets_what_loads_code_whoever_asks_for_it) {
    Directory const directory;
    json profile{{"schema_version", "1.0"},
                 {"extends", "common"},
                 {"sources", {"linux-amdkfd"}},
                 {"recommendations", json::array()}};
    for (std::string const name : {"LD_PRELOAD", "LD_LIBRARY_PATH", "PATH", "HSA_TOOLS_LIB",
                                   "HIPRTC_COMPILE_OPTIONS_APPEND", "PYTHONPATH"})
        profile["recommendations"].push_back({{"id", "bad-" + name},
                                              {"name", name},
                                              {"kind", "environment"},
                                              {"value", "/tmp/evil.so"},
                                              {"level", "conservative"},
                                              {"why", "It is fast."},
                                              {"validity", {{"kind", "known"}}},
                                              {"confidence", "documented"},
                                              {"sources", {"linux-amdkfd"}}});
    write_file(directory / "common.json", profile.dump());
    auto const result =
        env("mi300x-x8", {"--profiles", directory.path(), "--level", "aggressive", "--force"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr("evil")));
}

TEST(Env, unset_clears_what_lint_is_certain_does_harm_and_nothing_else) {
    Directory const directory;
    auto const host =
        with_settings(directory, "rx7900xt-x2",
                      "env PYTORCH_ALLOC_CONF=expandable_segments:True,max_split_size_mb:128\n"
                      "env NCCL_MIN_NCHANNELS=many\nenv LD_PRELOAD=/tmp/x.so\n"
                      "env HIP_VISIBLE_DEVICES=0, 1\nenv GPU_MAX_HW_QUEUES=2\n"
                      "env NCCL_DEBUG=INFO\n");
    auto const script = [&](Words words) {
        words.insert(words.begin(), {"env", "--replay", host});
        return run(words).out;
    };
    auto const cleared = script({"--unset"});
    for (auto const* name : {"NCCL_MIN_NCHANNELS", "NCCL_DEBUG"})
        EXPECT_THAT(cleared, HasSubstr(std::string("then unset ") + name)) << name;
    // The two options of the allocator exclude each other from torch 2.11 on; here is 2.5.
    for (auto const* name :
         {"PYTORCH_ALLOC_CONF", "LD_PRELOAD", "HIP_VISIBLE_DEVICES", "GPU_MAX_HW_QUEUES"})
        EXPECT_THAT(cleared, Not(HasSubstr(std::string("then unset ") + name))) << name;
    EXPECT_THAT(script({}), Not(HasSubstr("then unset PYTORCH_ALLOC_CONF")));
}

void expect_unread(Words words) {
    auto const text = run(words).out;
    EXPECT_THAT(text, HasSubstr("GPUs could not be read"));
    EXPECT_THAT(text, HasSubstr("Not decided: GPUs"));
    EXPECT_THAT(text, Not(HasSubstr("no AMD GPU")));
    EXPECT_THAT(text, Not(HasSubstr("defaults stand")));
    words.emplace_back("--json");
    auto const result = run(words);
    EXPECT_EQ(result.code, 0);
    auto const open = json::parse(result.out)["undecided"];
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(open[0]["name"], "GPUs");
    EXPECT_EQ(open[0]["reason"], "missing-fact");
}

TEST(Env, of_a_tree_without_a_PCI_bus_says_that_the_GPUs_could_not_be_read) {
    Directory const directory;
    std::filesystem::create_directories(directory / "sys/module/amdgpu");
    expect_unread({"env", "--root", directory.path()});
}

/// Each run may or may not find the time; none says both.
TEST(Env, without_time_to_read_does_not_say_that_there_are_no_GPUs) {
    auto const text = run({"env", "--timeout", "0.001"}).out;
    if (text.find("could not be read") != std::string::npos) {
        EXPECT_THAT(text, Not(HasSubstr("defaults stand")));
        EXPECT_THAT(text, Not(HasSubstr("no AMD GPU")));
        EXPECT_THAT(text, HasSubstr("Not decided: "));
    }
    auto const document = json::parse(run({"env", "--timeout", "0.001", "--json"}).out);
    auto const& host = document["host"];
    if (host["gpus"].empty() && host["pci_functions"].is_null()) {
        EXPECT_EQ(document["undecided"][0]["name"], "GPUs");
    }
}

TEST(Env, says_what_it_considered_and_left_out) {
    auto const text = run({"env", "--replay", host_file("rx7900xt")}).out;
    EXPECT_THAT(text, HasSubstr("Considered: HSA_OVERRIDE_GFX_VERSION: not needed, gfx1100 is "
                                "supported"));
    auto const document =
        json::parse(run({"env", "--replay", host_file("rx7900xt"), "--format", "json"}).out);
    for (auto const& one : document.at("considered")) {
        EXPECT_FALSE(one.at("why").get<std::string>().empty());
        for (auto const& setting : document.at("settings").at("items"))
            EXPECT_NE(setting.at("name"), one.at("name"));
    }
}

TEST(Env, of_a_host_without_GPUs_says_that_the_defaults_stand) {
    auto const text = env("no-gpu", {}).out;
    EXPECT_THAT(text, HasSubstr("no AMD GPU"));
    EXPECT_THAT(text, HasSubstr("the defaults stand"));
}

}  // namespace
}  // namespace rocmtune::test
