// SPDX-License-Identifier: MIT
// --gpu of the commands that show or judge a host: the chosen GPUs stay, the others go everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

Outcome probe(std::string const& host, Words more) {
    more.insert(more.begin(), {"probe", "--replay", host_file(host)});
    return run(more);
}

json document(std::string const& host, Words more) {
    more.emplace_back("--json");
    return json::parse(probe(host, more).out);
}

std::vector<std::uint64_t> rows_in(json const& gpus) {
    std::vector<std::uint64_t> rows;
    for (auto const& gpu : gpus) rows.push_back(gpu.at("row"));
    return rows;
}

TEST(ProbeOfChosenGpus, has_them_as_they_are_and_the_whole_host) {
    auto const all = document("mi300x-x8", {}).at("host");
    auto const some = document("mi300x-x8", {"--gpu", "5,hip:2"}).at("host");
    EXPECT_THAT(rows_in(some.at("gpus")), ElementsAre(2, 5));
    EXPECT_EQ(some.at("gpus")[0], all.at("gpus")[2]);
    auto const facts = [](json host) {
        host.erase("gpus");
        host.erase("links");
        return host;
    };
    EXPECT_EQ(facts(some), facts(all));
}

TEST(ProbeOfChosenGpus, says_how_many_it_left_out) {
    EXPECT_EQ(document("mi300x-x8", {"--gpu", "5"}).at("summary").at("gpus_left_out"), 7);
    EXPECT_FALSE(document("rx7900xt", {"--gpu", "0"}).at("summary").contains("gpus_left_out"));
    EXPECT_THAT(probe("mi300x-x8", {"--gpu", "5"}).out, HasSubstr("7 other GPUs of this host"));
    EXPECT_THAT(probe("mi300x-x8", {}).out, Not(HasSubstr("left out")));
    EXPECT_THAT(probe("mi300x-x8", {"--gpu", "5"}).out, StartsWith("1 of 8 AMD GPUs on "));
}

/// A host whose GPUs were left out is not a host that lost them.
TEST(ProbeOfChosenGpus, is_shown_by_report_and_refused_where_hosts_are_compared) {
    Directory const place;
    auto const some = place / "some.json";
    auto const all = place / "all.json";
    ASSERT_EQ(probe("mi300x-x8", {"--gpu", "5", "--json", "-o", some}).code, 0);
    ASSERT_EQ(probe("mi300x-x8", {"--json", "-o", all}).code, 0);
    for (auto const& words : {Words{"compare", all, some}, Words{"fleet", some}}) {
        auto const result = run(words);
        EXPECT_EQ(result.code, 2);
        EXPECT_THAT(result.err, HasSubstr("some.json: --gpu has left GPUs out of it"));
    }
    EXPECT_EQ(run({"compare", all, all}).code, 0);
    auto const shown = json::parse(run({"report", some, "--json"}).out);
    EXPECT_EQ(shown.at("summary").at("gpus_left_out"), 7);
    for (auto const* format : {"text", "markdown", "html"})
        EXPECT_THAT(run({"report", some, "--format", format}).out,
                    AllOf(HasSubstr("1 of 8 AMD GPUs"), HasSubstr("left out")))
            << format;
    for (auto const& words : {Words{"report", some, all}, Words{"report", all, some}}) {
        auto more = words;
        more.push_back("--json");
        auto const joined = json::parse(run(more).out);
        EXPECT_EQ(joined.at("host").at("gpus").size(), 8U) << "the fuller one, in any order";
        EXPECT_FALSE(joined.at("summary").contains("gpus_left_out"));
    }
}

TEST(ProbeOfChosenGpus, has_every_link_that_touches_one_and_no_other) {
    std::size_t touching = 0;
    auto const all = document("mi300x-x8", {}).at("host").at("links");
    for (auto const& link : all)
        if (link.at("from_row") == 3 || link.at("to_row") == 3) ++touching;
    ASSERT_GT(touching, 0U);
    auto const links = document("mi300x-x8", {"--gpu", "3"}).at("host").at("links");
    EXPECT_EQ(links.size(), touching);
    for (auto const& link : links)
        EXPECT_TRUE(link.at("from_row") == 3 || link.at("to_row") == 3) << link;
}

