// SPDX-License-Identifier: MIT
#include "knowledge/trials.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "codec/json_node.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/value_parsers.hpp"
#include "rocmtune/tuning.hpp"

namespace rocmtune {
namespace {

TEST(Trials, are_of_names_that_something_reads_today) {
    ASSERT_GE(all_trials().size(), 10U);
    for (auto const& trial : all_trials()) {
        if (trial.setting == launch_key) continue;
        auto const* const variable = embedded_catalogue().find(trial.setting);
        ASSERT_NE(variable, nullptr) << trial.setting;
        EXPECT_EQ(variable->status, "public") << trial.setting;
        EXPECT_FALSE(variable->readers.empty()) << trial.setting;
    }
}

TEST(Trials, are_in_order_and_never_ease_nothing) {
    EXPECT_TRUE(std::ranges::is_sorted(all_trials(), {}, &LimitTrial::setting));
    for (auto const& trial : all_trials()) {
        EXPECT_TRUE(trial.why.ends_with('.')) << trial.setting;
        EXPECT_EQ(std::ranges::count(trial.limits, LimitKind::nothing_seen), 0) << trial.setting;
    }
}

TEST(Trials, of_a_file_with_a_mistake_are_refused_with_its_place) {
    EXPECT_THROW(parse_trials("t.json", R"({"schema_version": "1.0", "date": "2026-11-01",
        "trials": [{"setting": "A", "values": ["1"], "limits": ["luck"], "why": "x", "sources": []}]})"),
                 ProfileError);
}

}  // namespace
}  // namespace rocmtune
