// SPDX-License-Identifier: MIT
// The embedded profiles: what they say about targets and products, and how files override them.
#include "knowledge/chips.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "codec/json_node.hpp"

namespace rocmtune {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

std::string_view name_of(std::uint16_t device, std::uint8_t revision) {
    auto const* product = embedded_chips().find_product(device, revision);
    return product ? product->name : "(none)";
}

std::string_view target_of(std::uint16_t device) {
    auto const* chip = embedded_chips().chip_of_device(device);
    return chip ? chip->gfx_target : "(none)";
}

/// A complete profile with these members in front of the required ones.
ProfileText profile(std::string const& name, std::string const& members) {
    return {name + ".json", "{" + members + R"(, "schema_version": "1.0",
              "sources": [{"title": "Own test", "reference": "chips_test.cpp"}],
              "bibliography": {"here": {"title": "Own test", "reference": "chips_test.cpp"}}})"};
}

std::string one_product(std::string const& name, std::string const& ids) {
    return R"("products": [{"name": ")" + name + R"(", "pci_ids": [)" + ids + "]}]";
}

TEST(Chips, every_embedded_profile_names_its_sources) {
    EXPECT_GE(embedded_chips().profiles().size(), 40u);
    for (auto const& view : embedded_chips().profiles()) {
        auto const json = nlohmann::json::parse(view.text);
        EXPECT_FALSE(json.at("sources").empty()) << view.name;
    }
}

TEST(Chips, every_chip_explains_where_its_values_come_from) {
    for (auto const& chip : embedded_chips().all_chips()) {
        EXPECT_FALSE(chip.sources.empty()) << chip.gfx_target;
        for (auto const* source : chip.sources) {
            EXPECT_FALSE(source->title.empty()) << chip.gfx_target;
            EXPECT_FALSE(source->url.empty() && source->reference.empty()) << source->title;
        }
    }
}

TEST(Chips, every_target_of_the_hardware_table_has_a_profile) {
    std::map<std::string, std::string, std::less<>> const families{
        {"gfx900", "GCN5"},     {"gfx906", "GCN5"},     {"gfx908", "CDNA1"},
        {"gfx90a", "CDNA2"},    {"gfx90c", "GCN5"},     {"gfx940", "CDNA3"},
        {"gfx941", "CDNA3"},    {"gfx942", "CDNA3"},    {"gfx950", "CDNA4"},
        {"gfx1010", "RDNA1"},   {"gfx1011", "RDNA1"},   {"gfx1012", "RDNA1"},
        {"gfx1030", "RDNA2"},   {"gfx1031", "RDNA2"},   {"gfx1032", "RDNA2"},
        {"gfx1033", "RDNA2"},   {"gfx1034", "RDNA2"},   {"gfx1035", "RDNA2"},
        {"gfx1036", "RDNA2"},   {"gfx1100", "RDNA3"},   {"gfx1101", "RDNA3"},
        {"gfx1102", "RDNA3"},   {"gfx1103", "RDNA3"},   {"gfx1150", "RDNA3.5"},
        {"gfx1151", "RDNA3.5"}, {"gfx1152", "RDNA3.5"}, {"gfx1153", "RDNA3.5"},
        {"gfx1200", "RDNA4"},   {"gfx1201", "RDNA4"},   {"gfx1250", "gfx125X"}};
    for (auto const& [target, family] : families) {
        auto const* chip = embedded_chips().find_chip(target);
        ASSERT_NE(chip, nullptr) << target;
        EXPECT_EQ(chip->family, family) << target;
    }
    EXPECT_EQ(embedded_chips().all_chips().size(), families.size());
}

TEST(Chips, the_kernel_counts_four_simds_per_cu_on_gfx9_and_two_on_gfx10_to_gfx12) {
    for (auto const& chip : embedded_chips().all_chips()) {
        auto const is_gfx9 = chip.gfx_target.starts_with("gfx9");
        auto const four = is_gfx9 || chip.gfx_target == "gfx1250";
        EXPECT_EQ(chip.simd_per_cu, four ? 4u : 2u) << chip.gfx_target;
        EXPECT_EQ(chip.wavefront_size, is_gfx9 ? 64u : 32u) << chip.gfx_target;
    }
}