TEST(ProbeOfChosenGpus, shows_them_alone_in_every_form) {
    for (auto const& format : {Words{}, Words{"-v"}, Words{"--format", "ndjson"}}) {
        auto words = format;
        words.insert(words.end(), {"--gpu", "44:00.0"});
        auto const result = probe("mixed-generations", words);
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_THAT(result.out, AllOf(HasSubstr("RX 6800 XT"), HasSubstr("lab")));
        for (auto const* other : {"0000:04:00.0", "0000:c4:00.0"})
            EXPECT_THAT(result.out, Not(HasSubstr(other)));
    }
}

TEST(ProbeOfChosenGpus, numbers_what_a_process_sees_as_with_all_of_them) {
    Words const words{"--gpu", "4", "--visible", "HIP_VISIBLE_DEVICES=6,4"};
    auto const seen = document("mi300x-x8", words).at("visibility");
    EXPECT_EQ(seen.at("hip").at("devices").size(), 2U) << "a fact of the process";
    EXPECT_EQ(seen.at("pytorch").at("count"), 2);
    auto const text = probe("mi300x-x8", words).out;
    EXPECT_THAT(text, HasSubstr("HIP sees 2 of 8 GPUs"));
    EXPECT_THAT(text, AllOf(HasSubstr("hip:1"), Not(HasSubstr("hip:0  "))));
}

TEST(ProbeOfChosenGpus, names_the_processes_of_these) {
    auto const user = "python3 (184211)";  // of GPU 0 alone
    EXPECT_THAT(probe("mi300x-x8", {"--gpu", "0,2"}).out, HasSubstr(user));
    EXPECT_THAT(probe("mi300x-x8", {"--gpu", "2"}).out, Not(HasSubstr(user)));
    EXPECT_EQ(document("mi300x-x8", {"--gpu", "2"}).at("host").at("gpu_processes").size(), 1U);
    EXPECT_THAT(probe("mi300x-x8", {"--gpu", "2"}).out,
                HasSubstr("1 of 1 render node of the GPUs"));
}

