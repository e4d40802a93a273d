// SPDX-License-Identifier: MIT
#include "machine/archive_manifest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_text.hpp"
#include "machine/archive.hpp"
#include "machine/host_text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::json;
using nlohmann::ordered_json;  // for what we write, in the order of rocmtune-host(5)

constexpr std::string_view format_name = "rocmtune-snapshot";
constexpr int format_version = 1;

/// JSON holds Unicode only: other bytes become `\NNN`, which the escaped texts know anyway.
std::string json_text(std::string_view escaped) {
    if (is_utf8(escaped)) return std::string(escaped);
    std::string text;
    for (auto const c : escaped)
        if (static_cast<unsigned char>(c) < 0x80) text += c;
        else text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    return text;
}

ordered_json call_json(std::string_view body) {
    if (body.starts_with("error")) return {{"error", std::string(trim(body.substr(5)))}};
    if (body.starts_with("base64")) return {{"base64", std::string(trim(body.substr(6)))}};
    auto const value = call_value(body).value_or("");
    // A value that would not come back in this form keeps its bytes.
    if (call_body(value) != body || !is_utf8(value)) return {{"base64", to_base64(value)}};
    return {{"value", value}};
}

ordered_json texts_json(std::vector<std::string> const& texts) {
    auto list = ordered_json::array();
    for (auto const& text : texts) list.push_back(json_text(text));
    return list;
}

class Reader {
  public:
    explicit Reader(std::string const& archive) : archive_(archive) {}

    Manifest read(std::string_view text) {
        auto const json = document_of(text);
        auto const format = json.find("format");
        if (format == json.end() || *format != format_name)
            fail("it is no manifest of rocmtune",
                 "take it out to replay the archive as a plain tree");
        check_version(json);
        Manifest manifest;
        manifest.label = line(member(json, "label", Json::value_t::string));
        manifest.unlisted_is_absent =
            unlisted(line(member(json, "unlisted", Json::value_t::string)));
        manifest.environment = environment(json);
        if (json.contains("unreached"))
            manifest.unreached = texts(member(json, "unreached", Json::value_t::array));
        for (auto const& [key, value] : member(json, "calls", Json::value_t::object).items())
            manifest.calls[word(key)] = call(value);
        for (auto const& [path, body] : member(json, "paths", Json::value_t::object).items())
            manifest.paths[path_of(path)] = line(body);
        return manifest;
    }

  private:
    [[noreturn]] void fail(std::string const& why, std::string const& hint = {}) const {
        throw Error(fmt::format("cannot read {}: {}: {}", printable(archive_), manifest_name, why),
                    hint);
    }

    /// An object, or null.
    Json document_of(std::string_view text) const {
        auto json = parse_bounded<Json>(text);
        if (json.is_discarded() && nests_deeper(text))
            fail(fmt::format("it nests deeper than {} levels", most_json_levels));
        return json.is_object() ? std::move(json) : Json();
    }

    void check_version(Json const& json) const {
        auto const& version = member(json, "version", Json::value_t::number_unsigned);
        if (version > format_version)
            fail(fmt::format("version {} is newer than this program", version.dump()),
                 fmt::format("this one reads version {}: take a newer rocmtune", format_version));
        if (version != format_version) fail("there is no version " + version.dump());
    }

    Json const& member(Json const& json, char const* name, Json::value_t type) const {
        auto const found = json.find(name);
        if (found == json.end() || found->type() != type)
            fail(fmt::format("'{}' is missing or wrong", name));
        return *found;
    }

    std::vector<std::string> texts(Json const& list) const {
        std::vector<std::string> result;
        for (auto const& entry : list) result.push_back(line(entry));
        return result;
    }

    /// null: nobody knows it.
    std::optional<std::vector<std::string>> environment(Json const& json) const {
        auto const found = json.find("environment");
        if (found != json.end() && found->is_null()) return std::nullopt;
        return texts(member(json, "environment", Json::value_t::array));
    }

    /// Text that stays on its line.
    std::string line(Json const& json) const {
        if (!json.is_string()) fail("not a text: " + printable(json.dump().substr(0, 40)));
        auto const& text = json.get_ref<std::string const&>();
        if (text.find('\n') != text.npos) fail("a line end in " + printable(text.substr(0, 40)));
        return text;
    }

    std::string word(std::string const& text) const {
        if (text.empty() || text.find_first_of(" \n") != text.npos)
            fail("not a key: " + printable(text.substr(0, 40)));
        return text;
    }

    std::string path_of(std::string const& text) const {
        if (!text.starts_with('/')) fail("not a path: " + printable(text.substr(0, 40)));
        return word(text);
    }

    bool unlisted(std::string const& text) const {
        if (text != "absent" && text != "not-recorded")
            fail("'unlisted' takes absent or not-recorded");
        return text == "absent";
    }

    std::string call(Json const& json) const {
        if (!json.is_object() || json.size() != 1) fail("a call has one of value, base64, error");
        auto const& kind = json.begin().key();
        auto const& text = json.begin().value();
        if (kind == "value" && text.is_string())
            return call_body(text.get_ref<std::string const&>());
        if (kind == "base64" || kind == "error") return fmt::format("{} {}", kind, line(text));
        fail("a call has one of value, base64, error");
    }

    std::string const& archive_;
};

}  // namespace

std::string manifest_json(Manifest const& manifest) {
    ordered_json json{{"format", format_name},
                      {"version", format_version},
                      {"label", json_text(manifest.label)},
                      {"unlisted", manifest.unlisted_is_absent ? "absent" : "not-recorded"},
                      {"environment", nullptr},
                      {"calls", ordered_json::object()},
                      {"paths", ordered_json::object()}};
    if (manifest.environment) json["environment"] = texts_json(*manifest.environment);
    if (!manifest.unreached.empty()) json["unreached"] = texts_json(manifest.unreached);
    // ordered_json looks a key up before it adds one: thousands of paths are added as a whole.
    ordered_json::object_t calls;
    for (auto const& [key, body] : manifest.calls)
        calls.push_back({json_text(key), call_json(body)});
    ordered_json::object_t paths;
    for (auto const& [path, body] : manifest.paths)
        paths.push_back({json_text(path), json_text(body)});
    json["calls"] = std::move(calls);
    json["paths"] = std::move(paths);
    return json.dump(1) + '\n';
}

Manifest parse_manifest(std::string_view json, std::string const& archive) {
    return Reader(archive).read(json);
}

}  // namespace rocmtune
