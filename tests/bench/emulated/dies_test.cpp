// SPDX-License-Identifier: MIT
// Blocks that share data work on one die, and all of them together do everything.
#include <set>

#include <gtest/gtest.h>

#include "bench/emulated/checks.hpp"
#include "bench/gemm.hpp"
#include "bench/vpoc.hpp"

namespace rocmtune::test {
namespace {

using namespace bench;

constexpr unsigned dies = 8;

/// Of MI300X, that executes what is dealt to one of its dies.
struct OneDie : EmulatedDevice {
    OneDie() : EmulatedDevice("gfx942") {
        changed_info().lds_bytes = 4096;
        changed_info().compute_units = 75;  // blocks that eight dies cannot share evenly
    }
    void choose(unsigned die) {
        options.dies = dies;
        options.die = die;
    }
};

/// Which parts of the rows a die has added ticks to.
std::set<std::size_t> parts_of(std::vector<std::uint64_t> const& sums, VpocLaunch const& launch) {
    std::set<std::size_t> parts;
    for (std::size_t row = 0; row < sums.size(); ++row)
        if (sums[row] != 0) parts.insert(row / launch.rows);
    return parts;
}

/// Parts that each die works on, and the sums of all dies.
struct Split {
    std::vector<std::size_t> parts = {};
    std::vector<std::uint64_t> sums = {};
};
Split split_of(OneDie& device, VpocInput const& input, VpocLaunch const& launch) {
    Split split{{}, std::vector<std::uint64_t>(input.ticks.grid.bins)};
    for (unsigned die = 0; die < dies; ++die) {
        device.choose(die);
        queue_of(device, input, launch)();
        std::vector<std::uint64_t> sums(input.ticks.grid.bins);
        device.download(sums.data(), input.out.address(), 8 * sums.size());
        split.parts.push_back(parts_of(sums, launch).size());
        for (std::size_t row = 0; row < sums.size(); ++row) split.sums[row] += sums[row];
    }
    return split;
}

TEST(Dies, read_the_ticks_of_a_split_once) {
    OneDie device;
    VpocInput const input(device, make_ticks("uniform", 160'000, 1009));
    for (std::uint64_t const told : {1U, dies}) {
        Options options;
        options.compute_dies = told;
        Session session{device, options};
        auto const launch =
            launch_of(session, input, {"split", "rt_vpoc_split", VpocLayout::split});
        ASSERT_TRUE(launch);
        ASSERT_EQ(launch->start, 2U);
        auto const split = split_of(device, input, *launch);
        EXPECT_EQ(split.sums, input.expected) << told;
        for (auto const parts : split.parts) EXPECT_EQ(parts, told == 1 ? 1U : 2U) << told;
    }
}

/// Rows and columns of tiles of C that the chosen die has made: what it reads of A and of B.
std::size_t rows_and_columns(GemmInput const& input) {
    std::vector<float> c(input.n * input.n);
    input.device.download(c.data(), input.device_c.address(), 4 * c.size());
    std::set<std::size_t> rows, columns;
    for (std::size_t y = 0; y < input.n; y += 128)
        for (std::size_t x = 0; x < input.n; x += 128)
            if (c[y * input.n + x] == c[y * input.n + x]) rows.insert(y), columns.insert(x);
    return rows.size() + columns.size();
}

TEST(Dies, make_neighbouring_tiles_of_a_product) {
    OneDie device;
    for (auto const& type : gemm_types()) {
        if (type.name != "fp32" && type.name != "fp16") continue;
        std::size_t read[2] = {};
        for (auto const told : {0, 1}) {
            GemmInput input(device, type, 768, device.matrix_units(), told == 0 ? 1 : dies);
            auto const product = product_of(device, input, {});
            device.fill(input.device_c.address(), spoiled_byte, input.device_c.bytes());
            for (unsigned die = 0; die < dies; ++die) {
                device.choose(die);
                product->queue();
                if (die == 0) read[told] = rows_and_columns(input);
            }
            EXPECT_EQ(check_of(device, input, *product), "") << type.name;
        }
        EXPECT_LT(read[1], read[0]) << type.name;
    }
}

}  // namespace
}  // namespace rocmtune::test
