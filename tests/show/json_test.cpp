// SPDX-License-Identifier: MIT
// The document: every field is there, null has a reason, nothing that comes in breaks it.
#include "codec/json.hpp"

#include <gtest/gtest.h>

#include <set>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using Json = nlohmann::ordered_json;

bool is_sibling(std::string const& key) {
    return key == "_reasons" || key == "_sources" || key == "_disputes";
}

std::string source_of(Json const& object, std::string const& about, std::string const& key) {
    if (!object.contains(about) || !object[about].contains(key)) return {};
    return object[about][key].get<std::string>();
}

/// The contract of one object that is made of facts.
template <class Entity>
void expect_facts(Json const& json, Entity const& entity) {
    std::set<std::string> keys;
    visit_fields(entity, [&](Field const& field, auto const& fact) {
        std::string const key(field.key);
        keys.insert(key);
        ASSERT_TRUE(json.contains(key)) << key;
        if constexpr (requires { fact.reason(); }) {
            EXPECT_EQ(json[key].is_null(), !fact.has_value()) << key;
            auto const reason = source_of(json, "_reasons", key);
            auto const expected =
                fact ? std::string_view("incomplete: ") : missing_name(fact.reason());
            EXPECT_TRUE(reason.starts_with(expected) || (fact && reason.empty()))
                << key << ": " << reason;
            EXPECT_EQ(source_of(json, "_sources", key).empty(), !fact.has_value()) << key;
            auto const disputes = json.contains("_disputes") && json["_disputes"].contains(key)
                                      ? json["_disputes"][key].size()
                                      : 0;
            EXPECT_EQ(disputes, fact.others().size()) << key;
        }
    });
    for (auto const& [key, value] : json.items())
        EXPECT_TRUE(keys.contains(key) || is_sibling(key) || key == "gpus" || key == "links")
            << key << " is in no list";
}

class JsonOfEveryHost : public testing::TestWithParam<std::string> {};

TEST_P(JsonOfEveryHost, has_every_field_and_a_reason_for_null) {
    auto const report = report_of(GetParam());
    auto const json = to_json(report);
    expect_facts(json["host"], *report.host);
    ASSERT_EQ(json["host"]["gpus"].size(), report.host->gpus.size());
    for (std::size_t i = 0; i < report.host->gpus.size(); ++i)
        expect_facts(json["host"]["gpus"][i], report.host->gpus[i]);
    EXPECT_EQ(json["host"]["links"].size(), report.host->links.size());
    EXPECT_EQ(json["summary"]["gpus"], report.host->gpus.size());
    int missing = 0;
    for (auto const& [reason, count] : json["summary"]["missing"].items())
        missing += count.get<int>();
    EXPECT_LE(missing, json["summary"]["facts"].get<int>());
}

TEST_P(JsonOfEveryHost, tells_why_in_words_that_help) {
    auto const json = to_json(report_of(GetParam()));
    // A reader looked for these on every host.
    for (auto const& gpu : json["host"]["gpus"])
        for (auto const* key :
             {"vendor", "pci_address", "marketing_name", "gfx_target", "driver", "compute_units",
              "vram_bytes", "link_current_width", "power_watts", "temperatures", "clocks",
              "ras_blocks", "is_apu", "numa_node", "module", "render_node", "drm_card"})
            EXPECT_FALSE(source_of(gpu, "_reasons", key).starts_with("not-read")) << key;
}

TEST_P(JsonOfEveryHost, prints_and_parses_back) {
    auto const json = to_json(report_of(GetParam()));
    for (bool const indented : {true, false}) {
        auto const text = json_text(json, indented);
        EXPECT_TRUE(text.ends_with("}\n"));
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n') == 1, !indented);
        EXPECT_EQ(Json::parse(text), json);
    }
}

INSTANTIATE_TEST_SUITE_P(Hosts, JsonOfEveryHost, testing::ValuesIn(host_names()),
                         [](auto const& test) { return test_name(test.param); });

TEST(Json, the_top_keys_stand_in_the_order_of_the_contract) {
    auto const json = to_json(report_of("rx7900xt"));
    std::string order;
    for (auto const& [key, value] : json.items()) order += key + ' ';
    EXPECT_EQ(order, "schema schema_version tool command host findings summary errors exit_code ");
    EXPECT_EQ(json["schema"], "rocmtune-report");
    EXPECT_EQ(json["schema_version"], "1.0");
}

TEST(Json, a_command_leaves_out_what_it_does_not_fill) {
    Report report;
    report.errors.push_back({"message", "hint", Exit::usage});
    report.errors.push_back({"message", "", Exit::internal});
    report.exit_code = Exit::usage;
    auto const json = to_json(report);
    EXPECT_FALSE(json.contains("host"));
    EXPECT_FALSE(json.contains("summary"));
    EXPECT_EQ(json["errors"][0]["hint"], "hint");
    EXPECT_FALSE(json["errors"][1].contains("hint"));
    EXPECT_EQ(json["errors"][1]["exit_code"], 5);
    EXPECT_EQ(json["exit_code"], 2);
}

TEST(Json, a_dispute_names_the_other_value_and_its_source) {
    Report report;
    auto& gpu = report.host.emplace().gpus.emplace_back();
    gpu.vram_bytes.offer(5, {"kfd", "/b"});
    gpu.vram_bytes.offer(10, {"drm", "/a"});
    settle(*report.host);
    auto const json = to_json(report)["host"]["gpus"][0];
    EXPECT_EQ(json["vram_bytes"], 10);
    EXPECT_EQ(json["_sources"]["vram_bytes"], "drm: /a");
    EXPECT_EQ(json["_disputes"]["vram_bytes"].dump(), R"([{"value":5,"source":"kfd: /b"}])");
    EXPECT_EQ(to_json(report)["summary"]["disputes"], 1);
}

TEST(Json, large_numbers_are_exact) {
    Report report;
    report.host.emplace().memory_bytes.offer(18446744073709551615U, {"test", ""});
    EXPECT_NE(json_text(to_json(report), false).find("\"memory_bytes\":18446744073709551615"),
              std::string::npos);
}

TEST(Json, no_text_breaks_the_document) {
    for (auto const& [name, value] : hostile_texts()) {
        auto const report = report_with_texts(value);
        auto const text = json_text(to_json(report), true);
        EXPECT_TRUE(is_utf8(text)) << name;
        EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](unsigned char c) {
            return c == '\n' || (c >= 0x20 && c < 0x7F);
        })) << name;
        Json parsed;
        ASSERT_NO_THROW(parsed = Json::parse(text)) << name;
        EXPECT_EQ(parsed["host"]["hostname"] == value, is_utf8(value)) << name;
        EXPECT_EQ(parsed["host"]["gpus"].size(), 2U) << name;
    }
}

TEST(Json, a_finding_has_the_keys_of_the_contract) {
    Report report;
    report.findings.push_back(finding_with_texts("x"));
    auto const finding = to_json(report)["findings"][0];
    EXPECT_EQ(
        finding.dump(),
        R"({"id":"RT1001","verdict":"warn","action":"monitor","subject":"x","message":"x",)"
        R"("evidence":[{"source":"x","value":"x"},{"source":"x","value":"x"}],"next_step":"x",)"
        R"("sources":[{"title":"x","url":"x","version":"x"},{"title":"x","url":null,"version":null}]})");
}

TEST(Json, a_host_without_findings_has_an_empty_list) {
    Report report;
    EXPECT_FALSE(to_json(report).contains("findings"));
    report.host.emplace();
    EXPECT_EQ(to_json(report)["findings"].dump(), "[]");
}

}  // namespace
}  // namespace rocmtune::test
