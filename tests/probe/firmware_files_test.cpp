// SPDX-License-Identifier: MIT
// Which files of firmware a GPU without a driver needs and does not find.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string const function =
    "/sys/devices/pci0000:00/0000:00:03.1/0000:0a:00.0/0000:0b:00.0/0000:0c:00.0";

/// An RX 7900 XT (gfx1100) that no driver has, and a folder of firmware.
FaultyHost without_driver() {
    FaultyHost host("rx7900xt");
    host.remove(function + "/driver")
        .set(function + "/uevent", "PCI_CLASS=30000")
        .line("/lib/firmware/amdgpu/vega10_mec.bin", "listed");
    return host;
}

Names missing_on(FaultyHost const& host) {
    return host.probed().gpus.at(0).firmware_missing;
}

TEST(FirmwareFiles, of_a_gpu_that_a_driver_has_are_not_looked_for) {
    auto const missing = missing_on(FaultyHost("rx7900xt"));
    EXPECT_FALSE(missing);
    EXPECT_EQ(missing.reason(), Missing::not_read);
}

TEST(FirmwareFiles, that_are_nowhere_are_named) {
    EXPECT_THAT(*missing_on(without_driver()),
                ElementsAre("amdgpu/gc_11_0_0_pfp.bin", "amdgpu/gc_11_0_0_me.bin",
                            "amdgpu/gc_11_0_0_mec.bin"));
}

TEST(FirmwareFiles, count_in_every_form_and_folder) {
    auto host = without_driver();
    host.line("/lib/firmware/amdgpu/gc_11_0_0_pfp.bin", "listed")
        .line("/lib/firmware/amdgpu/gc_11_0_0_me.bin.zst", "listed")
        .line("/lib/firmware/updates/amdgpu/gc_11_0_0_mec.bin.xz", "listed");
    EXPECT_THAT(*missing_on(host), IsEmpty());
}

TEST(FirmwareFiles, may_lie_in_a_folder_that_somebody_chose) {
    auto host = without_driver();
    host.set("/sys/module/firmware_class/parameters/path", "/run/current-system/firmware");
    for (auto const* part : {"pfp", "me", "mec"})
        host.line(fmt::format("/run/current-system/firmware/amdgpu/gc_11_0_0_{}.bin.xz", part),
                  "listed");
    EXPECT_THAT(*missing_on(host), IsEmpty());
}

TEST(FirmwareFiles, that_may_be_in_a_folder_nobody_may_read_are_not_called_missing) {
    auto host = without_driver();
    host.line("/lib/firmware/updates/amdgpu/gc_11_0_0_pfp.bin", "error EACCES");
    auto const missing = missing_on(host);
    EXPECT_FALSE(missing);
    EXPECT_EQ(missing.reason(), Missing::denied);
}

TEST(FirmwareFiles, of_a_host_without_such_a_folder_are_not_known) {
    FaultyHost host("rx7900xt");
    host.remove(function + "/driver").set(function + "/uevent", "PCI_CLASS=30000");
    EXPECT_FALSE(missing_on(host));
}

}  // namespace
}  // namespace rocmtune::test
