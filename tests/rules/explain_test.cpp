// SPDX-License-Identifier: MIT
// What explain tells of all that the embedded data name, and of names that they do not.
#include "judge/rules/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "knowledge/terms.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

Source const source{"test", "here"};

Host host_with(std::map<std::string, std::string> environment) {
    Host host;
    host.environment.offer(std::move(environment), source);
    return host;
}

std::optional<Explanation> explained(std::string_view name, Host const& host = {}) {
    return explain(name, embedded_catalogue(), host, Advice{}, embedded_chips().rules());
}

TEST(Explain, tells_of_every_variable_what_it_does_and_from_where_that_is_known) {
    for (auto const& variable : embedded_catalogue().all()) {
        auto const it = explained(variable.name);
        ASSERT_TRUE(it) << variable.name;
        EXPECT_EQ(it->name, variable.name);
        EXPECT_FALSE(it->summary.empty() || it->effect.empty()) << variable.name;
        EXPECT_FALSE(it->sources.empty() || it->here.empty()) << variable.name;
    }
}

TEST(Explain, tells_how_the_value_of_this_host_is_read) {
    auto const it = explained("hsa_enable_sdma", host_with({{"HSA_ENABLE_SDMA", "0"}}));
    ASSERT_TRUE(it);
    EXPECT_EQ(it->name, "HSA_ENABLE_SDMA");
    EXPECT_EQ(it->current, "0");
    EXPECT_FALSE(it->read_as.empty());
    EXPECT_FALSE(explained("HSA_ENABLE_SDMA")->current);
}

TEST(Explain, of_a_name_without_an_entry_only_who_reads_it_is_known) {
    auto const& catalogue = embedded_catalogue();
    std::size_t checked = 0;
    for (auto const name : catalogue.names().all()) {
        if (catalogue.find(name) != nullptr || ++checked > 200) continue;
        auto const it = explained(name);
        ASSERT_TRUE(it) << name;
        EXPECT_FALSE(it->readers.empty()) << name;
    }
    EXPECT_GT(checked, 200U);
    EXPECT_FALSE(explained("NO_TEXT_SPEAKS_OF_THIS"));
}

TEST(Explain, tells_of_every_term_and_of_the_value_that_a_parameter_has) {
    for (auto const& term : all_terms()) {
        auto const it = explain_term(term.name, {});
        ASSERT_TRUE(it) << term.name;
        EXPECT_EQ(it->kind, term.kind);
        EXPECT_FALSE(it->summary.empty() || it->sources.empty()) << term.name;
        EXPECT_FALSE(it->current) << term.name;
    }
    Host host;
    host.amdgpu_parameters.offer({{"noretry", "1"}}, source);
    EXPECT_EQ(explain_term("amdgpu.noretry", host)->current, "1");
    EXPECT_FALSE(explain_term("amdgpu.no_such_parameter", host));
}

TEST(Explain, lists_the_oldest_texts_of_the_data_first) {
    auto const built_in = explain_data(embedded_catalogue(), {}, "");
    EXPECT_THAT(built_in.effect, HasSubstr("built in"));
    EXPECT_THAT(explain_data(embedded_catalogue(), {}, "/data").effect, HasSubstr("from /data"));
    ASSERT_GT(built_in.readers.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(built_in.readers, {},
                                       [](auto const& reader) { return reader.text_date; }));
}

TEST(Explain, names_near_a_slip_are_few_and_known) {
    auto const near = near_names("HSA_OVERIDE_GFX_VERSION", embedded_catalogue());
    ASSERT_FALSE(near.empty());
    EXPECT_EQ(near.front(), "HSA_OVERRIDE_GFX_VERSION");
    EXPECT_LE(near_names("HSA_", embedded_catalogue()).size(), 5U);
}

TEST(ExplainTarget, knows_every_target_with_its_products_and_sources) {
    for (auto const& chip : embedded_chips().all_chips()) {
        auto const it = explain_target(chip.gfx_target, embedded_chips());
        ASSERT_TRUE(it) << chip.gfx_target;
        EXPECT_EQ(it->target->targets, std::vector{std::string(chip.gfx_target)});
        EXPECT_EQ(it->target->products.size(), chip.products.size());
        EXPECT_FALSE(it->sources.empty()) << chip.gfx_target;
        auto const spelt =
            explain_target("GFX" + std::string(chip.gfx_target.substr(3)), embedded_chips());
        EXPECT_TRUE(spelt) << chip.gfx_target;
    }
}

TEST(ExplainTarget, an_override_leads_to_a_target_that_says_so) {
    auto const rdna2 = explain_target("gfx1030", embedded_chips());
    auto const& others = rdna2->target->overridden_by;
    EXPECT_THAT(others, testing::Contains("gfx1031"));
    for (auto const& other : others)
        EXPECT_EQ(explain_target(other, embedded_chips())->target->override_version, "10.3.0");
}

TEST(ExplainTarget, features_are_told_and_others_are_refused) {
    auto const it = explain_target("gfx90a:sramecc+:xnack-", embedded_chips());
    ASSERT_TRUE(it);
    EXPECT_THAT(it->effect, HasSubstr("sramecc+: code for GPUs"));
    EXPECT_THAT(it->effect, HasSubstr("xnack-: code for retries of page faults that are off"));
    for (auto const* wrong : {"gfx90a:xnack", "gfx90a:wave64+", "gfx90a:", "gfx0000"})
        EXPECT_FALSE(explain_target(wrong, embedded_chips())) << wrong;
    EXPECT_THAT(unknown_target_hint("gfx90a:wave64+", embedded_chips()), HasSubstr(":xnack-"));
}

TEST(ExplainTarget, a_generic_target_is_all_that_are_behind_it) {
    auto const it = explain_target("gfx11-generic", embedded_chips());
    ASSERT_TRUE(it);
    EXPECT_THAT(it->target->targets, testing::Contains("gfx1100"));
    for (auto const& target : it->target->targets)
        EXPECT_EQ(explain_target(target, embedded_chips())->target->generic_target,
                  "gfx11-generic");
}

TEST(ExplainTarget, says_which_gpus_here_have_it_and_of_which_that_is_not_known) {
    auto const target = *explain_target("gfx1100", embedded_chips())->target;
    Host host;
    EXPECT_EQ(target_here_text(target, host), "No GPU of this host is known to have it.");
    host.gpus.resize(2);
    host.gpus[0].gfx_target.offer("gfx1100", source);
    auto const text = target_here_text(target, host);
    EXPECT_THAT(text, HasSubstr("1 GPU of this host"));
    EXPECT_THAT(text, HasSubstr("Of 1 GPU here the target is not known."));
}

TEST(ExplainTarget, an_unknown_one_gets_a_near_name_or_its_family) {
    EXPECT_THAT(unknown_target_hint("gfx1109", embedded_chips()), HasSubstr("did you mean gfx110"));
    EXPECT_THAT(unknown_target_hint("gfx1109", embedded_chips()), HasSubstr("family"));
    EXPECT_EQ(unknown_target_hint("gfx", embedded_chips()),
              "rocmtune probe names the targets of this host");
    EXPECT_TRUE(is_target_name("GFX942"));
    EXPECT_FALSE(is_target_name("gfxoff"));
}

}  // namespace
}  // namespace rocmtune::test