TEST(Chips, a_target_that_no_profile_has_is_not_found) {
    for (auto const* target : {"", "gfx", "gfx90", "gfx90ab", "gfx9999", "GFX900", "zzz"}) {
        EXPECT_EQ(embedded_chips().find_chip(target), nullptr) << target;
    }
}

TEST(Chips, only_targets_whose_products_differ_leave_open_whether_they_are_apus) {
    for (auto const* target : {"gfx90c", "gfx1033", "gfx1035", "gfx1036", "gfx1103", "gfx1150",
                               "gfx1151", "gfx1152", "gfx1153"}) {
        EXPECT_EQ(embedded_chips().find_chip(target)->is_apu, true) << target;
    }
    for (auto const* target : {"gfx900", "gfx906", "gfx90a", "gfx950", "gfx1030", "gfx1100"}) {
        EXPECT_EQ(embedded_chips().find_chip(target)->is_apu, false) << target;
    }
    EXPECT_EQ(embedded_chips().find_chip("gfx942")->is_apu, std::nullopt);
    EXPECT_EQ(embedded_chips().find_product(0x74a0, 0x00)->is_apu, true);
}

TEST(Chips, one_device_id_covers_several_products) {
    EXPECT_EQ(name_of(0x744c, 0xc8), "AMD Radeon RX 7900 XTX");
    EXPECT_EQ(name_of(0x744c, 0xcc), "AMD Radeon RX 7900 XT");
    EXPECT_EQ(name_of(0x744c, 0xce), "AMD Radeon RX 7900 GRE");
    EXPECT_EQ(name_of(0x747e, 0xff), "AMD Radeon RX 7700 XT");
    EXPECT_EQ(name_of(0x66a1, 0x06), "AMD Radeon Pro VII");
}

TEST(Chips, an_unknown_revision_gets_no_other_products_name) {
    EXPECT_EQ(name_of(0x744c, 0x00), "(none)");
    EXPECT_EQ(name_of(0x66a1, 0x00), "(none)");
    EXPECT_EQ(name_of(0x6860, 0x05), "(none)");
    EXPECT_EQ(target_of(0x744c), "gfx1100");
}

TEST(Chips, an_entry_for_every_revision_serves_those_without_an_own_one) {
    EXPECT_EQ(name_of(0x1586, 0xd5), "AMD Radeon 8040S Graphics");
    EXPECT_EQ(name_of(0x1586, 0x77), "AMD Radeon 8065S / 8060S / 8050S / 8040S Graphics");
    EXPECT_EQ(name_of(0x75a8, 0x00), "AMD Instinct MI350P");
}

TEST(Chips, a_device_that_no_profile_has_is_unknown) {
    EXPECT_EQ(name_of(0x1234, 0x00), "(none)");
    EXPECT_EQ(name_of(0x0000, 0x00), "(none)");
    EXPECT_EQ(name_of(0xffff, 0xff), "(none)");
    EXPECT_EQ(target_of(0x1234), "(none)");
}

TEST(Chips, an_old_kernel_without_gfx_version_is_helped_by_the_device_id) {
    EXPECT_EQ(target_of(0x66a0), "gfx906");  // no product has it
    EXPECT_EQ(target_of(0x7390), "gfx908");
    EXPECT_EQ(target_of(0x7410), "gfx90a");
    EXPECT_EQ(target_of(0x1636), "gfx90c");
    EXPECT_EQ(target_of(0x7362), "gfx1011");
    EXPECT_EQ(target_of(0x73bf), "gfx1030");
    EXPECT_EQ(target_of(0x73a2), "gfx1030");
}

TEST(Chips, figures_of_a_two_die_module_are_those_of_one_die) {
    auto const* product = embedded_chips().find_product(0x7408, 0x00);
    ASSERT_NE(product, nullptr);
    EXPECT_EQ(product->compute_units, 110u);
    EXPECT_EQ(product->vram_bytes, 64 * gib);
    EXPECT_EQ(product->memory_bandwidth_bytes_per_s, 1'638'400'000'000u);
    EXPECT_EQ(product->pci_functions_per_card, 2u);
}

