// SPDX-License-Identifier: MIT
// PCI functions: which are GPUs, their identity, driver, place and links; and rows that only one
// of KFD and PCI knows.
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "support/small_gpu.hpp"

namespace rocmtune::test {
namespace {

constexpr std::string_view place = "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0";

Host pci(ProbeContext const& context) {
    Host host;
    read_kfd(context, host);
    read_pci(context, host);
    return host;
}

/// One RX 7900 with more lines; "@" in them stands for its directory.
Gpu gpu_with(std::string more) {
    for (auto at = more.find('@'); at != more.npos; at = more.find('@')) more.replace(at, 1, place);
    auto const host = pci(recorded(pci_gpu("0000:03:00.0", place) + more));
    EXPECT_EQ(host.gpus.size(), 1U);
    return host.gpus.at(0);
}

std::string function(std::string_view address, std::string_view vendor,
                     std::string_view class_code) {
    return fmt::format(
        "/sys/bus/pci/devices/{0}/vendor = {1}\n/sys/bus/pci/devices/{0}/class = {2}\n", address,
        vendor, class_code);
}

// ---- which functions are GPUs -------------------------------------------------------------------

TEST(Pci, only_display_controllers_and_accelerators_of_1002_are_gpus) {
    auto const host = pci(recorded(function("0000:01:00.0", "0x1002", "0x030000") +
                                   function("0000:02:00.0", "0x1002", "0x038000") +
                                   function("0000:03:00.0", "0x1002", "0x120000") +
                                   function("0000:04:00.1", "0x1002", "0x040300") +
                                   function("0000:05:00.0", "0x10de", "0x030000") +
                                   function("0000:06:00.0", "0x1022", "0x030000") +
                                   function("0000:07:00.0", "0x1002", "0x060400") +
                                   function("0000:08:00.0", "1002", "0x030000") +
                                   function("0000:09:00.0", "0x1002", "rubbish") +
                                   function("0000:0a:00.0", "0x1002", "0x1030000") +
                                   function("not-an-address", "0x1002", "0x030000") +
                                   "/sys/bus/pci/devices/0000:0b:00.0/vendor error EIO\n"));
    std::string found;
    for (auto const& gpu : host.gpus) found += *gpu.pci_address + ' ';
    EXPECT_EQ(found, "0000:01:00.0 0000:02:00.0 0000:03:00.0 ");
}

TEST(Pci, a_bus_that_cannot_be_listed_has_no_gpus) {
    EXPECT_TRUE(pci(recorded("")).gpus.empty());
    EXPECT_TRUE(pci(fragment("")).gpus.empty());
    EXPECT_TRUE(pci(recorded("/sys/bus/pci/devices error EACCES\n")).gpus.empty());
}

// ---- rows of KFD and of PCI ---------------------------------------------------------------------

TEST(Pci, one_device_in_both_views_is_one_row) {
    auto const host = pci(recorded(kfd_gpu(1, 0x300) + pci_gpu("0000:03:00.0", place)));
    ASSERT_EQ(host.gpus.size(), 1U);
    EXPECT_EQ(host.gpus[0].sysfs_path.value(), place);
    EXPECT_EQ(host.gpus[0].kfd_node.value(), 1U);
}

TEST(Pci, a_gpu_without_a_kfd_node_says_why) {
    auto const alone = pci(recorded(pci_gpu("0000:03:00.0", place)));
    EXPECT_EQ(alone.gpus[0].compute_units.reason(), Missing::absent);
    EXPECT_EQ(alone.gpus[0].gfx_target.value(), "gfx1100") << "by the device id";
    EXPECT_EQ(alone.gpus[0].gfx_target.source().reader, "profile");

    auto const other = pci(recorded(kfd_gpu(1, 0x400) + pci_gpu("0000:03:00.0", place)));
    ASSERT_EQ(other.gpus.size(), 2U);
    EXPECT_EQ(other.gpus[1].kfd_node.reason(), Missing::absent);
    EXPECT_EQ(other.gpus[1].kfd_node.detail(), "KFD has no node for this device");

    auto const hidden =
        pci(recorded(kfd_path(1, "properties error EPERM\n") + pci_gpu("0000:03:00.0", place)));
    ASSERT_EQ(hidden.gpus.size(), 1U);
    EXPECT_EQ(hidden.gpus[0].compute_units.reason(), Missing::denied);

    auto const unknown =
        pci(fragment("/sys/bus/pci/devices dir\n" + pci_gpu("0000:03:00.0", place)));
    ASSERT_EQ(unknown.gpus.size(), 1U);
    EXPECT_EQ(unknown.gpus[0].compute_units.reason(), Missing::not_recorded);
}

TEST(Pci, a_kfd_node_whose_function_is_missing_says_so) {
    auto const host = pci(recorded(kfd_gpu(1, 0x300)));
    ASSERT_EQ(host.gpus.size(), 1U);
    EXPECT_EQ(host.gpus[0].sysfs_path.reason(), Missing::absent);
    EXPECT_EQ(host.gpus[0].driver.reason(), Missing::absent);
    EXPECT_NE(host.gpus[0].driver.detail(), "");
    EXPECT_EQ(host.gpus[0].vendor.value(), "AMD") << "KFD knows that";
    auto const partial =
        pci(fragment("/sys/class/kfd/kfd/topology/nodes dir\n" + kfd_gpu(1, 0x300)));
    ASSERT_EQ(partial.gpus.size(), 1U);
    EXPECT_EQ(partial.gpus[0].sysfs_path.reason(), Missing::not_recorded);
}

TEST(Pci, every_partition_without_a_function_of_its_own_has_the_cards) {
    auto const host = pci(recorded(
        kfd_gpu(1, 0x300) + kfd_gpu(2, 0x301) + kfd_gpu(3, 0x302) + pci_gpu("0000:03:00.0", place) +
        pci_gpu("0000:03:00.2", "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.2")));
    ASSERT_EQ(host.gpus.size(), 3U);
    EXPECT_EQ(host.gpus[0].sysfs_path.value(), place);
    EXPECT_EQ(host.gpus[1].sysfs_path.value(), place);
    EXPECT_EQ(host.gpus[2].sysfs_path.value(), "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.2");
}

TEST(Pci, rows_stand_in_pci_order_with_partitions_by_number) {
    auto const host = probe(recorded(kfd_gpu(1, 0xC300) + kfd_gpu(2, 0x30A) + kfd_gpu(3, 0x309) +
                                     kfd_gpu(4, 0x308) + kfd_gpu(5, 0x300, "domain 1") +
                                     kfd_node(6, "simd_count 4")));
    std::string order;
    for (auto const& gpu : host.gpus)
        order += gpu.pci_address.value_or("-") + '/' +
                 std::to_string(gpu.partition_index.value_or(9)) + ' ';
    EXPECT_EQ(order,
              "0000:03:01.0/0 0000:03:01.0/1 0000:03:01.0/2 0000:c3:00.0/0 0001:03:00.0/0 -/9 ");
    for (std::size_t i = 0; i < host.gpus.size(); ++i) EXPECT_EQ(host.gpus[i].row.value(), i);
}

// ---- identity and driver ------------------------------------------------------------------------

TEST(Pci, ids_have_a_fixed_width) {
    auto const gpu = gpu_with("@/subsystem_vendor = 0x1eae\n@/subsystem_device = 0x790a\n");
    EXPECT_EQ(gpu.pci_device_id.value(), "0x744c");
    EXPECT_EQ(gpu.pci_revision.value(), "0xcc");
    EXPECT_EQ(gpu.pci_subsystem_id.value(), "0x1eae:0x790a");
}

TEST(Pci, ids_out_of_range_are_invalid) {
    auto const host = pci(recorded(pci_gpu("0000:03:00.0", place, "0x1744c", "0x1cc") +
                                   std::string(place) + "/subsystem_vendor = 0x1eae\n" +
                                   std::string(place) + "/subsystem_device = none\n"));
    EXPECT_EQ(host.gpus[0].pci_device_id.reason(), Missing::invalid);
    EXPECT_EQ(host.gpus[0].pci_revision.reason(), Missing::invalid);
    EXPECT_EQ(host.gpus[0].pci_subsystem_id.reason(), Missing::invalid);
}

TEST(Pci, the_driver_is_the_link_or_the_line_of_uevent) {
    EXPECT_EQ(gpu_with("@/driver -> ../../../bus/pci/drivers/amdgpu\n").driver.value(), "amdgpu");
    auto const uevent =
        gpu_with("@/uevent =\n\tPCI_CLASS=30000\n\tDRIVER=vfio-pci\n\tPCI_ID=1002:744C\n").driver;
    EXPECT_EQ(uevent.value(), "vfio-pci");
    EXPECT_TRUE(uevent.source().where.ends_with("/uevent:DRIVER"));
    EXPECT_EQ(gpu_with("@/uevent =\n\tPCI_ID=1002:744C\n").driver.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/uevent =\n\tDRIVER=\n").driver.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("").driver.detail(), "no driver is bound");
    EXPECT_EQ(gpu_with("@/driver dir\n@/uevent =\n\tDRIVER=radeon\n").driver.value(), "radeon")
        << "a copy that lost its links";
    EXPECT_EQ(gpu_with("@/driver error EACCES\n").driver.reason(), Missing::denied);
}

TEST(Pci, numa_node_minus_one_is_no_node) {
    EXPECT_EQ(gpu_with("@/numa_node = 1\n").numa_node.value(), 1);
    EXPECT_EQ(gpu_with("@/numa_node = -1\n").numa_node.reason(), Missing::unsupported);
    EXPECT_EQ(gpu_with("@/numa_node = x\n").numa_node.reason(), Missing::invalid);
    EXPECT_EQ(gpu_with("@/numa_node = 99999999999999999999\n").numa_node.reason(),
              Missing::invalid);
    EXPECT_EQ(gpu_with("").numa_node.reason(), Missing::absent);
}

TEST(Pci, aer_totals_are_read_by_name) {
    EXPECT_EQ(gpu_with("@/aer_dev_correctable =\n\tRxErr 1\n\tBadTLP 2\n\tTOTAL_ERR_COR 212\n")
                  .aer_correctable.value(),
              212U);
    EXPECT_EQ(gpu_with("@/aer_dev_fatal =\n\tRxErr 1\n").aer_fatal.reason(), Missing::invalid);
    EXPECT_EQ(gpu_with("@/aer_dev_nonfatal = TOTAL_ERR_NONFATAL -1\n").aer_nonfatal.reason(),
              Missing::invalid);
}

TEST(Pci, aer_totals_too_large_to_add_are_invalid) {
    std::string const huge = "/aer_dev_fatal = TOTAL_ERR_FATAL 18446744073709551615\n";
    EXPECT_EQ(gpu_with("@" + huge).aer_fatal.value(), 18446744073709551615U);
    auto const gpu = gpu_with("@" + huge + "/sys/devices/pci0000:00/0000:00:01.1" + huge);
    EXPECT_EQ(gpu.aer_fatal.reason(), Missing::invalid);
}

TEST(Pci, the_iommu_type_is_that_of_its_group) {
    auto const gpu = gpu_with(
        "@/iommu_group -> ../../../../kernel/iommu_groups/17\n/sys/kernel/iommu_groups/17/type = "
        "DMA-FQ\n");
    EXPECT_EQ(gpu.iommu_group.value(), "17");
    EXPECT_EQ(gpu.iommu_type.value(), "DMA-FQ");
    EXPECT_EQ(gpu_with("").iommu_type.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/iommu_group -> ../../../../kernel/iommu_groups/17\n").iommu_type.reason(),
              Missing::absent)
        << "before Linux 5.11";
}

TEST(Pci, boot_vga_is_yes_or_no) {
    EXPECT_EQ(gpu_with("@/boot_vga = 1\n").boot_display.value(), true);
    EXPECT_EQ(gpu_with("@/boot_vga = 0\n").boot_display.value(), false);
    EXPECT_EQ(gpu_with("@/boot_vga = 2\n").boot_display.reason(), Missing::invalid);
}

// ---- the link ---------------------------------------------------------------------------------

std::string link(std::string_view device, std::string_view speed, std::string_view width,
                 std::string_view which = "current") {
    return fmt::format("{0}/{1}_link_speed = {2}\n{0}/{1}_link_width = {3}\n", device, which, speed,
                       width);
}

constexpr std::string_view root_port = "/sys/devices/pci0000:00/0000:00:01.1";

TEST(Pci, the_link_is_the_narrowest_of_the_chain) {
    auto const gpu =
        gpu_with(link(place, "16.0 GT/s PCIe", "16") + link(root_port, "8.0 GT/s PCIe", "4") +
                 link(place, "16.0 GT/s PCIe", "16", "max") +
                 link(root_port, "16.0 GT/s PCIe", "16", "max"));
    EXPECT_EQ(gpu.link_current_gt_per_s.value(), 8.0);
    EXPECT_EQ(gpu.link_current_width.value(), 4U);
    EXPECT_EQ(gpu.link_max_gt_per_s.value(), 16.0);
    EXPECT_EQ(gpu.link_max_width.value(), 16U);
    EXPECT_EQ(gpu.link_limited_by.value(), "0000:00:01.1");
    EXPECT_EQ(gpu.link_current_width.source().where,
              std::string(root_port) + "/current_link_width");
}

TEST(Pci, a_chain_of_equal_links_has_no_narrowest) {
    auto const gpu =
        gpu_with(link(place, "16.0 GT/s PCIe", "16") + link(root_port, "16.0 GT/s PCIe", "16"));
    EXPECT_EQ(gpu.link_limited_by.reason(), Missing::absent);
    EXPECT_NE(gpu.link_limited_by.detail(), "");
}

TEST(Pci, all_ones_zero_and_unknown_are_no_links) {
    for (auto const* width : {"0", "63", "255", "-1", "x16", "4294967295"}) {
        auto const gpu = gpu_with(link(place, "Unknown", width));
        EXPECT_EQ(gpu.link_current_width.reason(), Missing::unsupported) << width;
        EXPECT_EQ(gpu.link_current_gt_per_s.reason(), Missing::unsupported);
        EXPECT_EQ(gpu.link_limited_by.reason(), Missing::absent);
    }
    EXPECT_EQ(gpu_with("").link_current_width.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/current_link_width error EACCES\n").link_current_width.reason(),
              Missing::denied);
}

TEST(Pci, an_unknown_part_of_the_chain_does_not_hide_the_rest) {
    auto const gpu =
        gpu_with(link(place, "Unknown", "63") + link(root_port, "16.0 GT/s PCIe", "8"));
    EXPECT_EQ(gpu.link_current_width.value(), 8U);
    EXPECT_EQ(gpu.link_current_gt_per_s.value(), 16.0);
}

TEST(Pci, speeds_of_older_kernels_have_another_text) {
    EXPECT_EQ(gpu_with(link(place, "8 GT/s", "16")).link_current_gt_per_s.value(), 8.0);
    EXPECT_EQ(gpu_with(link(place, "2.5 GT/s", "16")).link_current_gt_per_s.value(), 2.5);
    for (auto const* text :
         {"8", "GT/s", "-8 GT/s", "0 GT/s", "9999999999 GT/s", "8 MT/s", "nan GT/s"})
        EXPECT_FALSE(gpu_with(link(place, text, "16")).link_current_gt_per_s) << text;
}

TEST(Pci, a_path_that_does_not_resolve_is_a_chain_of_one) {
    auto const host = pci(recorded(function("0000:03:00.0", "0x1002", "0x030000") +
                                   link("/sys/bus/pci/devices/0000:03:00.0", "8 GT/s", "4")));
    EXPECT_EQ(host.gpus[0].link_current_width.value(), 4U);
}

TEST(Pci, the_link_of_a_sleeping_gpu_is_read_on_request_only) {
    auto const body = pci_gpu("0000:03:00.0", place) + link(place, "16.0 GT/s PCIe", "16") +
                      std::string(place) + "/power/runtime_status = suspended\n";
    auto counted = std::make_shared<CountingSource>(
        text_source("rocmtune-host 1\nunlisted absent\n" + body, "test"));
    auto const host = pci({HostRoot(counted)});
    EXPECT_EQ(host.gpus[0].link_current_width.reason(), Missing::suspended);
    EXPECT_EQ(host.gpus[0].link_max_gt_per_s.reason(), Missing::suspended);
    for (auto const& path : counted->asked)
        EXPECT_EQ(path.find("_link_"), std::string::npos) << path;
    auto awake = recorded(body);
    awake.options.wake = true;
    EXPECT_EQ(pci(awake).gpus[0].link_current_width.value(), 16U);
}

}  // namespace
}  // namespace rocmtune::test
