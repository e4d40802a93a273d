// SPDX-License-Identifier: MIT
// Findings about the device map from the real program over libraries that disagree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Variables = std::map<std::string, std::string>;

std::string const fakes = ROCMTUNE_FAKES_DIR;
constexpr char const* one_gpu = "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon";

/// "RT1004: message" of each finding on this machine, where the libraries list one GPU.
std::vector<std::string> findings_with(Variables const& variables) {
    auto launch = rocmtune_with({"probe", "--json"});
    launch.environment.insert({{"ROCM_PATH", fakes + "/rocm-7"}, {"FAKE_GPUS", one_gpu}});
    for (auto const& [name, value] : variables) launch.environment[name] = value;
    std::vector<std::string> lines;
    auto const document = json::parse(run(launch).out);
    EXPECT_EQ(document.at("exit_code"), 0);
    for (auto const& finding : document.at("findings"))
        lines.push_back(finding.at("id").get<std::string>() + ": " +
                        finding.at("message").get<std::string>());
    return lines;
}

TEST(Findings, of_libraries_that_agree_name_the_device_that_the_kernel_lacks_only) {
    EXPECT_THAT(findings_with({}), ElementsAre("RT1002: the kernel does not show the device in row "
                                               "0 (Radeon), listed by hsa, hip, rocm_smi"));
}

TEST(Findings, name_libraries_that_report_two_targets) {
    EXPECT_THAT(
        findings_with({{"FAKE_HIP_GPUS", "0000:03:00.0 gfx1030 42 21458059264 1a2b3c4d5e6f7081"}}),
        Contains("RT1004: hip reports gfx1030, the hardware is gfx1100, and no override is set"));
}

TEST(Findings, name_a_gpu_that_a_library_lists_twice) {
    EXPECT_THAT(findings_with({{"FAKE_HIP_GPUS", std::string(one_gpu) + ';' + one_gpu}}),
                Contains("RT1005: two numbers in hip_index: 0 by hip, 1 by hip"));
}

TEST(Findings, name_two_hip_runtimes_in_one_process) {
    if (!can_preload) GTEST_SKIP() << "built with AddressSanitizer, which must be loaded first";
    EXPECT_THAT(findings_with({{"LD_PRELOAD", fakes + "/rocm-6/lib/libamdhip64.so.6"}}),
                Contains(HasSubstr("RT1003: 2 HIP runtimes share one process: ")));
}

TEST(Findings, do_not_come_from_several_installations_alone) {
    EXPECT_THAT(findings_with({{"LD_LIBRARY_PATH", fakes + "/rocm-6/lib"}}),
                Not(Contains(HasSubstr("RT1003"))));
}

}  // namespace
}  // namespace rocmtune::test
