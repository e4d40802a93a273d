// SPDX-License-Identifier: MIT
// The DRM side of a GPU: nodes, displays, memory, identity, firmware; partitions.
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "support/small_gpu.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view place = "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0";

std::string at_place(std::string text) {
    for (auto at = text.find('@'); at != text.npos; at = text.find('@')) text.replace(at, 1, place);
    return text;
}

Host drm(std::string const& body) {
    Host host;
    auto const context = recorded(at_place(body));
    read_kfd(context, host);
    read_pci(context, host);
    read_names(context, host);
    read_drm(context, host);
    return host;
}

Gpu gpu_with(std::string const& more) {
    auto const host = drm(pci_gpu("0000:03:00.0", place) + more);
    EXPECT_EQ(host.gpus.size(), 1U);
    return host.gpus.at(0);
}

TEST(Drm, card_and_render_node_hang_on_the_device) {
    auto const gpu = gpu_with(
        "@/drm/card1/dev = 226:1\n@/drm/renderD128/dev = 226:128\n@/drm/controlD65/dev = 226:65\n");
    EXPECT_EQ(gpu.drm_card.value(), "card1");
    EXPECT_EQ(gpu.render_node.value(), "renderD128");
}

TEST(Drm, a_device_without_nodes_says_so) {
    EXPECT_EQ(gpu_with("").drm_card.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/drm dir\n").render_node.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("@/drm error EACCES\n").render_node.reason(), Missing::denied);
}

TEST(Drm, a_connected_display_counts_and_an_unknown_one_does_not) {
    auto const display = [](std::string const& more) {
        return gpu_with("@/drm/card1/dev = 226:1\n" + more).drives_display;
    };
    EXPECT_EQ(display("@/drm/card1/card1-DP-1/status = connected\n@/drm/card1/card1-DP-2/status = "
                      "disconnected\n")
                  .value(),
              true);
    EXPECT_EQ(display("@/drm/card1/card1-DP-1/status = "
                      "disconnected\n@/drm/card1/card1-HDMI-A-1/status = unknown\n")
                  .value(),
              false);
    EXPECT_EQ(display("@/drm/card1/card10-DP-1/status = connected\n").value(), false)
        << "another card's name";
    EXPECT_EQ(display("").value(), false);
    EXPECT_EQ(gpu_with("").drives_display.reason(), Missing::absent);
}

TEST(Drm, memory_files_are_bytes) {
    auto const gpu = gpu_with(
        "@/mem_info_vram_total = 21458059264\n@/mem_info_vram_used = 0\n@/mem_info_vis_vram_total "
        "= x\n"
        "@/mem_info_gtt_total = 99999999999999999999999\n@/mem_info_gtt_used = -1\n");
    EXPECT_EQ(gpu.vram_bytes.value(), 21458059264U);
    EXPECT_EQ(gpu.vram_used_bytes.value(), 0U);
    EXPECT_EQ(gpu.visible_vram_bytes.reason(), Missing::invalid);
    EXPECT_EQ(gpu.gtt_bytes.reason(), Missing::invalid);
    EXPECT_EQ(gpu.gtt_used_bytes.reason(), Missing::invalid);
    EXPECT_EQ(gpu.visible_vram_used_bytes.reason(), Missing::absent);
}

TEST(Drm, an_empty_product_name_is_no_name) {
    auto const gpu =
        gpu_with("@/product_name = \n@/serial_number =\n@/vbios_version = 113-D7020100-102\n");
    EXPECT_EQ(gpu.product_name.reason(), Missing::absent);
    EXPECT_EQ(gpu.serial_number.reason(), Missing::absent);
    EXPECT_EQ(gpu.vbios_version.value(), "113-D7020100-102");
    EXPECT_EQ(gpu_with("@/product_name =\n\tone\n\ttwo\n").product_name.reason(), Missing::invalid);
}

TEST(Drm, unique_ids_of_drm_and_kfd_are_the_same_text) {
    auto const host = drm(kfd_gpu(1, 0x300, "domain 0\nunique_id 4660") +
                          pci_gpu("0000:03:00.0", place) + "@/unique_id = 0000000000001234\n");
    EXPECT_EQ(host.gpus[0].unique_id.value(), "0000000000001234");
    ASSERT_EQ(host.gpus[0].unique_id.others().size(), 1U);
    EXPECT_EQ(host.gpus[0].unique_id.others()[0].value, "0000000000001234");
    EXPECT_EQ(gpu_with("@/unique_id = 0x1234\n").unique_id.value(), "0000000000001234");
    EXPECT_EQ(gpu_with("@/unique_id = N/A\n").unique_id.reason(), Missing::invalid);
    EXPECT_EQ(gpu_with("@/unique_id = 11112222333344445\n").unique_id.reason(), Missing::invalid)
        << "65 bits";
}

TEST(Drm, the_hive_is_decimal_here) {
    EXPECT_EQ(
        gpu_with("@/xgmi_hive_info/xgmi_hive_id = 18091350218769748594\n").xgmi_hive_id.value(),
        fmt::format("{:016x}", 18091350218769748594U));
    EXPECT_FALSE(gpu_with("@/xgmi_hive_info/xgmi_hive_id = 0\n").xgmi_hive_id);
    EXPECT_FALSE(gpu_with("@/xgmi_hive_info/xgmi_hive_id = 0x12\n").xgmi_hive_id);
}

TEST(Drm, partition_modes_are_a_list) {
    auto const gpu = gpu_with(
        "@/current_compute_partition = SPX\n@/available_compute_partition = SPX, DPX,QPX, "
        "CPX\n@/available_memory_partition =\n");
    EXPECT_EQ(gpu.compute_partition.value(), "SPX");
    EXPECT_EQ(gpu.compute_partitions_available.value(), (Strings{"SPX", "DPX", "QPX", "CPX"}));
    EXPECT_EQ(gpu.memory_partitions_available.reason(), Missing::absent);
}

TEST(Drm, firmware_without_a_version_is_left_out) {
    auto const gpu = gpu_with(
        "@/fw_version/smc_fw_version = 0x004e8200\n@/fw_version/vce_fw_version = 0x00000000\n"
        "@/fw_version/odd_fw_version = none\n@/fw_version/readme = 1\n");
    EXPECT_EQ(gpu.firmware.value(), (std::map<std::string, std::string>{{"smc", "0x4e8200"}}));
    EXPECT_EQ(gpu_with("@/fw_version/vce_fw_version = 0x0\n").firmware.reason(), Missing::absent);
    EXPECT_EQ(gpu_with("").firmware.reason(), Missing::absent);
}

TEST(Drm, kfds_versions_stay_where_drm_has_none) {
    auto const host = drm(kfd_gpu(1, 0x300, "domain 0\nfw_version 163\nsdma_fw_version 21") +
                          pci_gpu("0000:03:00.0", place) + "@/fw_version/mec_fw_version = 0x200\n");
    EXPECT_EQ(host.gpus[0].firmware.value(),
              (std::map<std::string, std::string>{{"mec", "0x200"}, {"sdma", "0x15"}}));
    EXPECT_TRUE(host.gpus[0].firmware.others().empty()) << "one list, no dispute";
}

// ---- what KFD says beside it --------------------------------------------------------------------

std::string kfd_memory(int node, std::uint64_t bytes) {
    return file(kfd_path(node, "mem_banks/0/properties"),
                fmt::format("heap_type 1\nsize_in_bytes {}", bytes));
}

TEST(Drm, a_small_difference_from_kfds_memory_is_no_dispute_and_a_large_one_is) {
    auto const vram = [](std::uint64_t bytes) {
        auto host = drm(kfd_gpu(1, 0x300) + kfd_memory(1, bytes) + pci_gpu("0000:03:00.0", place) +
                        "@/mem_info_vram_total = 1000000\n");
        settle(host);
        return host.gpus[0].vram_bytes;
    };
    EXPECT_TRUE(vram(1000000).others().empty());
    EXPECT_TRUE(vram(985000).others().empty());
    ASSERT_EQ(vram(500000).others().size(), 1U);
    EXPECT_EQ(vram(500000).value(), 1000000U) << "DRM comes first";
    EXPECT_EQ(vram(500000).others()[0].source.reader, "kfd");
}

TEST(Drm, the_heap_of_an_apu_is_no_statement_about_its_carve_out) {
    // 1586 is Strix Halo.
    auto const host =
        drm(kfd_node(1,
                     "simd_count 80\nsimd_per_cu 2\ngfx_target_version 110501\nvendor_id "
                     "4098\ndevice_id 5510\nlocation_id 768\ndomain 0") +
            kfd_memory(1, 113246208000) + pci_gpu("0000:03:00.0", place, "0x1586", "0xc1") +
            "@/mem_info_vram_total = 2147483648\n");
    EXPECT_EQ(host.gpus[0].is_apu.value(), true);
    EXPECT_EQ(host.gpus[0].vram_bytes.value(), 2147483648U);
    EXPECT_TRUE(host.gpus[0].vram_bytes.others().empty());
    EXPECT_EQ(host.gpus[0].compute_memory_bytes.value(), 113246208000U);
}

TEST(Drm, a_node_without_a_pci_function_still_has_kfds_memory) {
    auto const host =
        drm(kfd_gpu(1, 0x300, "domain 0\ndrm_render_minor 128") + kfd_memory(1, 5000));
    EXPECT_EQ(host.gpus[0].vram_bytes.value(), 5000U);
    EXPECT_EQ(host.gpus[0].render_node.value(), "renderD128");
    EXPECT_EQ(host.gpus[0].gtt_bytes.reason(), Missing::absent);
    EXPECT_NE(host.gpus[0].gtt_bytes.detail(), "");
    EXPECT_EQ(host.gpus[0].vbios_version.reason(), Missing::absent);
}

// ---- partitions ---------------------------------------------------------------------------------

std::string partition(int node, unsigned number, std::uint64_t bytes) {
    return kfd_gpu(node, 0x300 + number,
                   fmt::format("domain 0\ndrm_render_minor {}", 128 + number)) +
           kfd_memory(node, bytes);
}

std::string const card =
    pci_gpu("0000:03:00.0", place) +
    "@/drm/card1/dev = 226:1\n@/drm/renderD128/dev = 226:128\n"
    "@/mem_info_vram_total = 206141652992\n@/current_compute_partition = CPX\n";

TEST(Drm, a_partition_has_its_own_nodes_and_its_share_of_the_memory) {
    auto const host =
        drm(partition(1, 0, 1000) + partition(2, 1, 1001) + card +
            "/sys/class/drm/renderD129/device -> /sys/devices/platform/amdgpu_xcp_0\n"
            "/sys/devices/platform/amdgpu_xcp_0/drm/card2/dev = "
            "226:2\n/sys/devices/platform/amdgpu_xcp_0/drm/renderD129/dev = 226:129\n");
    ASSERT_EQ(host.gpus.size(), 2U);
    EXPECT_EQ(host.gpus[0].render_node.value(), "renderD128");
    EXPECT_EQ(host.gpus[1].render_node.value(), "renderD129");
    EXPECT_EQ(host.gpus[1].drm_card.value(), "card2");
    EXPECT_EQ(host.gpus[0].vram_bytes.value(), 1000U);
    EXPECT_EQ(host.gpus[1].vram_bytes.value(), 1001U);
    EXPECT_TRUE(host.gpus[1].vram_bytes.others().empty());
    EXPECT_EQ(host.gpus[1].vram_used_bytes.reason(), Missing::unsupported);
}

TEST(Drm, a_partition_without_nodes_of_its_own_does_not_borrow_the_cards) {
    auto const host = drm(partition(1, 0, 1000) + partition(2, 1, 1001) + card);
    ASSERT_EQ(host.gpus.size(), 2U);
    EXPECT_EQ(host.gpus[1].render_node.value(), "renderD129") << "as KFD says";
    EXPECT_TRUE(host.gpus[1].render_node.others().empty());
    EXPECT_EQ(host.gpus[1].drm_card.reason(), Missing::absent);
    EXPECT_EQ(host.gpus[1].drives_display.reason(), Missing::absent);
}

TEST(Drm, the_only_partition_that_a_container_sees_has_its_own_share) {
    for (unsigned const number : {0U, 3U}) {
        auto const host = drm(partition(1, number, 25769803776) + card);
        ASSERT_EQ(host.gpus.size(), 1U);
        EXPECT_EQ(host.gpus[0].vram_bytes.value(), 25769803776U) << number;
        EXPECT_TRUE(host.gpus[0].vram_bytes.others().empty()) << number;
    }
}

}  // namespace
}  // namespace rocmtune::test
