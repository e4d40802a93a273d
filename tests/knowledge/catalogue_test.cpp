// SPDX-License-Identifier: MIT
// Look-ups in a catalogue, and files laid over it.
#include "knowledge/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "codec/json_node.hpp"
#include "small_catalogue.hpp"

namespace rocmtune {
namespace {

Catalogue empty_catalogue() {
    return {};
}

Catalogue catalogue_of(std::string const& objects) {
    return with_overrides(empty_catalogue(), {{"base.json", variables_json(objects)}});
}

std::string one_file(std::string const& date, std::string const& objects) {
    auto text = variables_json(objects);
    return text.replace(text.find("2026-09-01"), 10, date);
}

TEST(Catalogue, finds_variables_by_name_and_by_alias) {
    auto const catalogue = catalogue_of(variable_json("B", R"(, "aliases": ["OLD_B", "C"])") + "," +
                                        variable_json("A") + "," + variable_json("C"));
    ASSERT_NE(catalogue.find("A"), nullptr);
    EXPECT_EQ(catalogue.find("A")->name, "A");
    EXPECT_EQ(catalogue.find("OLD_B"), catalogue.find("B"));
    EXPECT_EQ(catalogue.find("C")->name, "C") << "an object of its own is more than an alias";
    EXPECT_EQ(catalogue.find("D"), nullptr);
    EXPECT_EQ(catalogue.find(""), nullptr);
    EXPECT_EQ(catalogue.all().size(), 3u);
}

TEST(Catalogue, a_name_with_a_number_belongs_to_its_family) {
    auto const catalogue = catalogue_of(variable_json("V_<n>") + "," + variable_json("V_7") + "," +
                                        variable_json("W_"));
    EXPECT_EQ(catalogue.find("V_12"), catalogue.find("V_<n>"));
    EXPECT_EQ(catalogue.find("V_7")->name, "V_7");
    for (auto const* name : {"V_", "V_x", "V_1x", "W_1", "7", "V_<m>"}) {
        EXPECT_EQ(catalogue.find(name), nullptr) << name;
    }
}

TEST(Catalogue, a_variable_has_everything_that_its_object_says) {
    auto const catalogue = catalogue_of(variable_json("A", R"(,
        "default": "", "default_text": "dt", "minimum": -1, "maximum": 100, "scope": "sc",
        "harm": "h", "folklore": "f", "security": "se", "aliases": ["AA"],
        "former_defaults": [{"value": "", "until": "6.2"}, {"value": "1", "until": "2024-10"}],
        "validity": {"kind": "known", "since": "2020-06", "until": "7.0", "checked": "6.4"},
        "replaced_by": "B")") + "," + variable_json("B", R"(, "parser": "text")"));
    auto const& a = *catalogue.find("A");
    EXPECT_EQ(a.kind, "environment");
    EXPECT_EQ(a.status, "public");
    EXPECT_EQ(a.use, "debug");
    EXPECT_EQ(a.default_value, std::optional<std::string_view>(""));
    EXPECT_EQ(a.default_text, "dt");
    EXPECT_EQ(a.minimum, -1);
    EXPECT_EQ(a.maximum, 100);
    ASSERT_EQ(a.former_defaults.size(), 2u);
    EXPECT_EQ(a.former_defaults[0].value, "");
    EXPECT_EQ(a.former_defaults[1].until, "2024-10");
    EXPECT_EQ(a.effect, "E");
    EXPECT_EQ(a.scope, "sc");
    EXPECT_EQ(a.harm, "h");
    EXPECT_EQ(a.folklore, "f");
    EXPECT_EQ(a.security, "se");
    EXPECT_EQ(a.validity_kind, "known");
    EXPECT_EQ(a.since, "2020-06");
    EXPECT_EQ(a.until, "7.0");
    EXPECT_EQ(a.checked, "6.4");
    EXPECT_EQ(a.replaced_by, "B");
    EXPECT_EQ(a.last_verified, "2026-09-01");
    ASSERT_EQ(a.readers.size(), 1u);
    EXPECT_EQ(a.readers[0], catalogue.component("rocr"));
    ASSERT_EQ(a.sources.size(), 1u);
    EXPECT_EQ(a.sources[0]->title, "T");
}

TEST(Catalogue, judgements_of_values_outlive_a_layer_above) {
    auto const base = catalogue_of(variable_json("A", R"(, "needs": "xnack", "judged_values": [
        {"below": 10, "class": "bad-value", "certain": false, "why": "small"},
        {"values": ["x", "y"], "any_case": true, "class": "debug-left-on", "certain": true,
         "why": "loud", "instead": "z"}],
        "contradictions": [{"value": "1", "with": "B", "with_value": "0", "certain": true,
                            "versions": {"of": "torch", "since": "2.0", "until": "2.9"},
                            "why": "both", "remove": "B"}])") +
                                   "," + variable_json("B"));
    auto const catalogue = with_overrides(
        base, {{"two.json", variables_json(variable_json(
                                "B", R"(, "judged_values": [{"values": ["1"], "why": "one",
                                         "class": "redundant-default", "certain": true}])"))}});
    auto const& a = *catalogue.find("A");
    EXPECT_EQ(a.needs, "xnack");
    ASSERT_EQ(a.judged_values.size(), 3U) << "one for each value";
    EXPECT_EQ(a.judged_values[0].below, 10);
    EXPECT_EQ(a.judged_values[0].instead, "");
    EXPECT_EQ(a.judged_values[2].value, "y");
    EXPECT_TRUE(a.judged_values[2].any_case);
    EXPECT_EQ(a.judged_values[2].why, "loud");
    EXPECT_EQ(a.judged_values[2].instead, "z");
    ASSERT_EQ(a.contradictions.size(), 1U);
    EXPECT_EQ(a.contradictions[0].with, "B");
    EXPECT_EQ(a.contradictions[0].with_value, "0");
    EXPECT_EQ(a.contradictions[0].package, "torch");
    EXPECT_EQ(a.contradictions[0].since, "2.0");
    EXPECT_EQ(a.contradictions[0].until, "2.9");
    EXPECT_EQ(catalogue.find("B")->judged_values.size(), 1U);
}

TEST(Catalogue, what_is_not_said_is_absent) {
    auto const catalogue = catalogue_of(variable_json("A", R"(, "default": null, "harm": null)"));
    auto const& a = *catalogue.find("A");
    EXPECT_EQ(a.default_value, std::nullopt);
    EXPECT_EQ(a.minimum, std::nullopt);
    EXPECT_EQ(a.harm, "");
    EXPECT_EQ(a.validity_kind, "unknown");
    EXPECT_TRUE(a.words.empty());
}

TEST(Catalogue, the_parser_is_the_owners_unless_stated) {
    auto const catalogue =
        catalogue_of(variable_json("A") + "," + variable_json("B", R"(, "parser": "text")"));
    EXPECT_EQ(catalogue.find("A")->parser, "rocr_exact");
    EXPECT_EQ(catalogue.find("B")->parser, "text");
}

TEST(Catalogue, a_later_file_replaces_variables_by_name_and_keeps_the_rest) {
    auto const base = catalogue_of(variable_json("A", R"(, "aliases": ["X"])") + "," +
                                   variable_json("B", R"(, "harm": "old")"));
    auto const catalogue = with_overrides(
        base, {{"one.json", variables_json(variable_json("B", R"(, "harm": "one")"))},
               {"two.json", variables_json(variable_json("B", R"(, "harm": "two")"))}});
    EXPECT_EQ(catalogue.find("B")->harm, "two");
    EXPECT_EQ(catalogue.find("X"), catalogue.find("A"));
    EXPECT_EQ(base.find("B")->harm, "old") << "the set below stays as it is";
}

TEST(Catalogue, an_overlay_outlives_the_set_below_it) {
    auto catalogue = empty_catalogue();
    {
        auto const base = catalogue_of(variable_json("A", R"(, "harm": "still here")"));
        catalogue = with_overrides(base, {{"two.json", variables_json(variable_json("B"))}});
    }
    EXPECT_EQ(catalogue.find("A")->harm, "still here");
    EXPECT_EQ(catalogue.find("A")->readers[0]->title, "ROCr");
}

TEST(Catalogue, a_file_may_speak_of_components_and_sources_below_it) {
    auto const base = catalogue_of(variable_json("A"));
    auto const catalogue = with_overrides(
        base, {{"x.json", R"({"schema_version": "1.0", "date": "2026-10-01", "variables": [)" +
                              variable_json("B") + "]}"}});
    EXPECT_EQ(catalogue.find("B")->readers[0], catalogue.component("rocr"));
    EXPECT_EQ(catalogue.find("B")->sources[0]->title, "T");
}

TEST(Catalogue, a_newer_component_holds_for_the_variables_below_it_too) {
    auto const base = catalogue_of(variable_json("A"));
    auto const catalogue = with_overrides(
        base, {{"x.json", R"({"schema_version": "1.0", "date": "2026-10-01", "variables": [],
            "components": [{"id": "rocr", "title": "ROCr", "newest": "2026-10"}]})"}});
    EXPECT_EQ(catalogue.find("A")->readers[0]->newest, "2026-10");
}

TEST(Catalogue, its_date_is_that_of_the_oldest_file_that_still_says_something) {
    auto const base = catalogue_of(variable_json("A") + "," + variable_json("B"));
    EXPECT_EQ(base.date(), "2026-09-01");
    auto const some =
        with_overrides(base, {{"x.json", one_file("2027-01-01", variable_json("A"))}});
    EXPECT_EQ(some.date(), "2026-09-01");
    auto const all = with_overrides(
        base, {{"x.json", one_file("2027-01-01", variable_json("A") + "," + variable_json("B"))}});
    EXPECT_EQ(all.date(), "2027-01-01");
}

TEST(Catalogue, a_circle_of_new_names_across_files_is_the_fault_of_the_later_one) {
    auto const base =
        catalogue_of(variable_json("A", R"(, "replaced_by": "B")") + "," + variable_json("B"));
    try {
        with_overrides(
            base, {{"later.json", variables_json(variable_json("B", R"(, "replaced_by": "A")"))}});
        FAIL() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "later.json");
        EXPECT_EQ(error.pointer(), "/variables/0/replaced_by");
    }
}

TEST(Catalogue, an_alias_that_a_variable_below_has_is_the_fault_of_the_later_file) {
    auto const base = catalogue_of(variable_json("Z", R"(, "aliases": ["X"])"));
    try {
        with_overrides(
            base, {{"later.json", variables_json(variable_json("A", R"(, "aliases": ["X"])"))}});
        FAIL() << "accepted";
    } catch (ProfileError const& error) {
        EXPECT_EQ(error.file(), "later.json");
        EXPECT_NE(std::string(error.what()).find("alias of Z"), std::string::npos) << error.what();
    }
}

TEST(Catalogue, a_file_of_names_takes_the_place_of_all_names) {
    auto const& base = embedded_catalogue();
    auto const catalogue = with_overrides(base, {{"dir/names.json", R"({
        "schema_version": "1.0", "date": "2027-01-01",
        "sources": [{"title": "T", "reference": "R"}],
        "components": [{"id": "new", "title": "New"}], "names": {"NEW_NAME": ["tool", "new"]}})"}});
    EXPECT_EQ(catalogue.names().size(), 1u);
    EXPECT_EQ(catalogue.readers("NEW_NAME").at(0).component->title, "New");
    EXPECT_EQ(catalogue.component("new")->title, "New");
    EXPECT_EQ(catalogue.all().size(), base.all().size());
    EXPECT_EQ(catalogue.names().date(), "2027-01-01");
}

TEST(EmbeddedCatalogue, knows_the_names_that_the_stack_reads) {
    auto const& names = embedded_catalogue().names();
    EXPECT_GT(names.size(), 7000u);
    EXPECT_TRUE(std::ranges::is_sorted(names.all()));
    for (auto const name : names.all()) {
        ASSERT_FALSE(names.readers(name).empty()) << name;
    }
    auto const sdma = names.readers("HSA_ENABLE_SDMA");
    EXPECT_TRUE(std::ranges::any_of(sdma, [](auto const& r) { return r.component->id == "rocr"; }));
    EXPECT_EQ(names.family("HSA_OVERRIDE_GFX_VERSION_3")->component->id, "thunk");
    EXPECT_TRUE(names.readers("HSA_UNALIGNED_ACCESS_MODE").empty());
    EXPECT_NE(names.readers("DEBUG_HIP_7_PREVIEW").at(0).absent_by, "");
}

TEST(EmbeddedCatalogue, is_sorted_and_every_object_finds_itself) {
    auto const& catalogue = embedded_catalogue();
    EXPECT_TRUE(std::ranges::is_sorted(catalogue.all(), {}, &Variable::name));
    EXPECT_TRUE(std::ranges::is_sorted(catalogue.components(), {}, &Component::id));
    for (auto const& variable : catalogue.all()) {
        EXPECT_EQ(catalogue.find(variable.name), &variable);
        for (auto const& alias : variable.aliases) {
            EXPECT_NE(catalogue.find(alias), nullptr) << alias;
        }
    }
}

TEST(Catalogue, keeps_the_targets_of_a_variable_under_other_files) {
    auto const base = with_overrides(embedded_catalogue(),
                                     {{"variables.json", variables_json(variable_json("A"))}});
    auto const* variable = base.find("VLLM_ROCM_USE_AITER");
    ASSERT_NE(variable, nullptr);
    ASSERT_EQ(variable->gfx_prefixes.size(), 4U);
    EXPECT_EQ(variable->gfx_prefixes[1], "gfx95");
    EXPECT_TRUE(base.find("A")->gfx_prefixes.empty());
}

}  // namespace
}  // namespace rocmtune
