// SPDX-License-Identifier: MIT
// What was typed, after checking against the tables.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

class Arguments {
  public:
    std::string command;  ///< empty: rocmtune alone
    std::vector<std::string> positionals;
    bool help = false;
    bool version = false;

    bool has(std::string_view option) const { return values_.contains(option); }
    int count(std::string_view option) const;
    /// The last value given, if any.
    std::optional<std::string> value(std::string_view option) const;
    std::vector<std::string> values(std::string_view option) const;
    /// The value as a number of at least `least`. @throws Error that names the option.
    std::optional<double> number(std::string_view option, double least) const;
    /// The value as seconds, of a millisecond at least; more than a day is a day.
    std::optional<std::chrono::milliseconds> seconds(std::string_view option) const;

    void add(std::string option, std::string value) {
        values_[std::move(option)].push_back(std::move(value));
    }

  private:
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// What a mistyped word was to be: the nearest candidate, or the first that begins with it.
std::optional<std::string_view> meant(std::string_view word,
                                      std::span<std::string_view const> candidates);

}  // namespace rocmtune
