// SPDX-License-Identifier: MIT
#include "judge/rules/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocmtune {
namespace {

using testing::HasSubstr;

Recommendation recommended(std::string name, std::string value, std::string kind = "environment") {
    Recommendation advice{
        .name = std::move(name), .value = std::move(value), .kind = std::move(kind)};
    advice.sources.push_back({.title = "a text"});
    return advice;
}

Host host_with(std::map<std::string, std::string> environment) {
    Host host;
    host.environment.offer(std::move(environment), {"environment", "x"});
    return host;
}

Settings settings_of(std::vector<Recommendation> recommendations, Host const& host,
                     SettingOptions options = {}) {
    return make_settings({std::move(recommendations), {}}, embedded_catalogue(), host, {}, options);
}

std::vector<std::string> names(Settings const& settings) {
    std::vector<std::string> result;
    for (auto const& item : settings.items) result.push_back(item.name);
    return result;
}

TEST(Settings, are_the_variables_among_the_advice_by_name) {
    auto const settings =
        settings_of({recommended("NCCL_DEBUG", "WARN"), recommended("iommu", "pt", "host"),
                     recommended("HSA_NO_SCRATCH_RECLAIM", "1")},
                    host_with({}));
    EXPECT_THAT(names(settings), testing::ElementsAre("HSA_NO_SCRATCH_RECLAIM", "NCCL_DEBUG"));
    EXPECT_EQ(settings.level, "balanced");
    EXPECT_EQ(settings.fingerprint.size(), 16U);
}

TEST(Settings, keep_what_is_set_even_if_it_is_empty) {
    auto const host = host_with({{"NCCL_DEBUG", ""}});
    auto const kept = settings_of({recommended("NCCL_DEBUG", "WARN")}, host);
    EXPECT_TRUE(kept.items.at(0).keep);
    EXPECT_EQ(kept.items[0].current, "");
    EXPECT_FALSE(
        settings_of({recommended("NCCL_DEBUG", "WARN")}, host, {.force = true}).items.at(0).keep);
}

TEST(Settings, for_a_process_elsewhere_keep_nothing_of_this_one) {
    Selection const selection{.elsewhere = true};
    auto const settings =
        make_settings({{recommended("NCCL_DEBUG", "WARN")}, {}}, embedded_catalogue(),
                      host_with({{"NCCL_DEBUG", "INFO"}}), selection, {});
    EXPECT_TRUE(settings.elsewhere);
    EXPECT_FALSE(settings.items.at(0).keep);
    EXPECT_EQ(settings.items[0].current, std::nullopt);
}

TEST(Settings, keep_a_variable_whose_value_is_hidden) {
    auto host = host_with({});
    host.environment_hidden.offer({"NCCL_DEBUG"}, {"environment", "x"});
    EXPECT_TRUE(settings_of({recommended("NCCL_DEBUG", "WARN")}, host).items.at(0).keep);
}

class Refused : public testing::TestWithParam<char const*> {};

TEST_P(Refused, is_never_set) {
    EXPECT_THAT(names(settings_of({recommended(GetParam(), "1")}, host_with({}), {.force = true})),
                testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Name, Refused,
                         testing::Values("LD_PRELOAD", "LD_LIBRARY_PATH", "PATH", "IFS", "BASH_ENV",
                                         "PYTHONPATH", "HSA_TOOLS_LIB",
                                         "HIPRTC_COMPILE_OPTIONS_APPEND", "PYTORCH_ROCM_ARCH",
                                         "WORLD_SIZE", "HSA_ENABLE_SDMA", "HIP_HIDDEN_FREE_MEM",
                                         "A_NAME_NOBODY_KNOWS", "A B", "_rocmtune_x"));

TEST(Settings, refuse_what_finds_code_even_if_a_catalogue_calls_it_harmless) {
    auto const text = std::string(
        R"({"schema_version": "1.0", "date": "2026-09-01", "bibliography": {"s": {"title": "t", "url": "https://example.org"}},
        "components": [{"id": "c", "title": "c"}],
        "variables": [{"name": "LD_PRELOAD", "kind": "environment", "readers": ["c"], "status": "public", "use": "runtime", "type": "path",
            "default": null, "default_text": "unset", "effect": "e", "scope": "s", "harm": null, "folklore": null, "security": null,
            "validity": {"kind": "known", "since": null, "until": null}, "sources": ["s"], "last_verified": "2026-09-01"}]})");
    auto const catalogue = with_overrides(embedded_catalogue(), {{"variables.json", text}});
    ASSERT_EQ(catalogue.find("LD_PRELOAD")->use, "runtime");
    auto const settings = make_settings({{recommended("LD_PRELOAD", "/tmp/x.so")}, {}}, catalogue,
                                        host_with({}), {}, {});
    EXPECT_TRUE(settings.items.empty());
}

TEST(Settings, clear_what_is_dead_or_left_on_when_asked) {
    auto const host = host_with({{"HSA_ENABLE_SDMA", "0"},
                                 {"HSA_ENABLE_INTERRUPT", "1"},
                                 {"PYTORCH_ROCM_DEVICE", "0"},
                                 {"GPU_MAX_ALLOC_PERCENT", "100"},
                                 {"NCCL_DEBUG", "INFO"},
                                 {"AMD_LOG_LEVEL", "1"},
                                 {"LD_LIBRARY_PATH", "/x"}});
    EXPECT_TRUE(settings_of({}, host).items.empty());
    auto const cleared = settings_of({}, host, {.clear = true});
    EXPECT_THAT(names(cleared), testing::ElementsAre("GPU_MAX_ALLOC_PERCENT", "HSA_ENABLE_SDMA",
                                                     "NCCL_DEBUG", "PYTORCH_ROCM_DEVICE"));
    for (auto const& item : cleared.items) {
        EXPECT_FALSE(item.value);
        EXPECT_FALSE(item.sources.empty());
    }
    EXPECT_THAT(cleared.items[1].why, HasSubstr("debug switch that was left on"));
}

}  // namespace
}  // namespace rocmtune
