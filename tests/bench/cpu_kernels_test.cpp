// SPDX-License-Identifier: MIT
// The kernels for processors, whatever their number, instruction set and amount of data: every
// element is made, and nothing beside them.
#include "bench/devices/cpu_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/data.hpp"
#include "bench/ticks.hpp"

namespace rocmtune::bench {
namespace {

constexpr unsigned part_counts[] = {1, 2, 3, 7, 16};

/// One part after the other: they are independent.
void run(std::span<CpuKernelRow const> rows, std::string_view function, Arguments const& arguments,
         unsigned parts) {
    auto const row = std::find_if(rows.begin(), rows.end(), [&](CpuKernelRow const& one) {
        return one.function == function;
    });
    ASSERT_NE(row, rows.end()) << function;
    for (unsigned part = 0; part < parts; ++part) row->run(arguments, Shape{parts, 1}, part, parts);
}

struct alignas(16) Vector {
    std::uint32_t words[4];
};

TEST(CpuKernels, write_every_vector_and_nothing_behind_them) {
    for (auto const parts : part_counts)
        for (std::size_t const count : {1, 3, 255, 256, 257, 1000, 4099}) {
            std::vector<Vector> memory(count + 1, Vector{{7, 7, 7, 7}});
            run(cpu_bandwidth_kernels(false), "rt_write",
                Arguments().add(memory.data()).add(std::uint64_t{count}), parts);
            for (std::size_t i = 0; i < 4 * count; ++i)
                ASSERT_EQ(memory[i / 4].words[i % 4], 0x3f800000U + i) << count << ' ' << parts;
            for (auto const word : memory[count].words) ASSERT_EQ(word, 7U) << count;
        }
}

template <class T>
void expect_triads(std::size_t count, unsigned parts) {
    std::vector<Vector> a(count), b(count), c(count + 1, Vector{{7, 7, 7, 7}});
    auto const rows = cpu_bandwidth_kernels(sizeof(T) == 8);
    auto const size = std::uint64_t{count};
    run(rows, "rt_random", Arguments().add(a.data()).add(size).add(std::uint32_t{1}), parts);
    run(rows, "rt_random", Arguments().add(b.data()).add(size).add(std::uint32_t{2}), parts);
    run(rows, "rt_triad", Arguments().add(a.data()).add(b.data()).add(c.data()).add(size), parts);
    for (std::size_t i = 0; i < 16 * count / sizeof(T); ++i) {
        T value;
        std::memcpy(&value, reinterpret_cast<char const*>(c.data()) + i * sizeof value,
                    sizeof value);
        ASSERT_EQ(value, static_cast<T>(element(i, 1) + factor * element(i, 2))) << count;
    }
    for (auto const word : c[count].words) ASSERT_EQ(word, 7U) << count;
}

TEST(CpuKernels, add_every_vector_of_both_types) {
    for (auto const parts : part_counts)
        for (std::size_t const count : {1, 257, 1030}) {
            expect_triads<float>(count, parts);
            expect_triads<double>(count, parts);
        }
}

TEST(CpuKernels, sum_every_tick_into_its_row) {
    for (bool const nearest : {true, false})
        for (auto const bins : {10U, 1000U, 9000U})
            for (std::size_t const count : {0, 1, 15, 16, 17, 1023, 1024, 1025, 5000})
                for (auto const parts : part_counts) {
                    PriceGrid const grid{.bins = bins, .nearest = nearest, .inverse = 4};
                    std::vector<float> prices(count), volumes(count);
                    std::vector<std::uint64_t> expected(bins), sums(bins);
                    for (std::size_t i = 0; i < count; ++i) {
                        prices[i] =
                            static_cast<float>(mixed(static_cast<std::uint32_t>(i)) % (8 * bins)) /
                            32;
                        volumes[i] = static_cast<float>(1 + i % 97);
                        expected[grid.row_of(prices[i])] += 1 + i % 97;
                    }
                    run(cpu_vpoc_kernels(nearest), "rt_vpoc_global",
                        Arguments()
                            .add(prices.data())
                            .add(volumes.data())
                            .add(std::uint64_t{count})
                            .add(grid.inverse)
                            .add(1.0F)
                            .add(bins)
                            .add(sums.data()),
                        parts);
                    ASSERT_EQ(sums, expected) << count << " ticks, " << bins << " rows";
                }
}

bool has(std::string_view tile) {
#if defined(__x86_64__)
    if (tile == "v3") return __builtin_cpu_supports("x86-64-v3");
    if (tile == "v4") return __builtin_cpu_supports("x86-64-v4");
#endif
    return tile == "plain" || tile == "rt_sgemm";
}

class Tile : public testing::TestWithParam<char const*> {};
INSTANTIATE_TEST_SUITE_P(CpuKernels, Tile, testing::Values("rt_sgemm", "plain", "v3", "v4"));

/// Whole numbers below 2^24: every order of summation gives the same. Neither size is a multiple of
/// every tile and of the packed depth, and some numbers of parts do not divide them.
TEST_P(Tile, multiplies_every_row_and_column) {
    if (!has(GetParam())) GTEST_SKIP() << "this processor has no " << GetParam();
    for (std::uint32_t const n : {128U, 640U}) {
        std::vector<float> a(n * n), b(n * n), expected(n * n);
        for (std::uint32_t i = 0; i < n * n; ++i) {
            a[i] = static_cast<float>(mixed(i) % 16);
            b[i] = static_cast<float>(mixed(i + n * n) % 16);
        }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j)
                    expected[i * n + j] += a[i * n + k] * b[k * n + j];
        for (auto const parts : part_counts) {
            std::vector<float> c(n * n + 1, -1.0F);
            run(cpu_gemm_kernels(), GetParam(),
                Arguments().add(a.data()).add(b.data()).add(c.data()).add(n), parts);
            ASSERT_EQ(c.back(), -1.0F);
            c.pop_back();
            ASSERT_TRUE(c == expected) << n << ' ' << parts;
        }
    }
}

}  // namespace
}  // namespace rocmtune::bench
