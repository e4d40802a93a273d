// SPDX-License-Identifier: MIT
// From the words of a command line to what they ask for.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Longer times than a day are a day: nobody means them, and clocks do not overflow.
inline constexpr double longest_seconds = 86400;

/// What was typed: for typed_options.cpp, which makes the options of a command of it.
class Arguments {
  public:
    std::string command;                   ///< empty: rocmtune alone
    std::vector<std::string> positionals;  ///< also what stands behind "--"
    std::size_t behind = 0;                ///< so many of them, the last ones, stand there

    bool has(std::string_view option) const { return values_.contains(option); }
    int count(std::string_view option) const { return static_cast<int>(values(option).size()); }
    /// The last value given, if any.
    std::optional<std::string> value(std::string_view option) const;
    std::vector<std::string> values(std::string_view option) const;
    /// The value as a number of at least `least`. @throws Error that names the option.
    std::optional<double> number(std::string_view option, double least) const;
    /// The same for a number of things. @throws Error that names option and range.
    std::optional<std::uint64_t> whole_number(std::string_view option, std::uint64_t least,
                                              std::uint64_t most) const;
    /// The value as seconds, at most a day.
    std::optional<double> seconds(std::string_view option, double least = 0.001) const;
    std::optional<std::chrono::milliseconds> milliseconds(std::string_view option) const;

    void add(std::string_view option, std::vector<std::string> values) {
        if (!values.empty()) values_[std::string(option)] = std::move(values);
    }

  private:
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Parses a command line without the program's name.
/// @throws Error with a hint (the nearest known word) for anything that is not in the tables.
Arguments parse_arguments(std::vector<std::string> const& words);

/// Command and options of a line, however broken it is: how and where a complaint is to be written.
Arguments understood(std::vector<std::string> const& words);

}  // namespace rocmtune
