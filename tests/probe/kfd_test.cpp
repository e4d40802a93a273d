// SPDX-License-Identifier: MIT
// The KFD topology: nodes, places, partitions, memory, links.
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "support/hosts.hpp"
#include "support/small_gpu.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

Host kfd(std::string const& body) {
    return read(read_kfd, recorded(body));
}

std::string placed(Host const& host) {
    std::string text;
    for (auto const& gpu : host.gpus)
        text += gpu.pci_address.value_or("-") + '/' +
                std::to_string(gpu.partition_index.value_or(99)) + " of " +
                std::to_string(gpu.partition_count.value_or(99)) + '\n';
    return text;
}

// ---- nodes ------------------------------------------------------------------------------------

TEST(Kfd, a_node_without_simds_is_a_cpu) {
    auto const host = kfd(kfd_node(0, cpu_properties) + kfd_gpu(1, 0x300));
    ASSERT_EQ(host.gpus.size(), 1U);
    ASSERT_EQ(host.kfd_nodes->size(), 2U);
    EXPECT_EQ((*host.kfd_nodes)[0].kind, "cpu");
    EXPECT_EQ((*host.kfd_nodes)[0].cpu_cores, 16U);
    EXPECT_EQ((*host.kfd_nodes)[1].kind, "gpu");
    EXPECT_EQ(host.gpus[0].kfd_node.value(), 1U);
    EXPECT_EQ(host.gpus[0].gpu_id.value(), 1001U);
    EXPECT_EQ(host.gpus[0].vendor.value(), "AMD");
}

TEST(Kfd, compute_units_are_simds_by_simds_of_each) {
    auto const host = kfd(kfd_gpu(1, 0x300));
    EXPECT_EQ(host.gpus[0].compute_units.value(), 96U);
    EXPECT_EQ(host.gpus[0].simd_count.value(), 192U);
    EXPECT_EQ(host.gpus[0].compute_units.source().where, kfd_path(1, "properties:simd_count"));
}

TEST(Kfd, no_simds_of_each_is_no_division_by_zero) {
    for (auto const* more : {"simd_per_cu 0", "other 1"}) {
        auto const host = kfd(kfd_node(1, std::string("simd_count 192\n") + more));
        EXPECT_FALSE(host.gpus[0].compute_units);
        EXPECT_NE(host.gpus[0].compute_units.detail(), "");
    }
}

TEST(Kfd, a_node_that_a_device_cgroup_hides_is_a_gpu_with_a_problem) {
    auto const host = kfd(kfd_node(0, cpu_properties) + kfd_path(1, "properties error EPERM\n") +
                          kfd_path(1, "gpu_id error EPERM\n") + kfd_gpu(2, 0x300));
    ASSERT_EQ(host.gpus.size(), 1U);
    auto const& hidden = (*host.kfd_nodes)[1];
    EXPECT_EQ(hidden.kind, "gpu");
    ASSERT_TRUE(hidden.problem);
    EXPECT_NE(hidden.problem->find("EPERM"), std::string::npos);
}

TEST(Kfd, nodes_that_say_nothing_are_unknown_with_a_problem) {
    auto const host =
        kfd(kfd_path(0, "gpu_id = 0\n") + kfd_path(1, "properties =\n") +
            kfd_path(2, "properties = rubbish\n") + kfd_path(3, "properties base64 fwECAw==\n") +
            kfd_path(4, "properties error EIO\n"));
    EXPECT_TRUE(host.gpus.empty());
    ASSERT_EQ(host.kfd_nodes->size(), 5U);
    for (auto const& node : *host.kfd_nodes) {
        EXPECT_EQ(node.kind, "unknown") << node.node;
        EXPECT_TRUE(node.problem) << node.node;
    }
}

TEST(Kfd, nodes_come_in_the_order_of_their_numbers_and_odd_names_are_none) {
    auto const host = kfd(kfd_node(10, cpu_properties) + kfd_node(2, cpu_properties) +
                          "/sys/class/kfd/kfd/topology/nodes/x/properties = a 1\n"
                          "/sys/class/kfd/kfd/topology/nodes/-1/properties = a 1\n"
                          "/sys/class/kfd/kfd/topology/nodes/02/properties = a 1\n");
    ASSERT_EQ(host.kfd_nodes->size(), 2U);
    EXPECT_EQ((*host.kfd_nodes)[0].node, 2U);
    EXPECT_EQ((*host.kfd_nodes)[1].node, 10U);
}

