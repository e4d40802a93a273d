// SPDX-License-Identifier: MIT
// What the profiles say of the hardware: refused mistakes, inheritance, families, peaks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "knowledge/chip_builder.hpp"
#include "knowledge/products.hpp"

namespace rocmtune::test {
namespace {

std::string const head = R"("schema_version": "1.0", "sources": ["s"],
    "bibliography": {"s": {"title": "T", "reference": "R"}})";

std::string profile(std::string const& more) {
    return "{" + head + ", " + more + "}";
}

struct Wrong {
    std::string text, pointer, message;
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.text;
}

class AWrongFact : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongFact, is_refused_with_its_place) {
    try {
        auto const text = profile(GetParam().text);
        join_profiles({{"p.json", text}});
        ADD_FAILURE() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.pointer(), GetParam().pointer);
        EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
            << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Facts, AWrongFact,
    testing::Values(
        Wrong{R"("matrix_instructions": "WMMA")", "/matrix_instructions", "expected an array"},
        Wrong{R"("fp8_format": "IEEE")", "/fp8_format", "FNUZ, OCP"},
        Wrong{R"("matrix_kernels": {"fp16": "mfma"})", "/matrix_kernels/fp16",
              "mfma_f32_32x32x8f16"},
        Wrong{R"("matrix_kernels": {"fp4": "mfma_f32_32x32x8f16"})", "/matrix_kernels/fp4", "key"},
        Wrong{R"("ras": 1)", "/ras", "expected"},
        Wrong{R"("xnack": "maybe")", "/xnack", "process, boot, none"},
        Wrong{R"("vgpr_bytes_per_cu": 0)", "/vgpr_bytes_per_cu", "whole number"},
        Wrong{R"("rates": {"fp12": {}})", "/rates/fp12", "unknown data type"},
        Wrong{R"("rates": {"fp16": {"tensor": 1}})", "/rates/fp16/tensor", "unknown unit"},
        Wrong{R"("rates": {"fp16": {"matrix": 2048.5}})", "/rates/fp16/matrix", "whole number"},
        Wrong{R"("rocm_support": [{"since": "6.0"}])", "/rocm_support/0", "\"list\" is missing"},
        Wrong{R"("rocm_support": [{"list": "rocm", "since": "soon"}])", "/rocm_support/0/since",
              "a version"},
        Wrong{R"("rocm_support": [{"list": "rocm", "since": "10.0", "until": "7.14"}])",
              "/rocm_support/0", "ends before it begins"},
        Wrong{R"("hipblaslt": {"since": "6.2"})", "/hipblaslt", "\"supported\" is missing"},
        Wrong{R"("override_gfx_version": {"risk": "some"})", "/override_gfx_version/risk",
              "none-needed, low"},
        Wrong{R"("expectations": [{"product": "P", "benchmark": "gemm", "data_type": "fp16",
              "gigaflops": 1, "source": "x"}])",
              "/expectations/0", "no bibliography explains"},
        Wrong{R"("gfx_prefixes": ["gfx"])", "/gfx_prefixes/0", "prefix of gfx targets"},
        Wrong{R"("gfx_prefixes": ["navi31"])", "/gfx_prefixes/0", "prefix of gfx targets"},
        Wrong{R"("gfx_target": "gfx900", "family": "F", "gfx_prefixes": ["gfx90"])",
              "/gfx_prefixes/0", "prefix of gfx targets"}));

TEST(Families, with_overlapping_prefixes_are_refused) {
    EXPECT_THROW(
        join_profiles({{"a.json", profile(R"("family": "A", "gfx_prefixes": ["gfx110"])")},
                       {"b.json", profile(R"("family": "B", "gfx_prefixes": ["gfx11"])")}}),
        ProfileError);
}

TEST(Families, stand_in_for_targets_that_have_no_profile) {
    auto const& chips = embedded_chips();
    for (auto const& [target, family] :
         {std::pair("gfx1104", "RDNA3"), std::pair("gfx1154", "RDNA3.5"),
          std::pair("gfx1202", "RDNA4"), std::pair("gfx1037", "RDNA2"),
          std::pair("gfx1013", "RDNA1"), std::pair("gfx943", "CDNA3"), std::pair("gfx952", "CDNA4"),
          std::pair("gfx1251", "gfx125X"), std::pair("gfx909", "GCN5")}) {
        EXPECT_EQ(chips.find_chip(target), nullptr) << target;
        ASSERT_NE(chips.find_family(target), nullptr) << target;
        EXPECT_EQ(chips.find_family(target)->family, family);
        EXPECT_TRUE(chips.find_family(target)->products.empty());
    }
    for (auto const* target : {"gfx803", "gfx1170", "gfx1300", "gfx91a", "", "gfx"}) {
        EXPECT_EQ(chips.find_family(target), nullptr) << target;
    }
}

