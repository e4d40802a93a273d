// SPDX-License-Identifier: MIT
// Which rows are one physical card.
#include <gtest/gtest.h>

#include "knowledge/chips.hpp"
#include "probe/reader.hpp"
#include "support/small_gpu.hpp"

namespace rocmtune::test {
namespace {

/// Two dies of MI250X each (740c), rows 0 to n-1, with links between rows.
class Dies {
  public:
    explicit Dies(std::size_t count, char const* device = "0x740c", char const* revision = "0x01") {
        for (std::size_t i = 0; i < count; ++i) {
            auto& gpu = host.gpus.emplace_back();
            gpu.row.offer(i, {"test", ""});
            gpu.pci_address.offer(fmt::format("0000:{:02x}:00.0", 0xc1 + i), {"test", ""});
            gpu.pci_device_id.offer(device, {"test", ""});
            gpu.pci_revision.offer(revision, {"test", ""});
        }
    }
    Dies& link(std::uint64_t a, std::uint64_t b, std::optional<std::uint64_t> rate,
               std::string const& kind = "xgmi", char const* list = "io_links") {
        for (auto const& [from, to] : {std::pair(a, b), std::pair(b, a)})
            host.links.push_back({.from_node = from,
                                  .to_node = to,
                                  .from_row = from,
                                  .to_row = to,
                                  .kind = kind,
                                  .listed_in = list,
                                  .max_bandwidth_mb_per_s = rate});
        return *this;
    }
    std::vector<std::string> modules() {
        offer_modules(embedded_chips(), host);
        std::vector<std::string> result;
        for (auto const& gpu : host.gpus) result.push_back(gpu.module.value_or("-"));
        return result;
    }
    Host host;
};

using Strings = std::vector<std::string>;

TEST(Modules, the_widest_links_pair_the_dies_of_an_mi250) {
    EXPECT_EQ(Dies(4)
                  .link(0, 1, 200000)
                  .link(2, 3, 200000)
                  .link(0, 2, 50000)
                  .link(1, 3, 100000)
                  .link(0, 3, 50000)
                  .modules(),
              (Strings{"0000:c1:00.0", "0000:c1:00.0", "0000:c3:00.0", "0000:c3:00.0"}));
}

TEST(Modules, a_pair_listed_in_both_lists_is_a_pair) {
    EXPECT_EQ(Dies(2).link(0, 1, 200000).link(0, 1, 200000, "xgmi", "p2p_links").modules(),
              (Strings{"0000:c1:00.0", "0000:c1:00.0"}));
}

TEST(Modules, dies_without_a_widest_link_are_not_paired) {
    EXPECT_EQ(Dies(3).link(0, 1, 100).link(0, 2, 100).link(1, 2, 100).modules(),
              (Strings{"-", "-", "-"}));
    EXPECT_EQ(Dies(2).link(0, 1, std::nullopt).modules(), (Strings{"-", "-"}))
        << "old kernels know no rates";
    EXPECT_EQ(Dies(2).modules(), (Strings{"-", "-"}));
    EXPECT_EQ(Dies(2).link(0, 1, 200000, "pcie").modules(), (Strings{"-", "-"}));
    Dies lonely(1);
    EXPECT_EQ(lonely.modules(), Strings{"-"});
    EXPECT_NE(lonely.host.gpus[0].module.detail(), "");
}

TEST(Modules, a_choice_that_is_not_returned_is_no_pair) {
    EXPECT_EQ(Dies(3).link(0, 1, 100).link(1, 2, 200).modules(),
              (Strings{"-", "0000:c2:00.0", "0000:c2:00.0"}));
}

TEST(Modules, other_products_are_a_card_each) {
    EXPECT_EQ(Dies(2, "0x740f", "0x02").link(0, 1, 200000).modules(),
              (Strings{"0000:c1:00.0", "0000:c2:00.0"}))
        << "MI210";
    EXPECT_EQ(Dies(2, "0x744c", "0xc8").modules(), (Strings{"0000:c1:00.0", "0000:c2:00.0"}));
}

TEST(Modules, a_revision_that_is_not_known_is_not_needed_where_all_are_one_product) {
    Dies dies(2);
    for (auto& gpu : dies.host.gpus) gpu.pci_revision = {};
    EXPECT_EQ(dies.link(0, 1, 200000).modules(), (Strings{"0000:c1:00.0", "0000:c1:00.0"}));
}

TEST(Modules, partitions_share_the_module_of_their_card) {
    auto const host = probe(recorded(kfd_gpu(1, 0x300) + kfd_gpu(2, 0x301) + kfd_gpu(3, 0x400)));
    ASSERT_EQ(host.gpus.size(), 3U);
    EXPECT_EQ(host.gpus[0].module.value(), host.gpus[1].module.value());
    EXPECT_NE(host.gpus[0].module.value(), host.gpus[2].module.value());
}

TEST(Modules, a_row_without_an_address_has_no_module) {
    auto const host = probe(recorded(kfd_node(1, "simd_count 4")));
    EXPECT_EQ(host.gpus[0].module.reason(), Missing::absent);
    EXPECT_EQ(host.gpus[0].module.detail(), host.gpus[0].pci_address.detail());
}

}  // namespace
}  // namespace rocmtune::test
