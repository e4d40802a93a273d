// SPDX-License-Identifier: MIT
// The parts of redaction: aliases, which stand in place of values; names, which are the values of
// one recording; and the scan of a text for both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "machine/host_text.hpp"
#include "machine/redact.hpp"

namespace rocmtune {

enum class Secret : std::uint8_t { host, user, serial, gpu_id, uuid, long_id, ip, mac };

/// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash for short texts.
std::uint64_t siphash(RedactionKey const& key, std::string_view text);

/// Equal values of one kind have one alias, different values different ones.
class Aliases {
  public:
    explicit Aliases(RedactionKey const& key) : key_(key) {}

    /// Letters and digits of the same number; dots and hyphens stay. Long ones start with the kind.
    std::string name(Secret kind, std::string_view value);
    /// Digit for digit, letter for letter; for a hexadecimal value any hexadecimal digits. Other
    /// characters and capitals stay where they are and make no difference: CZ3J-0042X and cz3j0042x
    /// are one value.
    std::string alike(Secret kind, std::string_view value);
    /// Of ids of containers, too. Their first 12 digits stand for all 64: they alone decide those
    /// of the alias.
    std::string long_id(std::string_view value);
    /// A number of as many hexadecimal digits.
    std::uint64_t number(std::uint64_t value);
    /// An address of 198.18.0.0/15, which RFC 2544 keeps out of real networks.
    std::string ipv4(std::string_view value);
    /// An address as inet_pton(3) takes it, in the same form: zeros stay zeros, the other groups
    /// have as many digits, and one that holds an IPv4 address holds the alias of that one.
    std::string ipv6(std::string_view value);

    std::vector<Redaction::Count> counts() const;

  private:
    using Maker = std::function<std::string(std::string_view value, std::string_view seed)>;
    std::string const& alias(Secret kind, std::string_view value, Maker const& make);

    RedactionKey key_;
    std::map<std::pair<Secret, std::string>, std::string, std::less<>> aliases_;
    std::set<std::pair<Secret, std::string>> taken_;
};

/// A letter or digit; an underscore ends a word here.
bool is_word_character(char c);

/// With both digits and letters, which few words and numbers have.
bool is_mixed(std::string_view text);

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

/// What kind of text it is, as far as that decides what its parts can be.
enum class TextKind {
    prose,     ///< messages, attributes, values of variables
    path,      ///< a blank is part of a name
    software,  ///< versions of four numbers are no addresses, sums of files no ids
    binary,    ///< lengths must not change
};

std::string redact_text(std::string_view text, TextKind kind, Names const& names, Aliases& aliases);

}  // namespace rocmtune