TEST(Chips, figures_of_the_seed_documents_are_corrected) {
    auto const* xt = embedded_chips().find_product(0x744c, 0xcc);
    EXPECT_EQ(xt->compute_units, 84u);
    EXPECT_EQ(xt->vram_bytes, 20 * gib);
    EXPECT_EQ(xt->memory_bandwidth_bytes_per_s, 800'000'000'000u);
}

TEST(Chips, products_have_the_kind_of_their_memory) {
    EXPECT_EQ(embedded_chips().find_product(0x740f, 0x02)->memory_type, MemoryType::hbm2e);
    EXPECT_EQ(embedded_chips().find_product(0x74a5, 0x00)->memory_type, MemoryType::hbm3e);
    EXPECT_EQ(embedded_chips().find_product(0x744c, 0xc8)->memory_type, MemoryType::gddr6);
    EXPECT_EQ(embedded_chips().find_product(0x73ff, 0xc7)->memory_type, MemoryType::gddr6);
    EXPECT_EQ(embedded_chips().find_product(0x73ff, 0xc7)->memory_bandwidth_bytes_per_s,
              224'000'000'000U);
    EXPECT_EQ(word_of(MemoryType::lpddr5x), "LPDDR5X");
    // No source states that of an MI308X; computers with an 890M differ.
    EXPECT_EQ(embedded_chips().find_product(0x74a2, 0x00)->memory_type, std::nullopt);
    EXPECT_EQ(embedded_chips().find_product(0x150e, 0xc1)->memory_type, std::nullopt);
}

TEST(Chips, a_figure_that_no_source_confirms_is_absent) {
    auto const* shared_id = embedded_chips().find_product(0x66a1, 0x02);  // MI60 or MI50
    EXPECT_EQ(shared_id->compute_units, std::nullopt);
    EXPECT_EQ(shared_id->vram_bytes, std::nullopt);
    EXPECT_EQ(embedded_chips().find_product(0x7550, 0xc2)->vram_bytes, std::nullopt);
}

std::uint16_t number(nlohmann::json const& hexadecimal) {
    return static_cast<std::uint16_t>(std::stoul(hexadecimal.get<std::string>(), nullptr, 16));
}

/// Checks the look-ups for one entry of "pci_ids"; any revision that has no entry stands for null.
void expect_found(nlohmann::json const& product, nlohmann::json const& id,
                  std::string_view target) {
    auto const device = number(id.at("device"));
    auto const name = product.at("name").get<std::string>();
    EXPECT_EQ(target_of(device), target);
    for (auto const& revision : id.value("revisions", nlohmann::json::array({"0xbd"}))) {
        EXPECT_EQ(name_of(device, static_cast<std::uint8_t>(number(revision))), name);
    }
}

TEST(Chips, every_product_is_found_by_the_ids_its_profile_lists) {
    std::size_t products = 0;
    for (auto const& view : embedded_chips().profiles()) {
        auto const profile = nlohmann::json::parse(view.text);
        for (auto const& product : profile.value("products", nlohmann::json::array())) {
            for (auto const& id : product.at("pci_ids")) {
                expect_found(product, id, profile.at("gfx_target").get<std::string>());
            }
            ++products;
        }
    }
    EXPECT_GE(products, 150u);
}

TEST(Chips, no_device_id_leads_to_two_targets) {
    for (unsigned device = 0; device <= 0xffff; ++device) {
        auto const id = static_cast<std::uint16_t>(device);
        for (unsigned const revision : {0x00u, 0xc0u, 0xc8u, 0xffu}) {
            auto const* product =
                embedded_chips().find_product(id, static_cast<std::uint8_t>(revision));
            ASSERT_TRUE(!product || target_of(id) == product->gfx_target) << device;
        }
    }
}

TEST(Chips, every_chip_lists_its_products_and_the_chips_are_sorted) {
    EXPECT_TRUE(std::ranges::is_sorted(embedded_chips().all_chips(), {}, &Chip::gfx_target));
    for (auto const& chip : embedded_chips().all_chips()) {
        for (auto const& product : chip.products) {
            EXPECT_EQ(product.gfx_target, chip.gfx_target) << product.name;
        }
    }
}

TEST(ChipOverrides, a_file_takes_the_place_of_the_profile_with_its_name) {
    auto const set = with_overrides(
        embedded_chips(),
        {profile("/etc/rocmtune/profiles/gfx1100",
                 R"("extends": "rdna3", "gfx_target": "gfx1100", )" +
                     one_product("Lab card", R"({"device": "0x744c", "source": "here"})"))});
    EXPECT_EQ(set.find_product(0x744c, 0xc8)->name, "Lab card");
    EXPECT_EQ(set.find_product(0x7448, 0x00), nullptr);
    EXPECT_EQ(set.find_chip("gfx1100")->simd_per_cu, 2u);
    EXPECT_EQ(set.find_chip("gfx1101")->codename, "Navi 32");
    EXPECT_EQ(name_of(0x744c, 0xc8), "AMD Radeon RX 7900 XTX");
}

TEST(ChipOverrides, a_file_that_extends_its_own_name_adds_to_the_profile) {
    auto const ids = R"({"device": "0x744c", "revisions": ["0xc8"], "source": "here"})";
    auto const set = with_overrides(
        embedded_chips(), {profile("gfx1100", R"("extends": "gfx1100", )"
                                              R"("gfx_target": "gfx1100", "codename": null, )" +
                                                  one_product("Lab card", ids))});
    EXPECT_EQ(set.find_product(0x744c, 0xc8)->name, "Lab card");
    EXPECT_EQ(set.find_product(0x744c, 0xcc)->name, "AMD Radeon RX 7900 XT");
    EXPECT_EQ(set.find_chip("gfx1100")->codename, "");
    EXPECT_EQ(set.find_chip("gfx1100")->family, "RDNA3");
}

TEST(ChipOverrides, a_family_file_reaches_the_chips_that_extend_it) {
    auto const set = with_overrides(
        embedded_chips(), {profile("rdna3", R"("extends": "rdna3", "generic_target": null)")});
    EXPECT_EQ(set.find_chip("gfx1100")->generic_target, "");
    EXPECT_EQ(set.find_chip("gfx1150")->generic_target, "gfx11-generic");
}

TEST(ChipOverrides, the_last_of_several_files_wins) {
    auto const first = profile("gfx1100", R"("extends": "gfx1100", "codename": "First")");
    auto const last = profile("late/gfx1100", R"("extends": "gfx1100", "codename": "Last")");
    EXPECT_EQ(with_overrides(embedded_chips(), {first, last}).find_chip("gfx1100")->codename,
              "Last");
    auto const stacked = with_overrides(with_overrides(embedded_chips(), {first}), {last});
    EXPECT_EQ(stacked.find_chip("gfx1100")->codename, "Last");
    EXPECT_EQ(stacked.find_product(0x744c, 0xc8)->name, "AMD Radeon RX 7900 XTX");
}

TEST(ChipOverrides, a_new_target_needs_no_new_program) {
    auto const set = with_overrides(
        embedded_chips(),
        {profile("gfx1154",
                 R"("extends": "rdna3_5", "gfx_target": "gfx1154", )" +
                     one_product("New APU", R"({"device": "0x1fff", "source": "here"})"))});
    EXPECT_EQ(set.find_chip("gfx1154")->family, "RDNA3.5");
    EXPECT_EQ(set.chip_of_device(0x1fff)->gfx_target, "gfx1154");
}

TEST(ChipOverrides, a_device_of_another_target_names_both_files) {
    auto const claim = one_product("Wrong", R"({"device": "0x7448", "source": "here"})");
    try {
        with_overrides(
            embedded_chips(),
            {profile("gfx1154", R"("extends": "rdna3", "gfx_target": "gfx1154", )" + claim)});
        FAIL() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "gfx1154.json");
        EXPECT_EQ(error.pointer(), "/products/0/pci_ids/0");
        EXPECT_NE(std::string(error.what()).find("gfx1100.json"), std::string::npos);
    }
}

}  // namespace
}  // namespace rocmtune
