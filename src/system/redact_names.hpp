// SPDX-License-Identifier: MIT
// The values of one recording that are to be replaced wherever they stand as a word.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "system/host_text.hpp"
#include "system/redact_alias.hpp"

namespace rocmtune {

class Names {
  public:
    struct Match {
        std::string_view value;
        std::string_view alias;
    };

    void add(std::string value, std::string alias);
    /// The longest value that stands at the start of `text` and ends at the end of a word.
    std::optional<Match> at(std::string_view text) const;

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    using ByLength = std::vector<std::pair<std::string, std::string>>;  ///< longest first

    /// By the first run of letters and digits.
    std::unordered_map<std::string, ByLength, Hash, std::equal_to<>> names_;
};

/// The run of ASCII letters and digits at the start.
std::string_view first_word(std::string_view text);

/// The last component of a path.
std::string_view base_name(std::string_view path);

/// True for a serial number as firmware gives it: "Default string", "00000000" and "0" are none.
bool is_serial(std::string_view value);

/// Files whose whole content is a serial number or an asset tag, by base name.
bool is_serial_file(std::string_view path);

/// Files and calls whose whole content is the name of the host.
bool is_host_name_entry(std::string_view path_or_key);

/// What the entries say of host, users and devices.
Names collect_names(std::vector<HostEntry> const& entries, std::string_view text, Aliases& aliases);

}  // namespace rocmtune
