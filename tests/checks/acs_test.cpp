// SPDX-License-Identifier: MIT
// ACS of PCIe switches: told by configuration space, judged where two GPUs are below one switch.
#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

constexpr std::size_t express_at = 0x40, acs_at = 0x100;

/// Configuration space of a port of this kind (6: downstream), with these ACS bits.
std::string port_config(unsigned kind, unsigned control) {
    std::string bytes(4096, '\0');
    bytes[0x34] = static_cast<char>(express_at);
    bytes[express_at] = 0x10;
    bytes[express_at + 2] = static_cast<char>(kind << 4U);
    bytes[acs_at] = 0x0d;
    bytes[acs_at + 2] = 1;  // version; no next capability
    bytes[acs_at + 6] = static_cast<char>(control);
    return bytes;
}

TEST(Acs, is_redirection_at_downstream_ports_only) {
    EXPECT_EQ(acs_redirection(port_config(6, 0x1d)), "request redirect, completion redirect");
    EXPECT_EQ(acs_redirection(port_config(6, 0x04)), "request redirect");
    EXPECT_FALSE(acs_redirection(port_config(6, 0x01))) << "source validation redirects nothing";
    EXPECT_FALSE(acs_redirection(port_config(4, 0x1d))) << "a root port";
}

TEST(Acs, of_bytes_that_are_no_configuration_space_is_none) {
    EXPECT_FALSE(acs_redirection(""));
    EXPECT_FALSE(acs_redirection(std::string(64, '\xff')));
    EXPECT_FALSE(acs_redirection(std::string(4096, '\xff')));
}

std::string const root_port = "/sys/devices/pci0000:00/0000:00:01.0";
std::string const upstream = root_port + "/0000:01:00.0";

/// Two GPUs below one switch, whose first port has these bits.
Host with_switch(unsigned control) {
    Tree tree;
    tree.file("/sys/module/amdgpu/initstate", "live\n");
    for (auto const& [port, gpu] :
         {std::pair("0000:02:00.0", "0000:03:00.0"), std::pair("0000:02:01.0", "0000:04:00.0")}) {
        auto const path = upstream + '/' + port + '/' + gpu;
        tree.file(upstream + '/' + port + "/config", port_config(6, control));
        tree.file(path + "/vendor", "0x1002\n").file(path + "/device", "0x740f\n");
        tree.file(path + "/class", "0x038000\n").file(path + "/uevent", "DRIVER=amdgpu\n");
        tree.link(std::string("/sys/bus/pci/devices/") + gpu, path);
    }
    Host host;
    read_pci(tree.context(), host);
    return host;
}

std::vector<Finding> judged(Host const& host) {
    CheckSelection selection;
    selection.only = {"switch-acs"};
    return run_checks(host, embedded_chips(), selection);
}

TEST(SwitchAcs, warns_where_ports_between_gpus_redirect) {
    auto const host = with_switch(0x0c);
    ASSERT_TRUE(host.acs_bridges) << host.acs_bridges.detail();
    EXPECT_EQ(host.acs_bridges->size(), 2U);
    auto const findings = judged(host);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().id, "RT3228");
    EXPECT_EQ(findings.front().verdict, Verdict::warn);
}

TEST(SwitchAcs, passes_where_they_do_not) {
    auto const findings = judged(with_switch(0));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().verdict, Verdict::pass);
}

}  // namespace
}  // namespace rocmtune::test
