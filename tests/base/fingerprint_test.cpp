// SPDX-License-Identifier: MIT
#include "base/host.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

Host host_with(std::string const& address) {
    Host host;
    host.kernel_release.offer("6.14", {"kernel", "uname"});
    host.gpus.emplace_back().pci_address.offer(address, {"pci", "x"});
    return host;
}

TEST(Fingerprint, of_a_host_without_facts_is_a_constant) {
    // Changes only when the list of facts does: scripts that users keep then show another one.
    EXPECT_EQ(fingerprint(Host{}), "f9a83226f8ce6b00");
}

TEST(Fingerprint, differs_with_the_hardware_and_not_with_the_load) {
    auto const host = host_with("0000:03:00.0");
    EXPECT_NE(fingerprint(host), fingerprint(host_with("0000:04:00.0")));
    auto busy = host;
    busy.gpus[0].busy_percent.offer(99, {"drm", "x"});
    busy.hostname.offer("forge", {"kernel", "x"});
    EXPECT_EQ(fingerprint(host), fingerprint(busy));
}

}  // namespace
}  // namespace rocmtune
