// SPDX-License-Identifier: MIT
// What a worker of the benchmarks says is not believed: a script plays one that says nonsense.
#include "bench/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <fmt/format.h>

#include "machine/worker_answer.hpp"
#include "support/run_program.hpp"

namespace rocmtune::bench {
namespace {

using test::Directory;
using test::write_file;
using testing::EndsWith;
using testing::HasSubstr;

/// A program that gives these lines on descriptor 3 as the answer of `worker`.
class Script {
  public:
    Script(std::string const& worker, std::vector<std::string> const& lines) {
        auto text = fmt::format(
            "#!/bin/sh\ncat >&3 <<'END'\n{{\"hello\":{{\"protocol\":{},\"worker\":\"{}\"}}}}\n",
            worker_protocol, worker);
        for (auto const& line : lines) text += line + '\n';
        write_file(path_, text + "{\"done\":true}\nEND\n");
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    }

    WorkerMachinery machinery() const {
        WorkerMachinery machinery;
        machinery.program = path_;
        return machinery;
    }

  private:
    Directory directory_;
    std::string path_ = directory_ / "worker";
};

std::vector<Measurement> measured(std::vector<std::string> const& lines) {
    Options options;
    options.benchmarks = {"vpoc"};
    options.backend = "cpu";
    Script const script("bench", lines);
    return run_benchmark(options, std::chrono::seconds(20), {}, script.machinery());
}

std::string const plan = R"({"plan":[{"metric":"a"},{"metric":"b"},{"metric":"c"}]})";
std::string const good = R"({"measurement":{"status":"ok","value":2.5,"samples":[2.5]}})";

TEST(Runner, takes_what_a_worker_says) {
    auto const results = measured({plan, R"({"begin":0})", good, R"({"begin":1})", good});
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[1].status, "ok");
    EXPECT_EQ(results[1].value, 2.5);
    EXPECT_EQ(results[2].status, "error");
}

class Nonsense : public testing::TestWithParam<char const*> {};

TEST_P(Nonsense, costs_one_measurement_and_not_the_report) {
    auto const results =
        measured({plan, R"({"begin":0})", good, R"({"begin":1})",
                  fmt::format(R"({{"measurement":{}}})", GetParam()), R"({"begin":2})", good});
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0].status, "ok");
    EXPECT_EQ(results[1].status, "error");
    EXPECT_EQ(results[1].metric, "b");
    EXPECT_FALSE(results[1].value) << "half of what cannot be read is no figure";
    EXPECT_THAT(results[1].detail.value_or(""), HasSubstr("cannot be read"));
    EXPECT_EQ(results[2].status, "ok");
}

INSTANTIATE_TEST_SUITE_P(Runner, Nonsense,
                         testing::Values(R"({"value":1,"samples":[null],"status":"ok"})",
                                         R"({"value":1,"profile":{"low":null},"status":"ok"})",
                                         R"({"value":1,"unit":7,"status":"ok"})",
                                         R"({"value":1,"status":null})",
                                         R"({"value":1,"labels":{"a":1},"status":[]})"));

TEST(Runner, a_plan_that_cannot_be_read_is_an_error) {
    auto const results = measured({R"({"plan":[{"metric":1}]})", R"({"begin":0})", good});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].status, "error");
    EXPECT_THAT(results[0].detail.value_or(""), HasSubstr("its plan cannot be read"));
}

TEST(Runner, other_nonsense_does_not_end_it) {
    auto const results = measured(
        {plan, R"({"begin":"x"})", R"({"begin":0})", good, R"({"libraries":7})", R"({"refused":7})",
         R"({"measurement":)" + std::string(60, '[') + std::string(60, ']') + "}"});
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[2].status, "error");
}

/// The reason of a step whose worker printed these lines and then aborted.
std::string reason_after(std::string const& printed) {
    Directory const directory;
    std::string const path = directory / "worker";
    write_file(path,
               fmt::format("#!/bin/sh\nprintf '%s\\n' '{{\"hello\":{{\"protocol\":{},\"worker\":"
                           "\"bench\"}}}}' '{}' '{{\"begin\":0}}' >&3\ncat >&2 <<'END'\n{}END\n"
                           "kill -ABRT $$\n",
                           worker_protocol, plan, printed));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    Options options;
    options.benchmarks = {"vpoc"};
    WorkerMachinery machinery;
    machinery.program = path;
    auto const results = run_benchmark(options, std::chrono::seconds(20), {}, machinery);
    return results.front().detail.value_or("");
}

TEST(Runner, the_last_line_that_was_printed_is_part_of_the_reason) {
    EXPECT_THAT(reason_after("first\nlast\n\n"), EndsWith("SIGABRT; it printed: last"));
}

/// As ROCr 5.2.3 ends a process.
TEST(Runner, a_page_fault_is_told_instead_of_the_assertion_after_it) {
    std::string const fault =
        "Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f00. Reason: "
        "Unknown.";
    EXPECT_THAT(reason_after("before\n" + fault +
                             "\nrocmtune: runtime.cpp:1129: VMFaultHandler: Assertion `false && "
                             "\"GPU memory access fault.\"\" failed.\n"),
                EndsWith("it printed: " + fault));
    EXPECT_THAT(reason_after(fault + "\n"), EndsWith("it printed: " + fault));
}

TEST(Devices, that_cannot_be_read_are_a_problem_of_the_list) {
    Script const script("bench-devices",
                        {R"({"device":{"name":"one"}})", R"({"device":{"name":null}})"});
    auto const list = list_devices("cpu", script.machinery());
    ASSERT_EQ(list.devices.size(), 1U);
    EXPECT_EQ(list.devices[0].name, "one");
    EXPECT_THAT(list.problem, HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace rocmtune::bench
