// SPDX-License-Identifier: MIT
// Tried: several places that may hold one answer, and why they all failed to give it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "machine/host_root.hpp"

namespace rocmtune {

/// Why a question put to several places stays open. A place that was not recorded may have held
/// the answer, so here, other than in Fact::miss, `not_recorded` outweighs `absent`.
class Tried {
  public:
    void add(Missing reason, std::string detail) {
        if (reason_ && weight(reason) <= weight(*reason_)) return;
        reason_ = reason;
        detail_ = std::move(detail);
    }
    template <class T>
    void add(Answer<T> const& answer) {
        add(answer.reason, answer.detail);
    }

    /// The heaviest reason so far; nothing if no place failed.
    std::optional<Missing> reason() const { return reason_; }
    std::string const& detail() const { return detail_; }
    /// True if some place may hide an answer: everything but `absent` does.
    bool leaves_doubt() const { return reason_ && *reason_ != Missing::absent; }

    template <class T>
    void state(Fact<T>& fact) const {
        if (reason_) fact.miss(*reason_, detail_);
    }

    /// Offers what was found. Where doubt is left, its reason stands beside the value, or in its
    /// stead if nothing was found.
    template <class T>
    void offer(Fact<T>& fact, T found, Source source) const {
        if (found.empty() && leaves_doubt()) return state(fact);
        if (leaves_doubt()) fact.limit(*reason_, detail_);
        fact.offer(std::move(found), std::move(source));
    }

  private:
    static int weight(Missing reason) {
        return reason == Missing::absent ? -1 : static_cast<int>(reason);
    }
    std::optional<Missing> reason_;
    std::string detail_;
};

/// Text and the place that it came from.
struct FoundText {
    std::string text;
    std::string where;
};

/// The first of several places with text in it. A place with a leading slash is a file, any other
/// the key of a call. The failures of the places before it, or of all, go to `tried`.
inline std::optional<FoundText> first_text(HostRoot const& root,
                                           std::initializer_list<std::string_view> places,
                                           Tried& tried) {
    for (auto const place : places) {
        auto const answer = place.starts_with('/') ? root.read(place) : root.call(place);
        if (!answer) {
            tried.add(answer);
        } else if (auto const text = trim(*answer); text.empty()) {
            tried.add(Missing::invalid, std::string(place) + ": empty");
        } else {
            return FoundText{std::string(text), std::string(place)};
        }
    }
    return std::nullopt;
}

/// Whether a file that reads as no text holds at least its line end. The kernel writes one behind
/// an empty value; a file of 0 bytes is a copy that lost the content.
inline bool holds_blank_line(HostRoot const& root, std::string_view path) {
    auto const bytes = root.read_bytes(path);
    return bytes && bytes->find('\n') != std::string::npos;
}

}  // namespace rocmtune
