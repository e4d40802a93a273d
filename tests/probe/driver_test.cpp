// SPDX-License-Identifier: MIT
// The driver reader: state and origin of amdgpu, parameters, DKMS builds, obstacles, TTM.
#include <gtest/gtest.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view loaded =
    "/sys/module/amdgpu/initstate = live\n/sys/module/amdgpu/taint =\n\t\n";

/// The driver reader after the kernel reader, as in the table.
Host driver(ProbeContext const& context) {
    auto host = read(read_kernel, context);
    read_driver(context, host);
    return host;
}

Host driver(std::string_view body) {
    return driver(
        recorded("call uname.release = 6.8.0-60-generic\n"
                 "call uname.machine = x86_64\n"
                 "/proc/cmdline = ro quiet\n" +
                 std::string(body)));
}

TEST(Driver, a_driver_of_the_kernel_has_no_taint_and_no_version) {
    auto const host = driver(loaded);
    EXPECT_EQ(*host.amdgpu_state, "live");
    EXPECT_EQ(*host.amdgpu_origin, "kernel");
    EXPECT_EQ(host.amdgpu_version.reason(), Missing::absent);
}

TEST(Driver, a_dkms_driver_has_both) {
    auto const host = driver(
        "/sys/module/amdgpu/initstate = live\n"
        "/sys/module/amdgpu/taint = OE\n"
        "/sys/module/amdgpu/version = 6.12.12\n");
    EXPECT_EQ(*host.amdgpu_origin, "dkms");
    EXPECT_EQ(*host.amdgpu_version, "6.12.12");
}

TEST(Driver, a_version_tells_dkms_where_the_taint_is_missing) {
    auto const host = driver(
        "/sys/module/amdgpu/initstate = live\n"
        "/sys/module/amdgpu/version = 6.12.12\n");
    EXPECT_EQ(*host.amdgpu_origin, "dkms");
}

TEST(Driver, a_missing_version_proves_nothing_without_the_taint) {
    auto const host = driver("/sys/module/amdgpu/initstate = live\n");
    EXPECT_FALSE(host.amdgpu_origin);
    EXPECT_EQ(host.amdgpu_origin.reason(), Missing::not_recorded);
}

TEST(Driver, a_foreign_build_without_a_version_is_dkms_only_with_a_build_for_this_kernel) {
    std::string const foreign =
        "/sys/module/amdgpu/initstate = live\n/sys/module/amdgpu/taint = O\n";
    EXPECT_EQ(driver(foreign).amdgpu_origin.reason(), Missing::invalid);
    EXPECT_EQ(
        *driver(foreign + "/var/lib/dkms/amdgpu/5.0/6.8.0-60-generic/x86_64/module/a listed\n")
             .amdgpu_origin,
        "dkms");
    EXPECT_FALSE(
        driver(foreign + "/var/lib/dkms/amdgpu/5.0/6.8.0/x86_64/module/a listed\n").amdgpu_origin);
}

TEST(Driver, an_absent_driver_needs_a_module_directory_around_it) {
    auto const absent = driver("/sys/module/i915/initstate = live\n");
    EXPECT_EQ(*absent.amdgpu_state, "absent");
    EXPECT_EQ(absent.amdgpu_origin.reason(), Missing::absent);
    EXPECT_EQ(driver("").amdgpu_state.reason(), Missing::absent);
    EXPECT_FALSE(driver("").amdgpu_state) << "without /sys nothing is known";
}

TEST(Driver, nothing_recorded_stays_not_recorded) {
    auto const host = driver(fragment("/proc/cmdline = ro\n"));
    EXPECT_EQ(host.amdgpu_state.reason(), Missing::not_recorded);
    EXPECT_EQ(host.amdgpu_origin.reason(), Missing::not_recorded);
    EXPECT_EQ(host.amdgpu_parameters.reason(), Missing::not_recorded);
    EXPECT_EQ(host.dkms_builds.reason(), Missing::not_recorded);
    EXPECT_EQ(host.driver_blacklists.reason(), Missing::not_recorded);
    EXPECT_EQ(host.driver_conflicts.reason(), Missing::not_recorded);
    EXPECT_EQ(host.ttm_limit_bytes.reason(), Missing::not_recorded);
}

