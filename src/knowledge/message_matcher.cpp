// SPDX-License-Identifier: MIT
#include "knowledge/messages.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view specials = "*#";

std::uint64_t eight_bytes(char const* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/// The upper 16 bits of a multiplicative hash (Knuth; 2^64 divided by the golden ratio).
std::size_t slot_of(std::uint64_t bytes) {
    return static_cast<std::size_t>((bytes * 0x9e3779b97f4a7c15U) >> 48);
}

/// Takes a number above zero off the front; false if there is none.
bool take_number(std::string_view& text) {
    bool const hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    std::size_t size = 0;
    bool above_zero = false;
    while (size < text.size() && (hexadecimal ? is_hexadecimal(text[size]) : is_digit(text[size])))
        above_zero |= text[size++] != '0';
    text.remove_prefix(size);
    return above_zero;
}

/// Whether the rest of a wording fits where the text stands; `*` may move on.
bool fits_here(std::string_view text, std::string_view wording) {
    while (!wording.empty()) {
        if (wording[0] == '*') return has_wording(text, wording.substr(1));
        if (wording[0] == '#') {
            if (!take_number(text)) return false;
            wording.remove_prefix(1);
            continue;
        }
        auto const piece = wording.substr(0, wording.find_first_of(specials));
        if (!text.starts_with(piece)) return false;
        text.remove_prefix(piece.size());
        wording.remove_prefix(piece.size());
    }
    return true;
}

}  // namespace

std::string_view anchor_of(std::string_view wording) {
    std::string_view longest;
    while (!wording.empty()) {
        auto const piece = wording.substr(0, wording.find_first_of(specials));
        if (piece.size() > longest.size()) longest = piece;
        wording.remove_prefix(std::min(piece.size() + 1, wording.size()));
    }
    return longest;
}

bool has_wording(std::string_view text, std::string_view wording) {
    // A number in front would match its last digits: "10 errors" is no "0 errors".
    if (wording.starts_with('#')) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            bool const digit = is_digit(text[at]);
            bool const inside = at > 0 && is_name_character(text[at - 1]);
            if (digit && !inside && fits_here(text.substr(at), wording)) return true;
        }
        return false;
    }
    auto const head = wording.substr(0, wording.find_first_of(specials));
    if (head.empty()) return fits_here(text, wording);
    auto const rest = wording.substr(head.size());
    // Behind a star the first place serves every later piece as well as any other.
    bool const first_is_enough = rest.empty() || rest[0] == '*';
    for (auto at = text.find(head); at != text.npos; at = text.find(head, at + 1)) {
        if (fits_here(text.substr(at + head.size()), rest)) return true;
        if (first_is_enough) return false;
    }
    return false;
}

MessageMatcher::MessageMatcher(std::span<MessageClass const> classes) {
    for (auto const& kind : classes)
        for (auto const& wording : kind.wordings) {
            auto const key = eight_bytes(anchor_of(wording).data());
            auto const stars = std::count_if(wording.begin(), wording.end(), [](char c) {
                return specials.find(c) != specials.npos;
            });
            by_anchor_[key].push_back(
                {&kind, wording, wording.size() - static_cast<std::size_t>(stars)});
            may_start_.set(slot_of(key));
        }
}

bool MessageMatcher::fits(Wording const& wording, std::string_view text) const {
    return has_wording(text, wording.text) &&
           std::ranges::none_of(wording.kind->excluded, [&](std::string const& piece) {
               return text.find(piece) != text.npos;
           });
}

MessageClass const* MessageMatcher::match(std::string_view text) const {
    return match(text, [](MessageClass const&) { return true; });
}

MessageClass const* MessageMatcher::match(std::string_view text, Condition const& may_be) const {
    Wording const* best = nullptr;
    // A wording that does not fit the line fits it nowhere: each is tried once.
    constexpr std::size_t most_tried = 64;
    std::array<std::uint64_t, most_tried> tried{};
    std::size_t tries = 0;
    for (std::size_t at = 0; at + least_anchor_bytes <= text.size(); ++at) {
        auto const key = eight_bytes(text.data() + at);
        if (!may_start_.test(slot_of(key))) continue;
        auto const found = by_anchor_.find(key);
        auto const end = tried.begin() + tries;
        if (found == by_anchor_.end() || std::find(tried.begin(), end, key) != end) continue;
        if (tries == most_tried) break;
        tried[tries++] = key;
        for (auto const& wording : found->second)
            if ((best == nullptr || wording.literal_bytes > best->literal_bytes) &&
                fits(wording, text) && may_be(*wording.kind))
                best = &wording;
    }
    return best == nullptr ? nullptr : best->kind;
}

}  // namespace rocmtune
