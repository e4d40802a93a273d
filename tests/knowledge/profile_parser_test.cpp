// SPDX-License-Identifier: MIT
// Wrong profiles: each is refused with the file and the JSON pointer of what is wrong.
#include "knowledge/profile_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "codec/json_node.hpp"
#include "knowledge/chip_builder.hpp"

namespace rocmtune {
namespace {

std::string const source = R"("sources": [{"title": "T", "reference": "R"}])";
std::string const head = R"("schema_version": "1.0", )" + source;
std::string const chip_head = head + R"(, "gfx_target": "gfx900", "family": "GCN5", )"
                                     R"("bibliography": {"b": {"title": "T", "url": "https://a"}})";

struct Refusal {
    std::string file, pointer, message;
};

/// What the tables of these files (name, text) are refused for.
Refusal refusal(std::vector<ProfileView> const& files) {
    try {
        join_profiles(files);
    } catch (ProfileError const& error) {
        return {error.file(), error.pointer(), error.what()};
    }
    ADD_FAILURE() << "accepted: " << files.back().text;
    return {};
}

struct Wrong {
    std::string text, pointer, message;
};

void PrintTo(Wrong const& wrong, std::ostream* out) {
    *out << wrong.text.substr(0, 200);
}

class AWrongProfile : public testing::TestWithParam<Wrong> {};

TEST_P(AWrongProfile, is_refused_with_file_and_pointer) {
    auto const [file, pointer, message] = refusal({{"dir/p.json", GetParam().text}});
    EXPECT_EQ(file, "dir/p.json");
    EXPECT_EQ(pointer, GetParam().pointer);
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

std::string object(std::string const& more) {
    return "{" + head + ", " + more + "}";
}
std::string chip(std::string const& more) {
    return "{" + chip_head + ", " + more + "}";
}
std::string product(std::string const& more) {
    return chip(R"("products": [{"name": "N", "pci_ids": [{"device": "0x1234", "source": "b"}], )" +
                more + "}]");
}
std::string pci_id(std::string const& id) {
    return chip(R"("products": [{"name": "N", "pci_ids": [)" + id + "]}]");
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, AWrongProfile,
    testing::Values(
        Wrong{"", "", "not valid JSON"}, Wrong{"{", "", "not valid JSON"},
        Wrong{"{} {}", "", "not valid JSON"}, Wrong{"{\"a\": \"\xff\"}", "", "not valid"},
        Wrong{"[]", "", "expected an object"}, Wrong{"null", "", "expected an object"},
        Wrong{R"({"sources": [{"title": 1, "title": 2}]})", "/sources/0/title", "twice"},
        Wrong{R"([0, {"a/b~": 1, "a/b~": 2}])", "/1/a~1b~0", "twice"},
        Wrong{std::string(40, '['),
              "/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0", "deeper"},
        Wrong{std::string(max_data_file_bytes + 1, ' '), "", "larger than"}));

TEST(DataFile, that_is_no_json_is_not_quoted) {
    for (std::string const text : {"{\n\"user\": secret", "{\n\"user\": \"secret",
                                   "{\n\"secret\" 1}", "secret", "{\n\"user\": \"\\ssecret\"}"}) {
        try {
            (void)parse_data_file("f.json", text, max_data_file_bytes);
            ADD_FAILURE() << text;
        } catch (ProfileError const& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("at line "));
            EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("secret")));
        }
    }
    auto const digits = "1" + std::string(400, '7');
    try {
        (void)parse_data_file("f.json", digits, max_data_file_bytes);
        ADD_FAILURE();
    } catch (ProfileError const& error) {
        EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("777")));
    }
}

TEST(DataFile, a_key_that_stands_twice_is_found_among_many) {
    for (int const repeated : {1, 50, 99}) {
        std::string members;
        for (int i = 100; i > 0; --i) members += fmt::format(R"("k{}": [{{}}, {}], )", i, i);
        auto const text = fmt::format(R"({{"a": {{{}"k{}": 0}}}})", members, repeated);
        try {
            (void)parse_data_file("f.json", text);
            ADD_FAILURE() << text;
        } catch (ProfileError const& error) {
            EXPECT_EQ(error.pointer(), fmt::format("/a/k{}", repeated));
        }
    }
}

