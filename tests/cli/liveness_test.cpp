// SPDX-License-Identifier: MIT
// The real program lets GPUs of the fake HIP work: whatever one of them does, it alone is named,
// the other finishes, and nothing stays behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using Variables = std::map<std::string, std::string>;
using Words = std::vector<std::string>;

std::string const fakes = ROCMTUNE_FAKES_DIR;
constexpr char const* two_gpus =
    "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;"
    "0000:83:00.0 gfx90a:sramecc+:xnack- 104 68702699520 0 Instinct MI210";
constexpr char const* first_gpu =
    "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX";

Launch check_with(Variables const& variables, Words more = {}) {
    Words words{"check", "--only", "liveness", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    auto launch = rocmtune_with(std::move(words));
    launch.environment.insert({{"ROCM_PATH", fakes + "/rocm-7"}, {"FAKE_GPUS", two_gpus}});
    for (auto const& [name, value] : variables) launch.environment[name] = value;
    return launch;
}

/// The finding of a GPU, by its address.
json finding_of(json const& document, std::string const& subject) {
    for (auto const& finding : document.at("findings"))
        if (finding.at("subject") == subject) return finding;
    return {{"verdict", "none"}, {"message", "no finding of " + subject}};
}

/// A fault of the second GPU, and what is said of it; the first is always in order.
struct Row {
    char const* name;
    char const* fault;
    char const* verdict;
    int code;
    char const* says;
};

void PrintTo(Row const& row, std::ostream* out) {
    *out << row.name;
}

Row const rows[] = {
    {"none", "", "pass", 0, "4 KiB were copied there and back, and a kernel wrote 64 KiB"},
    {"a_call_that_hangs", "hang@hipMemcpy/1", "timeout", 3, "hung in hipMemcpy"},
    {"one_that_ignores_sigterm", "stubborn@hipMalloc/1", "timeout", 3, "hung in hipMalloc"},
    {"a_stopped_process", "stop@hipFree/1", "timeout", 3, "hung in hipFree"},
    {"an_abort", "abort@hipSetDevice/1", "fail", 1, "died in hipSetDevice: SIGABRT"},
    {"a_crash", "sigsegv@hipMemcpy/1", "fail", 1, "died in hipMemcpy: SIGSEGV"},
    {"a_library_that_ends_the_process", "exit=0@hipMalloc/1", "fail", 1, "ended in hipMalloc"},
    {"no_memory", "error=2@hipMalloc/1", "fail", 1, "hipMalloc: 2 hipErrorOutOfMemory"},
    {"a_copy_that_fails", "error=719@hipMemcpy/1", "fail", 1, "hipMemcpy: 719"},
    {"a_copy_that_is_wrong", "wrong=17@hipMemcpy/1", "fail", 1,
     "of 4096 bytes copied there and back 1 are wrong: at 17 "},
    {"a_gpu_that_copies_and_does_not_compute", "idle=1@hipModuleLaunchKernel/1", "fail", 1,
     "of 65536 bytes that a kernel was to write 65536 are wrong: at 0 "},
    {"a_kernel_that_writes_wrongly", "wrong=101@hipModuleLaunchKernel/1", "fail", 1,
     "of 65536 bytes that a kernel was to write 4 are wrong: at 100 "},
    {"a_kernel_that_does_not_end", "hang@hipStreamSynchronize/1#2", "timeout", 3,
     "hung in hipStreamSynchronize"},
    {"a_kernel_that_fails", "error=719@hipStreamSynchronize/1#2", "fail", 1, "(719)"},
    {"a_gpu_lost_while_code_is_loaded", "error=719@hipModuleLoadData/1", "fail", 1, "(719)"},
    {"noise_on_its_output", "garbage@hipMalloc/1", "pass", 0, "4 KiB were copied"},
    {"noise_in_its_answer", "meddle@hipMalloc/1", "fail", 1, "ended in hipMalloc"},
};

class LivenessFault : public testing::TestWithParam<Row> {};

TEST_P(LivenessFault, is_named_with_its_gpu_and_the_other_gpu_passes) {
    auto const& row = GetParam();
    auto const result = run(check_with({{"FAKE_FAULT", row.fault}}));
    ASSERT_FALSE(result.late);
    EXPECT_EQ(result.code, row.code) << result.out << result.err;
    auto const document = json::parse(result.out);
    auto const guilty = finding_of(document, "0000:83:00.0");
    EXPECT_EQ(guilty["verdict"], row.verdict) << guilty;
    EXPECT_THAT(guilty["message"].get<std::string>(), HasSubstr(row.says));
    EXPECT_EQ(finding_of(document, "0000:03:00.0")["verdict"], "pass") << document;
    EXPECT_EQ(document["summary"]["gpus"], 2);
}

INSTANTIATE_TEST_SUITE_P(Fakes, LivenessFault, testing::ValuesIn(rows),
                         [](auto const& row) { return std::string(row.param.name); });

/// What the compiler does is no fault of the GPU: what was copied counts.
TEST(Liveness, is_told_by_the_copy_where_no_kernel_can_be_made) {
    struct Case {
        char const* fault;
        char const* says;
    };
    Case const cases[] = {
        {"error=6@hiprtcCompileProgram", "no kernel was tried: pattern does not compile for"},
        {"abort@hiprtcCompileProgram", "no kernel was tried: SIGABRT while one was made"},
        {"hang@hiprtcCompileProgram", "while one was made"},
        {"error=209@hipModuleLoadData", "no kernel was tried: load a module"},
    };
    for (auto const& [fault, says] : cases) {
        auto const result = run(check_with({{"FAKE_FAULT", fault}}, {"--timeout", "5"}));
        EXPECT_EQ(result.code, 0) << fault << result.out;
        auto const finding = finding_of(json::parse(result.out), "0000:83:00.0");
        EXPECT_EQ(finding["verdict"], "pass") << fault;
        EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr(says)) << fault;
    }
    for (auto const* const installation : {"broken/no-launch", "broken/no-compiler"}) {
        auto const result = run(check_with({{"ROCM_PATH", fakes + "/" + installation}}));
        EXPECT_THAT(
            finding_of(json::parse(result.out), "0000:83:00.0")["message"].get<std::string>(),
            HasSubstr("no kernel was tried: "))
            << installation;
    }
}