TEST(Kfd, a_topology_without_node_0_is_read) {
    EXPECT_EQ(kfd(kfd_gpu(7, 0x300)).gpus.size(), 1U);
}

TEST(Kfd, a_missing_topology_has_its_reason) {
    EXPECT_EQ(kfd("").kfd_nodes.reason(), Missing::absent);
    EXPECT_EQ(read(read_kfd, fragment("")).kfd_nodes.reason(), Missing::not_recorded);
    EXPECT_EQ(kfd("/sys/class/kfd error EACCES\n").kfd_nodes.reason(), Missing::denied);
    EXPECT_EQ(kfd("/sys/class/kfd/kfd/topology/nodes dir\n").kfd_nodes.reason(), Missing::absent);
    EXPECT_EQ(kfd("/sys/class/kfd/kfd -> kfd\n").kfd_nodes.reason(), Missing::invalid) << "a loop";
}

TEST(Kfd, a_huge_topology_is_bounded) {
    std::string body;
    for (int i = 0; i < 1500; ++i) body += kfd_node(i, "cpu_cores_count 1");
    EXPECT_EQ(kfd(body).kfd_nodes->size(), 1024U);
}

// ---- what a node says ---------------------------------------------------------------------------

TEST(Kfd, old_kernels_print_fewer_keys) {
    auto const host = kfd(kfd_node(
        1, "simd_count 256\nsimd_per_cu 4\nvendor_id 4098\ndevice_id 26720\nlocation_id 1280"));
    auto const& gpu = host.gpus[0];
    EXPECT_EQ(gpu.gfx_target.value(), "gfx900") << "MI25 by its device id";
    EXPECT_EQ(gpu.gfx_target.source().reader, "profile");
    EXPECT_EQ(gpu.xcc_count.value(), 1U) << "before num_xcc there was no chip with several";
    EXPECT_EQ(gpu.pci_address.value(), "0000:05:00.0");
    EXPECT_EQ(gpu.unique_id.reason(), Missing::absent);
}

TEST(Kfd, an_unknown_target_is_not_guessed) {
    EXPECT_EQ(kfd(kfd_node(1, "simd_count 4\ndevice_id 1")).gpus[0].gfx_target.reason(),
              Missing::absent);
    EXPECT_EQ(kfd(kfd_node(1, "simd_count 4\ngfx_target_version 91600\ndevice_id 29772"))
                  .gpus[0]
                  .gfx_target.reason(),
              Missing::invalid);
    EXPECT_EQ(
        kfd(kfd_node(1, "simd_count 4\ngfx_target_version 990000")).gpus[0].gfx_target.value(),
        "gfx9900")
        << "newer than we know";
}

TEST(Kfd, identifiers_are_hexadecimal_and_zero_is_none) {
    auto const host = kfd(
        kfd_gpu(1, 0x300, "domain 0\nunique_id 6049308423556484175\nhive_id 18091350218769748594") +
        kfd_gpu(2, 0x400, "domain 0\nunique_id 0\nhive_id 0"));
    EXPECT_EQ(host.gpus[0].unique_id.value(), "53f375f5eadccc4f");
    EXPECT_EQ(host.gpus[0].xgmi_hive_id.value(), "fb11632c00f4d272");
    EXPECT_EQ(host.gpus[1].unique_id.reason(), Missing::unsupported);
    EXPECT_EQ(host.gpus[1].xgmi_hive_id.reason(), Missing::unsupported);
}

TEST(Kfd, capability_bits_say_which_memory_is_protected) {
    auto const gpu =
        kfd(kfd_gpu(1, 0x300, "domain 0\ncapability 339738624")).gpus[0];  // 0x14400000
    EXPECT_EQ(gpu.memory_ecc.value(), false);
    EXPECT_EQ(gpu.sram_ecc.value(), true);
    EXPECT_EQ(gpu.coherent_host_access.value(), true);
    EXPECT_EQ(kfd(kfd_gpu(1, 0x300)).gpus[0].sram_ecc.reason(), Missing::absent);
}

