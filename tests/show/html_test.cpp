// SPDX-License-Identifier: MIT
// What is right by construction: markup of pages, whatever the facts are.
#include "show/html/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "show/formats.hpp"

#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(HtmlText, has_no_character_that_is_markup) {
    EXPECT_EQ(html_text("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
    EXPECT_EQ(html_text("plain \u5bbd"), "plain \u5bbd");
}

TEST(HtmlText, shows_what_would_turn_text_or_rule_a_terminal) {
    EXPECT_EQ(html_text("a\u202eb"), "a\\xe2\\x80\\xaeb");
    EXPECT_EQ(html_text("\x1b[2J\xff"), "\\x1b[2J\\xff");
    EXPECT_EQ(html_text("\u2013 \u00b7"), "\u2013 \u00b7");
}

TEST(Html, closes_what_is_open) {
    Html html;
    html.open("ul").open("li", {{"class", "a\"b"}}).text("<x>");
    EXPECT_EQ(html.take(), "<ul><li class=\"a&quot;b\">&lt;x&gt;</li>\n</ul>\n");
    EXPECT_TRUE(html.empty());
}

TEST(Html, holds_data_that_cannot_end_its_script) {
    Html html;
    html.open("script").data(R"(["</script><!--"])");
    EXPECT_THAT(html.take(),
                AllOf(HasSubstr(R"(["\u003c/script\u003e\u003c!--"])"), Not(HasSubstr("<!--"))));
}

TEST(Html, links_to_nothing_but_https) {
    EXPECT_THAT(link_html("t", "https://example.org/a?b&c").take(),
                HasSubstr("href=\"https://example.org/a?b&amp;c\""));
    for (auto const* url : {"javascript:alert(1)", "http://x", "data:text/html,x", "//x", ""})
        EXPECT_EQ(link_html("t", url).take(), "t") << url;
}

/// Every tag that is opened is closed in order; nothing else looks like a tag.
std::string imbalance_of(std::string_view page) {
    std::vector<std::string> open;
    for (auto at = page.find('<'); at != page.npos; at = page.find('<', at + 1)) {
        bool const is_end = page.substr(at + 1, 1) == "/";
        auto const begin = at + 1 + (is_end ? 1 : 0);
        auto const name = std::string(page.substr(
            begin, page.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", begin) - begin));
        if (name == "meta" || name == "link" || page.substr(at).starts_with("<!DOCTYPE")) continue;
        if (is_end && (open.empty() || open.back() != name)) return "</" + name;
        if (is_end) open.pop_back();
        else open.push_back(name);
        if (name.empty()) return std::string(page.substr(at, 40));
        // What stands in these is no markup.
        if (!is_end && (name == "script" || name == "style")) at = page.find("</" + name, at) - 1;
    }
    return open.empty() ? "" : "open: " + open.back();
}

Report whole_report(std::string const& value) {
    auto report = report_with_texts(value);
    report.command = "report";
    report.parts = {"probe", "env", "lint", "bench"};
    report.lint.emplace();
    report.findings.push_back(finding_with_texts(value));
    report.findings.back().setting = SettingPlace{
        .file = value, .line = 1, .column = 1, .name = value, .value = value, .fix = value};
    report.advice.emplace().recommendations.push_back(
        {.name = value,
         .value = value,
         .kind = value,
         .why = value,
         .because = {{value, value}},
         .sources = {{value, "https://" + value, value}}});
    report.advice->undecided.push_back({.name = value, .reason = value, .detail = value});
    for (std::uint64_t gpu : {0, 1}) {
        Measurement one{.benchmark = value,
                        .metric = value,
                        .unit = value,
                        .value = 1.5,
                        .backend = value,
                        .gpu = gpu,
                        .status = "ok",
                        .efficiency = 0.5};
        one.parameters.kernel = value;
        one.profile = VolumeProfile{.row_height = 1, .volumes = {1, 2, 3}};
        report.measurements.push_back(one);
        one.parameters.peer = value;
        one.unit = "GB/s";
        report.measurements.push_back(one);
        report.host->links.push_back({.from_row = gpu, .to_row = 1 - gpu, .kind = "xgmi"});
    }
    report.errors.push_back({value, value});
    report.inputs.push_back({value, value, value, value});
    return report;
}

class HostilePage : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(HostilePage, has_no_markup_but_ours) {
    auto const page = as_page(whole_report(GetParam().second), {});
    EXPECT_EQ(imbalance_of(page), "");
    EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>")), Not(HasSubstr(" style=")),
                            Not(HasSubstr(" onerror="))));
}

INSTANTIATE_TEST_SUITE_P(Texts, HostilePage, testing::ValuesIn(hostile_texts()),
                         [](auto const& row) { return row.param.first; });

TEST(ReportPage, has_the_sections_of_its_parts) {
    auto report = report_of("mi300x-x8");
    report.command = "report";
    report.parts = {"probe"};
    auto const facts = as_page(report, {});
    for (auto const* id : {"overview", "gpus", "facts"})
        EXPECT_THAT(facts, HasSubstr(std::string("<section id=\"") + id + '"'));
    for (auto const* id : {"findings", "settings", "figures", "peers", "profile", "environment"})
        EXPECT_THAT(facts, Not(HasSubstr(std::string("<section id=\"") + id + '"')));
    auto const whole = as_page(whole_report("x"), {});
    for (auto const* id : {"overview", "gpus", "facts", "findings", "settings", "figures", "peers",
                           "profile", "environment"})
        EXPECT_THAT(whole, HasSubstr(std::string("<section id=\"") + id + '"'));
}

TEST(ReportPage, asks_nothing_of_the_network) {
    auto const page = as_page(whole_report("x"), {});
    EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;"));
    EXPECT_THAT(page, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("src=\"")),
                            Not(HasSubstr("@import")), Not(HasSubstr("url("))));
}