TEST(DataFile, a_value_knows_where_it_stands) {
    auto const document = parse_data_file("f.json", R"({"b": [1, [2, {"x/y": "e\u00e9\n"}]]})");
    auto const text = JsonNode(*document).at("b").items().at(1).items().at(1).at("x/y");
    EXPECT_EQ(text.pointer(), "/b/1/1/x~1y");
    EXPECT_EQ(text.file(), "f.json");
    EXPECT_EQ(document->text((*document)[6]), "e\u00e9\n");
    EXPECT_EQ(JsonNode(*document).pointer(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Keys, AWrongProfile,
    testing::Values(Wrong{"{" + source + "}", "", "\"schema_version\" is missing"},
                    Wrong{R"({"schema_version": "1.0"})", "", "\"sources\" is missing"},
                    Wrong{R"({"schema_version": "2.0", )" + source + "}", "/schema_version", "1.x"},
                    Wrong{R"({"schema_version": "1.0", "sources": []})", "/sources",
                          "needs a source"},
                    Wrong{object(R"("simd_per_cv": 4)"), "/simd_per_cv", "unknown key"},
                    Wrong{object("\"\\u001b[31m\": 4"), "/?[31m", "unknown key"},
                    Wrong{object(R"("simd_per_cu": "4")"), "/simd_per_cu", "whole number"},
                    Wrong{object(R"("simd_per_cu": 4.0)"), "/simd_per_cu", "whole number"},
                    Wrong{object(R"("simd_per_cu": 0)"), "/simd_per_cu", "from 1 to 16"},
                    Wrong{object(R"("simd_per_cu": -4)"), "/simd_per_cu", "whole number"},
                    Wrong{object(R"("wavefront_size": 48)"), "/wavefront_size", "32 or 64"},
                    Wrong{object(R"("is_apu": 1)"), "/is_apu", "true or false"},
                    Wrong{object(R"("family": "")"), "/family", "1 to 1000 bytes"},
                    Wrong{object("\"note\": \"a\\nb\""), "/note", "control characters"},
                    Wrong{object(R"("gfx_target": "gfx90")"), "/gfx_target", "gfx target"},
                    Wrong{object(R"("gfx_target": "gfx11000")"), "/gfx_target", "gfx target"},
                    Wrong{object(R"("gfx_target": "gfx900")"), "", "states a family"},
                    Wrong{object(R"("products": [])"), "", "needs a gfx_target"},
                    Wrong{object(R"("extends": "nobody")"), "/extends", "no profile \"nobody\""},
                    Wrong{object(R"("bibliography": {"x": {"title": "T"}})"), "/bibliography/x",
                          "url or a reference"},
                    Wrong{object(R"("bibliography": {"x": {"title": "T", "url": "http://a"}})"),
                          "/bibliography/x/url", "https://"},
                    Wrong{R"({"schema_version": "1.0", "sources": ["x"]})", "/sources/0",
                          "no bibliography explains"}));

INSTANTIATE_TEST_SUITE_P(
    Products, AWrongProfile,
    testing::Values(Wrong{product(R"("memory_type": "HBM9")"), "/products/0/memory_type", "HBM3E"},
                    Wrong{product(R"("compute_units": 65537)"), "/products/0/compute_units",
                          "65536"},
                    Wrong{product(R"("vram_bytes": 18446744073709551616)"),
                          "/products/0/vram_bytes", "whole number"},
                    Wrong{product(R"("nome": 1)"), "/products/0/nome", "unknown key"},
                    Wrong{pci_id(""), "/products/0/pci_ids", "needs a PCI id"},
                    Wrong{pci_id(R"({"device": "744c", "source": "b"})"),
                          "/products/0/pci_ids/0/device", "4 hexadecimal digits"},
                    Wrong{pci_id(R"({"device": "0x744g", "source": "b"})"),
                          "/products/0/pci_ids/0/device", "4 hexadecimal digits"},
                    Wrong{pci_id(R"({"device": 29772, "source": "b"})"),
                          "/products/0/pci_ids/0/device", "4 hexadecimal digits"},
                    Wrong{pci_id(R"({"device": "0x744c"})"), "/products/0/pci_ids/0", "\"source\""},
                    Wrong{pci_id(R"({"device": "0x744c", "source": "x"})"), "/products/0/pci_ids/0",
                          "no bibliography explains"},
                    Wrong{pci_id(R"({"device": "0x744c", "source": "b", "revisions": ["0xcc8"]})"),
                          "/products/0/pci_ids/0/revisions/0", "2 hexadecimal digits"},
                    Wrong{pci_id(R"({"device": "0x744c", "source": "b", "revisions": []})"),
                          "/products/0/pci_ids/0/revisions", "at least one"},
                    Wrong{pci_id(R"({"device": "0x744c", "source": "b"},
                                    {"device": "0x744c", "source": "b"})"),
                          "/products/0/pci_ids/1", "device and revision too"},
                    Wrong{chip(R"("unnamed_pci_devices": {"devices": ["0x1"], "source": "b"})"),
                          "/unnamed_pci_devices/devices/0", "4 hexadecimal digits"}));

std::string debug_variables(std::string const& list) {
    return object(R"("bibliography": {"b": {"title": "T", "url": "https://a"}}, )"
                  R"("debug_variables": [)" +
                  list + "]");
}
std::string debug_variable(std::string const& name, std::string const& off = "0") {
    return R"({"name": ")" + name + R"(", "off": ")" + off +
           R"(", "effect": "E", "sources": ["b"]})";
}

