// SPDX-License-Identifier: MIT
#include "measure/arguments.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/numbers.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

std::optional<std::string_view> meant(std::string_view word,
                                      std::span<std::string_view const> candidates) {
    if (auto const near = nearest(word, candidates)) return near;
    bool const says_something = word.find_first_not_of('-') != word.npos;
    for (auto const candidate : candidates)
        if (says_something && candidate.starts_with(word)) return candidate;
    return std::nullopt;
}

int Arguments::count(std::string_view option) const {
    auto const found = values_.find(option);
    return found == values_.end() ? 0 : static_cast<int>(found->second.size());
}

std::optional<std::string> Arguments::value(std::string_view option) const {
    auto const found = values_.find(option);
    if (found == values_.end()) return std::nullopt;
    return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
    auto const found = values_.find(option);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<double> Arguments::number(std::string_view option, double least) const {
    auto const text = value(option);
    if (!text) return std::nullopt;
    auto const number = to_real(*text);
    if (!number || *number < least)
        throw Error(fmt::format("{} needs a number of at least {}, not '{}'", option, least,
                                printable(*text)));
    return number;
}

std::optional<std::chrono::milliseconds> Arguments::seconds(std::string_view option) const {
    auto const asked = number(option, 0.001);
    if (!asked) return std::nullopt;
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(std::min(*asked, longest_seconds) * 1000));
}

}  // namespace rocmtune
