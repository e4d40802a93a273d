// SPDX-License-Identifier: MIT
// What a GPU is called, and whose word that is.
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "support/small_gpu.hpp"

namespace rocmtune::test {
namespace {

constexpr std::string_view place = "/sys/devices/pci0000:00/0000:03:00.0";
constexpr std::string_view amdgpu_ids =
    "/usr/share/libdrm/amdgpu.ids =\n\t1.0.0\n\t744C,\tCC,\tRadeon from libdrm\n";
constexpr std::string_view pci_ids =
    "/usr/share/misc/pci.ids =\n\t1002  AMD\n\t\t744c  Navi 31 [Radeon from pci.ids]\n\t\t1234  "
    "Odd\n";

Gpu named(std::string const& more, std::string_view device = "0x744c",
          std::string_view revision = "0xcc") {
    Host host;
    auto const context = recorded(pci_gpu("0000:03:00.0", place, device, revision) + more);
    read_kfd(context, host);
    read_pci(context, host);
    read_names(context, host);
    return host.gpus.at(0);
}

TEST(Names, the_hosts_amdgpu_ids_come_first) {
    auto const gpu = named(std::string(amdgpu_ids) + std::string(pci_ids));
    EXPECT_EQ(gpu.marketing_name.value(), "Radeon from libdrm");
    EXPECT_EQ(gpu.marketing_name.source().reader, "amdgpu.ids");
}

TEST(Names, then_the_profiles_and_then_pci_ids) {
    auto const profile = named(std::string(pci_ids));
    ASSERT_TRUE(profile.marketing_name);
    EXPECT_EQ(profile.marketing_name.source().reader, "profile");
    EXPECT_NE(profile.marketing_name->find("7900 XT"), std::string::npos);
    auto const unknown = named(std::string(pci_ids), "0x1234", "0x01");
    EXPECT_EQ(unknown.marketing_name.value(), "Odd");
    EXPECT_EQ(unknown.marketing_name.source().reader, "pci.ids");
    EXPECT_EQ(named("/usr/share/hwdata/pci.ids =\n\t1002  AMD\n\t\t1234  Fedora's\n", "0x1234")
                  .marketing_name.value(),
              "Fedora's");
}

TEST(Names, another_revision_is_another_product) {
    EXPECT_NE(named(std::string(amdgpu_ids), "0x744c", "0xc8").marketing_name.value_or(""),
              "Radeon from libdrm");
}

TEST(Names, a_device_in_no_list_says_its_ids) {
    auto const gpu = named("", "0x1234", "0x5a");
    EXPECT_EQ(gpu.marketing_name.reason(), Missing::absent);
    EXPECT_NE(gpu.marketing_name.detail().find("0x1234"), std::string::npos);
    EXPECT_NE(gpu.marketing_name.detail().find("0x5a"), std::string::npos);
}

TEST(Names, a_device_without_ids_has_their_reason) {
    auto const gpu = named("", "rubbish", "0xcc");
    EXPECT_EQ(gpu.marketing_name.reason(), Missing::invalid);
    EXPECT_FALSE(named("", "0x1234", "rubbish").marketing_name);
}

TEST(Names, lists_that_cannot_be_read_do_no_harm) {
    EXPECT_TRUE(named("/usr/share/libdrm/amdgpu.ids error EACCES\n/usr/share/misc/pci.ids dir\n")
                    .marketing_name);
    EXPECT_FALSE(
        named("/usr/share/libdrm/amdgpu.ids base64 //8AAQ==\n/usr/share/misc/pci.ids error EIO\n",
              "0x1234")
            .marketing_name);
}

TEST(Names, the_profile_says_what_kind_it_is) {
    auto const radeon = named("");
    EXPECT_EQ(radeon.family.value(), "RDNA3");
    EXPECT_EQ(radeon.is_apu.value(), false);
    EXPECT_EQ(radeon.wavefront_size.value(), 32U);
    auto const unknown = named("", "0x1234");
    EXPECT_EQ(unknown.family.reason(), Missing::absent);
    EXPECT_EQ(unknown.is_apu.reason(), Missing::absent);
    EXPECT_NE(unknown.family.detail(), "");
}

TEST(Names, a_target_newer_than_the_profiles_has_no_family) {
    auto const gpu =
        named(kfd_node(1,
                       "simd_count 4\nsimd_per_cu 2\ngfx_target_version 990000\nvendor_id "
                       "4098\ndevice_id 4660\nlocation_id 768\ndomain 0"),
              "0x1234");
    EXPECT_EQ(gpu.gfx_target.value(), "gfx9900");
    EXPECT_EQ(gpu.family.detail(), "no profile for gfx9900");
}

TEST(Names, memory_is_what_the_profile_says_of_the_product) {
    auto const gpu = named("");
    EXPECT_EQ(gpu.memory_type.value(), "GDDR6");
    EXPECT_EQ(gpu.memory_type.source().reader, "profile");
    EXPECT_EQ(gpu.memory_bandwidth_bytes_per_s.value(), 800'000'000'000U);
    auto const unknown = named("", "0x1234", "0x01");
    EXPECT_EQ(unknown.memory_type.reason(), Missing::absent);
    EXPECT_EQ(unknown.memory_bandwidth_bytes_per_s.detail(), "no profile knows the product");
    auto const unstated = named("", "0x74a2", "0x00");
    EXPECT_EQ(unstated.memory_type.reason(), Missing::absent);
    EXPECT_NE(unstated.memory_type.detail().find("MI308X"), std::string::npos);
}

}  // namespace
}  // namespace rocmtune::test
