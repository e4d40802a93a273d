// SPDX-License-Identifier: MIT
#include "probe/pci_address.hpp"

#include <gtest/gtest.h>

namespace rocmtune::test {
namespace {

TEST(PciAddress, the_text_of_sysfs_reads_and_prints) {
    for (auto const* text :
         {"0000:03:00.0", "ffff:ff:1f.7", "0001:c3:00.1", "10000:e1:00.0", "ffffffff:00:00.0"}) {
        auto const address = parse_pci_address(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(address->text(), text);
    }
    EXPECT_EQ(parse_pci_address("0000:C3:1F.7")->text(), "0000:c3:1f.7") << "upper case is read";
}

TEST(PciAddress, everything_else_is_none) {
    for (std::string const text : {"",
                                   "0",
                                   "0000:03:00",
                                   "000:03:00.0",
                                   "000000000:03:00.0",
                                   "0000:03:00.8",
                                   "0000:03:20.0",
                                   "0000:3:00.0",
                                   "0000:03:00.00",
                                   "0000:03:00.0 ",
                                   " 0000:03:00.0",
                                   "0000:03:00,0",
                                   "0000-03-00.0",
                                   "-001:03:00.0",
                                   "0x00:03:00.0",
                                   "0000:0x:00.0",
                                   "gggg:03:00.0",
                                   "0000:03:00.0/1",
                                   "pci0000:00",
                                   "0000:03:00.",
                                   ":03:00.0",
                                   "::::::::::::"})
        EXPECT_FALSE(parse_pci_address(text)) << text;
    EXPECT_FALSE(parse_pci_address(std::string(1 << 20, ':')));
}

TEST(PciAddress, a_location_holds_bus_slot_and_function) {
    EXPECT_EQ(decode_location(0, 0xC300).text(), "0000:c3:00.0");
    EXPECT_EQ(decode_location(1, 0x0501).text(), "0001:05:00.1");
    EXPECT_EQ(decode_location(0, 0xFFFF).text(), "0000:ff:1f.7");
    EXPECT_EQ(decode_location(0, 0x30000500).text(), "0000:05:00.0") << "bits 31:28 are no address";
}

TEST(PciAddress, the_order_is_that_of_the_numbers) {
    auto const parse = [](char const* text) { return *parse_pci_address(text); };
    EXPECT_LT(parse("0000:ff:00.0"), parse("0001:00:00.0"));
    EXPECT_LT(parse("ffff:ff:00.0"), parse("10000:00:00.0"));
    EXPECT_LT(parse("0000:03:00.0"), parse("0000:03:00.1"));
    EXPECT_EQ(parse("0000:03:00.5").card(), parse("0000:03:00.0"));
}

}  // namespace
}  // namespace rocmtune::test
