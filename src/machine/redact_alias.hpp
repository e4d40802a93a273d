// SPDX-License-Identifier: MIT
// Aliases: what stands in a redacted recording in place of a value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

}  // namespace rocmtune
