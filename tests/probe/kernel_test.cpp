// SPDX-License-Identifier: MIT
// The kernel reader: names, distribution, command line, firmware, memory settings.
#include <gtest/gtest.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

TEST(Kernel, names_come_from_system_calls) {
    auto const host = read(read_kernel, recorded("call uname.nodename = node7\n"
                                                 "call uname.release = 6.8.0-71-generic\n"
                                                 "call uname.machine = x86_64\n"
                                                 "/etc/hostname = other\n"));
    EXPECT_EQ(*host.hostname, "node7");
    EXPECT_EQ(host.hostname.source().where, "uname.nodename");
    EXPECT_EQ(*host.kernel_release, "6.8.0-71-generic");
    EXPECT_EQ(*host.architecture, "x86_64");
}

TEST(Kernel, files_stand_in_for_calls_that_a_tree_does_not_answer) {
    auto const host = read(
        read_kernel,
        fragment("/proc/version = Linux version 6.1.0-38-amd64 (debian-kernel@lists.debian.org)\n"
                 "/etc/hostname = anvil\n"));
    EXPECT_EQ(*host.kernel_release, "6.1.0-38-amd64");
    EXPECT_EQ(host.kernel_release.source().where, "/proc/version");
    EXPECT_EQ(*host.hostname, "anvil");
    EXPECT_FALSE(host.architecture);
    EXPECT_EQ(host.architecture.reason(), Missing::not_recorded);
}

TEST(Kernel, the_distribution_is_named_by_etc_os_release) {
    auto const host =
        read(read_kernel, recorded("/etc/os-release =\n"
                                   "\tPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"
                                   "\tNAME=\"Debian GNU/Linux\"\n"
                                   "\tVERSION_ID=\"12\"\n"
                                   "\tID=debian\n"
                                   "/usr/lib/os-release = ID=fedora\n"));
    EXPECT_EQ(*host.distribution, "Debian GNU/Linux 12 (bookworm)");
    EXPECT_EQ(*host.distribution_id, "debian");
    EXPECT_EQ(*host.distribution_version, "12");
    EXPECT_EQ(host.distribution_version.source().where, "/etc/os-release:VERSION_ID");
}

TEST(Kernel, a_rolling_distribution_has_no_version) {
    auto const host = read(read_kernel, recorded("/usr/lib/os-release =\n"
                                                 "\tNAME='Arch Linux'\n"
                                                 "\tID=arch\n"));
    EXPECT_EQ(*host.distribution, "Arch Linux");
    EXPECT_FALSE(host.distribution_version);
    EXPECT_EQ(host.distribution_version.reason(), Missing::absent);
}

TEST(Kernel, an_os_release_without_assignments_is_invalid) {
    auto const host = read(read_kernel, recorded("/etc/os-release = hello\n"));
    EXPECT_FALSE(host.distribution);
    EXPECT_EQ(host.distribution.reason(), Missing::invalid);
}

TEST(Kernel, a_distribution_outside_the_recording_is_not_absent) {
    auto const host = read(
        read_kernel, fragment("/etc/os-release error ENOENT\n/sys/module/x/initstate = live\n"));
    EXPECT_EQ(host.distribution.reason(), Missing::not_recorded);
    EXPECT_EQ(host.transparent_hugepages.reason(), Missing::not_recorded);
    EXPECT_EQ(host.kernel_arguments.reason(), Missing::not_recorded);
    EXPECT_EQ(host.iommu_units.reason(), Missing::not_recorded);
}

TEST(Kernel, os_release_quotes_resolve_as_in_a_shell) {
    auto const values = parse_os_release(
        "# comment\n"
        "A=plain\n"
        "B=\"two words\"\n"
        "C='single $HOME \\'\n"
        "D=\"esc \\\" \\$ \\\\ \\` \\n\"\n"
        "E=back\\ slash\n"
        "  F=indented\n"
        "G=\"open\n"
        "H=two words\n"
        "I\n"
        "=nothing\n"
        "A B=c\n"
        "J=\n"
        "A=again\n");
    EXPECT_EQ(values.at("A"), "again");
    EXPECT_EQ(values.at("B"), "two words");
    EXPECT_EQ(values.at("C"), "single $HOME \\");
    EXPECT_EQ(values.at("D"), "esc \" $ \\ ` \\n");
    EXPECT_EQ(values.at("E"), "back slash");
    EXPECT_EQ(values.at("F"), "indented");
    EXPECT_EQ(values.at("J"), "");
    EXPECT_FALSE(values.contains("G"));
    EXPECT_FALSE(values.contains("H"));
    EXPECT_EQ(values.size(), 7U);
}

