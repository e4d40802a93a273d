// SPDX-License-Identifier: MIT
// Phases, points of the chart, regions, and samples as lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "codec/json_node.hpp"
#include "codec/record_json.hpp"
#include "limits/samples.hpp"
#include "show/documents.hpp"

namespace rocmtune::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// 3 s asleep, 6 s of one thread, 3 s of the GPU.
std::vector<WatchSample> three_phases() {
    return run_of(with_gpu(asleep(), works), 3, run_of(one_thread(), 6, run_of(asleep(), 3)));
}

TEST(Phases, follow_each_other_without_gaps) {
    auto const phases = observation_of(three_phases()).phases;
    ASSERT_EQ(phases.size(), 3U);
    EXPECT_EQ(phases[0].limit, LimitKind::nothing_seen);
    EXPECT_EQ(phases[1].limit, LimitKind::one_thread);
    EXPECT_EQ(phases[2].limit, LimitKind::gpu_compute);
    EXPECT_DOUBLE_EQ(phases[0].start_seconds, 0);
    EXPECT_NEAR(phases[1].start_seconds, 3, 0.7);
    EXPECT_NEAR(phases[1].end_seconds, 9, 0.7);
    EXPECT_NEAR(phases[2].end_seconds, 12, 1e-6);
    for (std::size_t i = 1; i < phases.size(); ++i)
        EXPECT_NEAR(phases[i].start_seconds, phases[i - 1].end_seconds, 1e-6);
}

TEST(Phases, make_the_longest_limit_the_first) {
    auto const limits = observation_of(three_phases()).limits;
    ASSERT_EQ(limits.size(), 2U) << "that it slept at first says nothing beside them";
    EXPECT_EQ(limits[0].kind, LimitKind::one_thread);
    EXPECT_NEAR(limits[0].share, 0.5, 0.05);
    EXPECT_EQ(limits[1].kind, LimitKind::gpu_compute);
}

TEST(LoadPoints, are_at_most_sixty_and_have_the_shares) {
    for (double const seconds : {0.5, 1.0, 7.7, 100.0, 1000.0}) {
        auto const it = observation_of(run_of(one_thread(), seconds));
        ASSERT_FALSE(it.load.empty());
        EXPECT_LE(it.load.size(), 60U);
        EXPECT_NEAR(it.load.back().end_seconds, it.seconds, 1e-6);
        for (auto const& point : it.load) {
            EXPECT_NEAR(point.processors_share.value_or(-1), 0.98 / 8, 0.01);
            EXPECT_FALSE(point.gpu_share) << "there is none";
        }
    }
}

TEST(LoadPoints, hold_a_look_that_came_late) {
    auto samples = run_of(one_thread(), 1);
    samples.push_back(one_thread());
    samples.back().seconds = 20;
    samples.back().cpu_seconds = 19;
    samples.back().end_seconds = 21;
    auto const it = observation_of(samples);
    EXPECT_NEAR(it.seconds, 21, 1e-6);
    EXPECT_NEAR(it.load.back().end_seconds, 21, 1e-6);
    EXPECT_EQ(it.limits.front().kind, LimitKind::one_thread);
}

TEST(Courses, have_the_mean_over_time_and_the_peak) {
    auto samples = run_of(asleep(), 3);
    samples = run_of(one_thread(), 1, samples);
    auto const it = observation_of(samples);
    ASSERT_TRUE(it.busiest_thread_share);
    EXPECT_NEAR(it.busiest_thread_share->mean, 0.245, 0.001);
    EXPECT_NEAR(it.busiest_thread_share->peak, 0.98, 0.001);
    EXPECT_NEAR(it.available_least_bytes.value_or(0), 20e9, 1);
}