TEST(Kfd, gpu_id_may_be_hidden_or_odd) {
    auto const properties = file(kfd_path(1, "properties"), "simd_count 4\nsimd_per_cu 2");
    EXPECT_EQ(kfd(properties + kfd_path(1, "gpu_id error EPERM\n")).gpus[0].gpu_id.reason(),
              Missing::denied);
    EXPECT_EQ(kfd(properties + kfd_path(1, "gpu_id = none\n")).gpus[0].gpu_id.reason(),
              Missing::invalid);
    EXPECT_EQ(kfd(properties).gpus[0].gpu_id.reason(), Missing::absent);
}

TEST(Kfd, numbers_out_of_range_are_invalid_and_not_wrapped) {
    auto const gpu =
        kfd(kfd_node(
                1,
                "simd_count 18446744073709551615\nsimd_per_cu 1\nlds_size_in_kb "
                "18446744073709551615\n"
                "device_id 95308\nlocation_id 4294967296\ndomain 4294967296\ndrm_render_minor 0"))
            .gpus[0];
    EXPECT_EQ(gpu.lds_bytes.reason(), Missing::invalid);
    EXPECT_EQ(gpu.pci_device_id.reason(), Missing::invalid) << "0x1744c is not 0x744c";
    EXPECT_FALSE(gpu.gfx_target);
    EXPECT_EQ(gpu.pci_address.reason(), Missing::invalid);
    EXPECT_FALSE(gpu.render_node) << "0 stands for none";
}

// ---- memory and caches --------------------------------------------------------------------------

std::string bank(int number, std::string_view properties) {
    return file(kfd_path(1, fmt::format("mem_banks/{}/properties", number)), properties);
}

TEST(Kfd, device_memory_is_the_sum_of_public_and_private_heaps) {
    auto const gpu = kfd(kfd_gpu(1, 0x300, "domain 0\nlocal_mem_size 0") +
                         bank(0, "heap_type 2\nsize_in_bytes 1000\nwidth 384\nmem_clk_max 1250") +
                         bank(1, "heap_type 1\nsize_in_bytes 24\nwidth 384\nmem_clk_max 1250") +
                         bank(2, "heap_type 0\nsize_in_bytes 500000") +
                         bank(3, "heap_type 4\nsize_in_bytes 4096"))
                         .gpus[0];
    EXPECT_EQ(gpu.compute_memory_bytes.value(), 1024U);
    EXPECT_EQ(gpu.memory_bus_width_bits.value(), 384U);
    EXPECT_EQ(gpu.memory_clock_max_mhz.value(), 1250U);
    EXPECT_TRUE(gpu.memory_clock_max_mhz.others().empty()) << "said once";
}

TEST(Kfd, memory_that_cannot_be_known_has_its_reason) {
    auto const memory = [](std::string const& more) {
        return kfd(kfd_gpu(1, 0x300) + more).gpus[0].compute_memory_bytes;
    };
    EXPECT_EQ(memory("").reason(), Missing::absent);
    EXPECT_EQ(memory(bank(0, "heap_type 0\nsize_in_bytes 5")).reason(), Missing::absent);
    EXPECT_EQ(memory(kfd_path(1, "mem_banks/0/properties error EACCES\n")).reason(),
              Missing::denied);
    EXPECT_EQ(memory(kfd_path(1, "mem_banks error EIO\n")).reason(), Missing::failed);
    EXPECT_EQ(memory(bank(0, "heap_type 1\nsize_in_bytes 18446744073709551615") +
                     bank(1, "heap_type 2\nsize_in_bytes 1"))
                  .reason(),
              Missing::invalid);
}

TEST(Kfd, the_memory_of_a_cpu_node_is_all_its_banks) {
    auto const host = kfd(kfd_node(1, cpu_properties) + bank(0, "heap_type 0\nsize_in_bytes 100") +
                          bank(1, "heap_type 0\nsize_in_bytes 20"));
    EXPECT_EQ((*host.kfd_nodes)[0].memory_bytes, 120U);
    auto const hostile =
        kfd(kfd_node(1, cpu_properties) + bank(0, "size_in_bytes 18446744073709551615") +
            bank(1, "size_in_bytes 2"));
    EXPECT_NE((*hostile.kfd_nodes)[0].memory_bytes, 1U) << "wrapped";
}