TEST(Kernel, arguments_are_whole_words_and_keep_their_quotes) {
    EXPECT_EQ(split_kernel_arguments("ro  amd_iommu=pt\tdyndbg=\"file a.c +p\" \"x y\" quiet\n"),
              (Strings{"ro", "amd_iommu=pt", "dyndbg=\"file a.c +p\"", "\"x y\"", "quiet"}));
    EXPECT_EQ(split_kernel_arguments("a=\"open b c"), (Strings{"a=\"open b c"}));
    EXPECT_TRUE(split_kernel_arguments(" \n").empty());
}

TEST(Kernel, an_empty_command_line_differs_from_a_lost_one) {
    auto const empty = read(read_kernel, recorded("/proc/cmdline =\n\t\n"));
    ASSERT_TRUE(empty.kernel_arguments);
    EXPECT_TRUE(empty.kernel_arguments->empty());
    auto const lost = read(read_kernel, recorded("/proc/cmdline =\n"));
    EXPECT_EQ(lost.kernel_arguments.reason(), Missing::invalid);
    auto const missing = read(read_kernel, recorded(""));
    EXPECT_EQ(missing.kernel_arguments.reason(), Missing::absent);
}

TEST(Kernel, a_binary_command_line_is_invalid) {
    auto const host = read(read_kernel, recorded("/proc/cmdline base64 AQIDBA==\n"));
    EXPECT_EQ(host.kernel_arguments.reason(), Missing::invalid);
}

TEST(Kernel, the_chosen_word_stands_in_brackets) {
    EXPECT_EQ(bracketed_word("always [madvise] never"), "madvise");
    EXPECT_EQ(bracketed_word("[always] madvise never"), "always");
    for (auto const* odd :
         {"", "always madvise never", "[]", "[ a]", "[a b]", "[a] [b]", "a] [b", "[[a]"})
        EXPECT_FALSE(bracketed_word(odd)) << odd;
}

TEST(Kernel, memory_settings_are_read_and_bounded) {
    auto const host = read(
        read_kernel, recorded("/proc/sys/kernel/numa_balancing = 3\n"
                              "/proc/sys/vm/compaction_proactiveness = 20\n"
                              "/proc/sys/vm/compact_unevictable_allowed = -1\n"
                              "/sys/kernel/mm/transparent_hugepage/enabled = always madvise\n"));
    EXPECT_EQ(*host.numa_balancing, 3U);
    EXPECT_EQ(*host.compaction_proactiveness, 20U);
    EXPECT_EQ(host.compact_unevictable_allowed.reason(), Missing::invalid);
    EXPECT_EQ(host.transparent_hugepages.reason(), Missing::invalid);
}

TEST(Kernel, the_product_carries_its_vendor_once) {
    auto const product = [](std::string const& vendor, std::string const& name) {
        return read(read_kernel, recorded("/sys/class/dmi/id/sys_vendor = " + vendor +
                                          "\n/sys/class/dmi/id/product_name = " + name + "\n"))
            .system_product.value_or("(none)");
    };
    EXPECT_EQ(product("Supermicro", "AS -8125GS-TNMR2"), "Supermicro AS -8125GS-TNMR2");
    EXPECT_EQ(product("Dell Inc.", "DELL INC. XE9680"), "DELL INC. XE9680");
    EXPECT_EQ(product("", "KVM"), "KVM");
    EXPECT_EQ(product("QEMU", ""), "QEMU");
    EXPECT_EQ(product("", ""), "(none)");
}

TEST(Kernel, a_host_without_firmware_tables_says_so) {
    auto const host = read(read_kernel, recorded("/sys/class/iommu dir\n"));
    EXPECT_EQ(host.system_product.reason(), Missing::absent);
    EXPECT_EQ(host.bios_version.reason(), Missing::absent);
    ASSERT_TRUE(host.iommu_units);
    EXPECT_TRUE(host.iommu_units->empty());
}

TEST(Kernel, iommu_units_are_listed) {
    auto const host = read(read_kernel, recorded("/sys/class/iommu/ivhd0/x = 1\n"
                                                 "/sys/class/iommu/ivhd1/x = 1\n"));
    EXPECT_EQ(*host.iommu_units, (Strings{"ivhd0", "ivhd1"}));
}

TEST(Kernel, a_denied_file_is_denied) {
    auto const host = read(read_kernel, recorded("/sys/class/dmi/id/product_name error EACCES\n"));
    EXPECT_EQ(host.system_product.reason(), Missing::denied);
    EXPECT_NE(host.system_product.detail().find("EACCES"), std::string::npos);
}

}  // namespace
}  // namespace rocmtune::test
