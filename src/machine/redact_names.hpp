// SPDX-License-Identifier: MIT
// The values of one recording that are to be replaced wherever they stand as a word.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "machine/host_text.hpp"
#include "machine/redact_alias.hpp"

namespace rocmtune {

/// Whether two texts are equal but for capitals.
bool is_alike(std::string_view a, std::string_view b);

class Names {
  public:
    struct Match {
        std::string_view value;
        std::string_view alias;
        bool is_domain;  ///< of hosts: what stands before it and a dot is one
    };

    void add(std::string value, std::string alias);
    /// The longest value that stands at the start of `text` and ends at the end of a word. Capitals
    /// make no difference.
    std::optional<Match> at(std::string_view text) const;

    /// Whether it is a known host's name but for the number at its end.
    bool is_numbered(std::string_view name) const;
    /// The beginning of names of hosts that end in a number.
    void add_stem(std::string stem) { stems_.insert(std::move(stem)); }

    /// Directories that hold the homes of users, each with a slash at its end.
    std::vector<std::string> homes{"/home/", "/homes/", "/Users/", "/users/"};

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            std::size_t hash = 0;
            for (auto const c : text) hash = hash * 131 + static_cast<unsigned char>(to_upper(c));
            return hash;
        }
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(std::string_view a, std::string_view b) const { return is_alike(a, b); }
    };
    using ByLength = std::vector<std::pair<std::string, std::string>>;  ///< longest first

    /// By the first run of letters and digits.
    std::unordered_map<std::string, ByLength, Hash, Equal> names_;
    std::set<std::string> stems_;  ///< in small letters
};

/// The run of ASCII letters and digits at the start.
std::string_view first_word(std::string_view text);

/// The last component of a path.
std::string_view base_name(std::string_view path);

/// True for a serial number as firmware gives it: "Default string", "00000000" and "0" are none.
bool is_serial(std::string_view value);

/// Files whose whole content is a serial number or an asset tag, by base name.
bool is_serial_file(std::string_view path);

/// Files and calls whose whole content is the name of the host, or of the namespace that is a part
/// of it.
bool is_host_name_entry(std::string_view path_or_key);

/// The alias of a host, label by label: that of its short name is the beginning of that of its full
/// one. The last label of a full name stays.
std::string host_alias(Aliases& aliases, std::string_view name);

/// What the entries say of host, users and devices.
Names collect_names(std::vector<HostEntry> const& entries, std::string_view text, Aliases& aliases);

}  // namespace rocmtune
