// SPDX-License-Identifier: MIT
// `rocmtune bench` over HIP 5, 6 and 7 that fail in every way (tests/support/fakes): each planned
// figure gets exactly one status, none has a figure that nothing has earned, everything that was
// taken is given back, and no process stays behind.
#include <tuple>

#include "support/bench_run.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

/// No figure stands twice in the report.
void expect_each_once(json const& all) {
    std::set<std::string> seen;
    for (auto const& one : all) {
        auto const& parameters = one.at("parameters");
        json const name{
            one.at("benchmark"),    one.at("metric"),        parameters.at("mode"),
            parameters.at("bytes"), parameters.at("kernel"), parameters.at("distribution"),
            parameters.at("bins"),  parameters.at("dtype"),  parameters.at("peer")};
        EXPECT_TRUE(seen.insert(name.dump()).second) << name;
    }
}

bool is_host_copy(json const& one) {
    auto const metric = one.at("metric").get<std::string>();
    return metric == "host-to-device" || metric == "device-to-host" || metric == "both-ways";
}

/// Copies between host and device and their memset are the only thing that the fakes really do.
bool needs_no_kernel(json const& one) {
    return is_host_copy(one) || one.at("metric") == "device-fill";
}

class HipMajor : public testing::TestWithParam<char const*> {};

TEST_P(HipMajor, gives_no_figure_for_kernels_that_did_not_run_and_gets_all_back) {
    BenchRun const it({"all", "--size", "256"}, {{"ROCM_PATH", release(GetParam())}});
    EXPECT_EQ(it.outcome.code, 1) << it.outcome.err;
    std::set<std::string> wrong;
    for (auto const& one : it.measurements()) {
        expect_honest(one);
        EXPECT_EQ(one.at("status") == "ok", needs_no_kernel(one)) << one;
        if (one.at("status") == "wrong-result") wrong.insert(one.at("benchmark"));
    }
    EXPECT_EQ(wrong, (std::set<std::string>{"bandwidth", "gemm", "vpoc"}));
    expect_each_once(it.measurements());
    auto const [missing, taken] = it.balance();
    EXPECT_GT(taken, 50U);
    EXPECT_THAT(missing, testing::IsEmpty());
    EXPECT_EQ(it.child_left, "");
}

INSTANTIATE_TEST_SUITE_P(Fakes, HipMajor, testing::Values("5", "6", "7"),
                         [](auto const& test) { return std::string(test.param); });

/// One fault, and what becomes of the first figure that it meets.
struct Fault {
    char const* name;
    char const* variable;  ///< of FAKE_FAULT
    char const* status;
    char const* says;
    bool ends_worker = false;  ///< what it had taken went with its process
};

void PrintTo(Fault const& fault, std::ostream* out) {
    *out << fault.name;
}

constexpr Fault faults[] = {
    {"first_allocation", "error=2@hipMalloc#1", "no-memory", "hipErrorOutOfMemory"},
    {"third_allocation", "error=2@hipMalloc#3", "no-memory", "hipErrorOutOfMemory"},
    {"sixth_allocation", "error=2@hipMalloc#6", "no-memory", "hipErrorOutOfMemory"},
    {"pinned_allocation", "error=2@hipHostMalloc#2", "no-memory", "allocate pinned memory"},
    {"stream", "error=2@hipStreamCreateWithFlags#1", "no-memory", "create a stream"},
    {"event", "error=2@hipEventCreateWithFlags#1", "no-memory", "create an event"},
    {"launch", "error=1@hipModuleLaunchKernel#5", "error", "launch a kernel: hipErrorInvalidValue"},
    {"every_launch", "error=1@hipModuleLaunchKernel", "error", "launch a kernel"},
    {"copy", "error=1@hipMemcpyDtoHAsync#2", "error", "copy from the device"},
    {"gpu_lost", "error=719@hipStreamSynchronize#4", "lost", "hipErrorLaunchFailure (719)"},
    {"gpu_lost_at_a_launch", "error=700@hipModuleLaunchKernel#3", "lost", "hipErrorIllegalAddress"},
    {"gpu_lost_before", "error=100@hipSetDevice", "lost", "hipErrorNoDevice"},
    {"hang", "hang@hipStreamSynchronize#3", "timeout", "no complete answer", true},
    {"hang_that_ignores_sigterm", "stubborn@hipModuleLaunchKernel", "timeout", "", true},
    {"abort_in_compile", "abort@hiprtcCompileProgram", "error", "SIGABRT", true},
    {"text_that_does_not_compile", "error=6@hiprtcCompileProgram", "error", "does not compile for"},
    {"hang_in_compile", "hang@hiprtcCompileProgram", "timeout", "", true},
    {"crash_in_a_launch", "sigsegv@hipModuleLaunchKernel", "error", "SIGSEGV", true},
    {"exit_in_a_launch", "exit=0@hipModuleLaunchKernel", "error", "exit code 0", true},
    {"code_that_does_not_load", "error=200@hipModuleLoadData", "error", "load a module"},
    {"kernel_that_is_not_there", "error=500@hipModuleGetFunction", "error", "find a kernel"},
};

