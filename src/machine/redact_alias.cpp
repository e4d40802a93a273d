// SPDX-License-Identifier: MIT
#include "machine/redact_text.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <arpa/inet.h>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

struct KindName {
    Secret kind;
    std::string_view plural;
    std::string_view prefix;
};

constexpr std::array kinds{
    KindName{Secret::host, "host names", "host-"},
    KindName{Secret::user, "user names", "user-"},
    KindName{Secret::serial, "serial numbers", ""},
    KindName{Secret::gpu_id, "GPU and hive ids", ""},
    KindName{Secret::uuid, "UUIDs", ""},
    KindName{Secret::long_id, "container and machine ids", ""},
    KindName{Secret::ip, "IP addresses", ""},
    KindName{Secret::mac, "hardware addresses", ""},
};

class SipState {
  public:
    explicit SipState(RedactionKey const& key)
        : v_{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU,
             key[0] ^ 0x6c7967656e657261U, key[1] ^ 0x7465646279746573U} {}

    void word(std::uint64_t m) {
        v_[3] ^= m;
        rounds(2);
        v_[0] ^= m;
    }
    std::uint64_t finish() {
        v_[2] ^= 0xff;
        rounds(4);
        return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
    }

  private:
    void rounds(int count) {
        auto& [a, b, c, d] = v_;
        while (count-- > 0) {
            a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
            c += d, d = std::rotl(d, 16) ^ c;
            a += d, d = std::rotl(d, 21) ^ a;
            c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
        }
    }
    std::array<std::uint64_t, 4> v_;
};

/// Bytes without end from one seed.
class Stream {
  public:
    Stream(RedactionKey const& key, std::string_view seed) : key_(key), seed_(seed) {}

    /// A number below `limit`, at most 256; the skew of the remainder does not matter here.
    unsigned below(unsigned limit) {
        if (left_ == 0) bits_ = siphash(key_, fmt::format("{}\n{}", seed_, ++count_)), left_ = 4;
        --left_;
        auto const part = static_cast<unsigned>(bits_ & 0xFFFFU);
        bits_ >>= 16;
        return part % limit;
    }
    char of(std::string_view alphabet) {
        return alphabet[below(static_cast<unsigned>(alphabet.size()))];
    }

  private:
    RedactionKey const& key_;
    std::string seed_;
    std::uint64_t bits_ = 0;
    int left_ = 0;
    int count_ = 0;
};

constexpr std::string_view hexadecimal = "0123456789abcdef";
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyz0123456789";

std::string_view prefix_of(Secret kind) {
    return std::find_if(kinds.begin(), kinds.end(),
                        [&](auto const& row) { return row.kind == kind; })
        ->prefix;
}

/// With both digits and letters: "added" is a word, 692250 a number.
bool looks_hexadecimal(std::string_view text) {
    auto const is_part = [](char c) { return !is_letter(c) || is_hexadecimal(c); };
    return std::all_of(text.begin(), text.end(), is_part) && is_mixed(text);
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

std::string digits_of(std::string_view value) {
    std::string digits;
    std::ranges::copy_if(value, std::back_inserter(digits), is_word_character);
    return lower(digits);
}

/// The letters and digits of an alias where those of a value stand; what is too many comes last.
std::string in_form_of(std::string_view value, std::string_view alias) {
    bool const upper = std::ranges::any_of(value, is_upper);
    std::string made;
    for (auto const c : value) {
        if (!is_word_character(c) || alias.empty()) {
            made += c;
            continue;
        }
        bool const is_capital = is_upper(c) || (upper && is_digit(c));
        made += is_capital ? to_upper(alias.front()) : alias.front();
        alias.remove_prefix(1);
    }
    return made.append(alias);
}

// ---- IPv6 ---------------------------------------------------------------------------------------

using Groups = std::array<unsigned, 8>;
constexpr std::size_t first_of_ipv4 = 6;  ///< its last two groups, if it holds an IPv4 address

Groups groups_of(std::string const& address) {
    std::array<std::uint8_t, 16> bytes{};
    (void)::inet_pton(AF_INET6, address.c_str(), bytes.data());
    Groups groups{};
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i] = bytes[2 * i] * 256U + bytes[2 * i + 1];
    return groups;
}

std::string ipv4_text(Groups const& groups) {
    auto const high = groups[first_of_ipv4];
    auto const low = groups[first_of_ipv4 + 1];
    return fmt::format("{}.{}.{}.{}", high >> 8, high & 255, low >> 8, low & 255);
}

/// ::ffff:0:0/96 (RFC 4291, 2.5.5.2) and 64:ff9b::/96 (RFC 6052).
bool holds_ipv4(Groups const& groups) {
    auto const starts = [&](Groups const& prefix) {
        return std::equal(groups.begin(), groups.begin() + first_of_ipv4, prefix.begin());
    };
    return starts({0, 0, 0, 0, 0, 0xffff}) || starts({0x64, 0xff9b});
}

/// How many groups a part of an address stands for; a dotted end for two.
std::size_t groups_in(std::string_view part) {
    if (part.empty()) return 0;
    bool const dotted = part.find('.') != part.npos;
    return static_cast<std::size_t>(std::ranges::count(part, ':')) + 1 + (dotted ? 1 : 0);
}

/// These groups as the text writes its own.
std::string in_form_of(std::string_view text, Groups const& groups) {
    bool const in_capitals = std::ranges::any_of(text, is_upper);
    std::string made;
    for (std::size_t at = 0, group = 0; at < text.size();) {
        auto const rest = text.substr(at);
        if (rest.starts_with("::")) group = groups.size() - groups_in(rest.substr(2)), ++at;
        auto const end = std::min(rest.find_first_of(":."), rest.size());
        if (end == 0) {
            made += rest.starts_with("::") ? "::" : ":";
            ++at;
            continue;
        }
        if (end < rest.size() && rest[end] == '.') return made + ipv4_text(groups);
        auto const digits = fmt::format("{:0{}x}", groups[group++], end);
        made += in_capitals ? upper(digits) : digits;
        at += end;
    }
    return made;
}

}  // namespace