std::string cache(int number, std::string_view properties) {
    return file(kfd_path(1, fmt::format("caches/{}/properties", number)), properties);
}

TEST(Kfd, caches_are_summed_by_level) {
    auto const gpu =
        kfd(kfd_gpu(1, 0x300) + cache(0, "level 1\nsize 32\ntype 9") +
            cache(1, "level 2\nsize 6144\ntype 5") + cache(2, "level 2\nsize 1000\ntype 2") +
            cache(3, "level 3\nsize 98304\ntype 5"))
            .gpus[0];
    EXPECT_EQ(gpu.l2_cache_bytes.value(), 6144U * 1024) << "instruction caches do not count";
    EXPECT_EQ(gpu.last_level_cache_bytes.value(), 98304U * 1024);
    auto const small = kfd(kfd_gpu(1, 0x300) + cache(0, "level 1\nsize 32\ntype 9")).gpus[0];
    EXPECT_EQ(small.l2_cache_bytes.reason(), Missing::absent);
    EXPECT_EQ(small.last_level_cache_bytes.reason(), Missing::absent);
    auto const hostile =
        kfd(kfd_gpu(1, 0x300) + cache(0, "level 2\nsize 18446744073709551615\ntype 5") +
            cache(1, "level 2\nsize 4\ntype 5"))
            .gpus[0];
    EXPECT_EQ(hostile.l2_cache_bytes.value(), 4096U) << "what does not fit does not count";
}

// ---- places and partitions ----------------------------------------------------------------------

TEST(Kfd, bus_slot_function_and_domain_make_the_address) {
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0xC300, "domain 0") + kfd_gpu(2, 0x300, "domain 1") +
                         kfd_gpu(3, 0x510, "domain 65536"))),
              "0000:c3:00.0/0 of 1\n0001:03:00.0/0 of 1\n10000:05:02.0/0 of 1\n");
}

TEST(Kfd, partitions_in_the_function_bits_are_rows_of_one_card) {
    std::string body;
    for (int i = 0; i < 8; ++i) body += kfd_gpu(i + 1, 0x500 + static_cast<unsigned>(i));
    auto const host = kfd(body + "/sys/bus/pci/devices/0000:05:00.0/vendor = 0x1002\n");
    ASSERT_EQ(host.gpus.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(host.gpus[i].pci_address.value(), "0000:05:00.0");
        EXPECT_EQ(host.gpus[i].partition_index.value(), i);
        EXPECT_EQ(host.gpus[i].partition_count.value(), 8U);
    }
}

TEST(Kfd, partitions_in_the_upper_bits_are_rows_of_one_card) {
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0x00000500) + kfd_gpu(2, 0x10000500) + kfd_gpu(3, 0xF0000500))),
              "0000:05:00.0/0 of 3\n0000:05:00.0/1 of 3\n0000:05:00.0/15 of 3\n");
}

TEST(Kfd, a_lone_partition_is_known_by_the_bus_that_lacks_its_function) {
    std::string const card = "/sys/bus/pci/devices/0000:05:00.0/vendor = 0x1002\n";
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0x503) + card)), "0000:05:00.0/3 of 1\n");
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0x503) + card +
                         "/sys/bus/pci/devices/0000:05:00.3/vendor = 0x1002\n")),
              "0000:05:00.3/0 of 1\n")
        << "a function of its own, as an integrated GPU may be";
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0x503))), "0000:05:00.3/0 of 1\n")
        << "without a bus nothing is assumed";
}

TEST(Kfd, without_a_domain_the_bus_tells_it) {
    auto const bus = [](std::string const& address) {
        return "/sys/bus/pci/devices/" + address + "/vendor = 0x1002\n";
    };
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0x300, "x 0") + bus("0002:03:00.0"))), "0002:03:00.0/0 of 1\n");
    EXPECT_EQ(placed(kfd(kfd_gpu(1, 0x300, "x 0") + bus("0002:04:00.0"))), "0000:03:00.0/0 of 1\n");
}

