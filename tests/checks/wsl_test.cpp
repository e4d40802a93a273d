// SPDX-License-Identifier: MIT
// WSL: what stands between /dev/dxg and a ROCm program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

std::string const package = "/var/lib/dpkg/info/hsa-runtime-rocr4wsl-amdgpu.list";

Finding result(Host const& host, char const* id) {
    CheckSelection selection;
    selection.only = {id};
    return run_checks(host, embedded_chips(), selection).at(0);
}

RocmInstallation rocm(std::string path, std::string version, bool with_bridge) {
    RocmInstallation made{.path = std::move(path), .kind = "opt", .selected = true};
    made.version.offer(std::move(version), {"test", "test"});
    made.libraries["libhsa-runtime64"] = "libhsa-runtime64.so.1";
    if (with_bridge) made.libraries["librocdxg"] = "librocdxg.so.1";
    return made;
}

Host with_rocm(std::vector<RocmInstallation> all, char const* variable = nullptr) {
    FaultyHost faulty("wsl");
    if (variable != nullptr) faulty.environment(variable);
    auto host = faulty.remove(package).probed();
    host.rocm_installations = {};
    host.rocm_installations.offer(std::move(all), {"test", "test"});
    return host;
}

TEST(Wsl, that_is_as_amd_made_it_passes) {
    auto const host = FaultyHost("wsl").probed();
    for (auto const* id : {"RT3741", "RT3742", "RT3744"})
        EXPECT_EQ(result(host, id).verdict, Verdict::pass) << result(host, id).message;
}

TEST(Wsl, without_its_device_shows_no_gpu) {
    auto const host = FaultyHost("wsl").remove("/dev/dxg").probed();
    auto const finding = result(host, "RT3741");
    EXPECT_EQ(finding.verdict, Verdict::fail);
    EXPECT_THAT(finding.next_step, HasSubstr("wsl.exe --update"));
}

TEST(Wsl, of_a_host_that_never_had_rocm_is_not_judged) {
    auto host = FaultyHost("wsl").remove("/dev/dxg").probed();
    host.rocm_installations = {};
    host.rocm_installations.offer({}, {"test", "test"});
    EXPECT_EQ(result(host, "RT3741").verdict, Verdict::skip);
}

TEST(Wsl, needs_a_runtime_that_uses_its_device) {
    auto const old = result(with_rocm({rocm("/opt/rocm", "6.4.1", false)}), "RT3742");
    EXPECT_EQ(old.verdict, Verdict::fail);
    EXPECT_THAT(old.next_step, HasSubstr("--usecase=wsl"));
    auto const fresh = result(with_rocm({rocm("/opt/rocm", "7.2.1", false)}), "RT3742");
    EXPECT_EQ(fresh.verdict, Verdict::fail);
    EXPECT_THAT(fresh.next_step, HasSubstr("librocdxg"));
    auto const bridged = result(with_rocm({rocm("/opt/rocm", "6.4.1", true)}), "RT3742");
    EXPECT_EQ(bridged.verdict, Verdict::fail);
}

TEST(Wsl, is_asked_for_by_a_variable_before_rocm_7_13) {
    auto const unasked = result(with_rocm({rocm("/opt/rocm", "7.2.1", true)}), "RT3742");
    EXPECT_EQ(unasked.verdict, Verdict::fail);
    EXPECT_EQ(unasked.next_step, "export HSA_ENABLE_DXG_DETECTION=1");
    auto const asked = with_rocm({rocm("/opt/rocm", "7.2.1", true)}, "HSA_ENABLE_DXG_DETECTION=1");
    EXPECT_EQ(result(asked, "RT3742").verdict, Verdict::pass);
    EXPECT_EQ(result(with_rocm({rocm("/opt/rocm", "7.13.0", true)}), "RT3742").verdict,
              Verdict::pass);
}

TEST(Wsl, is_hidden_by_the_runtime_of_an_older_wheel) {
    auto wheel = rocm("/home/user/venv/lib/python3.12/site-packages/torch", "6.4", false);
    wheel.kind = "python-wheel";
    auto const finding = result(with_rocm({wheel}), "RT3743");
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.next_step, HasSubstr("torch/lib/libhsa-runtime64.so.unused"));
    wheel.version = {};
    wheel.version.offer("7.2.1", {"test", "test"});
    EXPECT_EQ(result(with_rocm({wheel}), "RT3743").verdict, Verdict::pass);
}

TEST(Wsl, is_not_asked_about_elsewhere) {
    EXPECT_EQ(result(FaultyHost("rx7900xt").probed(), "RT3741").verdict, Verdict::skip);
}

}  // namespace
}  // namespace rocmtune::test