INSTANTIATE_TEST_SUITE_P(
    DebugVariables, AWrongProfile,
    testing::Values(
        Wrong{object(R"("debug_variables": 1)"), "/debug_variables", "expected an array"},
        Wrong{debug_variables(R"({"name": "A", "on": "1"})"), "/debug_variables/0/on",
              "unknown key"},
        Wrong{debug_variables(R"({"name": "A", "effect": "E", "sources": ["b"]})"),
              "/debug_variables/0", "\"off\" is missing"},
        Wrong{debug_variables(R"({"name": "A", "off": 0, "effect": "E", "sources": ["b"]})"),
              "/debug_variables/0/off", "expected a string"},
        Wrong{debug_variables(debug_variable("A; reboot")), "/debug_variables/0/name",
              "letters, digits and _"},
        Wrong{debug_variables(R"({"name": "A", "off": "0", "effect": "E", "sources": []})"),
              "/debug_variables/0/sources", "needs a source"},
        Wrong{debug_variables(R"({"name": "A", "off": "0", "effect": "E", "sources": ["x"]})"),
              "/debug_variables/0/sources/0", "no bibliography explains"},
        Wrong{debug_variables(debug_variable("A") + "," + debug_variable("A")),
              "/debug_variables/1/name", "this name stands twice"}));

TEST(DebugVariables, of_a_file_that_adds_to_a_profile_replace_those_of_the_same_name) {
    auto upper = debug_variables(debug_variable("B", "off"));
    upper.insert(1, R"("extends": "a", )");
    auto const tables =
        join_profiles({{"a.json", debug_variables(debug_variable("B") + "," + debug_variable("A"))},
                       {"site/a.json", upper}});
    ASSERT_EQ(tables->debug_variables.size(), 2U);
    EXPECT_EQ(tables->debug_variables[0].off, "off");
    EXPECT_EQ(tables->debug_variables[1].name, "A");
}

TEST(DebugVariables, two_profiles_of_one_name_are_named_both) {
    auto const text = debug_variables(debug_variable("A"));
    auto const [file, pointer, message] = refusal({{"a.json", text}, {"b.json", text}});
    EXPECT_EQ(file, "b.json");
    EXPECT_EQ(pointer, "/debug_variables/0");
    EXPECT_NE(message.find("a.json"), std::string::npos) << message;
}