TEST(Kfd, without_a_domain_two_gpus_that_look_alike_are_no_partitions) {
    auto const alike =
        kfd_gpu(1, 0x300, "drm_render_minor 128") + kfd_gpu(2, 0x300, "drm_render_minor 129");
    EXPECT_EQ(placed(kfd(alike)), "0000:03:00.0/0 of 1\n0000:03:00.0/0 of 1\n") << "k8s-mi25";
    std::string const bus =
        "/sys/bus/pci/devices/0000:03:00.0/vendor = "
        "0x1002\n/sys/bus/pci/devices/0001:03:00.0/vendor = 0x1002\n";
    auto const unknown = kfd(alike + bus);
    EXPECT_EQ(placed(unknown), "-/99 of 99\n-/99 of 99\n") << "both fit: not guessed";
    EXPECT_NE(unknown.gpus[0].pci_address.detail(), "");
    EXPECT_EQ(
        placed(kfd(alike + bus +
                   "/sys/class/drm/renderD128/device -> /sys/bus/pci/devices/0001:03:00.0\n"
                   "/sys/class/drm/renderD129/device -> /sys/bus/pci/devices/0000:03:00.0\n")),
        "0001:03:00.0/0 of 1\n0000:03:00.0/0 of 1\n")
        << "the render node knows";
}

TEST(Kfd, a_node_without_a_place_says_so) {
    auto const gpu = kfd(kfd_node(1, "simd_count 4")).gpus[0];
    EXPECT_EQ(gpu.pci_address.reason(), Missing::absent);
    EXPECT_NE(gpu.pci_address.detail(), "");
}

// ---- links ------------------------------------------------------------------------------------

std::string link(int node, std::string_view kind, int number, std::string_view properties) {
    return file(kfd_path(node, fmt::format("{}/{}/properties", kind, number)), properties);
}

TEST(Kfd, links_say_kind_weight_and_known_rates) {
    auto const host =
        kfd(kfd_gpu(1, 0x300) + kfd_gpu(2, 0x400) +
            link(1, "io_links", 0,
                 "type 11\nnode_from 1\nnode_to 2\nweight 15\nmin_bandwidth 50000\nmax_bandwidth "
                 "100000") +
            link(2, "p2p_links", 0,
                 "type 2\nnode_from 2\nnode_to 1\nweight 40\nmin_bandwidth 0\nmax_bandwidth 0"));
    ASSERT_EQ(host.links.size(), 2U);
    EXPECT_EQ(host.links[0].kind, "xgmi");
    EXPECT_EQ(host.links[0].listed_in, "io_links");
    EXPECT_EQ(host.links[0].max_bandwidth_mb_per_s, 100000U);
    EXPECT_EQ(host.links[1].kind, "pcie");
    EXPECT_EQ(host.links[1].listed_in, "p2p_links");
    EXPECT_EQ(host.links[1].weight, 40U);
    EXPECT_FALSE(host.links[1].max_bandwidth_mb_per_s) << "0 is unknown";
}

TEST(Kfd, a_link_without_ends_or_type_is_none) {
    for (auto const* properties : {"", "type 11", "type 11\nnode_from 1", "type 11\nnode_to 2",
                                   "node_from 1\nnode_to 2", "type 11\nnode_from x\nnode_to 2"})
        EXPECT_TRUE(kfd(kfd_gpu(1, 0x300) + link(1, "io_links", 0, properties)).links.empty())
            << properties;
}

TEST(Kfd, rows_at_the_ends_of_a_link_follow_the_pci_order) {
    auto const host =
        probe(recorded(kfd_node(0, cpu_properties) + kfd_gpu(1, 0xC300) + kfd_gpu(2, 0x300) +
                       link(1, "io_links", 0, "type 2\nnode_from 1\nnode_to 0") +
                       link(1, "io_links", 1, "type 11\nnode_from 1\nnode_to 2") +
                       link(1, "io_links", 2, "type 11\nnode_from 1\nnode_to 77")));
    ASSERT_EQ(host.links.size(), 3U);
    EXPECT_EQ(host.links[0].from_row, 1U);
    EXPECT_EQ(host.links[0].to_row, std::nullopt) << "a processor";
    EXPECT_EQ(host.links[1].to_row, 0U);
    EXPECT_EQ(host.links[2].to_row, std::nullopt) << "no such node";
}

}  // namespace
}  // namespace rocmtune::test
