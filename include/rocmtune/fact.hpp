// SPDX-License-Identifier: MIT
// Fact<T>: a value with its source, or the reason why it is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rocmtune {

/// Why a fact has no value. The names (missing_name) are part of the JSON contract.
/// Ordered by how much they tell: when two places were tried, the later one in this list is kept.
enum class Missing : std::uint8_t {
    not_read,      ///< no reader looked for it on this kind of host
    not_recorded,  ///< the snapshot or tree under --root/--replay does not say
    absent,        ///< looked for, and this host does not have it
    unsupported,   ///< the device or its driver says that it has no such thing
    invalid,       ///< read, but not in the documented format
    suspended,     ///< not asked, because asking would wake a sleeping GPU
    failed,        ///< the kernel answered with an input/output error
    timeout,       ///< the kernel did not answer within the deadline
    denied,        ///< exists, but this user or container may not read it
};

/// "not-read", "absent", ...: one word per reason, as printed in `_reasons`.
std::string_view missing_name(Missing reason);

/// Where a value was read.
struct Source {
    std::string_view
        reader;         ///< one word from the reader table ("kfd", "drm", ...), static storage
    std::string where;  ///< a path inside the root, with ":key" for one line of a file
};

/// A value that another source gave for the same fact.
template <class T>
struct Claim {
    T value;
    Source source;
};

/// A value with its source, or the reason why there is none; and what comparable sources said
/// differently. Readers offer and miss; settle() then applies the field's order of sources.
template <class T>
class Fact {
  public:
    using value_type = T;

    bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }
    T const& operator*() const { return *value_; }
    T const* operator->() const { return &*value_; }
    std::optional<T> const& value() const { return value_; }
    T value_or(T fallback) const { return value_.value_or(std::move(fallback)); }

    Source const& source() const { return source_; }
    Missing reason() const { return reason_; }
    /// One line for people: which file, which errno. Empty if the reason says it all.
    std::string const& detail() const { return detail_; }
    std::vector<Claim<T>> const& others() const { return others_; }
    /// Why a value that is there may not be all: "denied: /proc/7/fdinfo". Empty if it is.
    std::string const& limit() const { return limit_; }

    /// States a value. The first offer stands until settle(); later ones are kept beside it.
    void offer(T value, Source source) {
        if (value_) {
            others_.push_back({std::move(value), std::move(source)});
        } else {
            value_ = std::move(value);
            source_ = std::move(source);
        }
    }

    /// States why there is no value. The most informative statement wins: `absent` from one place
    /// does not hide `denied` from another; a value always wins.
    void miss(Missing reason, std::string detail = {}) {
        if (reason < reason_) return;
        reason_ = reason;
        detail_ = std::move(detail);
    }

    /// States that the value, a list, may lack entries that could not be read.
    void limit(Missing reason, std::string_view detail) {
        limit_ = std::string(missing_name(reason)) + ": " + std::string(detail);
    }

    /// Hands every value to `of_value`, and every text that is said of one to `of_text`.
    template <class OfValue, class OfText>
    void rewrite(OfValue const& of_value, OfText const& of_text) {
        if (value_) of_value(*value_);
        for (auto& other : others_) of_value(other.value), of_text(other.source.where);
        of_text(source_.where), of_text(detail_), of_text(limit_);
    }

    /// Makes the value with the best-ranked source the value, and keeps of the others only those
    /// for which `disputes(value, other)` holds. `rank(reader)` is negative for a source that is
    /// not comparable: such a claim is dropped unless it is the only one.
    template <class Rank, class Disputes>
    void settle(Rank rank, Disputes disputes) {
        if (others_.empty()) return;
        auto better = [&](std::string_view a, std::string_view b) {
            return rank(a) >= 0 && (rank(b) < 0 || rank(a) < rank(b));
        };
        for (auto& other : others_) {
            if (!better(other.source.reader, source_.reader)) continue;
            std::swap(*value_, other.value);
            std::swap(source_, other.source);
        }
        std::erase_if(others_, [&](Claim<T> const& other) {
            return rank(other.source.reader) < 0 || !disputes(*value_, other.value);
        });
    }

  private:
    std::optional<T> value_;
    Source source_;
    Missing reason_ = Missing::not_read;
    std::string detail_;
    std::string limit_;
    std::vector<Claim<T>> others_;
};

}  // namespace rocmtune
