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

std::string live_text(Host const& host, std::size_t width) {
    TextStyle style;
    style.width = width;
    auto const printer = text_printer(style);
    show_live(host, 0, "12:03:04", *printer);
    return printer->take();
}

class LiveTable : public testing::TestWithParam<std::string> {};

TEST_P(LiveTable, fits_the_screen_with_a_line_a_gpu) {
    auto const report = report_of(GetParam());
    for (std::size_t const width : {80U, 100U, 200U}) {
        auto const text = live_text(*report.host, width);
        EXPECT_THAT(text, HasSubstr(", 12:03:04"));
        EXPECT_GE(lines(text).size(), 1 + report.host->gpus.size()) << text;
        for (auto const line : lines(text)) EXPECT_LE(display_width(line), width) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(All, LiveTable, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

TEST(LiveTable, shows_what_a_gpu_does_and_for_whom) {
    auto const text = live_text(*report_of("mi300x-x8").host, 100);
    EXPECT_THAT(text,
                HasSubstr("37 %  157 GiB of 192 GiB  342 of 750 W  1873  1300  58 C junction"));
    EXPECT_THAT(text, HasSubstr("used by     python3 (184211) 157 GiB on 0"));
}

TEST(LiveTable, says_why_a_gpu_tells_nothing_and_what_holds_it_back) {
    auto report = report_of("mi300x-x8");
    auto& gpus = report.host->gpus;
    gpus[1].busy_percent = {};
    gpus[1].vram_used_bytes = {};
    gpus[1].power_watts = {};
    gpus[1].busy_percent.miss(Missing::timeout, "no answer");
    gpus[2].throttle_reasons = {};
    gpus[2].throttle_reasons.offer({"power", "temperature"}, {"test", "test"});
    auto const text = live_text(*report.host, 120);
    EXPECT_THAT(std::string(lines(text)[4]), HasSubstr("timeout"));
    EXPECT_THAT(std::string(lines(text)[4]), Not(HasSubstr("0 %")));
    EXPECT_THAT(std::string(lines(text)[5]), HasSubstr("power, temperature"));
}

}  // namespace
}  // namespace rocmtune::test
