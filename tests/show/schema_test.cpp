// SPDX-License-Identifier: MIT
// The published schema: generated from the same lists, and true of every document.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include <regex.h>

#include <nlohmann/json.hpp>

#include "codec/json.hpp"
#include "support/reports.hpp"

namespace rocmtune::test {
namespace {

using Json = nlohmann::ordered_json;

bool has_type(Json const& value, std::string const& type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_boolean();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
}

/// POSIX extended expressions are enough for our patterns.
bool matches(std::string const& pattern, std::string const& text) {
    regex_t compiled;
    if (::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
    auto const result = ::regexec(&compiled, text.c_str(), 0, nullptr, 0);
    ::regfree(&compiled);
    return result == 0;
}

/// The part of draft-07 that our schema uses; the first violation as text. Unknown words are one.
class Validator {
  public:
    explicit Validator(Json const& root) : root_(root) {}

    std::string check(Json const& schema, Json const& value, std::string const& at) const {
        for (auto const& [word, rule] : schema.items())
            if (auto const problem = check_word(word, rule, schema, value, at); !problem.empty())
                return problem;
        return {};
    }

  private:
    std::string check_word(std::string const& word, Json const& rule, Json const& schema,
                           Json const& value, std::string const& at) const {
        if (word == "$ref")
            return check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value,
                         at);
        if (word == "type") return check_type(rule, value, at);
        if (word == "const") return rule == value ? "" : at + ": not " + rule.dump();
        if (word == "enum")
            return std::find(rule.begin(), rule.end(), value) != rule.end() ? ""
                                                                            : at + ": not listed";
        if (word == "minimum") return !value.is_number() || value >= rule ? "" : at + ": too small";
        if (word == "maximum") return !value.is_number() || value <= rule ? "" : at + ": too large";
        if (word == "pattern")
            return !value.is_string() || matches(rule.get<std::string>(), value.get<std::string>())
                       ? ""
                       : at + ": pattern";
        if (word == "required") return check_required(rule, value, at);
        if (word == "properties") return check_properties(rule, value, at);
        if (word == "items")
            return check_each(rule, value, at, [](auto const&) { return value_is_array; });
        if (word == "additionalProperties")
            return check_each(rule, value, at, [&](std::string const& key) {
                return schema.contains("properties") && schema["properties"].contains(key);
            });
        for (auto const* harmless : {"$schema", "$id", "title", "description", "definitions"})
            if (word == harmless) return {};
        return at + ": the test does not know '" + word + "'";
    }

    static constexpr bool value_is_array = false;

    static std::string check_type(Json const& rule, Json const& value, std::string const& at) {
        auto const types = rule.is_array() ? rule : Json::array({rule});
        for (auto const& type : types)
            if (has_type(value, type.get<std::string>())) return {};
        return at + ": is no " + rule.dump() + " but " + value.dump().substr(0, 60);
    }

    static std::string check_required(Json const& rule, Json const& value, std::string const& at) {
        for (auto const& key : rule)
            if (value.is_object() && !value.contains(key.get<std::string>()))
                return at + ": lacks " + key.get<std::string>();
        return {};
    }

    std::string check_properties(Json const& rule, Json const& value, std::string const& at) const {
        if (!value.is_object()) return {};
        for (auto const& [key, schema] : rule.items())
            if (value.contains(key))
                if (auto const problem = check(schema, value[key], at + '/' + key);
                    !problem.empty())
                    return problem;
        return {};
    }

    std::string check_each(Json const& rule, Json const& value, std::string const& at,
                           std::function<bool(std::string const&)> const& skip) const {
        if (!value.is_structured() || rule.is_boolean()) return {};
        for (auto const& [key, element] : value.items())
            if (value.is_array() || !skip(key))
                if (auto const problem = check(rule, element, at + '/' + key); !problem.empty())
                    return problem;
        return {};
    }

    Json const& root_;
};

std::string violation(Json const& document) {
    auto const schema = report_schema();
    return Validator(schema).check(schema, document, "");
}

class SchemaOfEveryHost : public testing::TestWithParam<std::string> {};

TEST_P(SchemaOfEveryHost, follows_the_schema) {
    EXPECT_EQ(violation(to_json(report_of(GetParam()))), "");
}

INSTANTIATE_TEST_SUITE_P(Hosts, SchemaOfEveryHost, testing::ValuesIn(host_names()),
                         [](auto const& test) { return test_name(test.param); });

TEST(Schema, hostile_and_empty_reports_follow_it) {
    for (auto const& [name, value] : hostile_texts())
        EXPECT_EQ(violation(to_json(report_with_texts(value))), "") << name;
    Report empty;
    EXPECT_EQ(violation(to_json(empty)), "");
    empty.host.emplace();
    EXPECT_EQ(violation(to_json(empty)), "");
    empty.errors.push_back({"message", "", Exit::usage});
    EXPECT_EQ(violation(to_json(empty)), "");
}

TEST(Schema, a_wrong_document_is_seen) {
    auto const good = to_json(report_of("rx7900xt"));
    auto const spoilt = [&](std::function<void(Json&)> const& spoil) {
        auto document = good;
        spoil(document);
        return violation(document);
    };
    EXPECT_NE(spoilt([](Json& d) { d.erase("exit_code"); }), "");
    EXPECT_NE(spoilt([](Json& d) { d["schema"] = "other"; }), "");
    EXPECT_NE(spoilt([](Json& d) { d["schema_version"] = "2.0"; }), "");
    EXPECT_NE(spoilt([](Json& d) { d["host"]["gpus"][0]["compute_units"] = "84"; }), "");
    EXPECT_NE(spoilt([](Json& d) { d["host"]["gpus"][0]["compute_units"] = -1; }), "");
    EXPECT_NE(spoilt([](Json& d) { d["host"]["gpus"][0].erase("family"); }), "");
    EXPECT_NE(spoilt([](Json& d) { d["host"]["hostname"] = 5; }), "");
    EXPECT_EQ(spoilt([](Json& d) { d["new_key"] = 5; }), "") << "a minor version may add keys";
    EXPECT_EQ(spoilt([](Json& d) { d["host"]["gpus"][0]["new_key"] = 5; }), "");
}

TEST(Schema, every_field_is_described) {
    auto const schema = report_schema();
    auto const check = [&](Json const& properties, auto const& entity) {
        visit_fields(entity, [&](Field const& field, auto const&) {
            ASSERT_TRUE(properties.contains(std::string(field.key))) << field.key;
            EXPECT_EQ(properties[std::string(field.key)]["description"], field.help);
        });
    };
    Host const host;
    Gpu const gpu;
    Link const link;
    check(schema["definitions"]["host"]["properties"], host);
    check(schema["definitions"]["gpu"]["properties"], gpu);
    check(schema["definitions"]["link"]["properties"], link);
}

TEST(Schema, the_published_file_is_what_the_code_generates) {
    std::ifstream in(ROCMTUNE_SOURCE_DIR "/profiles/schema/report.schema.json");
    ASSERT_TRUE(in) << "scripts/update-generated writes it";
    EXPECT_EQ(Json::parse(in), report_schema()) << "run scripts/update-generated";
}

}  // namespace
}  // namespace rocmtune::test