std::uint64_t siphash(RedactionKey const& key, std::string_view text) {
    SipState state(key);
    auto word = std::uint64_t{0};
    for (std::size_t i = 0; i < text.size(); ++i) {
        word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * (i % 8));
        if (i % 8 == 7) state.word(std::exchange(word, 0));
    }
    state.word(word | std::uint64_t{text.size() & 0xFF} << 56);
    return state.finish();
}

std::string const& Aliases::alias(Secret kind, std::string_view value, Maker const& make) {
    std::pair key(kind, std::string(value));
    if (auto const known = aliases_.find(key); known != aliases_.end()) return known->second;
    // Names of one letter run out of aliases; then they get longer ones.
    constexpr int most_attempts = 100;
    auto shape = std::string(value);
    std::string made;
    for (int attempt = 1; made.empty() || made == value || !taken_.emplace(kind, made).second;
         ++attempt) {
        if (attempt % most_attempts == 0) shape += '0';
        made =
            make(shape, fmt::format("rocmtune {} {} {}", static_cast<int>(kind), attempt, value));
    }
    return aliases_.emplace(std::move(key), std::move(made)).first->second;
}

std::string Aliases::name(Secret kind, std::string_view value) {
    auto const prefix = prefix_of(kind);
    return alias(kind, value, [&](std::string_view text, std::string_view seed) {
        Stream stream(key_, seed);
        std::string made;
        bool const has_room = text.size() >= prefix.size() + 3 && text.find('.') == text.npos;
        if (has_room) made = prefix;
        // The first character of a host or user name is a letter.
        for (auto const c : text.substr(made.size()))
            made += c == '.' || c == '-' ? c : stream.of(made.empty() ? letters : name_characters);
        return made;
    });
}

std::string Aliases::alike(Secret kind, std::string_view value) {
    // Where letters and digits stand in a hexadecimal value would tell a part of it.
    auto const& made =
        alias(kind, digits_of(value), [&](std::string_view text, std::string_view seed) {
            Stream stream(key_, seed);
            bool const is_hexadecimal = looks_hexadecimal(text);
            std::string digits;
            for (auto const c : text)
                digits += stream.of(is_hexadecimal ? hexadecimal
                                    : is_digit(c)  ? hexadecimal.substr(0, 10)
                                                   : letters);
            return digits;
        });
    return in_form_of(value, made);
}

std::string Aliases::long_id(std::string_view value) {
    constexpr std::size_t shortened = 12;
    auto const& made =
        alias(Secret::long_id, lower(value), [&](std::string_view text, std::string_view seed) {
            Stream first(key_, fmt::format("rocmtune id {}", text.substr(0, shortened)));
            Stream others(key_, seed);
            std::string digits;
            while (digits.size() < text.size())
                digits += (digits.size() < shortened ? first : others).of(hexadecimal);
            return digits;
        });
    return in_form_of(value, made);
}

std::uint64_t Aliases::number(std::uint64_t value) {
    auto const text =
        alias(Secret::gpu_id, fmt::format("{:x}", value), [&](auto digits, auto seed) {
            Stream stream(key_, seed);
            std::string made(1, stream.of(hexadecimal.substr(1)));
            while (made.size() < digits.size()) made += stream.of(hexadecimal);
            return made;
        });
    return to_unsigned(text, 16).value_or(0);
}

std::string Aliases::ipv4(std::string_view value) {
    return alias(Secret::ip, value, [&](std::string_view shape, std::string_view seed) {
        Stream stream(key_, seed);
        auto const part = [&] { return stream.below(256); };
        auto const second = 18 + stream.below(2);
        auto const third = part();
        if (shape.size() == value.size()) return fmt::format("198.{}.{}.{}", second, third, part());
        // That network is full: 240.0.0.0/4 is reserved, too (RFC 1112).
        return fmt::format("240.{}.{}.{}", part(), third, part());
    });
}

std::string Aliases::ipv6(std::string_view value) {
    auto groups = groups_of(std::string(value));
    if (holds_ipv4(groups)) {
        auto const tail = groups_of("::" + ipv4(ipv4_text(groups)));
        std::copy(tail.begin() + first_of_ipv4, tail.end(), groups.begin() + first_of_ipv4);
        return in_form_of(value, groups);
    }
    auto const& made = alias(Secret::ip, fmt::format("{:x}", fmt::join(groups, ":")),
                             [&](std::string_view text, std::string_view seed) {
                                 Stream stream(key_, seed);
                                 std::string address;
                                 for (auto const c : text)
                                     address +=
                                         c == '0' && (address.empty() || address.back() == ':') ? c
                                         : c == ':'                                             ? c
                                         : address.empty() || address.back() == ':'
                                             ? stream.of(hexadecimal.substr(1))
                                             : stream.of(hexadecimal);
                                 return address;
                             });
    return in_form_of(value, groups_of(made));
}

std::vector<Redaction::Count> Aliases::counts() const {
    std::vector<Redaction::Count> counts;
    for (auto const& row : kinds) {
        auto const of_kind = [&](auto const& entry) { return entry.first.first == row.kind; };
        auto const count =
            static_cast<std::size_t>(std::count_if(aliases_.begin(), aliases_.end(), of_kind));
        if (count > 0) counts.push_back({row.plural, count});
    }
    return counts;
}

}  // namespace rocmtune
