// SPDX-License-Identifier: MIT
#include "knowledge/value_readings.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune::readings {
namespace {

/// A token as the reader counts it, or why it stops there.
struct Token {
    std::optional<std::string> item = {};
    std::string_view why = {};
};

std::string join(std::vector<std::string> const& items) {
    return fmt::format("{}", fmt::join(items, ","));
}

ReadValue stopped(std::vector<std::string> const& items, std::string_view token,
                  std::string_view why) {
    return misread(join(items), fmt::format("the reader stops at '{}': {}", printable(token), why));
}

ReadValue hidden() {
    auto read = valid("");
    read.note = "set but empty, it hides every GPU";
    return read;
}

/// strtol base 0 into 32 bits, as ROCr does it: 4294967297 is 1.
Token rocr_token(std::string_view text) {
    auto const token = upper(trim(text));
    if (token.starts_with('G')) {
        auto const fits = token.size() >= 5 && token.size() <= 20 && token.starts_with("GPU-");
        return fits ? Token{token, {}} : Token{{}, "a UUID is GPU- and 1 to 16 digits"};
    }
    auto const number = read_c_number(token, 0);
    if (!number.found || !number.rest.empty()) return {{}, "it is no number and no UUID"};
    auto const low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number.as_signed()));
    auto const index = static_cast<std::int32_t>(low);
    return index < 0 ? Token{{}, "it is no index"} : Token{std::to_string(index), {}};
}

/// Whether the reader takes the plain number that stands there.
bool is_same_number(std::string_view text, std::string const& item) {
    auto const number = read_c_number(trim(text), 0);
    auto const is_plain = !number.octal || number.magnitude < 8;  // 010 is 8
    return !number.found || (is_plain && number.text() == item);
}

Token hip_token(std::string_view token) {
    if (token.find("GPU-") != std::string_view::npos) return {std::string(token), {}};
    if (trim(token).size() != token.size()) return {{}, "a blank is no part of a number"};
    auto const number = to_unsigned(token, 10);
    if (!number || std::to_string(*number) != token)
        return {{}, token.empty() ? "it is empty" : "it is no plain decimal number"};
    return {std::string(token), {}};
}

bool contains(std::vector<std::string> const& items, std::string const& item) {
    return std::ranges::find(items, item) != items.end();
}

}  // namespace

ReadValue rocr_devices(std::string_view text) {
    if (text.empty()) return hidden();
    auto tokens = split(text, ',');
    if (tokens.back().empty()) tokens.pop_back();
    std::vector<std::string> items;
    auto read = valid("");
    for (auto const& each : tokens) {
        if (trim(each).empty()) return rejected("an empty token makes ROCr fail to start");
        auto const token = rocr_token(each);
        if (!token.item) return stopped(items, each, token.why);
        if (contains(items, *token.item)) return stopped(items, each, "it is listed before");
        if (!is_same_number(each, *token.item))
            read = misread("", fmt::format("'{}' counts as {}", printable(each), *token.item));
        items.push_back(*token.item);
    }
    read.meaning = join(items);
    return read;
}

ReadValue hip_devices(std::string_view text) {
    if (text.empty()) return hidden();
    auto tokens = split(without_quotes(text), ',');
    if (tokens.size() > 1 && tokens.back().empty()) tokens.pop_back();
    std::vector<std::string> items;
    auto read = valid("");
    for (auto const& each : tokens) {
        auto const token = hip_token(each);
        if (!token.item) return stopped(items, each, token.why);
        if (!contains(items, *token.item)) {
            items.push_back(*token.item);
        } else {
            read =
                misread("", fmt::format("'{}' is listed twice; it counts once", printable(each)));
        }
    }
    read.meaning = join(items);
    return read;
}

}  // namespace rocmtune::readings
