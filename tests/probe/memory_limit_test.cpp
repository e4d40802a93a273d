// SPDX-License-Identifier: MIT
// What width, clock and transfers of memory give, against what is published: over the composed
// hosts, over the hosts that others recorded, and over clocks that vendors state.
#include "knowledge/products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "machine/archive.hpp"
#include "probe/reader.hpp"
#include "support/hosts.hpp"

namespace rocmtune::test {
namespace {

/// Published figures are rounded, the driver's clocks too.
constexpr double close = 0.03;

std::optional<double> published(Product const* product) {
    if (product == nullptr || !product->memory_bandwidth_bytes_per_s) return std::nullopt;
    return static_cast<double>(*product->memory_bandwidth_bytes_per_s);
}

/// What the memory of this product does with that width and clock, beside what is published.
void expect_published(std::uint16_t device, std::uint8_t revision, double bits, double mhz) {
    auto const* const product = embedded_chips().find_product(device, revision);
    ASSERT_NE(product, nullptr);
    ASSERT_TRUE(product->memory_type && published(product)) << product->name;
    auto const each = transfers_per_clock(*product->memory_type);
    ASSERT_TRUE(each) << product->name;
    EXPECT_NEAR(bits / 8 * mhz * 1e6 * *each / *published(product), 1, close) << product->name;
}

TEST(MemoryLimit, of_the_clocks_that_vendors_state_is_the_published_bandwidth) {
    expect_published(0x6860, 0x00, 2048, 945);   // MI25
    expect_published(0x66a1, 0x02, 4096, 1000);  // MI60, MI50
    expect_published(0x738c, 0x01, 4096, 1200);  // MI100
    expect_published(0x740f, 0x02, 4096, 1600);  // MI210
    expect_published(0x74a1, 0x00, 8192, 1300);  // MI300X
    expect_published(0x74a5, 0x00, 8192, 1500);  // MI325X, 6 Gbit/s a pin
    expect_published(0x75a3, 0x00, 8192, 2000);  // MI355X, 8 Gbit/s a pin
    expect_published(0x731f, 0xc1, 256, 875);    // RX 5700 XT, 14 Gbit/s a pin
    expect_published(0x73bf, 0xc0, 256, 1000);   // RX 6900 XT, 16 Gbit/s a pin
    expect_published(0x744c, 0xc8, 384, 1250);   // RX 7900 XTX, 20 Gbit/s a pin
    expect_published(0x747e, 0xff, 192, 1125);   // RX 7700 XT, 18 Gbit/s a pin
}

/// No bus is narrower than a channel of its kind: a wrong rate or figure gives no such width.
TEST(MemoryLimit, of_every_product_fits_to_a_bus_and_a_pin_that_exist) {
    std::size_t judged = 0;
    for (auto const& chip : embedded_chips().all_chips())
        for (auto const& product : chip.products) {
            if (!product.memory_type || !published(&product)) continue;
            bool const stacked = *product.memory_type <= MemoryType::hbm3e;
            bool fits = false;
            for (double bits = stacked ? 1024 : 32; bits <= (stacked ? 8192 : 512);
                 bits += stacked ? 1024 : 32) {
                auto const per_pin = *published(&product) * 8 / bits * 1e-9;  // Gbit/s
                // Published rates a pin: HBM2 1.6-2.4, HBM2e to 3.2, HBM3 to 6.4, HBM3E to 9.6;
                // GDDR6 12-24; LPDDR5X to 9.6.
                fits = fits ||
                       (stacked ? per_pin > 1.5 && per_pin < 9.7 : per_pin > 7.9 && per_pin < 24.1);
            }
            EXPECT_TRUE(fits) << product.name;
            ++judged;
        }
    EXPECT_GT(judged, 30U);
}

/// How many rows had both figures.
std::size_t judge(Host const& host, std::string const& name) {
    std::size_t judged = 0;
    for (auto const& gpu : host.gpus) {
        auto const peak = published(product_of(embedded_chips(), gpu));
        auto const limit = memory_limit_of(embedded_chips(), gpu);
        if (!peak || !limit) continue;
        EXPECT_NEAR(*limit / *peak, 1, close) << name << ' ' << gpu.marketing_name.value_or("?");
        ++judged;
    }
    return judged;
}

TEST(MemoryLimit, of_every_composed_host_is_the_published_bandwidth) {
    std::size_t judged = 0;
    for (auto const& name : host_names())
        judged += judge(probe({HostRoot(host_source(name)), {.wake = true}}), name);
    EXPECT_GT(judged, 40U);
}

/// The product, or all that its device id can be: captures may lack the revision.
std::set<Product const*> candidates(Gpu const& gpu) {
    if (auto const* const product = product_of(embedded_chips(), gpu)) return {product};
    std::set<Product const*> all;
    auto const device = to_unsigned(gpu.pci_device_id.value_or("")).value_or(0);
    for (unsigned revision = 0; revision < 256; ++revision)
        if (auto const* const product = embedded_chips().find_product(
                static_cast<std::uint16_t>(device), static_cast<std::uint8_t>(revision)))
            all.insert(product);
    return all;
}

/// Whether what is published fits to the clock that was read: through the width that KFD told, else
/// by giving a whole number of channels of 32 bits.
bool fits(Product const& product, Gpu const& gpu, double mhz) {
    auto const each = static_cast<double>(*transfers_per_clock(*product.memory_type));
    auto const bits = *published(&product) * 8 / (mhz * 1e6 * each);
    auto const width = gpu.memory_bus_width_bits ? static_cast<double>(*gpu.memory_bus_width_bits)
                                                 : std::round(bits / 32) * 32;
    return width > 0 && std::abs(bits / width - 1) < close;
}

/// 1 if a product that it can be has all that is needed; then one of these must fit.
std::size_t judge_recorded(Gpu const& gpu, std::string const& name) {
    auto const mhz = highest_memory_clock_mhz(gpu);
    bool any = false, right = false;
    for (auto const* const product : candidates(gpu)) {
        if (!mhz || !product->memory_type || !published(product) ||
            !transfers_per_clock(*product->memory_type))
            continue;
        any = true;
        right = right || fits(*product, gpu, *mhz);
    }
    EXPECT_EQ(right, any) << name << ' ' << gpu.pci_device_id.value_or("?") << ' '
                          << mhz.value_or(0);
    return any ? 1 : 0;
}

TEST(MemoryLimit, of_every_recorded_host_is_the_published_bandwidth) {
    auto const* const shared = std::getenv("ROCMTUNE_SHARED");
    auto const folder = std::filesystem::path(shared == nullptr ? "" : shared) / "captures";
    if (shared == nullptr || !std::filesystem::exists(folder))
        GTEST_SKIP() << "set ROCMTUNE_SHARED to a folder with captures/*.tar.gz";
    std::size_t judged = 0;
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".gz") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        std::string const bytes{std::istreambuf_iterator<char>(in), {}};
        auto const name = entry.path().filename().string();
        auto const host = probe({HostRoot(archive_source(bytes, name)), {.wake = true}});
        (void)judge(host, name);
        for (auto const& gpu : host.gpus) judged += judge_recorded(gpu, name);
    }
    EXPECT_GE(judged, 4U) << "an RX 6900 XT, two RX 7900 XTX and an RX 9070 XT at least";
}