TEST(Driver, a_directory_without_initstate_is_built_in_if_the_kernel_lists_it) {
    std::string const directory = "/sys/module/amdgpu/parameters/dc = -1\n";
    std::string const list =
        "/lib/modules/6.8.0-60-generic/modules.builtin =\n\tkernel/fs/ext4.ko\n";
    auto const built_in =
        driver(directory + list + "\tkernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko\n");
    EXPECT_EQ(*built_in.amdgpu_state, "built-in");
    EXPECT_EQ(*built_in.amdgpu_origin, "kernel");
    EXPECT_EQ(*driver(directory).amdgpu_state, "built-in") << "a container has no /lib/modules";
    EXPECT_EQ(driver(directory + list).amdgpu_state.reason(), Missing::invalid);
    EXPECT_EQ(driver(fragment(directory + "/sys/module/amdgpu/initstate error ENOENT\n"
                                          "/proc/sys/kernel/osrelease = 6.8.0\n"))
                  .amdgpu_state.reason(),
              Missing::not_recorded);
}

TEST(Driver, an_unknown_state_is_invalid) {
    EXPECT_EQ(driver("/sys/module/amdgpu/initstate = sleeping\n").amdgpu_state.reason(),
              Missing::invalid);
    EXPECT_EQ(driver("/sys/module/amdgpu/initstate error EACCES\n").amdgpu_state.reason(),
              Missing::denied);
}

TEST(Driver, unreadable_parameters_are_said_beside_the_others) {
    auto const host = driver(
        "/sys/module/amdgpu/parameters/dc = -1\n"
        "/sys/module/amdgpu/parameters/ip_block_mask = 4294967295\n"
        "/sys/module/amdgpu/parameters/secret error EACCES\n");
    ASSERT_TRUE(host.amdgpu_parameters);
    EXPECT_EQ(host.amdgpu_parameters->size(), 2U);
    EXPECT_EQ(host.amdgpu_parameters->at("dc"), "-1");
    EXPECT_TRUE(host.amdgpu_parameters.limit().starts_with("denied: "));
    EXPECT_NE(host.amdgpu_parameters.limit().find("secret"), std::string::npos);
}

TEST(Driver, dkms_builds_read_as_dkms_status_prints_them) {
    auto const host = driver(
        "/var/lib/dkms/amdgpu/6.12.12-2164967.22.04/6.8.0-60-generic/x86_64/module/amdgpu.ko "
        "listed\n"
        "/var/lib/dkms/amdgpu/6.12.12-2164967.22.04/6.8.0-57-generic/x86_64/module/amdgpu.ko "
        "listed\n"
        "/var/lib/dkms/amdgpu/6.12.12-2164967.22.04/6.8.0-50-generic/x86_64/log/make.log listed\n"
        "/var/lib/dkms/amdgpu/6.12.12-2164967.22.04/source -> /usr/src/amdgpu-6.12.12\n"
        "/var/lib/dkms/amdgpu/6.14.14/source -> /usr/src/amdgpu-6.14.14\n"
        "/var/lib/dkms/amdgpu/original_module/6.8.0-60-generic/x86_64/amdgpu.ko listed\n"
        "/var/lib/dkms/amdgpu/kernel-6.8.0-60-generic-x86_64 -> "
        "6.12.12-2164967.22.04/6.8.0-60-generic/x86_64\n");
    EXPECT_EQ(*host.dkms_builds,
              (Strings{"amdgpu/6.12.12-2164967.22.04, 6.8.0-57-generic, x86_64: built",
                       "amdgpu/6.12.12-2164967.22.04, 6.8.0-60-generic, x86_64: installed",
                       "amdgpu/6.14.14: added"}));
}

TEST(Driver, a_host_without_dkms_has_no_builds) {
    EXPECT_EQ(driver("").dkms_builds.reason(), Missing::absent);
}

TEST(Driver, blacklists_are_found_in_files_and_arguments) {
    auto const host =
        driver(recorded("call uname.release = 6.8.0\n"
                        "/proc/cmdline = ro modprobe.blacklist=ast,amdgpu\n"
                        "/etc/modprobe.d/a.conf =\n"
                        "\t# blacklist amdgpu\n"
                        "\t blacklist\tamdgpu # slow boot\n"
                        "\tblacklist amdgpux\n"
                        "/etc/modprobe.d/notes.txt = blacklist amdgpu\n"
                        "/usr/lib/modprobe.d/b.conf = install amdgpu /bin/false\n"));
    EXPECT_EQ(*host.driver_blacklists,
              (Strings{"/proc/cmdline: modprobe.blacklist=ast,amdgpu",
                       "/etc/modprobe.d/a.conf: blacklist amdgpu",
                       "/usr/lib/modprobe.d/b.conf: install amdgpu /bin/false"}));
}