TEST(ReportPage, names_each_gpu_and_says_in_words_how_they_are_joined) {
    auto report = report_of("mi300x-x8");
    report.parts = {"probe"};
    auto const page = as_page(report, {});
    for (auto const& gpu : report.host->gpus) EXPECT_THAT(page, HasSubstr(*gpu.pci_address));
    EXPECT_THAT(page, HasSubstr("NUMA node 0"));
    EXPECT_THAT(page, HasSubstr("XGMI \u00b7 8 GPUs, each joined to each"));
    auto const degraded = [] {
        auto other = report_of("mi300x-degraded");
        other.parts = {"probe"};
        return as_page(other, {});
    }();
    EXPECT_THAT(degraded,
                AllOf(HasSubstr("5 direct pairs, not each to each"), HasSubstr("PCIe x8 of x16")));
}

/// Reports of strangers may hold anything; what grows with the square is bounded.
TEST(ReportPage, is_bounded_whatever_was_measured) {
    Report report;
    report.parts = {"bench"};
    for (std::uint64_t i = 0; i < 3000; ++i) {
        Measurement one{.benchmark = std::to_string(i),
                        .metric = "m",
                        .unit = "GB/s",
                        .value = 1.0,
                        .backend = "hip",
                        .status = "ok"};
        one.parameters.index = i;
        report.measurements.push_back(one);
        one.parameters.peer = std::to_string(i);
        report.measurements.push_back(one);
    }
    EXPECT_LT(as_page(report, {}).size(), 3U << 20);
}

TEST(ReportPage, tells_hives_apart) {
    Report report;
    report.parts = {"probe"};
    auto& host = report.host.emplace();
    for (std::uint64_t row = 0; row < 6; ++row) {
        host.gpus.emplace_back().row.offer(row, {"rows", "PCI order"});
        // 0-2-4 and 1-3-5, each a chain.
        if (row >= 2) host.links.push_back({.from_row = row, .to_row = row - 2, .kind = "xgmi"});
    }
    auto const two = as_page(report, {});
    EXPECT_THAT(two, AllOf(HasSubstr("2 XGMI hives"), HasSubstr(">XGMI hive 1<"),
                           HasSubstr(">XGMI hive 2<"), Not(HasSubstr("XGMI hive 3"))));
    host.links.push_back({.from_row = 5, .to_row = 0, .kind = "xgmi"});
    EXPECT_THAT(as_page(report, {}), HasSubstr("6 GPUs, 5 direct pairs, not each to each"));
}

TEST(ReportPage, is_there_without_host) {
    Report report;
    report.command = "report";
    report.parts = {"bench"};
    report.measurements.push_back({.benchmark = "gemm", .metric = "fp32", .status = "lost"});
    auto const page = as_page(report, {});
    EXPECT_EQ(imbalance_of(page), "");
    EXPECT_THAT(page, AllOf(HasSubstr("lost: no reason"), Not(HasSubstr("id=\"gpus\""))));
}

TEST(FleetPage, has_no_markup_but_ours) {
    for (auto const& [name, value] : hostile_texts()) {
        Report report;
        report.command = "fleet";
        auto& fleet = report.fleet.emplace();
        fleet.groups.push_back({.name = value});
        fleet.outliers.push_back({.group = value,
                                  .kind = value,
                                  .fact = value,
                                  .value = value,
                                  .units = {{value, value, value}}});
        fleet.splits.push_back({.group = value, .fact = value, .values = {value}});
        fleet.figures.push_back({.group = value, .measured = value, .unit = value});
        fleet.odd_hosts.push_back({.host = value, .verdict = Verdict::fail, .ids = {value}});
        fleet.notes.push_back(value);
        EXPECT_EQ(imbalance_of(as_page(report, {})), "") << name;
    }
}

TEST(FleetPage, counts_what_it_has_no_room_for) {
    Report report;
    auto& fleet = report.fleet.emplace();
    for (int i = 0; i < 2000; ++i)
        fleet.odd_hosts.push_back({.host = std::to_string(i), .verdict = Verdict::warn});
    auto const page = as_page(report, {});
    EXPECT_THAT(page, HasSubstr("1500 hosts more are in the JSON document."));
    EXPECT_LT(page.size(), 1U << 20);
}

}  // namespace
}  // namespace rocmtune::test
