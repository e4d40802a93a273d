// SPDX-License-Identifier: MIT
// The kernel-log reader: which lines are kept and what is read from them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "knowledge/messages.hpp"
#include "machine/kernel_log.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
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

TEST(KernelLog, what_is_recognised_is_kept) {
    auto const found = messages(
        "<6>[    1.000000] usb 1-1: new device\n"
        "<6>[    1.000000] Command line: ro amdgpu.dc=0\n"
        "<6>[    5.500000] [drm] Initialized amdgpu 3.57.0 20150101 for 0000:03:00.0 on minor 0");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(*found[0].seconds, 5.5);
    EXPECT_EQ(found[0].pci_address, "0000:03:00.0");
    EXPECT_EQ(found[0].symptom, "RT8001");
    EXPECT_EQ(found[0].text,
              "[drm] Initialized amdgpu 3.57.0 20150101 for 0000:03:00.0 on minor 0");
}

TEST(KernelLog, the_journal_has_what_the_ring_buffer_lost) {
    auto host = with_gpu();
    read_kernel_log(
        recorded("call kernel-log =\n"
                 "\t<6>[ 7200.000000] usb 1-1: new device\n"
                 "call kernel-log.journal =\n"
                 "\t[    0.000000] Linux version 6.8\n"
                 "\t[    5.500000] [drm] Initialized amdgpu 3.57.0 for 0000:03:00.0 on minor 0\n"
                 "\t[ 7200.500000] usb 1-1: new device\n"),
        host);
    ASSERT_TRUE(host.kernel_messages);
    ASSERT_EQ(host.kernel_messages->size(), 1U);
    EXPECT_EQ(host.kernel_messages->at(0).count, 1U);
    EXPECT_EQ(host.kernel_log_start_seconds.value(), 0.0);
}

TEST(KernelLog, the_journal_stands_in_for_a_ring_buffer_that_may_not_be_read) {
    auto host = with_gpu();
    read_kernel_log(
        recorded("call kernel-log error EPERM\n"
                 "call kernel-log.journal =\n"
                 "\t[    0.000000] Linux version 6.8\n"
                 "\t[    5.500000] [drm] Initialized amdgpu 3.57.0 for 0000:03:00.0 on minor 0\n"),
        host);
    ASSERT_TRUE(host.kernel_messages);
    EXPECT_EQ(host.kernel_messages->size(), 1U);
}

TEST(KernelLog, a_wrapped_ring_buffer_says_where_it_begins) {
    auto host = with_gpu();
    read_kernel_log(recorded("call kernel-log = <6>[ 7200.000000] usb 1-1: new device\n"), host);
    ASSERT_TRUE(host.kernel_messages);
    EXPECT_EQ(host.kernel_log_start_seconds.value(), 7200.0);
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
              "kernel-log: EPERM; needs CAP_SYSLOG, or kernel.dmesg_restrict=0, or a journal that "
              "this user may read (group systemd-journal or adm)");
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

/// What stands before the words of such a line in a log.
std::string head_of(MessageClass const& kind) {
    if (kind.of == MessageOf::any) return {};
    return kind.of == MessageOf::address ? "pcieport 0000:00:01.1: " : "amdgpu 0000:03:00.0: ";
}

TEST(KernelLog, lets_no_line_of_any_class_go_on_its_way) {
    for (auto const& kind : message_classes())
        for (auto const& wording : kind.wordings)
            EXPECT_TRUE(may_concern_a_gpu(head_of(kind) + wording)) << kind.id << ' ' << wording;
}

}  // namespace
}  // namespace rocmtune::test
