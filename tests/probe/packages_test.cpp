// SPDX-License-Identifier: MIT
// The packages reader: the databases of dpkg, pacman and DNF, and which firmware they name.
#include <gtest/gtest.h>

#include "machine/gpu_packages.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

Host packages(std::string_view body) {
    return read(read_packages, recorded(body));
}

constexpr std::string_view debian =
    "/var/lib/dpkg/status =\n"
    "\tPackage: amdgpu-dkms\n"
    "\tStatus: deinstall ok config-files\n"
    "\tVersion: 1:6.12.12.60401-2164967.22.04\n"
    "\t\n"
    "\tPackage: libprocps8\n"
    "\tStatus: install ok installed\n"
    "\tVersion: 2:3.3.17-6ubuntu2\n"
    "\t\n"
    "\tPackage: linux-firmware\n"
    "\tStatus: install ok installed\n"
    "\tVersion: 20240318.git3b128b60-0ubuntu2.9\n"
    "\t\n"
    "\tPackage: librocblas0\n"
    "\tStatus: install ok installed\n"
    "\tVersion: 1:5.5.1+dfsg-2\n";

TEST(Packages, of_dpkg_are_those_that_are_installed_and_concern_gpus) {
    auto const host = packages(debian);
    ASSERT_TRUE(host.installed_packages);
    EXPECT_EQ(*host.installed_packages,
              (InstalledPackages{{"linux-firmware", "20240318.git3b128b60-0ubuntu2.9"},
                                 {"librocblas0", "5.5.1+dfsg-2"}}));
    EXPECT_EQ(*host.linux_firmware_version, "20240318.git3b128b60-0ubuntu2.9");
    EXPECT_EQ(host.linux_firmware_version.source().where, "/var/lib/dpkg/status:linux-firmware");
}

constexpr std::string_view rpm_host =
    "/var/lib/rpm/rpmdb.sqlite listed\n"
    "call rpm.packages =\n"
    "\trocm-hip-runtime 0:6.4.1.60401-83.el9\n"
    "\tlinux-firmware 0:20250812-15.el9\n"
    "\tamdgpu-dkms 1:6.12.12.60401-2164967.el9\n"
    "\tbash 0:5.1.8-9.el9\n";

TEST(Packages, of_rpm_are_what_rpm_says) {
    auto const host = packages(rpm_host);
    ASSERT_TRUE(host.installed_packages);
    EXPECT_EQ(*host.installed_packages,
              (InstalledPackages{{"amdgpu-dkms", "6.12.12.60401-2164967.el9"},
                                 {"linux-firmware", "20250812-15.el9"},
                                 {"rocm-hip-runtime", "6.4.1.60401-83.el9"}}));
    EXPECT_EQ(host.installed_packages.source().where, "rpm.packages");
    EXPECT_EQ(*host.linux_firmware_version, "20250812-15.el9");
}

TEST(Packages, of_rpm_are_not_known_where_rpm_was_not_asked) {
    auto const tree = read(read_packages, fragment("/var/lib/rpm/rpmdb.sqlite listed\n"));
    EXPECT_FALSE(tree.installed_packages);
    EXPECT_EQ(tree.installed_packages.reason(), Missing::not_recorded);
}

TEST(Packages, of_pacman_are_directories) {
    auto const host = packages(
        "/var/lib/pacman/local/linux-firmware-20251111-1/desc listed\n"
        "/var/lib/pacman/local/linux-firmware-amdgpu-20251125-2/desc listed\n"
        "/var/lib/pacman/local/hip-runtime-amd-6.4.4-1/desc listed\n"
        "/var/lib/pacman/local/bash-5.3.3-2/desc listed\n");
    ASSERT_TRUE(host.installed_packages);
    EXPECT_EQ(host.installed_packages->size(), 3U);
    EXPECT_EQ(host.installed_packages->at("hip-runtime-amd"), "6.4.4-1");
    EXPECT_EQ(*host.linux_firmware_version, "20251125-2") << "the GPUs' own package counts";
}

TEST(Packages, of_dnf_are_lines_of_its_state) {
    auto const host = packages(
        "/usr/lib/sysimage/libdnf5/nevras.toml =\n"
        "\tversion = \"1.0\"\n"
        "\t[nevras]\n"
        "\t\"amd-gpu-firmware-0:20251111-1.fc43.noarch\" = {from_repo=\"updates\"}\n"
        "\t\"bash-5.3.0-2.fc43.x86_64\" = {from_repo=\"anaconda\"}\n"
        "\t\"rocm-hip-6.4.2-3.fc43.x86_64\" = {from_repo=\"fedora\"}\n");
    ASSERT_TRUE(host.installed_packages);
    EXPECT_EQ(*host.installed_packages, (InstalledPackages{{"amd-gpu-firmware", "20251111-1.fc43"},
                                                           {"rocm-hip", "6.4.2-3.fc43"}}));
    EXPECT_EQ(*host.linux_firmware_version, "20251111-1.fc43");
}

TEST(Packages, are_not_known_where_no_database_can_be_read) {
    EXPECT_EQ(packages("").installed_packages.reason(), Missing::absent);
    auto const host = packages("/var/lib/dpkg/status error EACCES\n");
    EXPECT_EQ(host.installed_packages.reason(), Missing::denied);
    EXPECT_EQ(host.linux_firmware_version.reason(), Missing::denied);
}

TEST(Packages, of_a_container_say_nothing_of_the_firmware) {
    auto const context = recorded(debian);
    Host host;
    host.container.offer("docker", {"test", "test"});
    read_packages(context, host);
    EXPECT_TRUE(host.installed_packages);
    EXPECT_EQ(host.linux_firmware_version.reason(), Missing::unsupported);
}

TEST(GpuPackages, are_told_by_their_names) {
    for (auto const* name : {"rocm-core", "libamdhip64-5", "hsa-rocr", "amdgpu-dkms", "dkms",
                             "amd-smi-lib", "linux-headers-6.8.0-45-generic", "python3-amdsmi",
                             "firmware-amd-graphics", "kernel-firmware-amdgpu", "miopen-hip"})
        EXPECT_TRUE(concerns_gpus(name)) << name;
    for (auto const* name :
         {"libprocps8", "intel-microcode", "libamd3", "systemd", "chipmunk", "ship", "camd"})
        EXPECT_FALSE(concerns_gpus(name)) << name;
}

TEST(GpuPackages, are_all_that_is_recorded) {
    std::string const status =
        "Package: bash\nVersion: 5\n\nPackage: rocblas\nVersion: 4\n\nPackage: vim\nVersion: 9\n";
    EXPECT_EQ(gpu_packages_of(dpkg_status, status), "Package: rocblas\nVersion: 4\n\n");
    EXPECT_EQ(gpu_packages_of("/etc/group", "rocm:x:1:\n"), "rocm:x:1:\n");
}

}  // namespace
}  // namespace rocmtune::test
