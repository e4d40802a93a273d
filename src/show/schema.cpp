// SPDX-License-Identifier: MIT
// JSON Schema of the report, from the types and help texts that visit_fields lists.
#include <nlohmann/json.hpp>

#include "show/json.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
struct Tag {};

template <class T>
Json type_schema(Tag<T>);

template <class T>
Json nullable(Json schema, Tag<T>) {
    if (schema.contains("type") && schema["type"].is_string())
        schema["type"] = Json::array({schema["type"], "null"});
    return schema;
}

template <class T>
Json type_schema(Tag<std::optional<T>>) {
    return nullable(type_schema(Tag<T>{}), Tag<T>{});
}

template <class T>
Json type_schema(Tag<std::vector<T>>) {
    return {{"type", "array"}, {"items", type_schema(Tag<T>{})}};
}

template <class T>
Json type_schema(Tag<std::map<std::string, T>>) {
    return {{"type", "object"}, {"additionalProperties", type_schema(Tag<T>{})}};
}

Json texts_schema(char const* help) {
    return {
        {"type", "object"}, {"description", help}, {"additionalProperties", {{"type", "string"}}}};
}

/// Says of each field what it is; every listed field is required, others are allowed (a minor
/// version may add keys).
class ObjectSchema {
  public:
    template <class T>
    void operator()(Field const& field, Fact<T> const&) {
        facts_ = true;
        add(field, nullable(type_schema(Tag<T>{}), Tag<T>{}));
    }
    template <class T>
    void operator()(Field const& field, T const&) {
        add(field, type_schema(Tag<T>{}));
    }

    Json take() {
        if (facts_) {
            properties_["_reasons"] = texts_schema("why a field is null, or may be incomplete");
            properties_["_sources"] = texts_schema("where a field was read");
            properties_["_disputes"] = {{"type", "object"},
                                        {"description", "what other sources said of a field"}};
        }
        return {{"type", "object"}, {"properties", properties_}, {"required", required_}};
    }

  private:
    void add(Field const& field, Json schema) {
        schema["description"] = field.help;
        properties_[std::string(field.key)] = std::move(schema);
        required_.push_back(field.key);
    }

    Json properties_ = Json::object();
    Json required_ = Json::array();
    bool facts_ = false;
};

template <class T>
Json object_schema() {
    ObjectSchema schema;
    T const none{};
    visit_fields(none, schema);
    return schema.take();
}

Json words_schema(std::span<std::string_view const> words) {
    auto list = Json::array();
    for (auto const word : words) list.push_back(word);
    return {{"enum", std::move(list)}};
}

template <class T>
Json type_schema(Tag<T>) {
    if constexpr (std::is_same_v<T, bool>) return {{"type", "boolean"}};
    else if constexpr (std::is_same_v<T, PlainValue>)
        return {{"type", {"boolean", "number", "string", "null"}}};
    else if constexpr (std::is_enum_v<T>) return words_schema(words_of(T{}));
    else if constexpr (std::is_same_v<T, std::string>) return {{"type", "string"}};
    else if constexpr (std::is_unsigned_v<T>) return {{"type", "integer"}, {"minimum", 0}};
    else if constexpr (std::is_integral_v<T>) return {{"type", "integer"}};
    else if constexpr (std::is_floating_point_v<T>) return {{"type", "number"}};
    else return object_schema<T>();
}

Json host_schema() {
    auto schema = object_schema<Host>();
    schema["properties"]["gpus"] = {{"type", "array"}, {"items", {{"$ref", "#/definitions/gpu"}}}};
    schema["properties"]["links"] = {{"type", "array"},
                                     {"items", {{"$ref", "#/definitions/link"}}}};
    schema["required"].insert(schema["required"].end(), {"gpus", "links"});
    return schema;
}

/// What lint and verify add to a finding is not required of the others.
Json finding_schema() {
    auto schema = object_schema<Finding>();
    schema["properties"].update(object_schema<SettingPlace>()["properties"]);
    schema["properties"].update(object_schema<VerifiedSetting>()["properties"]);
    return schema;
}

Json text_schema(char const* help) {
    return {{"type", "string"}, {"description", help}};
}

Json error_schema() {
    return {{"type", "object"},
            {"properties",
             {{"message", text_schema("what went wrong")},
              {"hint", text_schema("what to do next")},
              {"exit_code", {{"type", "integer"}, {"description", "exit code it stands for"}}}}},
            {"required", {"message", "exit_code"}}};
}