TEST(Driver, a_file_hides_those_of_its_name_in_later_directories) {
    EXPECT_TRUE(driver("/etc/modprobe.d/amd.conf = # empty by choice\n"
                       "/usr/lib/modprobe.d/amd.conf = blacklist amdgpu\n")
                    .driver_blacklists->empty());
    EXPECT_TRUE(driver("/dev/null device c 1:3 mode 0666 owner 0:0\n"
                       "/etc/modprobe.d/amd.conf -> /dev/null\n"
                       "/usr/lib/modprobe.d/amd.conf = blacklist amdgpu\n")
                    .driver_blacklists->empty());
}

TEST(Driver, no_blacklist_is_claimed_of_files_that_could_not_be_read) {
    auto const host = driver("/etc/modprobe.d/a.conf error EACCES\n");
    EXPECT_FALSE(host.driver_blacklists);
    EXPECT_EQ(host.driver_blacklists.reason(), Missing::denied);
    auto const found = driver(
        "/etc/modprobe.d/a.conf error EACCES\n"
        "/etc/modprobe.d/b.conf = blacklist amdgpu\n");
    EXPECT_EQ(found.driver_blacklists->size(), 1U);
    EXPECT_TRUE(found.driver_blacklists.limit().starts_with("denied: "));
}

TEST(Driver, files_of_a_container_do_not_speak_for_the_host) {
    auto const context =
        recorded("/proc/cmdline = ro\n/etc/modprobe.d/a.conf = blacklist amdgpu\n");
    auto host = read(read_kernel, context);
    host.container.offer("docker", {"surroundings", "/.dockerenv"});
    read_driver(context, host);
    EXPECT_FALSE(host.driver_blacklists);
    EXPECT_EQ(host.driver_blacklists.reason(), Missing::unsupported);
    EXPECT_EQ(host.dkms_builds.reason(), Missing::unsupported);
}

TEST(Driver, modprobe_lines_follow_modprobe_d) {
    auto const lines = [](std::string_view text) { return modprobe_lines_against(text, "amdgpu"); };
    EXPECT_EQ(lines("blacklist \\\n  amdgpu\n"), (Strings{"blacklist amdgpu"}));
    EXPECT_EQ(lines("install amdgpu /bin/true # off"), (Strings{"install amdgpu /bin/true"}));
    EXPECT_TRUE(lines("install amdgpu /sbin/modprobe --ignore-install amdgpu").empty());
    EXPECT_TRUE(lines("options amdgpu dc=0\nblacklist\nblacklist radeon").empty());
    EXPECT_EQ(modprobe_lines_against("blacklist amd-x", "amd_x").size(), 1U);
}

TEST(Driver, kernel_arguments_are_compared_as_whole_words) {
    auto const found = [](Strings const& arguments) { return arguments_against_amdgpu(arguments); };
    EXPECT_EQ(found({"modprobe.blacklist=amdgpu"}).size(), 1U);
    EXPECT_EQ(found({"module_blacklist=radeon,amdgpu"}).size(), 1U);
    EXPECT_EQ(found({"modprobe.blacklist=\"amdgpu,ast\""}).size(), 1U);
    EXPECT_EQ(found({"nomodeset"}).size(), 1U);
    EXPECT_TRUE(found({"nomodeset", "amdgpu.modeset=1"}).empty());
    EXPECT_TRUE(found({"modprobe.blacklist=amdgpux", "xmodprobe.blacklist=amdgpu", "amdgpu.dc=0",
                       "modprobe.blacklist"})
                    .empty());
    EXPECT_TRUE(found({"ro", "--", "nomodeset"}).empty()) << "an argument of init";
}

TEST(ModuleOptions, are_those_of_the_driver_and_its_memory_manager) {
    EXPECT_EQ(module_options_in("options amdgpu gtt-size=4096 dc=0 # why\noptions snd x=1\n"
                                "#options amdgpu a=1\noptions amdttm \\\n pages_limit=1\n"),
              (Strings{"amdgpu.gtt_size=4096", "amdgpu.dc=0", "amdttm.pages_limit=1"}));
    EXPECT_EQ(module_options_of({"ro", "amdgpu.dc=0", "amd-ttm.pages-limit=1", "i915.fastboot=1",
                                 "amdgpu.modeset", "--", "amdgpu.x=1"}),
              (Strings{"amdgpu.dc=0", "amd_ttm.pages_limit=1", "amdgpu.modeset"}));
}

