// SPDX-License-Identifier: MIT
// The merge: whose word counts, what is a dispute, and which reason is told.
#include <gtest/gtest.h>

#include <set>

#include "rocmtune/host.hpp"

namespace rocmtune::test {
namespace {

Source from(char const* reader) {
    return {reader, "somewhere"};
}

/// Settles one GPU that `fill` prepared.
template <class Fill>
Gpu settled(Fill fill) {
    Host host;
    fill(host.gpus.emplace_back());
    settle(host);
    return host.gpus[0];
}

TEST(Settle, the_best_ranked_source_is_the_value_in_whatever_order_they_spoke) {
    for (bool const kfd_first : {true, false}) {
        auto const gpu = settled([&](Gpu& g) {
            if (kfd_first) g.render_node.offer("renderD129", from("kfd"));
            g.render_node.offer("renderD128", from("drm"));
            if (!kfd_first) g.render_node.offer("renderD129", from("kfd"));
        });
        EXPECT_EQ(gpu.render_node.value(), "renderD128");
        EXPECT_EQ(gpu.render_node.source().reader, "drm");
        ASSERT_EQ(gpu.render_node.others().size(), 1U);
        EXPECT_EQ(gpu.render_node.others()[0].value, "renderD129");
        EXPECT_EQ(gpu.render_node.others()[0].source.reader, "kfd");
    }
}

TEST(Settle, sources_that_agree_are_no_dispute) {
    auto const gpu = settled([](Gpu& g) {
        g.unique_id.offer("0001", from("kfd"));
        g.unique_id.offer("0001", from("drm"));
    });
    EXPECT_EQ(gpu.unique_id.source().reader, "drm");
    EXPECT_TRUE(gpu.unique_id.others().empty());
}

TEST(Settle, a_difference_within_the_tolerance_is_no_dispute) {
    auto const disputes = [](std::uint64_t a, std::uint64_t b) {
        return settled([&](Gpu& g) {
                   g.vram_bytes.offer(a, from("drm"));
                   g.vram_bytes.offer(b, from("kfd"));
               })
            .vram_bytes.others()
            .size();
    };
    EXPECT_EQ(disputes(1000, 1000), 0U);
    EXPECT_EQ(disputes(1000, 980), 0U) << "2 % of the larger";
    EXPECT_EQ(disputes(980, 1000), 0U);
    EXPECT_EQ(disputes(1000, 979), 1U);
    EXPECT_EQ(disputes(0, 0), 0U);
    EXPECT_EQ(disputes(0, 1), 1U);
    EXPECT_EQ(disputes(18446744073709551615U, 1), 1U);
}

TEST(Settle, without_tolerance_every_bit_counts) {
    auto const gpu = settled([](Gpu& g) {
        g.compute_units.offer((std::uint64_t{1} << 60) + 1, from("kfd"));
        g.compute_units.offer(std::uint64_t{1} << 60, from("kfd"));
    });
    EXPECT_EQ(gpu.compute_units.others().size(), 1U) << "also beyond the precision of a double";
}

TEST(Settle, an_undeclared_reader_never_disputes) {
    auto const gpu = settled([](Gpu& g) {
        g.compute_units.offer(96, from("kfd"));
        g.compute_units.offer(48, from("elsewhere"));
    });
    EXPECT_EQ(gpu.compute_units.value(), 96U);
    EXPECT_TRUE(gpu.compute_units.others().empty());
}

TEST(Settle, an_undeclared_reader_gives_way_and_fills_a_gap) {
    auto const both = settled([](Gpu& g) {
        g.compute_units.offer(48, from("elsewhere"));
        g.compute_units.offer(96, from("kfd"));
    });
    EXPECT_EQ(both.compute_units.value(), 96U);
    EXPECT_TRUE(both.compute_units.others().empty());
    auto const alone = settled([](Gpu& g) { g.compute_units.offer(48, from("elsewhere")); });
    EXPECT_EQ(alone.compute_units.value(), 48U);
}

TEST(Settle, where_nothing_is_declared_the_first_stands_without_dispute) {
    auto const gpu = settled([](Gpu& g) {
        g.wavefront_size.offer(32, from("kfd"));
        g.wavefront_size.offer(64, from("profile"));
    });
    EXPECT_EQ(gpu.wavefront_size.value(), 32U);
    EXPECT_TRUE(gpu.wavefront_size.others().empty());
}

TEST(Settle, a_name_that_is_part_of_another_is_not_declared) {
    auto const gpu = settled([](Gpu& g) {
        g.vram_bytes.offer(5, from("dr"));
        g.vram_bytes.offer(7, from("drm"));
        g.vram_bytes.offer(9, from("kf"));
    });
    EXPECT_EQ(gpu.vram_bytes.value(), 7U);
    EXPECT_TRUE(gpu.vram_bytes.others().empty());
}

TEST(Settle, settling_twice_changes_nothing) {
    Host host;
    host.gpus.emplace_back().render_node.offer("a", from("kfd"));
    host.gpus[0].render_node.offer("b", from("drm"));
    settle(host);
    settle(host);
    EXPECT_EQ(host.gpus[0].render_node.value(), "b");
    EXPECT_EQ(host.gpus[0].render_node.others().size(), 1U);
}

TEST(Settle, only_known_readers_are_declared) {
    // A typing error in a field's list would silently switch the comparison off.
    std::set<std::string_view> const readers{"kfd", "pci", "drm",      "profile",
                                             "hip", "hsa", "rocm_smi", "amd_smi"};
    auto const check = [&](FactField const& field, auto const&) {
        for (std::string_view rest = field.sources; !rest.empty();) {
            auto const end = std::min(rest.find(' '), rest.size());
            EXPECT_TRUE(readers.contains(rest.substr(0, end)))
                << field.key << ": " << rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    };
    Host const host;
    Gpu const gpu;
    visit_fields(host, check);
    visit_fields(gpu, check);
}

// ---- reasons ------------------------------------------------------------------------------------

TEST(Fact, a_new_fact_was_not_read) {
    Number const fact;
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.reason(), Missing::not_read);
    EXPECT_EQ(fact.value_or(7), 7U);
}

TEST(Fact, the_reason_that_tells_most_stands) {
    Number fact;
    fact.miss(Missing::denied, "first");
    fact.miss(Missing::absent, "later, and tells less");
    EXPECT_EQ(fact.reason(), Missing::denied);
    EXPECT_EQ(fact.detail(), "first");
    fact.miss(Missing::denied, "later, and tells as much");
    EXPECT_EQ(fact.detail(), "later, and tells as much");
    Number other;
    other.miss(Missing::not_recorded, "a");
    other.miss(Missing::timeout, "b");
    EXPECT_EQ(other.reason(), Missing::timeout);
}

TEST(Fact, a_value_wins_over_every_reason) {
    Number fact;
    fact.miss(Missing::denied, "why");
    fact.offer(5, from("kfd"));
    fact.miss(Missing::denied, "again");
    EXPECT_EQ(fact.value(), 5U);
    EXPECT_TRUE(fact);
}

TEST(Fact, every_reason_has_a_name_of_its_own) {
    std::set<std::string_view> names;
    for (auto const reason :
         {Missing::not_read, Missing::not_recorded, Missing::absent, Missing::unsupported,
          Missing::invalid, Missing::suspended, Missing::failed, Missing::timeout, Missing::denied})
        names.insert(missing_name(reason));
    EXPECT_EQ(names.size(), 9U);
    EXPECT_FALSE(names.contains(""));
}

TEST(Fields, keys_are_unique_snake_case_with_one_line_of_help) {
    auto const check_all = [](auto const& entity) {
        std::set<std::string_view> keys;
        visit_fields(entity, [&](Field const& field, auto const&) {
            EXPECT_TRUE(keys.insert(field.key).second) << field.key;
            EXPECT_EQ(field.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
                      field.key.npos)
                << field.key;
            EXPECT_FALSE(field.help.empty()) << field.key;
            EXPECT_EQ(field.help.find('\n'), field.help.npos) << field.key;
        });
    };
    check_all(Host{});
    check_all(Gpu{});
    check_all(Link{});
    check_all(RasBlock{});
    check_all(ClockDomain{});
    check_all(RocmInstallation{});
    check_all(Framework{});
}

}  // namespace
}  // namespace rocmtune::test
