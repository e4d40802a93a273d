// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/text.hpp"
#include "codec/json_text.hpp"
#include "judge/verify/input.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::verify {
namespace {

/// The value as a shell would take it; absent where a shell would do more than that.
std::optional<std::string> plain_value(std::string_view text) {
    bool const quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                        text.find(text.front(), 1) == text.size() - 1;
    if (quoted) {
        auto const inside = text.substr(1, text.size() - 2);
        bool const expands = text.front() == '"' && inside.find_first_of("$`\\") != inside.npos;
        return expands ? std::nullopt : std::optional(std::string(inside));
    }
    auto const bare = trim(text.substr(0, text.find(" #")));
    if (bare.find_first_of(" \t\"'$`\\;&|<>()") != bare.npos) return std::nullopt;
    return std::string(bare);
}

using Json = nlohmann::json;

/// std::regex calls itself for each character: a longer line could exhaust the stack.
constexpr std::size_t longest_line = 1024;

/// The number at the beginning of a text; empty if there is none.
std::string_view number_at_start(std::string_view text) {
    std::size_t end = 0;
    auto const digits = [&] {
        auto const begin = end;
        while (end < text.size() && is_digit(text[end])) ++end;
        return end > begin;
    };
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    bool some = digits();
    if (end < text.size() && text[end] == '.') {
        ++end;
        some = digits() || some;
    }
    if (!some) return {};
    auto const mantissa = end;
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        ++end;
        if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
        if (!digits()) end = mantissa;
    }
    return text.substr(0, end);
}

/// "GB/s" of " GB/s in 3 s".
std::string unit_at_start(std::string_view text) {
    if (text.starts_with(' ')) text.remove_prefix(1);
    auto const belongs = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == '/' ||
               static_cast<unsigned char>(c) >= 0x80;  // the micro sign in UTF-8
    };
    auto const end = std::ranges::find_if_not(text, belongs);
    return printable(text.substr(0, static_cast<std::size_t>(end - text.begin())));
}

Reading checked(double value, std::string unit) {
    if (!std::isfinite(value) || value <= 0)
        return {.problem =
                    fmt::format("it printed {}, and only numbers above 0 can be compared", value)};
    return {.value = value, .unit = std::move(unit)};
}

/// The number that a text begins with, and nothing like "1,234" or "12x3".
Reading reading_of(std::string_view text, std::string_view behind) {
    auto const number = number_at_start(text);
    auto const value = number.empty() ? std::nullopt : to_real(number);
    if (!value || number.size() != text.size())
        return {.problem = fmt::format("'{}' is no number", printable(text.substr(0, 40)))};
    if (behind.starts_with(',') && behind.size() > 1 && is_digit(behind[1]))
        return {.problem =
                    fmt::format("'{}{}' is no number", text, printable(behind.substr(0, 12)))};
    return checked(*value, unit_at_start(behind));
}

/// The document, or the last line that is one.
Json document_of(std::string_view output) {
    auto document = parse_bounded<Json>(output);
    if (!document.is_discarded()) return document;
    auto const all = lines(output);
    for (auto line = all.rbegin(); line != all.rend(); ++line) {
        if (trim(*line).empty()) continue;
        document = parse_bounded<Json>(*line);
        if (!document.is_discarded()) break;
    }
    return document;
}

Reading read_pointer(Json::json_pointer const& pointer, std::string_view output) {
    auto const document = document_of(output);
    if (document.is_discarded()) return {.problem = "it printed no JSON"};
    try {
        auto const& value = document.at(pointer);
        if (value.is_number()) return checked(value.get<double>(), {});
        return {.problem =
                    fmt::format("{} is no number but {}", pointer.to_string(), value.type_name())};
    } catch (Json::exception const&) {
        return {.problem = fmt::format("its JSON has no {}", pointer.to_string())};
    }
}

}  // namespace

std::vector<EnvironmentChange> settings_of_text(std::string_view text, std::string const& file) {
    std::vector<EnvironmentChange> settings;
    std::size_t number = 0;
    for (auto line : lines(text)) {
        ++number;
        line = trim(line);
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("export ")) line = trim(line.substr(7));
        auto const parts = split_once(line, '=');
        if (!parts || !is_variable_name(parts->first))
            throw Error(fmt::format("{}, line {}: '{}' is no setting", printable(file), number,
                                    printable(line.substr(0, 60))),
                        "lines are NAME=VALUE, blank, or begin with #");
        auto value = plain_value(parts->second);
        if (!value)
            throw Error(fmt::format("{}, line {}: only a shell can tell the value of {}",
                                    printable(file), number, parts->first),
                        "write what it expands to");
        settings.push_back({std::string(parts->first), std::move(value)});
    }
    return settings;
}

struct MetricReader::Pattern {
    std::optional<Json::json_pointer> pointer;
    std::regex expression;

    std::optional<Reading> read_line(std::string_view line) const {
        std::cmatch match;
        if (!std::regex_search(line.data(), line.data() + line.size(), match, expression))
            return std::nullopt;
        if (match.size() > 1 && match[1].matched) {
            std::string_view const group(match[1].first,
                                         static_cast<std::size_t>(match[1].length()));
            auto const end = static_cast<std::size_t>(match[1].second - line.data());
            return reading_of(group, line.substr(end));
        }
        auto rest = line.substr(static_cast<std::size_t>(match[0].second - line.data()));
        auto const start = rest.find_first_of("0123456789.+-");
        if (start != rest.npos) rest.remove_prefix(start);
        auto const number = number_at_start(rest);
        if (number.empty()) return Reading{.problem = "no number stands behind the match"};
        return reading_of(number, rest.substr(number.size()));
    }
};

MetricReader::MetricReader(std::string const& text) : pattern_(std::make_unique<Pattern>()) {
    try {
        if (text.starts_with('/')) pattern_->pointer = Json::json_pointer(text);
        else pattern_->expression = std::regex(text, std::regex::ECMAScript);
    } catch (std::regex_error const& error) {
        throw Error(fmt::format("--metric '{}' is no regular expression: {}", printable(text),
                                error.what()),
                    "a text that begins with / is a JSON pointer");
    } catch (Json::exception const&) {
        throw Error(fmt::format("--metric '{}' is no JSON pointer", printable(text)));
    }
}

MetricReader::~MetricReader() = default;
MetricReader::MetricReader(MetricReader&&) noexcept = default;
MetricReader& MetricReader::operator=(MetricReader&&) noexcept = default;

Reading MetricReader::read(std::string_view output) const {
    if (trim(output).empty()) return {.problem = "it printed nothing"};
    if (pattern_->pointer) return read_pointer(*pattern_->pointer, output);
    auto const all = lines(output);
    for (auto line = all.rbegin(); line != all.rend(); ++line)
        if (auto reading = pattern_->read_line(line->substr(0, longest_line))) return *reading;
    auto const last = std::find_if(all.rbegin(), all.rend(),
                                   [](std::string_view line) { return !trim(line).empty(); });
    return {.problem = fmt::format("nothing that it printed matches --metric; its last line: {}",
                                   printable(trim(*last).substr(0, 60)))};
}

}  // namespace rocmtune::verify
