// SPDX-License-Identifier: MIT
// The advice for each composed host, level and workload, against tests/hosts/*/expect/advice. With
// ROCMTUNE_UPDATE_EXPECTED=1 the files are written instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "judge/rules/advise.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

std::string lines_of(Advice const& advice) {
    std::string text;
    for (auto const& one : advice.recommendations) {
        auto const value = one.value.size() > 60 ? one.value.substr(0, 57) + "..." : one.value;
        auto const gpus =
            one.gpus.empty() ? std::string() : fmt::format(" for {}", fmt::join(one.gpus, " "));
        text += fmt::format("{} {} = {} ({}, {}){}\n", one.kind, one.name, value, one.level,
                            one.validity.kind, gpus);
    }
    for (auto const& one : advice.undecided) {
        text += fmt::format("? {}: {}, {}\n", one.name, one.reason, one.detail);
    }
    return text;
}

/// All levels and workloads, for the frameworks that are installed.
std::string advice_text(Host const& host) {
    std::string text;
    for (auto const level : {Level::conservative, Level::balanced, Level::aggressive}) {
        for (std::size_t i = 0; i < workload_words.size(); ++i) {
            auto const workload = static_cast<Workload>(i);
            auto const advice = advise(host, embedded_chips(), embedded_catalogue(),
                                       {.level = level, .workload = workload});
            text += fmt::format("# {} {}\n{}", word_of(level), word_of(workload), lines_of(advice));
        }
    }
    return text;
}

std::string read_file(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class GoldenAdvice : public testing::TestWithParam<std::string> {};

TEST_P(GoldenAdvice, is_what_the_host_folder_expects) {
    auto const host = report_of(GetParam()).host.value();
    std::filesystem::path const path =
        std::string(ROCMTUNE_SOURCE_DIR "/tests/hosts/") + GetParam() + "/expect/advice";
    auto const text = advice_text(host);
    if (std::getenv("ROCMTUNE_UPDATE_EXPECTED")) {
        std::ofstream(path, std::ios::binary) << text;
        GTEST_SKIP() << "written";
    }
    EXPECT_EQ(read_file(path), text);
}

INSTANTIATE_TEST_SUITE_P(Hosts, GoldenAdvice, testing::ValuesIn(host_names()),
                         [](auto const& host) { return test_name(host.param); });

}  // namespace
}  // namespace rocmtune::test
