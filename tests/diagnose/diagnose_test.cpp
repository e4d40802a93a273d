// SPDX-License-Identifier: MIT
// Which cause is here: verdicts and their order, over made-up hosts.
#include "judge/diagnose/diagnose.hpp"

#include <gtest/gtest.h>

#include "judge/checks/checks.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/findings.hpp"
#include "measure/data_files.hpp"

namespace rocmtune::test {
namespace {

SeenMessage message(std::string id, std::uint64_t line, std::vector<std::string> causes,
                    SymptomRole role = SymptomRole::error) {
    return {.shown = {.id = std::move(id), .role = role, .says = "It says.", .lines = {line}},
            .causes = std::move(causes)};
}

RecognisedText text_of(std::vector<SeenMessage> messages) {
    return {.lines = 10, .messages = std::move(messages)};
}

/// The causes as "ID verdict".
std::vector<std::string> told(Diagnosis const& diagnosis) {
    std::vector<std::string> all;
    for (auto const& cause : diagnosis.causes)
        all.push_back(cause.id + ' ' + std::string(word_of(cause.verdict)));
    return all;
}

Diagnosis diagnosed(RecognisedText text, std::vector<Finding> const& findings) {
    Host const host;
    return diagnose(std::move(text), {host, findings});
}

using Told = std::vector<std::string>;

TEST(Diagnose, findings_tell_and_what_is_here_leads) {
    auto const result =
        diagnosed(text_of({message("RT8201", 4, {"RT3101", "RT3102", "RT3103", "RT3104"})}),
                  {make_finding("RT3101", Verdict::pass, "host", "fine"),
                   make_finding("RT3102", Verdict::unknown, "host", "not read"),
                   make_finding("RT3103", Verdict::fail, "host", "broken"),
                   make_finding("RT3104", Verdict::warn, "host", "doubtful")});
    EXPECT_EQ(told(result),
              (Told{"RT3103 here", "RT3104 here", "RT3102 cannot-tell", "RT3101 not-here"}));
    EXPECT_EQ(result.answer, DiagnosisAnswer::cause_here);
    EXPECT_EQ(result.summary, "RT3103: broken");
    EXPECT_EQ(result.causes[2].tells, "not read");
    EXPECT_EQ(result.causes[0].rank, 1U);
    EXPECT_EQ(result.causes[3].rank, 4U);
}

TEST(Diagnose, one_bad_gpu_is_enough) {
    auto const result =
        diagnosed(text_of({message("RT8201", 1, {"RT3101"})}),
                  {make_finding("RT3101", Verdict::pass, "0000:01:00.0", "fine"),
                   make_finding("RT3101", Verdict::fail, "0000:02:00.0", "broken")});
    EXPECT_EQ(told(result), Told{"RT3101 here"});
    EXPECT_EQ(result.causes[0].subject, "0000:02:00.0");
}

TEST(Diagnose, errors_lead_before_consequences_whatever_their_lines) {
    auto const result =
        diagnosed(text_of({message("RT8202", 1, {"RT3104"}, SymptomRole::consequence),
                           message("RT8203", 2, {"RT3902"}, SymptomRole::note),
                           message("RT8201", 3, {"RT3103"})}),
                  {make_finding("RT3103", Verdict::fail, "host", "broken"),
                   make_finding("RT3104", Verdict::fail, "host", "also"),
                   make_finding("RT3902", Verdict::fail, "host", "not asked")});
    EXPECT_EQ(told(result), (Told{"RT3103 here", "RT3104 here"}));
    EXPECT_EQ(result.symptoms.front().id, "RT8201");
}

TEST(Diagnose, without_a_cause_here_it_says_what_is_open_and_what_is_refuted) {
    auto const open = diagnosed(text_of({message("RT8201", 1, {"RT3101", "RT3102"})}),
                                {make_finding("RT3101", Verdict::pass, "host", "fine")});
    EXPECT_EQ(open.answer, DiagnosisAnswer::cannot_tell);
    auto const refuted = diagnosed(text_of({message("RT8201", 1, {"RT3101"})}),
                                   {make_finding("RT3101", Verdict::pass, "host", "fine")});
    EXPECT_EQ(refuted.answer, DiagnosisAnswer::refuted);
    auto const without = diagnosed(text_of({message("RT8201", 1, {})}), {});
    EXPECT_EQ(without.answer, DiagnosisAnswer::cannot_tell);
    EXPECT_EQ(without.summary, "the error is known, and no cause of it is known");
}

TEST(Diagnose, notes_alone_are_no_error_and_an_unknown_line_is_one) {
    auto notes = text_of({message("RT8203", 1, {}, SymptomRole::note)});
    EXPECT_EQ(diagnosed(notes, {}).answer, DiagnosisAnswer::no_error);
    notes.unknown.push_back({3, "frobnicator failed"});
    EXPECT_EQ(diagnosed(notes, {}).answer, DiagnosisAnswer::not_known);
    EXPECT_EQ(diagnosed(text_of({}), {}).answer, DiagnosisAnswer::no_error);
}

TEST(Diagnose, the_kernel_needs_no_other_proof_unless_it_ended_well) {
    RecognisedText text{.lines = 3};
    add_kernel_messages({{.symptom = "RT8109", .text = "Fatal error during GPU init"}},
                        {{"RT8109", {2}}}, text);
    ASSERT_EQ(text.messages.size(), 1U);
    EXPECT_EQ(told(diagnosed(text, {})), Told{"RT3604 here"});
    auto const ended = diagnosed(text, {make_finding("RT3604", Verdict::info, "host", "ended")});
    EXPECT_EQ(ended.answer, DiagnosisAnswer::no_error);
    EXPECT_EQ(ended.symptoms.front().role, SymptomRole::note);
}

/// The verdict on one of the causes; empty if it is not among them.
std::string verdict_on(Diagnosis const& diagnosis, std::string_view id) {
    for (auto const& cause : diagnosis.causes)
        if (cause.id == id) return std::string(word_of(cause.verdict));
    return {};
}

TEST(Diagnose, a_hang_is_no_cause_of_itself_and_what_follows_from_it_is_none) {
    std::vector<KernelMessage> const hang{{.symptom = "RT8021", .text = "ring gfx timeout"},
                                          {.symptom = "RT8114", .text = "resume failed"}};
    RecognisedText text{.lines = 9};
    add_kernel_messages(hang, {{"RT8021", {2}}, {"RT8114", {5}}}, text);
    auto const failed = make_finding("RT3601", Verdict::fail, "host", "hung");
    auto const after = diagnosed(text, {failed});
    EXPECT_EQ(after.answer, DiagnosisAnswer::cannot_tell);
    EXPECT_EQ(verdict_on(after, "RT3601"), "cannot-tell");
    EXPECT_EQ(verdict_on(after, "RT1004"), "cannot-tell");
    EXPECT_EQ(verdict_on(after, "RT3604"), "");
    RecognisedText other{.lines = 9};
    add_kernel_messages(hang, {{"RT8021", {6}}, {"RT8114", {5}}}, other);
    EXPECT_EQ(verdict_on(diagnosed(other, {failed}), "RT3604"), "here");
}

TEST(Diagnose, an_advisory_is_before_what_the_kernel_only_reports) {
    RecognisedText text{.lines = 3};
    add_kernel_messages({{.symptom = "RT8034", .text = "MES failed to respond to msg=1"}},
                        {{"RT8034", {2}}}, text);
    Host host;
    Gpu gpu;
    gpu.gfx_target.offer("gfx1151", {"test", "test"});
    gpu.firmware.offer({{"mes", "131"}}, {"test", "test"});
    host.gpus.push_back(gpu);
    auto const result = diagnose(text, {host, {}});
    EXPECT_EQ(told(result).front(), "RT9001 here");
}

TEST(Diagnose, what_the_text_proves_holds_beside_a_check_that_passed) {
    auto text = text_of({message("RT8550", 1, {"RT3752"})});
    auto const passed = make_finding("RT3752", Verdict::pass, "host", "fine");
    EXPECT_EQ(told(diagnosed(text, {passed})), Told{"RT3752 not-here"});
    // The last line of the rule proves it; the others would speak against it.
    std::string_view proof;
    for (auto const& node : find_cause_rule("RT3229")->here.nodes)
        if (node.kind == ConditionKind::line) proof = node.name;
    text.matched.emplace(proof, "no space");
    text.messages.front().causes = {"RT3229"};
    auto const room = make_finding("RT3229", Verdict::pass, "host", "room is left");
    EXPECT_EQ(told(diagnosed(text, {room})), Told{"RT3229 here"});
}

/// The first line that the conditions ask for.
std::string_view first_line_of(WhenAll const& when) {
    for (auto const& node : when.nodes)
        if (node.kind == ConditionKind::line) return node.name;
    return {};
}

Host host_with_rocm(std::string version) {
    Host host;
    RocmInstallation rocm{.path = "/opt/rocm"};
    rocm.version.offer(std::move(version), {"test", "test"});
    host.rocm_installations.offer({rocm}, {"test", "test"});
    return host;
}

TEST(Diagnose, a_known_fact_speaks_against_what_the_text_says_and_an_unknown_one_does_not) {
    auto text = text_of({message("RT8301", 1, {"RT3770"})});
    text.matched.emplace(first_line_of(find_cause_rule("RT3770")->here), "fatal error: 'hip/");
    auto host = host_with_rocm("6.2");
    EXPECT_EQ(told(diagnose(text, {Host(), {}})), Told{"RT3770 here"});
    EXPECT_EQ(told(diagnose(text, {host, {}})), Told{"RT3770 here"});
    host.distribution_id.offer("arch", {"test", "test"});
    EXPECT_EQ(told(diagnose(text, {host, {}})), Told{"RT3770 cannot-tell"});
}

TEST(Diagnose, an_advisory_asks_a_text_for_what_the_program_did_and_a_check_does_not) {
    auto host = host_with_rocm("10.0");
    Gpu gpu;
    gpu.pci_address.offer("0000:03:00.0", {"test", "test"});
    gpu.gfx_target.offer("gfx1103", {"test", "test"});
    host.gpus.push_back(gpu);
    auto text = text_of({message("RT8811", 1, {"RT9036"})});
    EXPECT_EQ(told(diagnose(text, {host, {}})), Told{"RT9036 cannot-tell"});
    text.matched.emplace(first_line_of(find_advisory("RT9036")->text), "vllm");
    EXPECT_EQ(told(diagnose(text, {host, {}})), Told{"RT9036 here"});
    CheckSelection selection;
    selection.only = {"RT9036"};
    auto const findings = run_checks(host, chips_for({}), selection);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().verdict, Verdict::info);
}

TEST(Diagnose, lint_and_the_device_map_are_silent_where_all_is_well) {
    Host host;
    host.environment.offer({}, {"test", "test"});
    auto const known = diagnose(text_of({message("RT8201", 1, {"RT5012"})}), {host, {}});
    EXPECT_EQ(told(known), Told{"RT5012 not-here"});
    EXPECT_EQ(told(diagnosed(text_of({message("RT8201", 1, {"RT5012"})}), {})),
              Told{"RT5012 cannot-tell"});
}

TEST(Diagnose, a_host_is_judged_by_its_findings_the_worst_first) {
    Host const host;
    auto const result = diagnose_host({host,
                                       {make_finding("RT3101", Verdict::pass, "host", "fine"),
                                        make_finding("RT3102", Verdict::warn, "host", "doubtful"),
                                        make_finding("RT3103", Verdict::fail, "host", "broken")}});
    EXPECT_EQ(told(result), (Told{"RT3103 here", "RT3102 here"}));
    EXPECT_EQ(diagnose_host({host, {}}).answer, DiagnosisAnswer::no_error);
}

TEST(RuledOut, is_a_theme_that_has_a_pass_and_nothing_else) {
    EXPECT_EQ(ruled_out({make_finding("RT3001", Verdict::pass, "host", "fine"),
                         make_finding("RT3101", Verdict::fail, "host", "broken"),
                         make_finding("RT3102", Verdict::pass, "host", "fine"),
                         make_finding("RT3301", Verdict::skip, "host", "no")}),
              Told{"driver"});
}

// What a cause may be must be known: its title, its step, its sources are shown.
TEST(Symptoms, have_causes_that_are_findings_or_advisories) {
    for (auto const& symptom : all_symptoms())
        for (auto const& id : symptom.causes)
            EXPECT_TRUE(find_finding_kind(id) != nullptr || find_advisory(id) != nullptr)
                << symptom.id << ' ' << id;
    for (auto const& rule : all_cause_rules())
        EXPECT_NE(find_finding_kind(rule.id), nullptr) << rule.id;
}

}  // namespace
}  // namespace rocmtune::test