class BenchFault : public testing::TestWithParam<std::tuple<char const*, Fault>> {};

TEST_P(BenchFault, becomes_one_status) {
    auto const& [major, fault] = GetParam();
    BenchRun const it({"bandwidth", "--size", "65536", "--timeout", "2"},
                      {{"ROCM_PATH", release(major)}, {"FAKE_FAULT", fault.variable}});
    EXPECT_EQ(it.outcome.code, 1) << it.outcome.err;
    EXPECT_EQ(it.child_left, "");
    bool met = false;
    for (auto const& one : it.measurements()) {
        expect_honest(one);
        if (!needs_no_kernel(one)) {
            EXPECT_NE(one.at("status"), "ok") << one;
        }
        met = met || (one.at("status") == fault.status &&
                      one.at("detail").get<std::string>().find(fault.says) != std::string::npos);
    }
    EXPECT_TRUE(met) << it.measurements().dump(1);
    expect_each_once(it.measurements());
    if (!fault.ends_worker) {
        EXPECT_THAT(it.balance().first, testing::IsEmpty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fakes, BenchFault, testing::Combine(testing::Values("5", "6", "7"), testing::ValuesIn(faults)),
    [](auto const& test) {
        return std::string("hip_") + std::get<0>(test.param) + "_" + std::get<1>(test.param).name;
    });

TEST(BenchFaults, after_a_lost_gpu_nothing_more_is_tried) {
    BenchRun const it(
        {"bandwidth", "--size", "65536"},
        {{"ROCM_PATH", release("7")}, {"FAKE_FAULT", "error=719@hipStreamSynchronize#2"}});
    auto const& all = it.measurements();
    auto const lost = std::find_if(all.begin(), all.end(),
                                   [](json const& one) { return one.at("status") == "lost"; });
    ASSERT_NE(lost, all.end());
    for (auto next = std::next(lost); next != all.end(); ++next)
        EXPECT_EQ(next->at("detail"), "the device was lost before");
}

TEST(BenchFaults, of_a_missing_function_determine_nothing) {
    for (auto const& [kind, function] :
         {std::pair{"no-launch", "hipModuleLaunchKernel"}, {"no-compiler", "hiprtcVersion"}}) {
        BenchRun const it({"all"}, {{"ROCM_PATH", fakes + "/broken/" + kind}});
        EXPECT_EQ(it.outcome.code, 3) << it.outcome.err;
        EXPECT_EQ(it.measurements().size(), 3U);  // one a benchmark
        for (auto const& one : it.measurements()) {
            expect_honest(one);
            EXPECT_EQ(one.at("status"), "unsupported");
            EXPECT_THAT(one.at("detail").get<std::string>(),
                        HasSubstr(std::string("missing-symbol: ") + function));
        }
        EXPECT_THAT(it.balance().first, testing::IsEmpty());
    }
}

TEST(BenchFaults, while_devices_are_listed_end_with_3_and_none_with_4) {
    auto const code_of = [](Variables variables) {
        variables.insert({"ROCM_PATH", release("7")});
        return BenchRun({"bandwidth"}, variables).outcome.code;
    };
    EXPECT_EQ(code_of({{"FAKE_FAULT", "abort@hipGetDeviceCount"}}), 3);
    EXPECT_EQ(code_of({{"FAKE_HIP_GPUS", ""}}), 4);
}

/// The fakes have no PCI device, so no profile knows the product.
TEST(BenchFaults, a_gpu_that_no_profile_knows_says_why_it_has_no_efficiency) {
    BenchRun const it({"bandwidth", "--size", "67108864"}, {{"ROCM_PATH", release("6")}});
    std::size_t fills = 0;
    for (auto const& one : it.measurements()) {
        auto const labels = one.at("labels").get<std::set<std::string>>();
        bool const is_fill = one.at("metric") == "device-fill";
        EXPECT_EQ(labels.contains("peak-unknown"), is_fill) << one.dump();
        if (!is_fill) continue;
        EXPECT_EQ(one.at("status"), "ok") << one.dump();
        EXPECT_TRUE(one.at("efficiency").is_null());
        ++fills;
    }
    EXPECT_EQ(fills, 1U) << it.outcome.err;
}

TEST(BenchFaults, of_one_gpu_leave_the_other_its_figures) {
    // The second worker opens the same fakes anew: its calls are counted from 1 again.
    BenchRun const it(
        {"bandwidth", "--size", "65536"},
        {{"ROCM_PATH", release("6")},
         {"FAKE_GPUS", std::string(one_gpu) + ";0000:85:00.0 gfx90a 104 1048576 0 small"}});
    EXPECT_EQ(it.outcome.code, 1);
    std::map<std::string, std::set<std::string>> statuses;
    for (auto const& one : it.measurements())
        if (is_host_copy(one))
            statuses[one.at("parameters").at("pci_address")].insert(one.at("status"));
    EXPECT_THAT(statuses["0000:83:00.0"], testing::ElementsAre("ok"));
    EXPECT_THAT(statuses["0000:85:00.0"], testing::ElementsAre("no-memory"));
}

std::string two_gpus() {
    return std::string(one_gpu) + ";0000:85:00.0 gfx90a 104 8589934592 0 Instinct MI210";
}

TEST(BenchPairs, are_copied_between_in_both_directions_and_both_ways_once) {
    BenchRun const it({"bandwidth", "--size", "65536"},
                      {{"ROCM_PATH", release("6")}, {"FAKE_GPUS", two_gpus()}});
    std::set<std::string> pairs;
    for (auto const& one : it.measurements()) {
        auto const& parameters = one.at("parameters");
        if (parameters.at("peer").is_null()) continue;
        EXPECT_EQ(one.at("status"), "ok") << one;
        EXPECT_EQ(parameters.at("mode"), "direct");
        pairs.insert(one.at("metric").get<std::string>() + " " +
                     parameters.at("pci_address").get<std::string>() + " " +
                     parameters.at("peer").get<std::string>());
    }
    EXPECT_THAT(pairs, testing::ElementsAre("peer-both-ways 0000:83:00.0 0000:85:00.0",
                                            "peer-copy 0000:83:00.0 0000:85:00.0",
                                            "peer-copy 0000:85:00.0 0000:83:00.0"));
    EXPECT_THAT(it.balance().first, testing::IsEmpty());
}

TEST(BenchPairs, whose_memory_is_not_reached_copy_through_the_host) {
    BenchRun const it({"bandwidth", "--size", "65536"},
                      {{"ROCM_PATH", release("6")},
                       {"FAKE_GPUS", two_gpus()},
                       {"FAKE_FAULT", "error=217@hipDeviceEnablePeerAccess"}});
    int found = 0;
    for (auto const& one : it.measurements()) {
        if (one.at("parameters").at("peer").is_null()) continue;
        EXPECT_EQ(one.at("parameters").at("mode"), "through the host");
        ++found;
    }
    EXPECT_EQ(found, 3);
}

TEST(BenchPairs, that_fail_to_copy_give_no_figure) {
    for (auto const* const fault : {"error=1@hipMemcpyPeerAsync", "error=2@hipMalloc#11"}) {
        BenchRun const it(
            {"bandwidth", "--size", "65536"},
            {{"ROCM_PATH", release("6")}, {"FAKE_GPUS", two_gpus()}, {"FAKE_FAULT", fault}});
        auto const& all = it.measurements();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](json const& one) {
            return !one.at("parameters").at("peer").is_null() && one.at("status") != "ok";
        })) << fault;
        for (auto const& one : all) expect_honest(one);
        EXPECT_THAT(it.balance().first, testing::IsEmpty());
    }
}

