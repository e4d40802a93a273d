// SPDX-License-Identifier: MIT
// The rules of the embedded profiles: sourced, about things that exist, and no bolder than their
// level.
#include <gtest/gtest.h>

#include <set>

#include "judge/rules/explain.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune::test {
namespace {

class AnEmbeddedRule : public testing::TestWithParam<Rule> {
  protected:
    static bool is_set(Rule const& rule) {
        return rule.kind == SettingKind::environment || rule.kind == SettingKind::allocator;
    }
};

TEST_P(AnEmbeddedRule, has_sources_that_can_be_found) {
    auto const& rule = GetParam();
    ASSERT_FALSE(rule.sources.empty());
    for (auto const* source : rule.sources) {
        EXPECT_FALSE(source->title.empty());
        EXPECT_FALSE(source->url.empty() && source->reference.empty()) << source->id;
    }
}

TEST_P(AnEmbeddedRule, that_sets_something_names_a_variable_that_a_script_may_set) {
    auto const& rule = GetParam();
    if (!is_set(rule)) return;
    auto const* variable = embedded_catalogue().find(rule.name);
    ASSERT_NE(variable, nullptr);
    EXPECT_EQ(variable->name, rule.name) << "an alias";
    EXPECT_EQ(variable->use, "runtime");
    EXPECT_NE(variable->status, "dead");
    EXPECT_NE(variable->status, "never-existed");
    if (rule.value.empty()) return;
    EXPECT_NE(variable->default_value, rule.value) << "the default";
}

TEST_P(AnEmbeddedRule, names_only_variables_that_the_catalogue_knows) {
    for (auto const name : GetParam().unless_set) {
        EXPECT_NE(embedded_catalogue().find(name), nullptr) << name;
    }
}

TEST_P(AnEmbeddedRule, of_the_conservative_level_is_documented) {
    auto const& rule = GetParam();
    if (rule.level != Level::conservative || !is_set(rule)) return;
    EXPECT_EQ(rule.confidence, "documented");
    EXPECT_EQ(rule.validity.kind, "known");
}

TEST_P(AnEmbeddedRule, below_the_aggressive_level_has_a_known_or_observed_validity) {
    if (GetParam().level == Level::aggressive) return;
    EXPECT_NE(GetParam().validity.kind, "unknown");
}

TEST_P(AnEmbeddedRule, explains_itself_in_a_sentence) {
    auto const why = GetParam().why;
    EXPECT_GT(why.size(), 30U);
    EXPECT_TRUE(why.ends_with('.')) << why;
}

TEST_P(AnEmbeddedRule, can_be_explained_by_its_name) {
    auto const explanation =
        explain(GetParam().name, embedded_catalogue(), Host{}, Advice{}, embedded_chips().rules());
    ASSERT_TRUE(explanation) << GetParam().name;
    EXPECT_FALSE(explanation->effect.empty());
    EXPECT_FALSE(explanation->sources.empty());
}

auto embedded_rules() {
    auto const rules = embedded_chips().rules();
    return std::vector<Rule>(rules.begin(), rules.end());
}

INSTANTIATE_TEST_SUITE_P(Profiles, AnEmbeddedRule, testing::ValuesIn(embedded_rules()),
                         [](auto const& rule) {
                             std::string id(rule.param.id);
                             for (auto& c : id) c = c == '-' ? '_' : c;
                             return id;
                         });

TEST(EmbeddedRules, set_no_allocator_option_for_no_option_helps_by_itself) {
    for (auto const& rule : embedded_chips().rules())
        EXPECT_NE(rule.kind, SettingKind::allocator) << rule.id;
}

/// PyTorch collects only while a memory fraction is set: the threshold alone is a no-op. From 2.12
/// on one variable takes both.
TEST(EmbeddedRules, name_both_halves_of_the_allocators_collection) {
    std::size_t found = 0;
    for (auto const& rule : embedded_chips().rules()) {
        if (rule.name != "garbage_collection_threshold") continue;
        ++found;
        EXPECT_EQ(rule.kind, SettingKind::practice);
        for (auto const* half :
             {"_ALLOC_CONF=", "garbage_collection_threshold:", "set_per_process_memory_fraction"})
            EXPECT_NE(rule.value.find(half), std::string_view::npos) << half;
        auto const by_variable = rule.value.find("per_process_memory_fraction:") != rule.value.npos;
        EXPECT_EQ(by_variable, rule.validity.since == "2.12") << rule.id;
    }
    EXPECT_EQ(found, 2U);
    auto const* option = embedded_catalogue().find("garbage_collection_threshold");
    ASSERT_NE(option, nullptr);
    EXPECT_NE(option->effect.find("set_per_process_memory_fraction"), std::string_view::npos);
    auto const* fraction = embedded_catalogue().find("per_process_memory_fraction");
    ASSERT_NE(fraction, nullptr);
    EXPECT_EQ(fraction->since, "2.10");
}

TEST(Explain, knows_practices_by_the_words_that_people_use) {
    for (auto const& [asked, name] :
         {std::pair("gloo", "nccl"), std::pair("nccl", "RCCL"),
          std::pair("cudnn.benchmark", "MIOpen"), std::pair("memory fraction", "memory"),
          std::pair("numa placement", "NUMA"), std::pair("ttm.pages_limit", "memory")}) {
        auto const explanation =
            explain(asked, embedded_catalogue(), Host{}, Advice{}, embedded_chips().rules());
        ASSERT_TRUE(explanation) << asked;
        EXPECT_NE(explanation->effect.find(name), std::string::npos) << explanation->effect;
    }
    for (auto const* asked : {"", " ", "torch", "precision of nothing", "a"})
        EXPECT_FALSE(
            explain(asked, embedded_catalogue(), Host{}, Advice{}, embedded_chips().rules()))
            << asked;
}

TEST(EmbeddedRules, speak_about_the_areas_that_tuning_has) {
    std::set<std::string_view> names;
    for (auto const& rule : embedded_chips().rules()) names.insert(rule.name);
    for (auto const* name :
         {"ROCR_VISIBLE_DEVICES", "garbage_collection_threshold", "mixed precision", "BLAS library",
          "NCCL_MIN_NCHANNELS", "NCCL_SOCKET_IFNAME", "caches on network file systems",
          "PYTORCH_TUNABLEOP_ENABLED", "VLLM_ROCM_USE_AITER", "HIP_FORCE_DEV_KERNARG",
          "GPU_MAX_HW_QUEUES", "HSA_XNACK", "HSA_NO_SCRATCH_RECLAIM", "ttm.pages_limit",
          "NUMA placement", "OMP_NUM_THREADS", "container shared memory"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
}

}  // namespace
}  // namespace rocmtune::test