TEST(ProbeOfChosenGpus, is_refused_before_and_after_reading_with_what_there_is) {
    EXPECT_EQ(probe("mi300x-x8", {"--gpu", "x"}).code, 2);
    auto const result = probe("mi300x-x8", {"--gpu", "8"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err,
                HasSubstr("there is no GPU '8'\n  rocmtune probe lists them: GPU 0 to 7"));
    auto const report = run({"probe", "--bug-report", "/nowhere", "--gpu", "0"});
    EXPECT_THAT(report.err, HasSubstr("--bug-report and --gpu exclude each other\n"));
}

TEST(OneScreenOfChosenGpus, judges_them_alone) {
    auto const screen = [](std::string const& row) {
        return run({"--replay", host_file("mi300x-degraded"), "--gpu", row}).out;
    };
    auto const narrow = "the link runs with 8 of 16 lanes";  // of 0000:85:00.0 alone
    EXPECT_THAT(screen("85:00.0"), AllOf(HasSubstr("1 of 4 AMD GPUs on"), HasSubstr(narrow)));
    EXPECT_THAT(screen("0"), AllOf(HasSubstr("1 of 4 AMD GPUs on"), Not(HasSubstr(narrow)),
                                   Not(HasSubstr("0000:85:00.0"))));
}

// ---- lint ---------------------------------------------------------------------------------------

/// Names of what is for another architecture than the chosen GPUs have.
std::vector<std::string> unfit(std::string const& text, Words more) {
    Directory const place;
    write_file(place / "train.sh", text);
    more.insert(more.begin(),
                {"lint", place / "train.sh", "--json", "--replay", host_file("mixed-generations")});
    std::vector<std::string> names;
    auto const report = json::parse(run(more).out);
    for (auto const& finding : report.at("findings"))
        if (finding.at("class") == "wrong-architecture") names.push_back(finding.at("name"));
    return names;
}

TEST(LintOfChosenGpus, asks_them_alone_whether_a_setting_is_for_another_architecture) {
    constexpr auto text = "export HSA_OVERRIDE_GFX_VERSION=11.0.0\n";
    EXPECT_THAT(unfit(text, {}), IsEmpty()) << "one of the three runs such code";
    EXPECT_THAT(unfit(text, {"--gpu", "2"}), IsEmpty()) << "and this is the one";
    EXPECT_THAT(unfit(text, {"--gpu", "0"}), ElementsAre("HSA_OVERRIDE_GFX_VERSION"));
    EXPECT_THAT(unfit(text, {"--gpu", "0,c4:00.0"}), IsEmpty());
}

TEST(LintOfChosenGpus, reports_the_whole_host) {
    auto const report =
        json::parse(run({"lint", "--json", "--replay", host_file("mi300x-x8"), "--gpu", "1"}).out);
    EXPECT_EQ(report.at("host").at("gpus").size(), 8U);
    EXPECT_EQ(report.at("summary").at("judged_gpus"), json::parse("[1]"));
}

TEST(LintOfChosenGpus, says_for_which_it_judged) {
    Directory const place;
    write_file(place / "a.sh", "export HSA_OVERRIDE_GFX_VERSION=9.0.6\n");
    Words const words{"lint", place / "a.sh", "--replay", host_file("mixed-generations")};
    auto chosen = words;
    chosen.insert(chosen.end(), {"--gpu", "1"});
    EXPECT_THAT(run(chosen).out, AllOf(HasSubstr("no chosen GPU runs code for gfx906"),
                                       HasSubstr(", judged for GPU 1: ")));
    EXPECT_THAT(run(words).out, Not(HasSubstr("judged for")));
}

TEST(LintOfChosenGpus, looks_for_no_reader_of_what_files_set) {
    Directory const place;
    write_file(place / "a.sh", "export HSA_ENABLE_DEBUG=1\nexport NCCL_DEBUG=WARN\n");
    for (auto const& more : {Words{}, Words{"--gpu", "0"}}) {
        Words words{"lint", place / "a.sh", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        for (auto const& finding : json::parse(run(words).out).value("findings", json::array()))
            EXPECT_NE(finding.at("class"), "no-reader-here");
    }
}

TEST(LintOfChosenGpus, knows_no_row_that_the_host_does_not_have) {
    Directory const place;
    write_file(place / "a.sh", "export A=1\n");
    auto const result = run({"lint", place / "a.sh", "--gpu", "hip:99"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("--gpu: "));
}

TEST(ReportOfChosenGpus, lints_for_them) {
    auto const found = [](std::string const& row) {
        auto words = Words{"report", "--parts",  "lint",
                           "--json", "--replay", host_file("override-and-dispute"),
                           "--gpu",  row};
        return run(words).code;
    };
    EXPECT_EQ(found("0"), run({"report", "--parts", "lint", "--json", "--replay",
                               host_file("override-and-dispute")})
                              .code);
    EXPECT_EQ(found("1"), 2);
}

// ---- report and its benchmarks ------------------------------------------------------------------

/// To PyTorch for ROCm, HIP's device 1 is cuda:1: a report of a host takes it so in all parts.
TEST(ReportOfChosenGpus, measures_with_hip_what_pytorch_calls_cuda) {
    auto launch = rocmtune_with(
        {"report", "--parts", "bench", "--gpu", "cuda:1", "--quick", "--time", "0.001", "--json"});
    launch.environment["ROCMTUNE_LIBAMDHIP64"] = ROCMTUNE_FAKES_DIR "/rocm-7/lib/libamdhip64.so.7";
    launch.environment["FAKE_GPUS"] =
        "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;"
        "0000:0a:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7082 Radeon RX 7900 XTX";
    auto const result = run(launch);
    auto const report = json::parse(result.out);
    ASSERT_FALSE(report.at("measurements").empty()) << result.err;
    for (auto const& one : report.at("measurements")) {
        EXPECT_EQ(one.at("backend"), "hip");
        EXPECT_EQ(one.at("gpu"), 1);
    }
}

}  // namespace
}  // namespace rocmtune::test