TEST(BenchScaling, over_two_gpus_has_no_figure_where_no_kernel_ran) {
    BenchRun const it({"gemm", "--dtype", "fp32", "--size", "256"},
                      {{"ROCM_PATH", release("6")}, {"FAKE_GPUS", two_gpus()}});
    std::multiset<std::string> statuses;
    for (auto const& one : it.measurements()) {
        expect_honest(one);
        if (one.at("metric") == "fp32-scaling") statuses.insert(one.at("status"));
    }
    // One GPU, two GPUs, and their ratio.
    EXPECT_THAT(statuses, testing::ElementsAre("unsupported", "wrong-result", "wrong-result"));
    EXPECT_THAT(it.balance().first, testing::IsEmpty());
}

// ---- collectives: the fake RCCL computes, so that all figures are there -------------------------

BenchRun collectives(Variables more = {}, std::vector<std::string> const& words = {}) {
    Variables variables{{"ROCM_PATH", release("7")}, {"FAKE_GPUS", two_gpus()}};
    variables.insert(more.begin(), more.end());
    std::vector<std::string> all{"collectives", "--size", "4096"};
    all.insert(all.end(), words.begin(), words.end());
    return BenchRun(all, variables);
}

TEST(BenchCollectives, are_verified_and_count_as_nccl_tests_does) {
    auto const it = collectives();
    EXPECT_EQ(it.outcome.code, 0) << it.outcome.err;
    std::map<std::string, double> ratio_to_algorithm;
    std::map<std::string, double> values;
    for (auto const& one : it.measurements()) {
        EXPECT_EQ(one.at("status"), "ok") << one;
        EXPECT_TRUE(one.at("verified").get<bool>());
        EXPECT_EQ(one.at("samples").size(), 20U);
        EXPECT_EQ(one.at("parameters").at("devices"), 2);
        EXPECT_EQ(one.at("parameters").at("kernel"), "2.22.3");
        values[one.at("metric")] = one.at("value").get<double>();
    }
    for (auto const* const name : {"all-reduce", "all-gather", "reduce-scatter", "broadcast"})
        ratio_to_algorithm[name] =
            values.at(std::string(name) + "-bus") / values.at(std::string(name) + "-algorithm");
    // Two devices: 2 (n - 1) / n, twice (n - 1) / n, and 1.
    EXPECT_NEAR(ratio_to_algorithm["all-reduce"], 1, 1e-9);
    EXPECT_NEAR(ratio_to_algorithm["all-gather"], 0.5, 1e-9);
    EXPECT_NEAR(ratio_to_algorithm["reduce-scatter"], 0.5, 1e-9);
    EXPECT_NEAR(ratio_to_algorithm["broadcast"], 1, 1e-9);
    EXPECT_THAT(it.balance().first, testing::IsEmpty());
}