TEST(Liveness, of_a_gpu_that_a_mask_hides_is_skipped_with_the_mask) {
    auto const result =
        run(check_with({{"FAKE_HIP_GPUS", first_gpu}, {"ROCR_VISIBLE_DEVICES", "0"}}));
    auto const hidden = finding_of(json::parse(result.out), "0000:83:00.0");
    EXPECT_EQ(hidden["verdict"], "skip");
    EXPECT_THAT(hidden["message"].get<std::string>(), HasSubstr("ROCR_VISIBLE_DEVICES=0"));
    EXPECT_EQ(result.code, 0) << "the GPU that this process may use is in order";
}

TEST(Liveness, is_unknown_where_hip_itself_fails) {
    auto const result = run(check_with({{"FAKE_FAULT", "abort@hipGetDeviceCount"}}));
    EXPECT_EQ(result.code, 3);
    auto const finding = finding_of(json::parse(result.out), "0000:03:00.0");
    EXPECT_EQ(finding["verdict"], "unknown");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("signal: SIGABRT"));
}

TEST(Liveness, needs_hip_and_says_so_where_there_is_none) {
    auto const result = run(check_with({{"ROCMTUNE_LIBAMDHIP64", "/nonexistent/libamdhip64.so"}}));
    auto const finding = finding_of(json::parse(result.out), "0000:03:00.0");
    EXPECT_EQ(finding["verdict"], "unknown");
    EXPECT_THAT(finding["message"].get<std::string>(), HasSubstr("no HIP runtime"));
    EXPECT_THAT(finding["next_step"].get<std::string>(), HasSubstr("--skip liveness"));
    EXPECT_EQ(result.code, 3) << "nobody let a GPU work";
}

TEST(Liveness, counts_the_gpus_that_copied_rightly) {
    auto const whole = json::parse(run(check_with({})).out)["summary"];
    EXPECT_EQ(whole["gpus_exercised"], whole["gpus_to_test"]);
    auto const broken = json::parse(run(check_with({{"FAKE_FAULT", "abort@hipMalloc/1"}})).out);
    EXPECT_EQ(broken["summary"]["gpus_judged"], broken["summary"]["gpus_to_test"]);
    EXPECT_LT(broken["summary"]["gpus_exercised"], broken["summary"]["gpus_to_test"]);
}

TEST(Liveness, of_one_gpu_alone_leaves_the_broken_one_out) {
    auto const result = run(check_with({{"FAKE_FAULT", "abort@hipMalloc/1"}}, {"--gpu", "0"}));
    EXPECT_EQ(result.code, 0) << result.out;
}

/// MI300X cards, one after the other on the bus.
std::string cards(int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all += fmt::format("0000:{:02x}:00.0 gfx942 304 206141652992 {:x} MI300X;", i + 1, i + 1);
    return all;
}

