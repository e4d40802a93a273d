// SPDX-License-Identifier: MIT
// The table of this moment: it fits, and says why a GPU tells nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "show/documents.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Looks as sysfs of the host gives them.
std::vector<GpuSample> looks_of(Host const& host) {
    std::vector<GpuSample> looks;
    for (auto const& gpu : host.gpus) {
        auto const address = gpu.pci_address.value_or("");
        if (!looks.empty() && looks.back().pci_address == address) continue;
        looks.push_back({.pci_address = address,
                         .busy = 0.37,
                         .vram_bytes = 157 * 0x1p30,
                         .vram_total_bytes = 192 * 0x1p30,
                         .power_watts = 342,
                         .power_cap_watts = 750,
                         .clock_mhz = 1873,
                         .memory_clock_mhz = 1300,
                         .temperature_celsius = 58,
                         .temperature_limit_celsius = 100});
    }
    return looks;
}

std::string live_text(LiveView view, std::size_t width) {
    TextStyle style;
    style.width = width;
    view.time = "12:03:04";
    auto const printer = text_printer(style);
    show_live(view, *printer);
    return printer->take();
}

class LiveTable : public testing::TestWithParam<std::string> {};

TEST_P(LiveTable, fits_the_screen_with_a_line_a_card) {
    auto const report = report_of(GetParam());
    auto const looks = looks_of(*report.host);
    for (std::size_t const width : {80U, 100U, 200U}) {
        auto const text = live_text({.host = *report.host, .now = looks}, width);
        EXPECT_THAT(text, HasSubstr(", 12:03:04"));
        EXPECT_GE(lines(text).size(), 1 + looks.size()) << text;
        for (auto const line : lines(text)) EXPECT_LE(display_width(line), width) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(All, LiveTable, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(LiveTable, shows_what_a_gpu_does_and_for_whom) {
    auto const report = report_of("mi300x-x8");
    auto const looks = looks_of(*report.host);
    auto const text = live_text({.host = *report.host, .now = looks, .note = "a word below"}, 100);
    EXPECT_THAT(text, HasSubstr("37 %  157 GiB of 192 GiB  342 of 750 W  1873  1300  58 of 100 C"));
    EXPECT_THAT(text, HasSubstr("used by     python3 (184211) 157 GiB on 0"));
    EXPECT_THAT(text, HasSubstr("a word below"));
}

TEST(LiveTable, shows_partitions_as_the_card_that_they_share) {
    auto const report = report_of("mi300x-cpx");
    auto const looks = looks_of(*report.host);
    ASSERT_LT(looks.size(), report.host->gpus.size());
    auto const text = live_text({.host = *report.host, .now = looks}, 100);
    EXPECT_THAT(text, HasSubstr("0-7  0000:"));
}

TEST(LiveTable, says_why_a_gpu_tells_nothing_and_what_holds_it_back) {
    auto const report = report_of("mi300x-x8");
    auto looks = looks_of(*report.host);
    auto const silent = looks[1].pci_address;
    looks[2].reasons = {"PPT0", "TEMP_HOTSPOT"};
    looks[3] = {.pci_address = looks[3].pci_address};
    looks.erase(looks.begin() + 4);
    looks.erase(looks.begin() + 1);
    auto const text = live_text({.host = *report.host, .now = looks, .silent = {silent}}, 120);
    auto const line = [&](std::size_t gpu) { return std::string(lines(text)[3 + gpu]); };
    EXPECT_THAT(line(1), HasSubstr("does not answer"));
    EXPECT_THAT(line(1), Not(HasSubstr("0 %")));
    EXPECT_THAT(line(2), HasSubstr("PPT0, TEMP_HOTSPOT"));
    EXPECT_THAT(line(3), HasSubstr("asleep"));
    EXPECT_THAT(line(4), HasSubstr("amdgpu does not drive it"));
}

}  // namespace
}  // namespace rocmtune::test