// ---- where nothing is known ---------------------------------------------------------------------

Gpu xtx() {
    Gpu gpu;
    Source const from{"test", ""};
    gpu.pci_device_id.offer("0x744c", from);
    gpu.pci_revision.offer("0xc8", from);
    gpu.memory_bus_width_bits.offer(384, from);
    gpu.memory_clock_max_mhz.offer(1249, from);
    return gpu;
}

TEST(MemoryLimit, is_that_of_the_highest_clock_that_was_read) {
    auto gpu = xtx();
    EXPECT_NEAR(memory_limit_of(embedded_chips(), gpu).value_or(0), 959.2e9, 0.1e9);
    gpu.clocks.offer({{.name = "mclk", .levels_mhz = {96, 1249}},
                      {.name = "od_mclk", .levels_mhz = {97, 1350}},
                      {.name = "sclk", .levels_mhz = {2500}}},
                     Source{"test", ""});
    EXPECT_EQ(highest_memory_clock_mhz(gpu), 1350);
    EXPECT_NEAR(memory_limit_of(embedded_chips(), gpu).value_or(0), 1036.8e9, 0.1e9);
}

TEST(MemoryLimit, is_nothing_without_kind_width_or_clock_and_for_virtual_functions) {
    auto gpu = xtx();
    gpu.memory_bus_width_bits = {};
    EXPECT_FALSE(memory_limit_of(embedded_chips(), gpu));
    gpu = xtx();
    gpu.memory_clock_max_mhz = {};
    EXPECT_FALSE(memory_limit_of(embedded_chips(), gpu));
    for (auto const* const unsure : {"0x1586", "0x74b5", "0x74a2", "0x1234"}) {
        gpu = xtx();
        gpu.pci_device_id = {};
        gpu.pci_device_id.offer(unsure, Source{"test", ""});
        gpu.pci_revision = {};
        gpu.pci_revision.offer(std::string(unsure) == "0x1586" ? "0xc1" : "0x00",
                               Source{"test", ""});
        EXPECT_FALSE(memory_limit_of(embedded_chips(), gpu)) << unsure;
    }
}

}  // namespace
}  // namespace rocmtune::test