constexpr std::string_view with_options =
    "/etc/modprobe.d/a.conf = options amdgpu gtt_size=4096 gttsize=4096\n"
    "/sys/module/amdgpu/parameters/gttsize = -1\n";

TEST(ModuleOptions, have_their_places) {
    auto const host = driver(with_options);
    EXPECT_EQ(*host.module_options, (Strings{"/etc/modprobe.d/a.conf: amdgpu.gtt_size=4096",
                                             "/etc/modprobe.d/a.conf: amdgpu.gttsize=4096"}));
}

TEST(ModuleParameters, are_asked_of_the_file_where_the_loaded_module_lacks_one) {
    auto const told = driver(std::string(with_options) +
                             "call modinfo.amdgpu =\n\tparm gttsize\n\tparm hidden\n");
    EXPECT_EQ(*told.module_parameters, (Strings{"amdgpu.gttsize", "amdgpu.hidden"}));
    EXPECT_TRUE(told.module_parameters.limit().empty());
    auto const untold = driver(with_options);
    EXPECT_EQ(*untold.module_parameters, (Strings{"amdgpu.gttsize"}));
    EXPECT_FALSE(untold.module_parameters.limit().empty());
    auto const none = driver(loaded);
    EXPECT_FALSE(none.module_parameters);
    EXPECT_EQ(none.module_parameters.reason(), Missing::not_read);
}

TEST(Driver, conflicting_modules_come_with_a_reason) {
    auto const host = driver(std::string(loaded) + "/sys/module/ast/initstate = live\n");
    ASSERT_EQ(host.driver_conflicts->size(), 1U);
    EXPECT_TRUE(host.driver_conflicts->front().starts_with("ast: "));
    EXPECT_TRUE(driver(loaded).driver_conflicts->empty());
    EXPECT_EQ(driver("/sys/module/amdgpu/initstate = live\n"
                     "/proc/modules = gim 123 0 - Live 0x0\n")
                  .driver_conflicts->size(),
              1U);
}

TEST(Driver, a_tree_of_one_module_does_not_say_that_others_are_not_loaded) {
    auto const host =
        driver(fragment("/sys/module/amdgpu/initstate = live\n"
                        "/sys/module/ast error ENOENT\n"
                        "/sys/module/gim error ENOENT\n"
                        "/sys/module/fglrx error ENOENT\n"));
    EXPECT_FALSE(host.driver_conflicts);
    EXPECT_EQ(host.driver_conflicts.reason(), Missing::not_recorded);
}

TEST(Driver, ttm_limits_are_pages_of_4_kib) {
    auto const host = driver(
        "/sys/module/ttm/parameters/pages_limit = 27648000\n"
        "/sys/module/ttm/parameters/page_pool_size = 0\n");
    EXPECT_EQ(*host.ttm_limit_bytes, 27648000ULL * 4096);
    EXPECT_EQ(*host.ttm_pool_bytes, 0U);
}

TEST(Driver, the_ttm_of_the_dkms_driver_comes_first) {
    auto const host = driver(
        "/sys/module/ttm/parameters/pages_limit = 1\n"
        "/sys/module/amdttm/parameters/pages_limit = 2\n");
    EXPECT_EQ(*host.ttm_limit_bytes, 8192U);
    EXPECT_EQ(host.ttm_limit_bytes.source().where, "/sys/module/amdttm/parameters/pages_limit");
    auto const denied = driver(
        "/sys/module/ttm/parameters/pages_limit = 1\n"
        "/sys/module/amdttm/parameters/pages_limit error EACCES\n");
    EXPECT_EQ(denied.ttm_limit_bytes.reason(), Missing::denied);
}

TEST(Driver, ttm_limits_out_of_range_are_invalid) {
    EXPECT_EQ(driver("/sys/module/ttm/parameters/pages_limit = 18446744073709551615\n")
                  .ttm_limit_bytes.reason(),
              Missing::invalid);
    auto const other =
        driver(recorded("call uname.machine = aarch64\n"
                        "/sys/module/ttm/parameters/pages_limit = 5\n"));
    EXPECT_EQ(other.ttm_limit_bytes.reason(), Missing::unsupported) << "pages may be of 64 KiB";
}

}  // namespace
}  // namespace rocmtune::test
