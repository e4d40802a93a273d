// SPDX-License-Identifier: MIT
// The rules engine over small profiles: what lets a rule through, and what holds it back.
#include "judge/rules/advise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "knowledge/chip_builder.hpp"
#include "knowledge/small_catalogue.hpp"
#include "support/rule_text.hpp"
#include "support/visible_host.hpp"

namespace rocmtune::test {
namespace {

Source const source{"test", "test"};

std::string const head = R"("schema_version": "1.0", "sources": ["s"],
    "bibliography": {"s": {"title": "T", "url": "https://example.org", "reference": "page 4"}})";

/// Profiles: a root, the families A (gfx900, and all of gfx90) and B (gfx1100).
ChipSet chips_with(std::string const& root, std::string const& family_a = "",
                   std::string const& gfx900 = "") {
    std::vector<std::pair<std::string, std::string>> const files{
        {"common.json", "{" + head + ", \"recommendations\": [" + root + "]}"},
        {"a.json", "{" + head + R"(, "extends": "common", "family": "A", "gfx_prefixes": ["gfx90"],
                   "recommendations": [)" +
                       family_a + "]}"},
        {"gfx900.json", "{" + head + R"(, "extends": "a", "gfx_target": "gfx900",
                   "recommendations": [)" +
                            gfx900 + "]}"},
        {"gfx1100.json", "{" + head + R"(, "extends": "common", "family": "B",
                   "gfx_target": "gfx1100"})"}};
    std::vector<ProfileView> views;
    for (auto const& [name, text] : files) views.push_back({name, text});
    auto const tables = join_profiles(views);
    return ChipSet{tables};
}

/// A catalogue with NAME and OTHER, which are set at run time.
Catalogue catalogue_with(std::string const& more = "") {
    auto const object = [](std::string const& name, std::string const& keys) {
        auto text = variable_json(name, keys);
        text.replace(text.find("\"use\": \"debug\""), 14, "\"use\": \"runtime\"");
        return text;
    };
    static Catalogue const empty;
    return with_overrides(
        empty, {{"small.json", variables_json(object("NAME", more) + "," + object("OTHER", ""))}});
}

Host host_with(std::vector<std::string> const& targets) {
    auto host = host_of(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        auto& gpu = host.gpus[i];
        if (targets[i].empty()) gpu.gfx_target.miss(Missing::denied);
        else gpu.gfx_target.offer(targets[i], source);
        gpu.is_apu.offer(false, source);
    }
    return host;
}

void install(Host& host, std::string const& package, std::string const& version) {
    auto all = host.frameworks.value_or({});
    Framework one{.name = package, .path = "/venv"};
    one.version.offer(version, source);
    all.push_back(one);
    host.frameworks = {};
    host.frameworks.offer(all, source);
}

void install_rocm(Host& host, std::string const& version) {
    RocmInstallation rocm{.path = "/opt/rocm", .selected = true};
    rocm.version.offer(version, source);
    host.rocm_installations.offer({rocm}, source);
}

Advice advise_with(Host const& host, ChipSet const& chips, Selection const& selection = {}) {
    return advise(host, chips, catalogue_with(), selection);
}

std::vector<std::string> names(Advice const& advice) {
    std::vector<std::string> all;
    for (auto const& one : advice.recommendations) all.push_back(one.name + "=" + one.value);
    return all;
}

std::vector<std::string> reasons(Advice const& advice) {
    std::vector<std::string> all;
    for (auto const& one : advice.undecided) all.push_back(one.reason);
    return all;
}

using Texts = std::vector<std::string>;

TEST(Advise, says_what_why_and_from_where) {
    auto const host = host_with({"gfx900"});
    auto const chips = chips_with(
        rule({{"when", R"({"field": "is_apu", "is": false})"}, {"verify_with", R"("gemm")"}}));
    auto const advice = advise_with(host, chips);
    ASSERT_EQ(advice.recommendations.size(), 1U);
    auto const& one = advice.recommendations.front();
    EXPECT_EQ(one.name, "NAME");
    EXPECT_EQ(one.value, "1");
    EXPECT_EQ(one.kind, "environment");
    EXPECT_EQ(one.level, "balanced");
    EXPECT_EQ(one.why, "because");
    EXPECT_EQ(one.from, "common.json#/recommendations/0");
    EXPECT_EQ(one.verify_with, "gemm");
    ASSERT_EQ(one.sources.size(), 1U);
    EXPECT_EQ(one.sources[0].title, "T, page 4");
    EXPECT_EQ(one.sources[0].url, "https://example.org");
    ASSERT_EQ(one.because.size(), 1U);
    EXPECT_EQ(one.because[0].field, "is_apu");
    EXPECT_EQ(one.because[0].value, "false");
    EXPECT_EQ(one.because[0].subject, *host.gpus[0].pci_address);
}

TEST(Advise, dates_a_rule_without_bounds_by_its_variable) {
    auto const catalogue =
        catalogue_with(R"(, "validity": {"kind": "known", "since": "2019-02", "until": null})");
    auto const host = host_with({"gfx900"});
    auto const advice = advise(host, chips_with(rule()), catalogue, {});
    ASSERT_EQ(advice.recommendations.size(), 1U);
    EXPECT_EQ(advice.recommendations[0].validity.since, "2019-02");
    EXPECT_EQ(advice.recommendations[0].validity.of, "rocr");
    auto bounded = host;
    install_rocm(bounded, "6.2");
    auto const own = advise(
        bounded,
        chips_with(rule({{"validity", R"({"kind": "known", "of": "rocm", "since": "6.1"})"}})),
        catalogue, {});
    EXPECT_EQ(own.recommendations.at(0).validity.since, "6.1");
    EXPECT_EQ(own.recommendations.at(0).validity.of, "rocm");
    auto const checked = advise(
        bounded,
        chips_with(rule({{"validity", R"({"kind": "known", "of": "rocm", "checked": "7.2"})"}})),
        catalogue, {});
    EXPECT_EQ(checked.recommendations.at(0).validity.since, std::nullopt) << "the variable's age";
    EXPECT_EQ(checked.recommendations.at(0).validity.of, "rocm");
}

TEST(Advise, gives_a_rule_at_its_level_and_above) {
    auto const host = host_with({"gfx900"});
    auto const chips = chips_with(rule());
    EXPECT_EQ(names(advise_with(host, chips, {.level = Level::conservative})), Texts{});
    EXPECT_EQ(names(advise_with(host, chips, {.level = Level::balanced})), Texts{"NAME=1"});
    EXPECT_EQ(names(advise_with(host, chips, {.level = Level::aggressive})), Texts{"NAME=1"});
}

TEST(Advise, says_up_to_which_version_the_text_was_read) {
    auto const host = host_with({"gfx900"});
    auto const checked = [&](std::string const& validity) {
        auto const advice = advise_with(host, chips_with(rule({{"validity", validity}})));
        return advice.recommendations.at(0).validity.checked;
    };
    EXPECT_EQ(checked(R"({"kind": "known", "of": "rocm", "checked": "7.2"})"), "7.2");
    EXPECT_EQ(checked(R"({"kind": "known"})"), std::nullopt) << "nobody states it";
}

TEST(Advise, gives_a_rule_for_its_workloads_only) {
    auto const host = host_with({"gfx900"});
    auto const chips = chips_with(rule({{"workloads", R"(["training", "inference"])"}}));
    EXPECT_EQ(names(advise_with(host, chips)), Texts{});
    EXPECT_EQ(names(advise_with(host, chips, {.workload = Workload::inference})), Texts{"NAME=1"});
    EXPECT_EQ(names(advise_with(host, chips, {.workload = Workload::llm_training})), Texts{});
}

TEST(Advise, for_a_framework_asks_whether_it_is_installed_or_chosen) {
    auto host = host_with({"gfx900"});
    auto const chips = chips_with(rule({{"frameworks", R"(["vllm"])"}}));
    EXPECT_EQ(reasons(advise_with(host, chips)), Texts{"missing-fact"});
    EXPECT_EQ(names(advise_with(host, chips, {.framework = FrameworkChoice::vllm})),
              Texts{"NAME=1"});
    EXPECT_EQ(names(advise_with(host, chips, {.framework = FrameworkChoice::pytorch})), Texts{});
    EXPECT_EQ(names(advise_with(host, chips, {.framework = FrameworkChoice::none})), Texts{});
    install(host, "torch", "2.5.1");
    EXPECT_EQ(reasons(advise_with(host, chips)), Texts{});
    EXPECT_EQ(names(advise_with(host, chips)), Texts{});
    install(host, "vllm", "0.9");
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=1"});
}

TEST(Advise, for_a_host_without_GPU_is_empty) {
    auto const chips = chips_with(rule());
    EXPECT_EQ(names(advise_with(Host{}, chips)), Texts{});
    auto host = host_with({"gfx900"});
    host.gpus[0].driver = {};
    host.gpus[0].driver.offer("vfio-pci", source);
    EXPECT_EQ(names(advise_with(host, chips)), Texts{});
}

TEST(Advise, of_one_architecture_needs_every_selected_GPU_to_have_it) {
    auto const chips = chips_with("", rule());
    EXPECT_EQ(names(advise_with(host_with({"gfx900", "gfx900"}), chips)), Texts{"NAME=1"});
    auto const mixed = host_with({"gfx900", "gfx1100"});
    auto const advice = advise_with(mixed, chips);
    EXPECT_EQ(names(advice), Texts{});
    EXPECT_EQ(reasons(advice), Texts{"not-every-gpu"});
    EXPECT_NE(advice.undecided[0].detail.find(*mixed.gpus[1].pci_address), std::string::npos);
    auto const row = *mixed.gpus[0].row;
    EXPECT_EQ(names(advise_with(mixed, chips, {.rows = {row}})), Texts{"NAME=1"});
    EXPECT_EQ(reasons(advise_with(host_with({"gfx1100"}), chips)), Texts{});
}

TEST(Advise, of_facts_of_a_GPU_needs_them_on_every_selected_GPU) {
    auto host = host_with({"gfx900", "gfx900"});
    host.gpus[0].compute_units.offer(64, source);
    host.gpus[1].compute_units.offer(56, source);
    auto const chips = chips_with(rule({{"when", R"({"field": "compute_units", "is": 64})"}}));
    EXPECT_EQ(reasons(advise_with(host, chips)), Texts{"not-every-gpu"});
}

TEST(Advise, names_the_GPUs_of_a_variable_that_is_not_for_all_and_what_differs) {
    auto const host = host_with({"gfx900", "gfx1100", "gfx900"});
    auto const advice = advise_with(host, chips_with("", rule()));
    ASSERT_EQ(reasons(advice), Texts{"not-every-gpu"});
    auto const& open = advice.undecided[0];
    EXPECT_EQ(open.gpus, (Texts{*host.gpus[0].pci_address, *host.gpus[2].pci_address}));
    EXPECT_NE(open.detail.find(*host.gpus[1].pci_address + " (gfx_target gfx1100)"),
              std::string::npos)
        << open.detail;
}

class NotOfAProcess : public testing::TestWithParam<char const*> {};

TEST_P(NotOfAProcess, is_advised_for_the_GPUs_that_it_is_right_for) {
    auto const kind = '"' + std::string(GetParam()) + '"';
    auto const host = host_with({"gfx900", "gfx1100"});
    auto const chips = chips_with("", rule({{"kind", kind}}));
    auto const advice = advise_with(host, chips);
    ASSERT_EQ(names(advice), Texts{"NAME=1"});
    EXPECT_EQ(advice.recommendations[0].gpus, Texts{*host.gpus[0].pci_address});
    EXPECT_EQ(reasons(advice), Texts{});
    auto const alike = advise_with(host_with({"gfx900", "gfx900"}), chips);
    EXPECT_EQ(alike.recommendations.at(0).gpus, Texts{}) << "for all";
}

TEST_P(NotOfAProcess, stays_open_for_a_GPU_of_unknown_target_only) {
    auto const kind = '"' + std::string(GetParam()) + '"';
    auto const host = host_with({"gfx900", ""});
    auto const advice = advise_with(host, chips_with("", rule({{"kind", kind}})));
    ASSERT_EQ(names(advice), Texts{"NAME=1"});
    EXPECT_EQ(advice.recommendations[0].gpus, Texts{*host.gpus[0].pci_address});
    ASSERT_EQ(reasons(advice), Texts{"missing-fact"});
    EXPECT_EQ(advice.undecided[0].missing[0].subject, *host.gpus[1].pci_address);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NotOfAProcess, testing::Values("precision", "practice", "host"));

TEST(Advise, lets_the_most_special_profile_win_on_each_GPU) {
    auto const of = [](std::string const& id, std::string const& value) {
        return rule(
            {{"id", '"' + id + '"'}, {"value", '"' + value + '"'}, {"kind", "\"practice\""}});
    };
    auto const host = host_with({"gfx900", "gfx1100"});
    auto const advice = advise_with(host, chips_with(of("r", "1"), of("a", "2"), of("b", "3")));
    ASSERT_EQ(advice.recommendations.size(), 2U);
    for (auto const& one : advice.recommendations) {
        auto const& gpu = host.gpus[one.value == "3" ? 0 : 1];
        EXPECT_EQ(one.gpus, Texts{*gpu.pci_address}) << one.value;
        EXPECT_NE(one.value, "2") << "a chip speaks before its family";
    }
}

TEST(Advise, names_what_is_missing_where_a_rule_stays_open) {
    auto const host = host_with({"gfx900", "gfx900"});
    auto const chips = chips_with(rule({{"when", R"({"field": "vram_bytes", "at_least": 1})"}}));
    auto const advice = advise_with(host, chips);
    ASSERT_EQ(reasons(advice), Texts{"missing-fact"});
    EXPECT_EQ(advice.undecided[0].missing.size(), 2U);
    EXPECT_EQ(advice.undecided[0].missing[0].field, "vram_bytes");
    EXPECT_EQ(advice.undecided[0].missing[0].value, std::nullopt);
}

TEST(Advise, leaves_rules_of_a_family_open_for_a_GPU_of_unknown_target) {
    auto const advice = advise_with(host_with({""}), chips_with("", rule()));
    ASSERT_EQ(reasons(advice), Texts{"missing-fact"});
    EXPECT_EQ(advice.undecided[0].missing[0].field, "gfx_target");
}

TEST(Advise, takes_the_family_for_a_target_without_profile_and_says_so) {
    auto const known = advise_with(host_with({"gfx90b"}), chips_with("", rule()));
    EXPECT_EQ(names(known), Texts{"NAME=1"});
    ASSERT_EQ(reasons(known), Texts{"unknown-target"});
    EXPECT_EQ(known.undecided[0].name, "gfx90b");
    EXPECT_NE(known.undecided[0].detail.find("family A"), std::string::npos);
    auto const other =
        advise_with(host_with({"gfx1300"}), chips_with(rule(), rule({{"id", "\"a\""}})));
    EXPECT_EQ(names(other), Texts{"NAME=1"});
    EXPECT_EQ(reasons(other), Texts{"unknown-target"});
}

TEST(Advise, lets_the_most_special_profile_win) {
    auto const chips = chips_with(rule(), rule({{"id", "\"a\""}, {"value", "\"2\""}}),
                                  rule({{"id", "\"b\""}, {"value", "\"3\""}}));
    EXPECT_EQ(names(advise_with(host_with({"gfx900"}), chips)), Texts{"NAME=3"});
    EXPECT_EQ(names(advise_with(host_with({"gfx90b"}), chips)), Texts{"NAME=2"});
    EXPECT_EQ(names(advise_with(host_with({"gfx1100"}), chips)), Texts{"NAME=1"});
}

TEST(Advise, gives_neither_of_two_rules_of_one_rank_that_disagree) {
    auto const chips = chips_with(rule() + "," + rule({{"id", "\"q\""}, {"value", "\"2\""}}));
    auto const advice = advise_with(host_with({"gfx900"}), chips);
    EXPECT_EQ(names(advice), Texts{});
    EXPECT_EQ(reasons(advice), Texts{"conflict"});
    auto const same = chips_with(rule() + "," + rule({{"id", "\"q\""}}));
    EXPECT_EQ(names(advise_with(host_with({"gfx900"}), same)), Texts{"NAME=1"});
}

TEST(Advise, is_the_same_in_whatever_order_the_rules_stand) {
    auto const a = rule({{"id", "\"z\""}, {"name", "\"OTHER\""}});
    auto const host = host_with({"gfx900"});
    auto const one = names(advise_with(host, chips_with(rule() + "," + a)));
    EXPECT_EQ(one, (Texts{"NAME=1", "OTHER=1"}));
    EXPECT_EQ(names(advise_with(host, chips_with(a + "," + rule()))), one);
}

struct Range {
    std::string validity, installed;
    std::string balanced;  ///< the recommendation, or the reason, or nothing
    std::string aggressive;
};

void PrintTo(Range const& range, std::ostream* out) {
    *out << range.validity << " with " << range.installed;
}

class AValidity : public testing::TestWithParam<Range> {};

TEST_P(AValidity, decides_by_the_installed_version) {
    auto host = host_with({"gfx900"});
    if (GetParam().installed != "?") install_rocm(host, GetParam().installed);
    auto const chips = chips_with(rule({{"validity", GetParam().validity}}));
    for (auto const& [level, wanted] : {std::pair(Level::balanced, GetParam().balanced),
                                        std::pair(Level::aggressive, GetParam().aggressive)}) {
        auto const advice = advise_with(host, chips, {.level = level});
        auto all = names(advice);
        for (auto const& reason : reasons(advice)) all.push_back(reason);
        EXPECT_EQ(all, wanted.empty() ? Texts{} : Texts{wanted});
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ranges, AValidity,
    testing::Values(
        Range{R"({"kind": "known"})", "?", "NAME=1", "NAME=1"},
        Range{R"({"kind": "unknown"})", "6.4", "validity-unknown", "NAME=1"},
        Range{R"({"kind": "known", "of": "rocm", "since": "6.2"})", "6.1.3", "", ""},
        Range{R"({"kind": "known", "of": "rocm", "since": "6.2"})", "6.2.0-1", "NAME=1", "NAME=1"},
        Range{R"({"kind": "known", "of": "rocm", "since": "6.2"})", "?", "missing-fact",
              "missing-fact"},
        Range{R"({"kind": "known", "of": "rocm", "until": "6.2"})", "6.1.3", "NAME=1", "NAME=1"},
        Range{R"({"kind": "known", "of": "rocm", "until": "6.2"})", "6.2.0", "", ""},
        Range{R"({"kind": "known", "of": "rocm", "until": "7.14"})", "10.0.0", "", ""},
        Range{R"({"kind": "known", "of": "rocm", "checked": "7.2"})", "7.2.4", "NAME=1", "NAME=1"},
        Range{R"({"kind": "known", "of": "rocm", "checked": "7.2"})", "7.14", "validity-unknown",
              "NAME=1"},
        Range{R"({"kind": "known", "of": "rocm", "checked": "7.2"})", "?", "NAME=1", "NAME=1"},
        Range{R"({"kind": "observed", "of": "rocm", "versions": ["6.3", "6.4"]})", "6.4.1",
              "NAME=1", "NAME=1"},
        Range{R"({"kind": "observed", "of": "rocm", "versions": ["6.3", "6.4"]})", "7.0",
              "validity-unknown", "NAME=1"}));

TEST(Advise, of_the_embedded_rules_turns_into_a_note_where_ROCm_is_newer_than_all_texts) {
    auto host = host_with({"gfx942", "gfx942"});
    install(host, "torch", "2.9");
    install_rocm(host, "99.0.0");
    auto const given = [&](Level level) {
        return advise(host, embedded_chips(), embedded_catalogue(),
                      {.level = level, .workload = Workload::development});
    };
    auto const find_mode = [](auto const& one) { return one.name == "MIOPEN_FIND_MODE"; };
    auto const balanced = given(Level::balanced);
    EXPECT_TRUE(std::ranges::none_of(balanced.recommendations, find_mode));
    auto const note = std::ranges::find_if(balanced.undecided, find_mode);
    ASSERT_NE(note, balanced.undecided.end());
    EXPECT_EQ(note->reason, "validity-unknown");
    EXPECT_NE(note->detail.find("99.0.0"), std::string::npos);
    EXPECT_TRUE(std::ranges::any_of(given(Level::aggressive).recommendations, find_mode));
}

TEST(Advise, holds_back_what_the_component_does_anyway) {
    auto const host = host_with({"gfx900"});
    auto const chips = chips_with(rule());
    auto const advice = advise(host, chips, catalogue_with(R"(, "default": "1")"), {});
    EXPECT_EQ(names(advice), Texts{});
    EXPECT_EQ(reasons(advice), Texts{"component-default"});
    EXPECT_EQ(names(advise(host, chips, catalogue_with(R"(, "default": "0")"), {})),
              Texts{"NAME=1"});
}

TEST(Advise, holds_back_variables_that_no_script_sets) {
    auto const host = host_with({"gfx900"});
    for (auto const* use : {"build", "launcher", "debug", "code-loading", "cosmetic"}) {
        auto text = variables_json(variable_json("NAME"));
        text.replace(text.find("\"use\": \"debug\"") + 8, 5, use);
        static Catalogue const empty;
        auto const catalogue = with_overrides(empty, {{"small.json", text}});
        auto const advice =
            advise(host, chips_with(rule()), catalogue, {.level = Level::aggressive});
        EXPECT_EQ(names(advice), Texts{}) << use;
        EXPECT_EQ(reasons(advice), Texts{"not-settable"}) << use;
    }
    auto const unknown = chips_with(rule({{"name", R"("BASH_ENV")"}}));
    EXPECT_EQ(reasons(advise_with(host, unknown)), Texts{"not-settable"});
}

TEST(Advise, does_not_ask_the_catalogue_about_practices) {
    auto const chips = chips_with(rule({{"name", R"("good habit")"}, {"kind", R"("practice")"}}));
    EXPECT_EQ(names(advise_with(host_with({"gfx900"}), chips)), Texts{"good habit=1"});
}

TEST(Advise, holds_back_what_would_meet_a_variable_that_is_set) {
    auto host = host_with({"gfx900"});
    auto const chips = chips_with(rule({{"unless_set", R"(["OTHER"])"}}));
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=1"});
    host.environment.offer({{"OTHER", ""}}, source);
    EXPECT_EQ(reasons(advise_with(host, chips)), Texts{"conflict"});
    host.environment = {};
    host.environment_hidden.offer({"OTHER"}, source);
    EXPECT_EQ(reasons(advise_with(host, chips)), Texts{"conflict"});
}

TEST(Advise, for_a_process_elsewhere_does_not_look_at_this_environment) {
    auto host = host_with({"gfx900"});
    host.environment.offer({{"OTHER", "1"}}, source);
    auto const beside = chips_with(rule({{"unless_set", R"(["OTHER"])"}}));
    auto const advice = advise_with(host, beside, {.elsewhere = true});
    ASSERT_EQ(names(advice), Texts{"NAME=1"});
    EXPECT_EQ(advice.recommendations[0].unless_set, Texts{"OTHER"}) << "its reader is told";
    auto const asking =
        chips_with(rule({{"when", R"({"field": "environment", "entry": "OTHER", "is": "1"})"}}));
    EXPECT_EQ(names(advise_with(host, asking)), Texts{"NAME=1"});
    auto const open = advise_with(host, asking, {.elsewhere = true});
    ASSERT_EQ(reasons(open), Texts{"missing-fact"});
    EXPECT_EQ(open.undecided[0].missing[0].field, "environment:OTHER");
}

std::string computed(std::string const& word) {
    return rule({{"value", ""}, {"value_from", "\"" + word + "\""}});
}

TEST(HostValues, name_the_selected_GPUs_as_ROCr_does) {
    auto const host = host_with({"gfx900", "gfx900", "gfx900"});
    auto const chips = chips_with(computed("selected-gpus"));
    auto const first = advise_with(host, chips, {.rows = {0, 2}});
    EXPECT_EQ(names(first), Texts{"NAME=GPU-00000000000000a2,GPU-00000000000000a0"});
}

TEST(HostValues, name_GPUs_by_position_where_they_share_an_identifier) {
    auto host = host_of({"00000000000000a0", "00000000000000a0", ""});
    auto const chips = chips_with(computed("selected-gpus"));
    EXPECT_EQ(names(advise_with(host, chips, {.rows = {0}})), Texts{"NAME=2"});
    EXPECT_EQ(names(advise_with(host, chips, {.rows = {1, 2}})), Texts{"NAME=1,0"});
}

TEST(HostValues, leave_the_processors_own_graphics_out) {
    auto host = host_with({"gfx900", "gfx900"});
    host.gpus[1].is_apu = {};
    host.gpus[1].is_apu.offer(true, source);
    auto const advice = advise_with(host, chips_with(computed("discrete-gpus")));
    EXPECT_EQ(names(advice), Texts{"NAME=GPU-00000000000000a1"});
    host.gpus[1].is_apu = {};
    EXPECT_EQ(reasons(advise_with(host, chips_with(computed("discrete-gpus")))),
              Texts{"missing-fact"});
}

TEST(HostValues, share_the_cores_among_the_GPUs) {
    auto host = host_with({"gfx900", "gfx900", "gfx900"});
    auto const chips = chips_with(computed("cores-per-gpu"));
    EXPECT_EQ(reasons(advise_with(host, chips)), Texts{"missing-fact"});
    host.cpu_cores.offer(64, source);
    host.allowed_cpus.offer("0-127", source);
    host.cpu_quota_cpus.miss(Missing::unsupported, "unlimited");
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=21"});
    host.cpu_cores = {};
    host.cpu_cores.offer(2, source);
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=1"});
}

TEST(HostValues, share_no_more_cores_than_the_process_may_use) {
    auto host = host_with({"gfx900", "gfx900"});
    auto const chips = chips_with(computed("cores-per-gpu"));
    host.cpu_cores.offer(64, source);
    auto const open = advise_with(host, chips);
    ASSERT_EQ(reasons(open), Texts{"missing-fact"});
    EXPECT_EQ(open.undecided[0].missing.at(0).field, "allowed_cpus");
    host.allowed_cpus.offer("8-15,72-73", source);
    EXPECT_EQ(advise_with(host, chips).undecided.at(0).missing.at(0).field, "cpu_quota_cpus");
    host.cpu_quota_cpus.miss(Missing::unsupported, "unlimited");
    auto const advice = advise_with(host, chips);
    ASSERT_EQ(names(advice), Texts{"NAME=5"});
    auto const& because = advice.recommendations[0].because;
    ASSERT_EQ(because.size(), 2U);
    EXPECT_EQ(because[0].field, "cpu_cores");
    EXPECT_EQ(because[1].value, "8-15,72-73");
    EXPECT_EQ(names(advise_with(host, chips, {.elsewhere = true})), Texts{"NAME=32"})
        << "another process has CPUs of its own";
    host.cpu_quota_cpus.offer(7.5, source);
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=3"}) << "whole CPUs of the 7.5";
    host.cpu_quota_cpus = {};
    host.cpu_quota_cpus.offer(0.5, source);
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=1"});
}

TEST(HostValues, count_pages_for_each_module) {
    auto host = host_with({"gfx900", "gfx900"});
    host.gpus[0].module.offer("0000:01:00.0", source);
    host.gpus[1].module.offer("0000:02:00.0", source);
    EXPECT_EQ(names(advise_with(host, chips_with(computed("ttm-pages-limit")))),
              Texts{"NAME=67108864"});
}

TEST(HostValues, leave_the_system_its_part_of_shared_memory) {
    constexpr std::uint64_t gib = std::uint64_t{1} << 30;
    auto host = host_with({"gfx1151"});
    auto& gpu = host.gpus[0];
    gpu.is_apu = {};
    gpu.is_apu.offer(true, source);
    gpu.vram_bytes = {};
    gpu.vram_bytes.offer(gib / 2, source);
    gpu.compute_memory_bytes.offer(62 * gib, source);
    host.memory_bytes = {};
    host.memory_bytes.offer(125 * gib, source);
    host.ttm_limit_bytes.offer(62 * gib, source);
    auto const chips = chips_with(computed("shared-memory-pages"));
    EXPECT_EQ(names(advise_with(host, chips)), Texts{"NAME=28573696"});
    host.ttm_limit_bytes = {};
    host.ttm_limit_bytes.offer(62 * gib, {"driver", "/sys/module/amdttm/parameters/pages_limit"});
    EXPECT_THAT(names(advise_with(host, chips)).at(0), testing::HasSubstr("the module amdttm"));
    gpu.compute_memory_bytes = host.ttm_limit_bytes = {};
    gpu.compute_memory_bytes.offer(109 * gib, source);
    host.ttm_limit_bytes.offer(109 * gib, source);
    auto const enough = advise_with(host, chips);
    EXPECT_EQ(names(enough), Texts{});
    for (auto const& open : enough.undecided) EXPECT_NE(open.name, "NAME") << "nothing is open";
}

std::string why_left_out(Advice const& advice, std::string_view name) {
    auto const found = std::ranges::find(advice.considered, name, &Considered::name);
    return found == advice.considered.end() ? "" : found->why;
}

TEST(Considered, tells_of_the_override_whether_it_is_needed) {
    auto const why = [](char const* target) {
        return why_left_out(advise_with(host_with({target}), embedded_chips()),
                            "HSA_OVERRIDE_GFX_VERSION");
    };
    EXPECT_EQ(why("gfx1100"), "not needed, gfx1100 is supported");
    EXPECT_THAT(why("gfx1151"), testing::HasSubstr("which supports gfx1151"));
    EXPECT_THAT(why("gfx1031"), testing::HasSubstr("rocmtune explain gfx1031"));
    EXPECT_EQ(advise_with(host_with({}), embedded_chips()).considered.size(), 0U);
}

TEST(Considered, is_neither_recommended_nor_open) {
    for (auto const* target : {"gfx942", "gfx1100", "gfx90a"}) {
        auto const advice = advise_with(host_with({target, target}), embedded_chips());
        for (auto const& one : advice.considered) {
            EXPECT_FALSE(one.why.empty()) << one.name;
            for (auto const& given : advice.recommendations) EXPECT_NE(given.name, one.name);
            for (auto const& open : advice.undecided) EXPECT_NE(open.name, one.name);
        }
    }
}

}  // namespace
}  // namespace rocmtune::test