TEST(Liveness, takes_no_longer_than_it_was_given_however_many_gpus_hang) {
    auto const many = cards(20);
    auto const start = std::chrono::steady_clock::now();
    auto const result = run(
        check_with({{"FAKE_GPUS", many}, {"FAKE_FAULT", "hang@hipSetDevice"}}, {"--timeout", "2"}));
    EXPECT_EQ(result.code, 3);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_THAT(result.out, HasSubstr("not tried: "));
    // The time is over, not the patience with one GPU; without it, one round is enough.
    auto const usual = run(check_with({{"FAKE_GPUS", many}, {"FAKE_FAULT", "hang@hipSetDevice"}}));
    EXPECT_EQ(usual.code, 3);
    EXPECT_THAT(usual.out, HasSubstr("not tried: none of the GPUs before it answered"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(40));
}

TEST(Liveness, of_a_whole_host_that_hangs_is_known_in_ten_seconds_gpu_by_gpu) {
    auto const start = std::chrono::steady_clock::now();
    auto launch = rocmtune_with({"check", "-l", "quick", "--json"});
    launch.environment.insert({{"ROCM_PATH", fakes + "/rocm-7"},
                               {"FAKE_GPUS", cards(8)},
                               {"FAKE_FAULT", "stubborn@hipMalloc"}});
    auto const result = run(launch);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(10000));
    EXPECT_EQ(result.code, 3) << result.err;
    auto const document = json::parse(result.out);
    for (int i = 0; i < 8; ++i) {
        auto const subject = fmt::format("0000:{:02x}:00.0", i + 1);
        int named = 0;
        for (auto const& finding : document.at("findings"))
            named += finding.at("id") == "RT3801" && finding.at("subject") == subject &&
                     finding.at("verdict") == "timeout";
        EXPECT_EQ(named, 1) << subject;
    }
}

TEST(Liveness, of_one_that_hangs_keeps_none_of_many_others_waiting) {
    auto const result =
        run(check_with({{"FAKE_GPUS", cards(20)}, {"FAKE_FAULT", "hang@hipMalloc/3"}}));
    EXPECT_EQ(result.code, 3) << result.err;
    auto const document = json::parse(result.out);
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(finding_of(document, fmt::format("0000:{:02x}:00.0", i + 1))["verdict"],
                  i == 3 ? "timeout" : "pass")
            << i;
}

TEST(Liveness, is_not_due_for_a_recorded_host) {
    auto const result =
        run({"check", "--replay", host_file("mi300x-x8"), "--only", "liveness,access", "--json"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("nothing was run on the GPUs of this host"));
}

// ---- signals in the middle ----------------------------------------------------------------------

/// The processes below this one that try a GPU.
std::vector<pid_t> trials_below(pid_t parent) {
    std::vector<pid_t> found;
    for (auto const& entry : std::filesystem::directory_iterator("/proc")) {
        // The others are files of the kernel; /proc/net/stat is even a directory.
        if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos)
            continue;
        auto const stat = content_of(entry.path() / "stat");
        auto const name = stat.find("(rocmtune livene) ");
        if (name == stat.npos) continue;
        std::istringstream rest(stat.substr(stat.find(") ", name) + 2));
        std::string state;
        pid_t its_parent = 0;
        rest >> state >> its_parent;
        if (its_parent == parent && state != "Z") found.push_back(std::stoi(stat));
    }
    return found;
}

/// Waits until one trial alone has been running for a while: the one that hangs.
pid_t hanging_trial(pid_t parent) {
    pid_t last = 0;
    for (int same = 0, looks = 0; looks < 1000; ++looks) {
        auto const all = trials_below(parent);
        same = all.size() == 1 && all[0] == last ? same + 1 : 0;
        last = all.size() == 1 ? all[0] : 0;
        if (same == 50) return last;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return 0;
}

class LivenessSignal : public testing::TestWithParam<int> {};

TEST_P(LivenessSignal, ends_the_trials_and_what_is_known_is_printed) {
    Running running(check_with({{"FAKE_FAULT", "stubborn@hipMalloc/1"}}));
    auto const trial = hanging_trial(running.pid());
    ASSERT_GT(trial, 0);
    running.send(GetParam());
    auto const result = running.finish();
    EXPECT_EQ(result.signal, GetParam()) << result.code << result.err;
    auto const document = json::parse(result.out);
    EXPECT_EQ(document["exit_code"], 128 + GetParam());
    EXPECT_THAT(document["errors"][0]["message"].get<std::string>(),
                StartsWith("ended early by SIG"));
    EXPECT_EQ(finding_of(document, "0000:03:00.0")["verdict"], "pass");
    EXPECT_EQ(finding_of(document, "0000:83:00.0")["verdict"], "unknown");
    EXPECT_FALSE(std::filesystem::exists(fmt::format("/proc/{}", trial))) << "not reaped";
}

INSTANTIATE_TEST_SUITE_P(Each, LivenessSignal, testing::Values(SIGINT, SIGTERM, SIGHUP));

}  // namespace
}  // namespace rocmtune::test