TEST(Regions, get_the_time_between_their_lines) {
    auto const it = observation_of(three_phases());
    std::vector<RegionMark> const marks{
        {1, "load"}, {3, "step"}, {5, "save"}, {6, "step"}, {11, "save"}};
    auto const regions = regions_of(it, marks);
    ASSERT_EQ(regions.size(), 3U);
    EXPECT_EQ(regions[0].name, "load");
    EXPECT_EQ(regions[0].times, 1U);
    EXPECT_NEAR(regions[0].seconds, 2, 1e-6);
    EXPECT_THAT(regions[0].limits, ElementsAre(LimitKind::nothing_seen));
    EXPECT_EQ(regions[1].times, 2U);
    EXPECT_NEAR(regions[1].seconds, 7, 1e-6);
    EXPECT_THAT(regions[1].limits, ElementsAre(LimitKind::one_thread, LimitKind::gpu_compute));
    EXPECT_NEAR(regions[2].seconds, 2, 1e-6);
    EXPECT_TRUE(regions_of(it, {}).empty());
    EXPECT_NEAR(regions_of(it, std::vector<RegionMark>{{50, "late"}}).front().seconds, 0, 1e-9);
}

TEST(ObservationJson, comes_back_as_it_was) {
    auto it = observation_of(three_phases(), 3);
    it.regions = regions_of(it, std::vector<RegionMark>{{1, "load"}, {3, "step"}});
    auto const text = json_of(it).dump();
    auto const document = parse_data_file("observation", text);
    Observation back;
    RecordReader("observation").read(JsonNode(*document), back);
    EXPECT_EQ(json_of(back).dump(), text);
    EXPECT_THAT(text, HasSubstr("\"what\":\"one-thread\""));
    EXPECT_THAT(json_of(observation_of({})).dump(), HasSubstr("\"processors_share\":null"));
}

TEST(WatchSampleLine, comes_back_as_it_was) {
    auto sample = with_gpu(one_thread(), works);
    sample.end_seconds = 12.25;
    sample.gpus.front().reasons = {"PPT0", "TEMP_HOTSPOT"};
    auto const line = line_of(sample);
    auto const back = watch_sample_of(line);
    ASSERT_TRUE(back);
    EXPECT_EQ(line_of(*back), line);
    EXPECT_EQ(back->gpus.front().reasons, sample.gpus.front().reasons);
    EXPECT_FALSE(back->numa_pages) << "what is not known stays so";
}

TEST(WatchSampleLine, is_nothing_without_times) {
    for (auto const* line : {"", "1", "a 0.1 cpu=1", "1 0 cpu=1", "1 -1"})
        EXPECT_FALSE(watch_sample_of(line)) << line;
    auto const it = watch_sample_of("1 0.1 cpu=0.05 later=3 cpu odd= =1 kernel=nan");
    ASSERT_TRUE(it);
    EXPECT_EQ(it->cpu_seconds, 0.05);
    EXPECT_FALSE(it->kernel_seconds);
}

TEST(ShownObservation, fits_eighty_columns) {
    auto samples = three_phases();
    for (auto& sample : samples)
        for (auto& gpu : sample.gpus) gpu.reasons = {"PPT0", "TEMP_HOTSPOT", "TDC_GFX"};
    auto it = observation_of(samples, 3);
    it.regions = regions_of(it, std::vector<RegionMark>{{1, "load"}, {3, "step"}});
    for (bool const utf8 : {true, false}) {
        auto const out = text_printer({.width = 80, .utf8 = utf8});
        show_observation(it, *out);
        auto const text = out->take();
        EXPECT_THAT(text, HasSubstr("one-thread"));
        EXPECT_THAT(text, HasSubstr("busiest thread"));
        EXPECT_THAT(text, HasSubstr("step"));
        for (std::size_t start = 0; start < text.size();) {
            auto const end = text.find('\n', start);
            EXPECT_LE(display_width(text.substr(start, end - start)), 80U);
            start = end + 1;
        }
    }
}

TEST(ShownObservation, is_a_chart_on_a_page_and_lines_of_code_in_markdown) {
    auto const it = observation_of(three_phases(), 3);
    auto const page = page_printer({});
    show_observation(it, *page);
    EXPECT_THAT(page->take(), HasSubstr("\"kind\":\"load\""));
    auto const markdown = markdown_printer({});
    show_observation(it, *markdown);
    EXPECT_THAT(markdown->take(), HasSubstr("full height is 100 %"));
}

TEST(ShownObservation, of_nothing_is_one_line_of_why) {
    auto const out = text_printer({.width = 80});
    show_observation(observation_of({}), *out);
    EXPECT_THAT(out->take(), HasSubstr("too seldom"));
}

}  // namespace
}  // namespace rocmtune::test
