// SPDX-License-Identifier: MIT
#include "probe/parsers.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

constexpr std::string_view amdgpu_ids =
    "# List of AMDGPU IDs\n#744C,\tC8,\tcomment\n\n1.0.0\n"
    "744C,\tC8,\tAMD Radeon RX 7900 XTX\n744C,\tCC,\tAMD Radeon RX 7900 XT \n"
    "164e, c1, , odd\n164E,\tC2,\t\n15BF,\tC1,\tName, with a "
    "comma\n15BF,\tC2,\t\xff\xfe\nlast,1\n1681,\t00,\tno line end";

TEST(NameLists, a_name_needs_device_and_revision) {
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x744c, 0xc8), "AMD Radeon RX 7900 XTX");
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x744c, 0xcc), "AMD Radeon RX 7900 XT");
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x744c, 0xcf), std::nullopt)
        << "never another revision's name";
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x1681, 0), "no line end");
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x15bf, 0xc1), "Name, with a comma");
}

TEST(NameLists, broken_entries_have_no_name) {
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x164e, 0xc2), std::nullopt) << "empty";
    EXPECT_EQ(find_amdgpu_name(amdgpu_ids, 0x15bf, 0xc2), std::nullopt) << "no UTF-8";
    for (auto const* list :
         {"", ",,", "\n\n\n", ",", "744C", "744C,C8", "10744C,C8,x", "744C,1C8,x", "-1,C8,x"})
        EXPECT_EQ(find_amdgpu_name(list, 0x744c, 0xc8), std::nullopt) << list;
}

constexpr std::string_view pci_ids =
    "# comment\n1001  Before\n\t744c  Not this\n1002  Advanced Micro Devices, Inc. [AMD/ATI]\n"
    "\t744c  Navi 31 [Radeon RX 7900 XT/7900 XTX/7900M]\n\t\t1002 0e3b  RX 7900 GRE [board]\n"
    "\t73bf  Navi 21\n\t1234  Odd ] [\n\t1235  Empty []\n\t1236  \n\t1237  Two [one] [two]\n"
    "1022  AMD\n\t164e  Other vendor\n1002  Again\n\t164e  Late\nC 03  Display controller\n\t00  "
    "VGA";

TEST(NameLists, the_marketing_name_stands_in_brackets) {
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x744c), "Radeon RX 7900 XT/7900 XTX/7900M");
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x73bf), "Navi 21");
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x1237), "two");
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x1234), "Odd ] [");
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x1235), "Empty []");
}

TEST(NameLists, only_the_vendors_own_devices_count) {
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x164e), std::nullopt);
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x0e3b), std::nullopt) << "a subsystem line";
    EXPECT_EQ(find_pci_name(pci_ids, 0x1002, 0x1236), std::nullopt) << "a device without name";
    EXPECT_EQ(find_pci_name(pci_ids, 0x1003, 0x744c), std::nullopt);
    for (auto const* list :
         {"", "\t", "\t744c", "1002", "1002  x\n\t744c", "1002  x\n\t744c \n", "\n"})
        EXPECT_EQ(find_pci_name(list, 0x1002, 0x744c), std::nullopt) << list;
}

}  // namespace
}  // namespace rocmtune::test
