// SPDX-License-Identifier: MIT
// Which class a line belongs to, at the speed of reading: hundreds of wordings, gigabytes of log.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "knowledge/messages.hpp"

namespace rocmtune {

/// Literal bytes that every wording must have in a row: by these it is found.
inline constexpr std::size_t least_anchor_bytes = 8;

/// The longest literal piece of a wording.
std::string_view anchor_of(std::string_view wording);

/// Whether the pieces of the wording stand in the text in their order: `*` is any text, `#` a
/// number above zero, decimal or with 0x.
bool has_wording(std::string_view text, std::string_view wording);

/// Finds classes in texts. The classes must outlive it.
class MessageMatcher {
  public:
    explicit MessageMatcher(std::span<MessageClass const> classes);

    using Condition = std::function<bool(MessageClass const&)>;

    /// The class whose wording fits with the most literal bytes, or null; only those that meet the
    /// condition. What a class asks for beside its words (MessageOf) is left to the caller.
    MessageClass const* match(std::string_view text, Condition const& may_be) const;
    MessageClass const* match(std::string_view text) const;

  private:
    struct Wording {
        MessageClass const* kind;
        std::string_view text;
        std::size_t literal_bytes;
    };
    bool fits(Wording const& wording, std::string_view text) const;

    /// By the first eight bytes of the anchor.
    std::unordered_map<std::uint64_t, std::vector<Wording>> by_anchor_;
    /// A hash of eight bytes that is not here starts no anchor: almost every place of every line.
    std::bitset<1U << 16> may_start_;
};

}  // namespace rocmtune
