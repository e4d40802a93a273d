// SPDX-License-Identifier: MIT
// Every fact, a line each, walked from the JSON document: text and JSON cannot differ.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "show/json.hpp"
#include "show/layout.hpp"
#include "show/measurements.hpp"

namespace rocmtune {
namespace {

using Json = nlohmann::ordered_json;

/// Widest key of Gpu and Host plus a gap.
constexpr int key_width = 30;

std::string number_text(std::string_view key, Json const& value) {
    auto exact = value.dump();
    if (key.ends_with("_bytes") && value.is_number_unsigned())
        return fmt::format("{} ({})", exact, human_bytes(value.get<std::uint64_t>()));
    return exact;
}

std::string value_text(std::string_view key, Json const& value);

std::string list_text(Json const& values) {
    std::string text;
    for (auto const& value : values) text += (text.empty() ? "" : ", ") + value_text("", value);
    return text.empty() ? "none" : text;
}

std::string object_text(Json const& object) {
    std::string text;
    for (auto const& [key, value] : object.items()) {
        if (is_about_others(key)) continue;
        text += (text.empty() ? "" : " ") + key + '=' + value_text(key, value);
    }
    return text.empty() ? "none" : text;
}

std::string value_text(std::string_view key, Json const& value) {
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) return list_text(value);
    if (value.is_object()) return object_text(value);
    return number_text(key, value);
}

/// Prints one object of the document as lines.
class Printer {
  public:
    explicit Printer(TextStyle const& style) : style_(style) {}

    void object(Json const& object, int indent) {
        for (auto const& [key, value] : object.items())
            if (!is_about_others(key) && key != "gpus" && key != "links")
                member(object, key, value, indent);
    }

    void heading(std::string const& text) {
        out_ += (out_.empty() ? "" : "\n") +
                emphasised(for_screen(text, style_), Emphasis::heading, style_) + '\n';
    }

    void line(std::string const& key, std::string const& value, int indent) {
        out_ += std::string(static_cast<std::size_t>(indent), ' ') +
                fmt::format("{:<{}} ", key, key_width - indent) + for_screen(value, style_) + '\n';
    }

    std::string take() { return std::move(out_); }

  private:
    static std::string said(Json const& object, char const* about, std::string const& key) {
        auto const found = object.find(about);
        if (found == object.end() || !found->contains(key)) return {};
        return (*found)[key].is_string()
                   ? (*found)[key].get<std::string>()
                   : (*found)[key].dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    void member(Json const& object, std::string const& key, Json const& value, int indent) {
        auto const reason = without_directory(object, said(object, "_reasons", key));
        if (is_list_of_objects(value)) {
            list(key, value, indent);
            if (!reason.empty()) line("  incomplete", reason, indent);
        } else {
            line(key, value_text(key, value) + (reason.empty() ? "" : "  (" + reason + ')'),
                 indent);
        }
        auto const dispute = said(object, "_disputes", key);
        if (!dispute.empty()) line("  disputed by", dispute, indent);
        auto const source = said(object, "_sources", key);
        if (style_.verbosity > 1 && !source.empty()) line("  from", source, indent);
    }

    /// A GPU's own directory is printed once, as sysfs_path, and left out of its reasons.
    static std::string without_directory(Json const& object, std::string text) {
        auto const path = object.find("sysfs_path");
        if (path == object.end() || !path->is_string()) return text;
        auto const directory = path->get<std::string>() + '/';
        if (auto const at = text.find(directory); at != text.npos) text.erase(at, directory.size());
        return text;
    }

    static bool is_list_of_objects(Json const& value) {
        return value.is_array() && !value.empty() && value.front().is_object();
    }

    void list(std::string const& key, Json const& values, int indent) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            auto const name = fmt::format("{}[{}]", key, i);
            if (!values[i].contains("_reasons") && !values[i].contains("_sources")) {
                line(name, object_text(values[i]), indent);
                continue;
            }
            line(name, "", indent);
            object_lines(values[i], indent + 2);
        }
    }

    void object_lines(Json const& value, int indent) { object(value, indent); }

    TextStyle const& style_;
    std::string out_;
};

/// The variables, and what each runtime makes of them.
void print_visibility(Printer& printer, Json const& visibility) {
    printer.heading("visibility");
    for (auto const& [key, value] : visibility.items()) {
        bool const runtime = value.is_object() && value.contains("devices");
        printer.line(key, runtime ? "" : value_text(key, value), 1);
        if (runtime) printer.object(value, 3);
    }
}

/// Every figure with all that is known of it.
void print_measurements(Printer& printer, Json const& measurements) {
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        printer.heading(fmt::format("measurement {}", i));
        for (auto const& [key, value] : measurements[i].items()) {
            printer.line(key, value.is_object() ? "" : value_text(key, value), 1);
            if (value.is_object()) printer.object(value, 3);
        }
    }
}

}  // namespace

std::string details_text(Report const& report, TextStyle const& style) {
    Printer printer(style);
    if (report.cache) return cache_text(report, style);
    if (!report.host) return {};
    auto const document = to_json(report);
    auto const& host = document.at("host");
    printer.heading("host");
    printer.object(host, 1);
    for (auto const& gpu : host["gpus"]) {
        printer.heading("gpu " + gpu["row"].dump());
        printer.object(gpu, 1);
    }
    if (!host["links"].empty()) printer.heading("links");
    for (std::size_t i = 0; i < host["links"].size(); ++i)
        printer.line(fmt::format("links[{}]", i), object_text(host["links"][i]), 1);
    for (auto const& finding : document.at("findings")) {
        printer.heading("finding " + finding["id"].get<std::string>());
        printer.object(finding, 1);
    }
    if (document.contains("visibility")) print_visibility(printer, document["visibility"]);
    if (document.contains("measurements")) print_measurements(printer, document["measurements"]);
    return printer.take();
}

}  // namespace rocmtune