TEST(DebugVariables, of_one_profile_have_a_limit) {
    std::string list;
    for (int i = 0; i <= 500; ++i)
        list += (i == 0 ? "" : ",") + debug_variable("V" + std::to_string(i));
    auto const [file, pointer, message] = refusal({{"a.json", debug_variables(list)}});
    EXPECT_EQ(pointer, "/debug_variables");
    EXPECT_NE(message.find("at most 500"), std::string::npos) << message;
}

TEST(ProfileParser, a_profile_that_extends_itself_closes_a_circle) {
    auto const [file, pointer, message] = refusal({{"a.json", object(R"("extends": "a")")}});
    EXPECT_EQ(file, "a.json");
    EXPECT_EQ(pointer, "/extends");
    EXPECT_NE(message.find("circle"), std::string::npos) << message;
}

TEST(ProfileParser, a_circle_of_several_profiles_is_refused) {
    auto const a = object(R"("extends": "b")");
    auto const b = object(R"("extends": "c")");
    auto const c = object(R"("extends": "a")");
    auto const [file, pointer, message] = refusal({{"a.json", a}, {"b.json", b}, {"c.json", c}});
    EXPECT_EQ(file, "c.json");
    EXPECT_EQ(pointer, "/extends");
    EXPECT_NE(message.find("circle"), std::string::npos) << message;
}

TEST(ProfileParser, two_profiles_of_one_target_are_named_both) {
    auto const text = "{" + chip_head + "}";
    auto const [file, pointer, message] = refusal({{"b.json", text}, {"a.json", text}});
    EXPECT_EQ(file, "a.json") << "the later file is at fault";
    EXPECT_EQ(pointer, "/gfx_target");
    EXPECT_NE(message.find("b.json"), std::string::npos) << message;
}

TEST(ProfileParser, two_profiles_of_one_device_and_revision_are_named_both) {
    auto const one = pci_id(R"({"device": "0x744c", "source": "b", "revisions": ["0xc8"]})");
    auto two = one;
    two.replace(two.find("gfx900"), 6, "gfx906");
    auto const [file, pointer, message] = refusal({{"one.json", one}, {"two.json", two}});
    EXPECT_EQ(file, "two.json");
    EXPECT_EQ(pointer, "/products/0/pci_ids/0/revisions/0");
    EXPECT_NE(message.find("one.json"), std::string::npos) << message;
}

TEST(ProfileParser, a_file_name_that_is_no_profile_name_is_refused) {
    for (auto const* name : {"p.txt", ".json", "P.json", "a b.json", ""}) {
        EXPECT_EQ(refusal({{name, "{" + head + "}"}}).file, name);
    }
}

TEST(ProfileParser, a_null_hides_the_value_of_the_parent) {
    auto const parent = object(R"("simd_per_cu": 4, "wavefront_size": 64)");
    auto const child = chip(R"("extends": "parent", "simd_per_cu": null)");
    auto const tables = join_profiles({{"parent.json", parent}, {"child.json", child}});
    ASSERT_EQ(tables->chips.size(), 1u);
    EXPECT_EQ(tables->chips[0].simd_per_cu, std::nullopt);
    EXPECT_EQ(tables->chips[0].wavefront_size, 64u);
}

TEST(ProfileParser, sources_of_a_chip_begin_with_its_own) {
    auto const parent = R"({"schema_version": "1.0", "sources": ["p"],
        "bibliography": {"p": {"title": "Parent", "url": "https://p"}}})";
    auto const child = R"({"schema_version": "1.0", "extends": "parent", "gfx_target": "gfx900",
        "family": "GCN5", "sources": [{"title": "Child", "reference": "r"}, "p"]})";
    auto const tables = join_profiles({{"parent.json", parent}, {"child.json", child}});
    auto const sources = tables->chips.at(0).sources;
    ASSERT_EQ(sources.size(), 2u);
    EXPECT_EQ(sources[0]->title, "Child");
    EXPECT_EQ(sources[1]->title, "Parent");
}

}  // namespace
}  // namespace rocmtune
