// SPDX-License-Identifier: MIT
// What keeps DKMS from giving a kernel its driver: headers, logs of builds, Secure Boot and keys.
#include <gtest/gtest.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

Host driver(std::string_view body) {
    auto const context = recorded("call uname.release = 6.14.0-29-generic\n" + std::string(body));
    auto host = read(read_kernel, context);
    read_driver(context, host);
    return host;
}

std::string const efi = "/sys/firmware/efi/efivars/";
std::string const secure_boot = efi + "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c ";
std::string const shim = efi + "MokSBStateRT-605dab50-e046-4300-abb6-3dd810dd8b23 ";
std::string const keys = efi + "MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23 ";
constexpr auto on = "base64 BgAAAAE=\n", off = "base64 BgAAAAA=\n";
// 66 bytes of 'A', and the same behind four bytes of attributes.
constexpr auto key =
    "base64 QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB"
    "QUFBQUFBQUFBQUFBQUFBQUFBQUFB\n";
constexpr auto list_with_key =
    "base64 BgAAAEFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB"
    "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQQ==\n";

TEST(SecureBoot, is_what_the_firmware_and_shim_say) {
    EXPECT_EQ(driver(secure_boot + on).secure_boot.value(), true);
    EXPECT_EQ(driver(secure_boot + off).secure_boot.value(), false);
    EXPECT_EQ(driver(secure_boot + on + shim + on).secure_boot.value(), false)
        << "the owner told shim not to verify";
    EXPECT_EQ(driver(secure_boot + "base64 Bg==\n").secure_boot.reason(), Missing::invalid);
    EXPECT_EQ(driver(secure_boot + "error EACCES\n").secure_boot.reason(), Missing::denied);
}

TEST(SecureBoot, is_off_without_efi_and_not_known_where_nothing_tells) {
    EXPECT_EQ(driver("/sys/firmware/acpi/pm_profile = 1\n").secure_boot.value(), false);
    EXPECT_FALSE(driver("").secure_boot);
}

TEST(DkmsKey, is_looked_for_in_the_list_of_the_machine_owner) {
    auto const certificate = "/var/lib/dkms/mok.pub " + std::string(key);
    EXPECT_EQ(driver(certificate + keys + list_with_key).dkms_key_enrolled.value(), true);
    EXPECT_EQ(driver(certificate + keys + on).dkms_key_enrolled.value(), false);
    EXPECT_FALSE(driver(keys + list_with_key).dkms_key_enrolled) << "no key, nothing to look for";
    EXPECT_FALSE(driver(certificate).dkms_key_enrolled) << "no list, nobody knows";
}

TEST(KernelHeaders, are_there_or_not_only_beside_the_modules_of_the_kernel) {
    std::string const modules = "/lib/modules/6.14.0-29-generic/";
    EXPECT_EQ(driver(modules + "build/Makefile listed\n").kernel_headers.value(), true);
    EXPECT_EQ(driver(modules + "modules.dep listed\n").kernel_headers.value(), false);
    EXPECT_EQ(driver(modules + "build -> /usr/src/linux-headers-6.14.0-29-generic\n")
                  .kernel_headers.value(),
              false)
        << "the package is gone, the link has stayed";
    EXPECT_FALSE(driver("").kernel_headers);
}

TEST(DkmsLog, tells_the_kernel_and_the_first_error) {
    auto const failure = dkms_failure_in(
        "DKMS (dkms-3.0.11) make.log for amdgpu/6.8.5 for kernel 6.14.0-29-generic (x86_64)\n"
        "  CC [M]  amd/amdgpu/amdgpu_drv.o\n"
        "amd/amdgpu/amdgpu_drv.c:10:2: warning: unused\n"
        "amd/amdgpu/amdgpu_drv.c:88:10: error: too few arguments\n"
        "make[2]: *** [amdgpu_drv.o] Error 1\n");
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->kernel, "6.14.0-29-generic");
    EXPECT_EQ(failure->error, "amd/amdgpu/amdgpu_drv.c:88:10: error: too few arguments");
    EXPECT_FALSE(dkms_failure_in("DKMS make.log for amdgpu-6 for kernel 6.8 (x86_64)\nLD ok\n"));
    EXPECT_FALSE(dkms_failure_in(""));
}

TEST(DkmsLog, is_read_of_each_version) {
    auto const host = driver(
        "/var/lib/dkms/amdgpu/6.8.5/build/make.log =\n"
        "\tDKMS make.log for amdgpu-6.8.5 for kernel 6.14.0-29-generic (x86_64)\n"
        "\ta.c:1:1: error: no\n");
    ASSERT_TRUE(host.dkms_failures);
    EXPECT_EQ(*host.dkms_failures,
              std::vector<std::string>{"amdgpu/6.8.5, 6.14.0-29-generic: a.c:1:1: error: no"});
}

TEST(DriverBuild, of_the_host_is_not_told_in_a_container) {
    auto const context = recorded(secure_boot + on);
    Host host;
    host.container.offer("docker", {"test", "test"});
    read_driver(context, host);
    EXPECT_EQ(host.secure_boot.reason(), Missing::unsupported);
}

TEST(SchedulerFirmware, is_told_by_debugfs) {
    auto const versions = scheduler_firmware_in(
        "TOC feature version: 0, firmware version: 0x0000000b\n"
        "MES_KIQ feature version: 6, firmware version: 0x0000006f\n"
        "MES feature version: 1, firmware version: 0x00000083\n"
        "VBIOS version: 113-STRXLGEN-001\n");
    EXPECT_EQ(versions, (std::map<std::string, std::string>{{"mes", "0x83"}, {"mes_kiq", "0x6f"}}));
    EXPECT_TRUE(
        scheduler_firmware_in("MES feature version: 0, firmware version: 0x00000000").empty());
    EXPECT_TRUE(scheduler_firmware_in("MES firmware version: ").empty());
}

}  // namespace
}  // namespace rocmtune::test
