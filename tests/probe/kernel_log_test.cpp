// SPDX-License-Identifier: MIT
// The kernel-log reader: which lines are kept and what is read from them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/readers.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

Host with_gpu() {
    Host host;
    host.gpus.emplace_back();
    host.gpus[0].pci_address.offer("0000:03:00.0", {"pci", "test"});
    host.gpus[0].sysfs_path.offer(
        "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0",
        {"pci", "test"});
    return host;
}

std::vector<KernelMessage> messages(std::string const& log) {
    auto host = with_gpu();
    std::string body = "call kernel-log =\n";
    for (auto const line : lines(log)) body += "\t" + std::string(line) + "\n";
    read_kernel_log(recorded(body), host);
    return host.kernel_messages.value_or({});
}

TEST(KernelLog, a_line_is_taken_apart) {
    auto const found = messages("<6>[   12.345678] amdgpu 0000:03:00.0: amdgpu: GPU reset begin!");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(*found[0].seconds, 12.345678);
    EXPECT_EQ(found[0].pci_address, "0000:03:00.0");
    EXPECT_EQ(found[0].text, "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!");
}

TEST(KernelLog, lines_without_stamp_or_with_caller_are_understood) {
    auto const found = messages(
        "<4>[    1.000000][  T123] kfd kfd: amdgpu: added device 1002:744c\n"
        "<4>[drm] amdgpu kernel modesetting enabled.\n"
        "[Mon Jan  1 00:00:00 2024] amdgpu: later\n"
        "amdgpu: bare");
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].text, "kfd kfd: amdgpu: added device 1002:744c");
    EXPECT_FALSE(found[1].seconds);
    EXPECT_EQ(found[1].text, "[drm] amdgpu kernel modesetting enabled.");
    EXPECT_FALSE(found[2].seconds);
    EXPECT_EQ(found[3].text, "amdgpu: bare");
}

TEST(KernelLog, ports_above_a_gpu_belong_to_it) {
    auto const found = messages(
        "<4>[1.0] pcieport 0000:00:01.1: AER: Corrected error received: 0000:03:00.0\n"
        "<4>[2.0] pcieport 0000:02:00.0: pciehp: Slot(1): Link Down\n"
        "<4>[3.0] pcieport 0000:00:1d.0: pciehp: Slot(9): Link Down\n"
        "<4>[4.0] AMD-Vi: Event logged [IO_PAGE_FAULT device=03:00.0 domain=0x0001]\n");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].pci_address, "0000:00:01.1");
    EXPECT_EQ(found[1].pci_address, "0000:02:00.0");
    EXPECT_EQ(found[2].pci_address, "0000:03:00.0");
}

TEST(KernelLog, other_lines_are_left_out) {
    EXPECT_TRUE(messages("<6>[1.0] usb 1-1: new device\n"
                         "<6>[1.0] Command line: ro amdgpu.dc=0\n"
                         "<6>[1.0] Kernel command line: ro amdgpu.dc=0\n"
                         "<30>[1.0] systemd[1]: amdgpu: GPU reset begin!\n"
                         "<12>[1.0] user says amdgpu\n"
                         "<6>[1.0] skfdx: nothing\n"
                         "<6>[1.0] nvme 0000:04:00.0: timeout\n")
                    .empty());
}

TEST(KernelLog, a_device_that_is_not_listed_is_still_named) {
    auto const found = messages("<6>[1.0] amdgpu 0000:C3:00.0: probe failed");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].pci_address, "0000:c3:00.0");
}

TEST(KernelLog, the_newest_200_lines_are_kept) {
    std::string log;
    for (int i = 0; i < 500; ++i) log += fmt::format("<6>[{}.0] amdgpu: line {}\n", i, i);
    auto const found = messages(log);
    ASSERT_EQ(found.size(), 200U);
    EXPECT_EQ(found.front().text, "amdgpu: line 300");
    EXPECT_EQ(found.back().text, "amdgpu: line 499");
}

TEST(KernelLog, text_is_printable_and_bounded) {
    auto const found = kernel_messages_about(
        "<6>[1.0] amdgpu \x1b[31mred\n<6>[2.0] amdgpu" + std::string(5000, 'x') + "\n", {}, 10);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].text, "amdgpu \\x1b[31mred");
    EXPECT_EQ(found[1].text.size(), 1024U);
}

TEST(KernelLog, a_quiet_log_has_no_messages) {
    auto host = with_gpu();
    read_kernel_log(recorded("call kernel-log = <6>[1.0] Linux version 6.8\n"), host);
    ASSERT_TRUE(host.kernel_messages);
    EXPECT_TRUE(host.kernel_messages->empty());
}

TEST(KernelLog, an_empty_log_tells_nothing) {
    auto host = with_gpu();
    read_kernel_log(recorded("call kernel-log =\n"), host);
    EXPECT_EQ(host.kernel_messages.reason(), Missing::absent);
}

TEST(KernelLog, a_refusal_says_what_would_help) {
    auto host = with_gpu();
    read_kernel_log(recorded("call kernel-log error EPERM\n"), host);
    EXPECT_EQ(host.kernel_messages.reason(), Missing::denied);
    EXPECT_EQ(host.kernel_messages.detail(),
              "kernel-log: EPERM; needs CAP_SYSLOG, or kernel.dmesg_restrict=0");
    host = with_gpu();
    read_kernel_log(recorded(""), host);
    EXPECT_EQ(host.kernel_messages.reason(), Missing::not_recorded);
}

TEST(KernelLog, addresses_are_found_anywhere_in_a_text) {
    EXPECT_EQ(pci_addresses_in("/sys/devices/pci0000:00/0000:00:01.1/0001:c9:00.3"),
              (Strings{"0000:00:01.1", "0001:c9:00.3"}));
    EXPECT_EQ(pci_addresses_in("(10000:e1:00.0)"), (Strings{"10000:e1:00.0"}));
    EXPECT_EQ(pci_addresses_in("device=03:00.0 x"), (Strings{"0000:03:00.0"}));
    for (auto const* none : {"", ".", "12:34:56", "0000:03:00.8", "0000:03:20.0", "0000:03:00.",
                             "0000:03:00.01", "::::.1", "03:00.0a"})
        EXPECT_TRUE(pci_addresses_in(none).empty()) << none;
}

}  // namespace
}  // namespace rocmtune::test
