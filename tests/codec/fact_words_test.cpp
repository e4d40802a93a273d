// SPDX-License-Identifier: MIT
#include "codec/read_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

template <class T>
constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

/// A list of records whose members nobody names would never be compared.
template <class Entity>
std::vector<std::string> facts_without_shape(FactScope scope) {
    std::vector<std::string> names;
    Entity const none{};
    visit_fields(none, [&]<class T>(Field const& field, Fact<T> const&) {
        auto const* word = find_fact_word(scope, field.key);
        if (word == nullptr || (!is_plain<T> && word->shape == FactShape::value))
            names.emplace_back(field.key);
    });
    return names;
}

TEST(FactWords, knows_how_every_fact_is_taken_apart) {
    EXPECT_THAT(facts_without_shape<Host>(FactScope::host), testing::IsEmpty());
    EXPECT_THAT(facts_without_shape<Gpu>(FactScope::gpu), testing::IsEmpty());
}

TEST(FactWords, find_the_fact_of_a_path) {
    EXPECT_EQ(fact_of_path(FactScope::gpu, "firmware.mec")->kind, FactKind::firmware);
    EXPECT_EQ(fact_of_path(FactScope::host, "frameworks[torch].version")->key, "frameworks");
    EXPECT_EQ(fact_of_path(FactScope::host, "vbios_version"), nullptr);
    EXPECT_EQ(fact_of_path(FactScope::gpu, ""), nullptr);
}

}  // namespace
}  // namespace rocmtune
