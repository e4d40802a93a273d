// SPDX-License-Identifier: MIT
// JSON Schema of the report, from the types and help texts that visit_fields lists.
#include <nlohmann/json.hpp>

#include "codec/json.hpp"
#include "rocmtune/report.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
struct Tag {};

template <class T>
Json type_schema(Tag<T>);
template <class T>
Json object_schema();

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
    /// Not required of those that do not have it.
    template <class T>
    void operator()(Inlined, std::optional<T> const&) {
        properties_.update(object_schema<T>()["properties"]);
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
        if (field.is_required) required_.push_back(field.key);
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
    else if constexpr (std::is_same_v<T, Exit>) return {{"type", "integer"}};
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

Json text_schema(char const* help) {
    return {{"type", "string"}, {"description", help}};
}

/// The properties in another order than that of the fields.
Json reordered(Json schema, std::initializer_list<char const*> keys) {
    auto properties = Json::object();
    for (auto const* key : keys) properties[key] = schema["properties"][key];
    schema["properties"] = std::move(properties);
    return schema;
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
              {"repaired",
               {{"type", "integer"},
                {"minimum", 0},
                {"description", "settings that --fix of lint mended; left out: none"}}},
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

/// The records that other schemas may refer to.
template <class T>
constexpr std::string_view definition_of(Tag<T>) {
    return {};
}
constexpr std::string_view definition_of(Tag<Host>) {
    return "host";
}
constexpr std::string_view definition_of(Tag<Finding>) {
    return "finding";
}
constexpr std::string_view definition_of(Tag<Visibility>) {
    return "visibility";
}
constexpr std::string_view definition_of(Tag<Recommendation>) {
    return "recommendation";
}
constexpr std::string_view definition_of(Tag<Undecided>) {
    return "undecided";
}
constexpr std::string_view definition_of(Tag<Settings>) {
    return "settings";
}
constexpr std::string_view definition_of(Tag<Explanation>) {
    return "explanation";
}
constexpr std::string_view definition_of(Tag<Measurement>) {
    return "measurement";
}

/// The top of the document, which refers to them.
struct DocumentSchema {
    Json properties;
    std::vector<std::string_view> required;

    template <class T>
    void operator()(Field const& field, T const& value) {
        auto& schema = properties[std::string(field.key)] = part(value);
        if (!field.help.empty()) schema["description"] = field.help;
        if (field.is_required) required.push_back(field.key);
    }
    template <class T>
    void operator()(Inlined, std::optional<T> const&) {
        auto const before = required.size();
        T const none{};
        visit_fields(none, *this);
        required.resize(before);
    }

    template <class T>
    static Json part(T const&) {
        constexpr auto name = definition_of(Tag<T>{});
        if constexpr (name.empty()) return type_schema(Tag<T>{});
        else return {{"$ref", "#/definitions/" + std::string(name)}};
    }
    template <class T>
    static Json part(std::optional<T> const&) {
        return part(T{});
    }
    template <class T>
    static Json part(std::vector<T> const&) {
        return {{"type", "array"}, {"items", part(T{})}};
    }
    static Json part(ReportError const&) {
        return reordered(object_schema<ReportError>(), {"message", "hint", "exit_code"});
    }
    static Json part(ReportSummary<Report const> const&) { return summary_schema(); }
    static Json part(Exit const&) {
        return {{"type", "integer"}, {"minimum", 0}, {"maximum", 255}};
    }
};

}  // namespace

Json report_schema() {
    DocumentSchema top{
        .properties = {{"schema", {{"const", "rocmtune-report"}}},
                       {"schema_version", {{"type", "string"}, {"pattern", "^1\\.[0-9]+$"}}},
                       {"tool", tool_schema()}},
        .required = {"schema", "schema_version", "tool"}};
    Report const none;
    visit_fields(none, top);
    // A list of words, with what they are beside the word and not beside the list.
    top.properties["parts"] = {{"type", "array"},
                               {"items", text_schema("of report: a part that it has")}};
    return {
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "rocmtune report"},
        {"description", "A field that is null has its reason in the _reasons object beside it."},
        {"type", "object"},
        {"properties", top.properties},
        {"required", top.required},
        {"definitions",
         {{"host", host_schema()},
          {"gpu", object_schema<Gpu>()},
          {"link", object_schema<Link>()},
          {"finding", object_schema<Finding>()},
          {"visibility", object_schema<Visibility>()},
          {"recommendation", object_schema<Recommendation>()},
          {"undecided", object_schema<Undecided>()},
          {"settings", object_schema<Settings>()},
          {"explanation", object_schema<Explanation>()},
          {"measurement", object_schema<Measurement>()}}}};
}

}  // namespace rocmtune
