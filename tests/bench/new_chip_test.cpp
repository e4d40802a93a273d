// SPDX-License-Identifier: MIT
// A chip that no code knows: its profile alone says which kernels and formats products have there.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "bench/gemm.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/embedded.hpp"
#include "support/bench_device.hpp"

namespace rocmtune::bench {
namespace {

/// As a file of --profiles is read.
ChipSet with_new_chip() {
    return with_overrides(embedded_chips(), {{"gfx1990.json", R"({
        "schema_version": "1.0",
        "extends": "common",
        "gfx_target": "gfx1990",
        "family": "RDNA9",
        "fp8_format": "FNUZ",
        "matrix_kernels": {
            "bf16": "mfma_f32_32x32x8bf16_1k",
            "fp8": "wmma_f32_16x16x16_fp8_fp8_w32_gfx12"
        },
        "sources": ["linux-amdkfd"]
    })"}});
}

/// A GPU of that target, which notes what it is asked to load.
struct NewGpu : test::FaultyDevice {
    NewGpu() : FaultyDevice(open_cpu(0)) {
        said = DeviceInfo{.backend = "hip", .target = "gfx1990:sramecc+:xnack-"};
    }
    Kernel load(KernelRequest const& request) override {
        requests.push_back(request);
        return {};
    }
    std::vector<KernelRequest> requests;
};

TEST(NewChip, has_the_kernels_and_formats_of_its_profile) {
    NewGpu gpu;
    auto const units = matrix_units_of(with_new_chip(), gpu.info().target);
    EXPECT_TRUE(units.fp8_is_fnuz());
    EXPECT_FALSE(has_own_kernel(units, "fp16"));
    for (auto const& [type, definition] :
         {std::pair("bf16", "RT_MFMA_F32_32X32X8BF16_1K"),
          std::pair("fp8", "RT_WMMA_F32_16X16X16_FP8_FP8_W32_GFX12")}) {
        ASSERT_TRUE(has_own_kernel(units, type));
        GemmInput input(gpu, *find_gemm_type(type), 128, units, 4);
        ASSERT_TRUE(product_of(gpu, input, {})) << type;
        EXPECT_EQ(gpu.requests.back().file, "gemm_matrix");
        EXPECT_EQ(gpu.requests.back().definitions,
                  (std::vector<std::string>{definition, "RT_DIES=4"}));
        EXPECT_EQ(input.a.bytes, random_matrix(*find_gemm_type(type), 128, 5, true).bytes);
        EXPECT_TRUE(input.buffers().fnuz) << "which hipBLASLt is told";
    }
}

TEST(NewChip, is_measured_in_the_types_that_it_has_kernels_for) {
    NewGpu gpu;
    Options options;
    options.matrix_units = matrix_units_of(with_new_chip(), gpu.info().target);
    Session session{gpu, options};
    std::vector<std::string> own;
    for (auto const& step : find_benchmark("gemm")->plan(session))
        if (step.draft.metric.ends_with("-own")) own.push_back(step.draft.metric);
    EXPECT_EQ(own, (std::vector<std::string>{"fp32-own", "bf16-own", "fp8-own"}));
}

TEST(NewChip, is_one_of_those_that_no_profile_knows_without_it) {
    EXPECT_FALSE(has_own_kernel(matrix_units_of(embedded_chips(), "gfx1990"), "bf16"));
}

/// Every instruction that a profile may name is one that the kernel has, and the other way round.
TEST(MatrixKernels, have_a_row_for_each_instruction) {
    std::string text(*embedded_file("kernels/gemm_matrix.hip"));
    text.resize(text.find("#error"));
    std::size_t rows = 0;
    for (auto at = text.find("if defined(RT_"); at != text.npos;
         at = text.find("if defined(RT_", at + 1))
        ++rows;
    for (auto const word : matrix_kernel_words)
        EXPECT_NE(text.find("if defined(RT_" + upper(word) + ")"), text.npos) << word;
    EXPECT_EQ(rows, matrix_kernel_words.size());
}

}  // namespace
}  // namespace rocmtune::bench
