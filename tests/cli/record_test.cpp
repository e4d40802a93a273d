// SPDX-License-Identifier: MIT
// A recording answers as the host did, and holds nothing that is nobody's business.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

/// A tree and its recording do not know the same things, for different reasons.
void drop_details(ordered_json& reasons) {
    for (auto& [key, reason] : reasons.items())
        if (reason.get<std::string>().starts_with("not-recorded")) reason = "not-recorded";
}

/// A report without what may differ between a host and its replay.
ordered_json comparable(std::string const& text) {
    auto document = ordered_json::parse(text);
    auto& host = document["host"];
    host.erase("recorded");
    for (auto const* about : {"_reasons", "_sources"})
        if (host.contains(about)) host[about].erase("recorded");
    drop_details(host["_reasons"]);
    for (auto& gpu : host["gpus"]) drop_details(gpu["_reasons"]);
    return document;
}

testing::AssertionResult same_report(std::string const& live, std::string const& replay) {
    auto const ours = comparable(live);
    auto const theirs = comparable(replay);
    if (ours == theirs) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "replay differs by " << nlohmann::json::diff(ours, theirs).dump(1);
}

std::string replayed(std::string const& file) {
    auto const result = run({"probe", "--json", "--replay", file});
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
}

TEST(Recording, of_this_host_replays_the_same_report) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "--json", "--record", directory / "host"});
    launch.environment["HSA_ENABLE_SDMA"] = "0";
    launch.environment["HIP_VISIBLE_DEVICES"] = "";
    auto const live = run(launch);
    EXPECT_EQ(live.code, 0) << live.err;
    EXPECT_TRUE(same_report(live.out, replayed(directory / "host")));
    EXPECT_EQ(ordered_json::parse(live.out)["host"]["environment"].dump(),
              R"({"HIP_VISIBLE_DEVICES":"","HSA_ENABLE_SDMA":"0"})");
}

class RecordingOfHost : public testing::TestWithParam<std::string> {};

TEST_P(RecordingOfHost, replays_the_same_report) {
    Directory const directory;
    auto const first =
        run({"probe", "--json", "--replay", host_file(GetParam()), "--record", directory / "host"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_TRUE(same_report(first.out, replayed(directory / "host")));
    EXPECT_THAT(directory.names(), testing::ElementsAre("host"));
}

INSTANTIATE_TEST_SUITE_P(All, RecordingOfHost, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(Recording, of_a_tree_replays_the_same_report) {
    Directory const directory;
    std::filesystem::create_directories(directory / "root/etc");
    std::filesystem::create_directories(directory / "root/sys/module/amdgpu");
    write_file(directory / "root/etc/os-release", "NAME=Tree\nPRETTY_NAME=\"Tree 1\"\n");
    write_file(directory / "root/sys/module/amdgpu/initstate", "live\n");
    write_file(directory / "root/sys/module/amdgpu/version", std::string("6.10.5\n\0\xff\x1b", 10));
    auto const first =
        run({"probe", "--json", "--root", directory / "root", "--record", directory / "host"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("Tree 1"));
    EXPECT_TRUE(same_report(first.out, replayed(directory / "host")));
}

/// Names of secrets, some of which concern ROCm, and one value for all.
constexpr char const* secrets[] = {"HF_TOKEN",      "HSA_API_KEY",    "ROCM_PASSWORD",
                                   "MIOPEN_SECRET", "VLLM_API_KEY",   "AWS_SECRET_ACCESS_KEY",
                                   "WANDB_API_KEY", "NCCL_AUTH_TOKEN"};

TEST(Secrets, appear_nowhere) {
    Directory const directory;
    for (auto const* option : {"--no-color", "-v", "-vv", "--json"}) {
        auto launch = rocmtune_with({"probe", option, "--record", directory / "host", "--also",
                                     "json:" + directory / "json"});
        for (auto const* name : secrets) launch.environment[name] = "hunter2-hunter2";
        launch.environment["ROCMTUNE_LOG"] = "trace";
        auto const result = run(launch);
        EXPECT_EQ(result.code, 0);
        for (auto const& text : {result.out, result.err, content_of(directory / "host"),
                                 content_of(directory / "json")}) {
            EXPECT_TRUE(text.find("hunter2") == text.npos) << option;
        }
    }
}

TEST(Secrets, that_concern_rocm_are_named_in_report_and_replay) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "--json", "--record", directory / "host"});
    for (auto const* name : secrets) launch.environment[name] = "hunter2-hunter2";
    auto const live = run(launch);
    EXPECT_THAT(ordered_json::parse(live.out)["host"]["environment_hidden"],
                testing::Contains("HSA_API_KEY"));
    EXPECT_TRUE(same_report(live.out, replayed(directory / "host")));
}

TEST(Secrets, of_a_recording_by_another_hand_are_not_shown) {
    Directory const directory;
    write_file(directory / "host", "rocmtune-host 1\nlabel test\nenv HSA_API_KEY=hunter2\n");
    for (auto const* option : {"--no-color", "-vv", "--json"})
        EXPECT_THAT(run({"probe", "--replay", directory / "host", option}).out,
                    Not(HasSubstr("hunter2")));
}

TEST(Variables, that_do_not_concern_rocm_are_not_recorded) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "-q", "--record", directory / "a.host"});
    launch.environment.insert({{"EDITOR", "hunter2-editor"},
                               {"HTTP_PROXY", "http://user:hunter2@proxy"},
                               {"MAIL", "hunter2-mail"},
                               {"HSA_XNACK", "1"}});
    EXPECT_EQ(run(launch).code, 0);
    // A recording is long: where it is wrong, no message may repeat it.
    auto const recording = content_of(directory / "a.host");
    EXPECT_TRUE(recording.find("hunter2") == recording.npos);
    EXPECT_TRUE(recording.find("\nenv HSA_XNACK=1\n") != recording.npos);
}

TEST(Variables, with_several_lines_replay_as_they_are) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "--json", "--record", directory / "host"});
    launch.environment["HSA_TOOLS_LIB"] = "one\ntwo\tthree \\ \xc3\xa9";
    auto const live = run(launch);
    EXPECT_TRUE(same_report(live.out, replayed(directory / "host")));
}

}  // namespace
}  // namespace rocmtune::test
