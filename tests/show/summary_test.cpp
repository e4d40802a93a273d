// SPDX-License-Identifier: MIT
// The one screen: it fits, whatever the host is called.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "show/formats.hpp"
#include "show/layout.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

TextStyle wide(std::size_t width) {
    TextStyle style;
    style.width = width;
    return style;
}

void expect_fits(std::string const& text, std::size_t width, std::string const& name) {
    for (auto const line : lines(text)) {
        EXPECT_LE(display_width(line), width) << name << ": " << line;
        EXPECT_EQ(printable(line), line) << name;
        EXPECT_EQ(line, line.substr(0, line.find_last_not_of(' ') + 1))
            << name << ": blanks at the end";
    }
}

class SummaryOfEveryHost : public testing::TestWithParam<std::string> {};

TEST_P(SummaryOfEveryHost, fits_the_screen) {
    auto const report = report_of(GetParam());
    for (std::size_t const width : {80U, 100U, 200U})
        expect_fits(as_text(report, wide(width)), width, GetParam());
}

TEST_P(SummaryOfEveryHost, names_every_gpu_by_address) {
    auto const report = report_of(GetParam());
    auto const text = as_text(report, wide(80));
    for (auto const& gpu : report.host->gpus)
        EXPECT_NE(text.find(gpu.pci_address.value_or("-")), text.npos)
            << gpu.pci_address.value_or("-");
    EXPECT_EQ(text.starts_with("No AMD GPU"), report.host->gpus.empty()) << text;
}

TEST_P(SummaryOfEveryHost, has_no_colour_unless_asked_and_the_same_words_with_it) {
    auto const report = report_of(GetParam());
    auto style = wide(100);
    auto const plain = as_text(report, style);
    EXPECT_EQ(plain.find('\x1b'), plain.npos);
    style.color = true;
    auto colored = as_text(report, style);
    EXPECT_NE(colored.find("\x1b["), colored.npos);
    for (auto at = colored.find('\x1b'); at != colored.npos; at = colored.find('\x1b'))
        colored.erase(at, colored.find('m', at) - at + 1);
    EXPECT_EQ(colored, plain);
}

TEST_P(SummaryOfEveryHost, is_ascii_where_the_screen_has_no_utf8) {
    auto style = wide(80);
    style.utf8 = false;
    auto const text = as_text(report_of(GetParam()), style);
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; }));
    expect_fits(text, 80, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Hosts, SummaryOfEveryHost, testing::ValuesIn(host_names()),
                         [](auto const& test) { return test_name(test.param); });

TEST(Summary, fits_whatever_the_names_are) {
    for (auto const& [name, value] : hostile_texts())
        for (std::size_t const width : {40U, 80U, 100U})
            for (bool const utf8 : {true, false}) {
                auto style = wide(width);
                style.utf8 = utf8;
                auto report = report_with_texts(value);
                // These two are decoded from numbers, or parsed: no text of a file gets there.
                for (auto& gpu : report.host->gpus) {
                    gpu.pci_address = {}, gpu.gfx_target = {};
                    gpu.pci_address.offer("0000:03:00.0", {"kfd", "x"});
                    gpu.gfx_target.offer("gfx1100", {"kfd", "x"});
                }
                auto const text = as_text(report, style);
                if (width >= 80) expect_fits(text, width, name);
                EXPECT_TRUE(is_utf8(text)) << name;
                for (auto const line : lines(text)) ASSERT_EQ(printable(line), line) << name;
            }
}

TEST(Summary, a_dispute_is_named) {
    Report report;
    auto& gpu = report.host.emplace().gpus.emplace_back();
    gpu.row.offer(3, {"rows", "PCI order"});
    gpu.vram_bytes.offer(10, {"drm", "/a"});
    gpu.vram_bytes.offer(5, {"kfd", "/b"});
    settle(*report.host);
    auto const text = as_text(report, wide(100));
    EXPECT_NE(text.find("disputed"), text.npos);
    EXPECT_NE(text.find("vram_bytes"), text.npos);
}

Report with_findings(std::vector<Finding> findings) {
    Report report;
    report.host.emplace();
    report.findings = std::move(findings);
    return report;
}

Finding finding(std::string id, Verdict verdict, std::string subject, std::string message) {
    return {.id = std::move(id),
            .verdict = verdict,
            .subject = std::move(subject),
            .message = std::move(message)};
}

TEST(Summary, shows_findings_the_worst_first) {
    auto const text =
        as_text(with_findings({finding("RT1002", Verdict::info, "host", "known"),
                               finding("RT1003", Verdict::pass, "host", "good"),
                               finding("RT1004", Verdict::warn, "0000:03:00.0", "odd"),
                               finding("RT3001", Verdict::fail, "host", "bad")}),
                wide(100));
    EXPECT_NE(text.find(" findings    RT3001 fail bad\n"
                        "             RT1004 warn 0000:03:00.0: odd\n"
                        "             RT1002 info known\n"),
              text.npos)
        << text;
    EXPECT_EQ(text.find("good"), text.npos);
}

TEST(Summary, says_once_what_was_found_of_several_gpus) {
    auto const text =
        as_text(with_findings({finding("RT1004", Verdict::warn, "0000:03:00.0", "odd"),
                               finding("RT1004", Verdict::warn, "0000:83:00.0", "odd")}),
                wide(100));
    EXPECT_NE(text.find("RT1004 warn on 2 GPUs: odd\n"), text.npos) << text;
}

TEST(Summary, counts_what_has_no_room) {
    std::vector<Finding> findings;
    for (char c = 'a'; c < 'h'; ++c)
        findings.push_back(finding("RT1001", Verdict::warn, "host", std::string(1, c)));
    auto const text = as_text(with_findings(findings), wide(100));
    EXPECT_NE(text.find("RT1001 warn d\n             and 3 more\n"), text.npos) << text;
}

TEST(Summary, an_empty_host_is_a_screen_all_the_same) {
    Report report;
    EXPECT_EQ(as_text(report, wide(80)), "");
    report.host.emplace();
    auto const text = as_text(report, wide(80));
    EXPECT_TRUE(text.starts_with("No AMD GPU")) << text;
    expect_fits(text, 80, "empty");
}

}  // namespace
}  // namespace rocmtune::test
