// SPDX-License-Identifier: MIT
// probe -v: the same facts as the JSON, a line each.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json.hpp"
#include "show/formats.hpp"
#include "show/layout.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using Json = nlohmann::ordered_json;

TextStyle verbose(int verbosity = 1) {
    TextStyle style;
    style.verbosity = verbosity;
    return style;
}

/// The lines of one section: "host", "gpu 0", "links".
std::string section(std::string const& text, std::string const& heading) {
    auto const start = text.find((text.starts_with(heading) ? "" : "\n\n") + heading + '\n');
    if (start == text.npos) return {};
    auto const end = text.find("\n\n", start + 2);
    return text.substr(start, end == text.npos ? end : end + 1 - start);
}

/// Every plain value of a JSON tree as text, but for the sibling objects.
void collect(Json const& value, std::vector<std::string>& values) {
    if (value.is_string()) values.push_back(for_screen(value.get<std::string>(), TextStyle{}));
    else if (value.is_boolean()) values.push_back(value.get<bool>() ? "yes" : "no");
    else if (value.is_number()) values.push_back(value.dump());
    else if (value.is_structured())
        for (auto const& [key, element] : value.items())
            if (key != "_reasons" && key != "_sources" && key != "_disputes")
                collect(element, values);
}

std::string without_directory(Json const& gpu, std::string reason) {
    if (!gpu.contains("sysfs_path") || !gpu["sysfs_path"].is_string()) return reason;
    auto const directory = gpu["sysfs_path"].get<std::string>() + '/';
    if (auto const at = reason.find(directory); at != reason.npos)
        reason.erase(at, directory.size());
    return reason;
}

void expect_said(Json const& object, std::string const& text) {
    for (auto const& [key, value] : object.items()) {
        if (key == "gpus" || key == "links" || key.starts_with('_')) continue;
        auto const line = text.find("\n " + key);
        EXPECT_NE(line, text.npos) << key;
        std::vector<std::string> values;
        collect(value, values);
        for (auto const& expected : values)
            EXPECT_NE(text.find(expected, line == text.npos ? 0 : line), text.npos)
                << key << ": " << expected;
    }
    auto const reasons = object.value("_reasons", Json::object());
    for (auto const& [key, reason] : reasons.items())
        EXPECT_NE(text.find(for_screen(without_directory(object, reason.get<std::string>()),
                                       TextStyle{})),
                  text.npos)
            << key << ": " << reason;
    auto const all_disputes = object.value("_disputes", Json::object());
    for (auto const& [key, disputes] : all_disputes.items())
        for (auto const& dispute : disputes)
            EXPECT_NE(text.find(dispute["source"].get<std::string>()), text.npos) << key;
}

class DetailsOfEveryHost : public testing::TestWithParam<std::string> {};

TEST_P(DetailsOfEveryHost, has_every_fact_of_the_document) {
    auto const report = report_of(GetParam());
    auto const host = to_json(report)["host"];
    auto const text = as_text(report, verbose());
    expect_said(host, section(text, "host"));
    for (auto const& gpu : host["gpus"])
        expect_said(gpu, section(text, "gpu " + gpu["row"].dump()));
    auto const links = section(text, "links");
    for (std::size_t i = 0; i < host["links"].size(); ++i)
        EXPECT_NE(links.find("\n links[" + std::to_string(i) + "] "), links.npos);
}

TEST_P(DetailsOfEveryHost, has_no_control_characters_and_no_colour) {
    auto const text = as_text(report_of(GetParam()), verbose(2));
    EXPECT_EQ(text.find('\x1b'), text.npos);
    for (auto const line : lines(text)) EXPECT_EQ(printable(line), line);
}

INSTANTIATE_TEST_SUITE_P(Hosts, DetailsOfEveryHost, testing::ValuesIn(host_names()),
                         [](auto const& test) { return test_name(test.param); });

TEST(Details, sources_are_shown_on_request) {
    auto const report = report_of("rx7900xt");
    EXPECT_EQ(as_text(report, verbose(1)).find("  from "), std::string::npos);
    auto const text = as_text(report, verbose(2));
    auto const document = to_json(report);
    for (auto const& [key, source] : document["host"]["gpus"][0]["_sources"].items())
        EXPECT_NE(text.find(source.get<std::string>()), text.npos) << key;
}

TEST(Details, a_dispute_is_shown_with_its_source) {
    Report report;
    auto& gpu = report.host.emplace().gpus.emplace_back();
    gpu.row.offer(0, {"rows", "PCI order"});
    gpu.vram_bytes.offer(10, {"drm", "/a"});
    gpu.vram_bytes.offer(5, {"kfd", "/b"});
    settle(*report.host);
    auto const text = as_text(report, verbose());
    EXPECT_NE(text.find("disputed by"), text.npos);
    EXPECT_NE(text.find("kfd: /b"), text.npos);
}

TEST(Details, a_finding_is_shown_whole) {
    Report report;
    report.host.emplace();
    report.findings.push_back(finding_with_texts("said"));
    report.findings.front().evidence = {{"kfd: /a", "gfx1031"}, {"hip: device 0", "gfx1030"}};
    auto const finding = to_json(report)["findings"][0];
    auto const text = section(as_text(report, verbose()), "finding RT1001");
    expect_said(finding, text);
    for (auto const* part : {"verdict", "warn", "source=kfd: /a value=gfx1031", "evidence[1]"})
        EXPECT_NE(text.find(part), text.npos) << part;
}

TEST(Details, no_text_breaks_the_lines) {
    for (auto const& [name, value] : hostile_texts())
        for (bool const utf8 : {true, false}) {
            auto style = verbose(2);
            style.utf8 = utf8;
            auto const text = as_text(report_with_texts(value), style);
            EXPECT_TRUE(is_utf8(text)) << name;
            for (auto const line : lines(text)) ASSERT_EQ(printable(line), line) << name;
            EXPECT_TRUE(utf8 || std::all_of(text.begin(), text.end(),
                                            [](unsigned char c) { return c < 0x80; }))
                << name;
        }
}

TEST(Details, a_name_that_starts_with_an_underscore_is_not_lost) {
    Report report;
    report.host.emplace().amdgpu_parameters.offer({{"_reset", "1"}, {"dc", "-1"}},
                                                  {"driver", "/x"});
    EXPECT_NE(as_text(report, verbose()).find("_reset=1"), std::string::npos);
}

TEST(Details, headings_are_coloured_on_request_only) {
    auto style = verbose();
    style.color = true;
    EXPECT_NE(as_text(report_of("rx7900xt"), style).find("\x1b[1m"), std::string::npos);
}

TEST(Details, a_report_without_a_host_is_empty) {
    EXPECT_EQ(as_text(Report{}, verbose()), "");
}

}  // namespace
}  // namespace rocmtune::test
