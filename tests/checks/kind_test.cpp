// SPDX-License-Identifier: MIT
#include "judge/checks/check.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

bool is_virtual(char const* product) {
    Host host;
    host.system_product.offer(std::string(product), {"kernel", "/sys/class/dmi/id/product_name"});
    return is_virtual_machine(host);
}

TEST(VirtualMachines, are_known_by_what_their_makers_write_into_the_firmware_tables) {
    for (auto const* name : {"QEMU Standard PC (Q35 + ICH9, 2009)", "Red Hat KVM", "KubeVirt None",
                             "VMware, Inc. VMware Virtual Platform", "innotek GmbH VirtualBox",
                             "Microsoft Corporation Virtual Machine",
                             "OpenStack Foundation OpenStack Nova", "oVirt RHEL", "Nutanix AHV",
                             "Xen HVM domU", "Google Compute Engine", "Amazon EC2 g4ad.4xlarge"})
        EXPECT_TRUE(is_virtual(name)) << name;
}

TEST(VirtualMachines, are_not_seen_where_the_machine_is_real) {
    for (auto const* name :
         {"Amazon EC2 g4dn.metal", "Supermicro AS-8125GS-TNMR2", "Dell Inc. PowerEdge XE9680",
          "ASUSTeK COMPUTER INC. ROG STRIX B650E-F", "Microsoft Corporation Surface Laptop 4",
          "Amazon", "LENOVO ThinkStation P620"})
        EXPECT_FALSE(is_virtual(name)) << name;
    EXPECT_FALSE(is_virtual_machine(Host()));
}

}  // namespace
}  // namespace rocmtune