Json summary_schema() {
    Json const count{{"type", "integer"}, {"minimum", 0}};
    return {{"type", "object"},
            {"properties",
             {{"gpus", count},
              {"gpus_left_out",
               {{"type", "integer"},
                {"minimum", 1},
                {"description", "GPUs of the host that --gpu of probe did not choose"}}},
              {"facts", count},
              {"disputes", count},
              {"missing", {{"type", "object"}, {"additionalProperties", count}}},
              {"level", text_schema("check: level that ran")},
              {"gpus_to_test", count},
              {"gpus_tested", count},
              {"gpus_judged",
               {{"type", "integer"},
                {"minimum", 0},
                {"description", "GPUs for which an essential check gave an answer"}}},
              {"gpus_exercised",
               {{"type", "integer"},
                {"minimum", 0},
                {"description",
                 "GPUs that copied or computed with the right result; left out where none was to "
                 "work"}}},
              {"verify", object_schema<VerifySummary>()},
              {"texts", count},
              {"settings", count},
              {"accepted", count},
              {"judged_gpus",
               {{"type", "array"},
                {"minItems", 1},
                {"items", count},
                {"description", "rows of the GPUs that --gpu of lint chose; left out: all"}}},
              {"verdicts", {{"type", "object"}, {"additionalProperties", count}}}}}};
}

Json tool_schema() {
    return {{"type", "object"},
            {"properties",
             {{"name", {{"const", "rocmtune"}}},
              {"version", text_schema("version of the tool")},
              {"data_date", text_schema("date of the newest text its data rests on")}}},
            {"required", {"name", "version", "data_date"}}};
}

Json list_of(char const* definition) {
    return {{"type", "array"}, {"items", {{"$ref", std::string("#/definitions/") + definition}}}};
}

}  // namespace

Json report_schema() {
    Json const properties{
        {"schema", {{"const", "rocmtune-report"}}},
        {"schema_version", {{"type", "string"}, {"pattern", "^1\\.[0-9]+$"}}},
        {"tool", tool_schema()},
        {"command", text_schema("subcommand that wrote the document")},
        {"host", {{"$ref", "#/definitions/host"}}},
        {"recommendations", list_of("recommendation")},
        {"undecided", list_of("undecided")},
        {"settings", {{"$ref", "#/definitions/settings"}}},
        {"explanations", list_of("explanation")},
        {"findings", {{"type", "array"}, {"items", {{"$ref", "#/definitions/finding"}}}}},
        {"summary", summary_schema()},
        {"visibility", {{"$ref", "#/definitions/visibility"}}},
        {"measurements", {{"type", "array"}, {"items", {{"$ref", "#/definitions/measurement"}}}}},
        {"cache", object_schema<CacheReport>()},
        {"comparison", object_schema<ReportComparison>()},
        {"fleet", object_schema<FleetView>()},
        {"plan", object_schema<Plan>()},
        {"diagnosis", object_schema<Diagnosis>()},
        {"readers", {{"type", "array"}, {"items", object_schema<ReaderFile>()}}},
        {"parts", {{"type", "array"}, {"items", text_schema("of report: a part that it has")}}},
        {"inputs", {{"type", "array"}, {"items", object_schema<ReportInput>()}}},
        {"errors", {{"type", "array"}, {"items", error_schema()}}},
        {"exit_code", {{"type", "integer"}, {"minimum", 0}, {"maximum", 255}}},
    };
    return {
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "rocmtune report"},
        {"description", "A field that is null has its reason in the _reasons object beside it."},
        {"type", "object"},
        {"properties", properties},
        {"required", {"schema", "schema_version", "tool", "command", "errors", "exit_code"}},
        {"definitions",
         {{"host", host_schema()},
          {"gpu", object_schema<Gpu>()},
          {"link", object_schema<Link>()},
          {"finding", finding_schema()},
          {"visibility", object_schema<Visibility>()},
          {"recommendation", object_schema<Recommendation>()},
          {"undecided", object_schema<Undecided>()},
          {"settings", object_schema<Settings>()},
          {"explanation", object_schema<Explanation>()},
          {"measurement", object_schema<Measurement>()}}}};
}

}  // namespace rocmtune