TEST(BenchCollectives, with_one_wrong_element_have_no_figure) {
    for (auto const& [function, metric] :
         std::map<std::string, std::string>{{"ncclAllReduce", "all-reduce-bus"},
                                            {"ncclAllGather", "all-gather-bus"},
                                            {"ncclReduceScatter", "reduce-scatter-bus"},
                                            {"ncclBroadcast", "broadcast-bus"}}) {
        auto const it = collectives({{"FAKE_FAULT", "wrong=300@" + function}});
        EXPECT_EQ(it.outcome.code, 1) << it.outcome.err;
        for (auto const& one : it.measurements()) {
            expect_honest(one);
            if (one.at("metric") == metric) {
                EXPECT_EQ(one.at("status"), "wrong-result") << one;
                EXPECT_THAT(one.at("detail").get<std::string>(),
                            testing::HasSubstr("device 0: element 300"));
            }
        }
    }
}

TEST(BenchCollectives, that_fail_say_how) {
    struct Case {
        char const* fault;
        char const* status;
        char const* says;
    };
    for (auto const& row : {Case{"error=2@ncclGetUniqueId", "error", "unhandled fake error (2)"},
                            Case{"error=2@ncclCommInitRank", "error", "ncclCommInitRank"},
                            Case{"error=2@ncclAllReduce", "error", "ncclAllReduce"},
                            Case{"hang@ncclAllReduce", "timeout", ""},
                            Case{"hang@ncclCommInitRank/1", "timeout", ""}}) {
        auto const it = collectives({{"FAKE_FAULT", row.fault}}, {"--timeout", "3"});
        auto const& first = it.measurements().at(0);
        expect_honest(first);
        EXPECT_EQ(first.at("status"), row.status) << row.fault << first;
        EXPECT_THAT(first.at("detail").get<std::string>(), testing::HasSubstr(row.says));
        EXPECT_EQ(it.child_left, "");
    }
}

TEST(BenchCollectives, need_a_second_gpu_and_a_library) {
    BenchRun const alone({"collectives", "--size", "4096"}, {{"ROCM_PATH", release("7")}});
    EXPECT_EQ(alone.outcome.code, 3);
    EXPECT_THAT(alone.measurements().at(0).at("detail").get<std::string>(),
                testing::HasSubstr("no second GPU"));
    auto const without = collectives({{"ROCMTUNE_LIBRCCL", "/nonexistent/librccl.so.1"}});
    EXPECT_EQ(without.outcome.code, 3);
    EXPECT_THAT(without.measurements().at(0).at("detail").get<std::string>(),
                testing::HasSubstr("librccl is not installed"));
}

}  // namespace
}  // namespace rocmtune::test