TEST(Families, of_a_chip_are_the_ones_that_its_prefix_leads_to) {
    for (auto const& chip : embedded_chips().all_chips()) {
        if (auto const* family = embedded_chips().find_family(chip.gfx_target)) {
            EXPECT_EQ(family->family, chip.family) << chip.gfx_target;
        }
    }
}

TEST(ChipFacts, are_inherited_and_a_null_ends_the_search) {
    auto const tables = join_profiles(
        {{"fam.json", profile(R"("family": "F", "xnack": "none", "vgpr_bytes_per_cu": 262144,
            "matrix_instructions": [], "rates": {"fp32": {"vector": 128}}, "ras": false,
            "matrix_kernels": {"fp16": "mfma_f32_32x32x8f16"})")},
         {"a.json", profile(R"("extends": "fam", "gfx_target": "gfx900", "xnack": null,
            "rates": {"fp32": {"vector": 256}, "fp16": {"vector": null}}, "ras": null,
            "matrix_kernels": null)")},
         {"b.json", profile(R"("extends": "fam", "gfx_target": "gfx906",
            "matrix_instructions": ["MFMA"])")}});
    auto const& a = tables->chips[0].facts;
    auto const& b = tables->chips[1].facts;
    EXPECT_TRUE(!a.ras && a.matrix_kernels.empty());
    EXPECT_EQ(b.ras, false);
    EXPECT_EQ(b.matrix_kernels.front().instruction, "mfma_f32_32x32x8f16");
    EXPECT_EQ(a.xnack, "");
    EXPECT_EQ(b.xnack, "none");
    EXPECT_EQ(a.vgpr_bytes_per_cu, 262144U);
    EXPECT_TRUE(a.matrix_known && a.matrix_instructions.empty());
    EXPECT_EQ(b.matrix_instructions.front(), "MFMA");
    EXPECT_EQ(a.rates.size(), 2U);
    EXPECT_EQ(b.rates.front().per_clock_per_cu, 128U);
    auto const& lineage = tables->chips[0].lineage;
    EXPECT_EQ((std::vector(lineage.begin(), lineage.end())),
              (std::vector<std::string_view>{"a", "fam"}));
    EXPECT_EQ(peak_per_second(tables->chips[0], "fp16", "vector", 10, 1000), std::nullopt);
    EXPECT_EQ(peak_per_second(tables->chips[0], "fp64", "vector", 10, 1000), std::nullopt);
    EXPECT_EQ(peak_per_second(tables->chips[0], "fp32", "vector", 10, 1000), 256e10);
}

struct Peak {
    std::uint16_t device;
    std::uint8_t revision;
    std::string_view data_type, unit;
    double teraflops;  ///< as AMD's pages print it, for the unpartitioned PCI function
};

class APrintedPeak : public testing::TestWithParam<Peak> {};

/// Peaks are never typed in: CUs, clock and rate of the profiles must lead to what AMD prints.
TEST_P(APrintedPeak, follows_from_units_clock_and_rate) {
    auto const& peak = GetParam();
    auto const* product = embedded_chips().find_product(peak.device, peak.revision);
    ASSERT_NE(product, nullptr);
    auto const* chip = embedded_chips().find_chip(product->gfx_target);
    auto const computed =
        peak_per_second(*chip, peak.data_type, peak.unit, product->compute_units.value(),
                        product->boost_clock_mhz.value());
    ASSERT_TRUE(computed.has_value());
    EXPECT_NEAR(*computed / 1e12, peak.teraflops, 0.005 * peak.teraflops) << product->name;
}

INSTANTIATE_TEST_SUITE_P(
    Products, APrintedPeak,
    testing::Values(
        Peak{0x738c, 0x01, "fp16", "matrix", 184.6}, Peak{0x738c, 0x01, "bf16", "matrix", 92.3},
        Peak{0x740f, 0x02, "fp64", "matrix", 45.3}, Peak{0x740f, 0x02, "bf16", "matrix", 181.0},
        Peak{0x74a1, 0x00, "fp64", "vector", 81.7}, Peak{0x74a1, 0x00, "xf32", "matrix", 653.7},
        Peak{0x74a1, 0x00, "fp8", "matrix", 2614.9}, Peak{0x74a0, 0x00, "fp16", "matrix", 980.6},
        Peak{0x75a3, 0x00, "fp4", "matrix", 10066}, Peak{0x75a0, 0x00, "bf16", "matrix", 2307},
        Peak{0x73bf, 0xc1, "fp32", "vector", 20.7}, Peak{0x744c, 0xc8, "fp16", "matrix", 122.9},
        Peak{0x744c, 0xcc, "fp32", "vector", 51.6}, Peak{0x747e, 0xff, "int8", "matrix", 70.3},
        Peak{0x7480, 0xcf, "fp16", "matrix", 43.5}, Peak{0x7550, 0xc0, "fp8", "matrix", 389.3},
        Peak{0x7550, 0xc3, "int8", "matrix", 289.0}));

TEST(ChipFacts, of_every_target_are_stated) {
    EXPECT_GE(embedded_chips().all_chips().size(), 30U);
    for (auto const& chip : embedded_chips().all_chips()) {
        EXPECT_TRUE(chip.facts.matrix_known) << chip.gfx_target;
        EXPECT_FALSE(chip.facts.rates.empty()) << chip.gfx_target;
        EXPECT_FALSE(chip.lineage.empty()) << chip.gfx_target;
        EXPECT_TRUE(chip.facts.lds_bytes_per_workgroup.has_value()) << chip.gfx_target;
        auto const matrix = [](Rate const& rate) { return rate.unit == "matrix"; };
        EXPECT_EQ(std::ranges::any_of(chip.facts.rates, matrix),
                  !chip.facts.matrix_instructions.empty())
            << chip.gfx_target;
        auto const fp8 = [](Rate const& rate) { return rate.data_type == "fp8"; };
        EXPECT_EQ(std::ranges::any_of(chip.facts.rates, fp8), !chip.facts.fp8_format.empty())
            << chip.gfx_target;
    }
}

Product const* product_named(Chip const& chip, std::string_view name) {
    auto const found = std::ranges::find(chip.products, name, &Product::name);
    return found == chip.products.end() ? nullptr : &*found;
}

std::optional<double> expected_fp16(std::string_view target, std::string_view name) {
    auto const* const chip = embedded_chips().find_chip(target);
    auto const* const product = product_named(*chip, name);
    EXPECT_NE(product, nullptr) << name;
    return product == nullptr ? std::nullopt : expected_of(*chip, *product, "gemm", "fp16");
}

TEST(Expectations, are_of_a_product_whose_maker_is_not_repeated) {
    EXPECT_EQ(expected_fp16("gfx950", "AMD Instinct MI350X"), 946e12);
    EXPECT_EQ(expected_fp16("gfx950", "AMD Instinct MI355X"), 946e12);
    EXPECT_EQ(expected_fp16("gfx942", "AMD Instinct MI300X"), 639e12);
    EXPECT_EQ(expected_fp16("gfx1201", "AMD Radeon RX 9070"), 120e12);
}

TEST(Expectations, are_not_of_a_variant) {
    EXPECT_EQ(expected_fp16("gfx942", "AMD Instinct MI300X HF"), std::nullopt);
    EXPECT_EQ(expected_fp16("gfx950", "AMD Instinct MI355X VF"), std::nullopt);
    EXPECT_EQ(expected_fp16("gfx1201", "AMD Radeon RX 9070 GRE"), std::nullopt);
}

TEST(Expectations, are_the_least_that_is_stated_under_either_name_of_a_type) {
    Expectation const stated[] = {{"P1", "gemm", "xf32", 200, ""},
                                  {"P1", "gemm", "xf32", 100, ""},
                                  {"P1", "gemm", "fp16", 50, ""},
                                  {"1", "gemm", "xf32", 10, ""}};
    Chip chip{};
    chip.facts.expectations = stated;
    Product product{};
    product.name = "AMD P1";
    EXPECT_EQ(expected_of(chip, product, "gemm", "tf32"), 100e9);
    EXPECT_EQ(expected_of(chip, product, "gemm", "xf32"), 100e9);
    EXPECT_EQ(expected_of(chip, product, "gemm", "fp8"), std::nullopt);
}

/// A figure that no product has by accident of its spelling is dead.
TEST(Expectations, name_a_product_of_their_chip_its_codename_or_one_without_a_known_pci_id) {
    std::size_t of_products = 0;
    for (auto const& chip : embedded_chips().all_chips())
        for (auto const& one : chip.facts.expectations) {
            bool const known = std::ranges::any_of(
                chip.products, [&](Product const& product) { return is_of(one, product); });
            of_products += known;
            EXPECT_TRUE(known || one.product == chip.codename || one.product == "MI350P")
                << chip.gfx_target << ' ' << one.product;
        }
    EXPECT_GE(of_products, 20U);
}

}  // namespace
}  // namespace rocmtune::test
