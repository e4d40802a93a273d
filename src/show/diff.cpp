// SPDX-License-Identifier: MIT
#include "show/diff.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

using std::string_view;
using TextLines = std::vector<string_view>;

/// With their ends.
TextLines lines_with_ends(string_view text) {
    TextLines all;
    while (!text.empty()) {
        auto const end = text.find('\n');
        all.push_back(text.substr(0, end == text.npos ? end : end + 1));
        text.remove_prefix(all.back().size());
    }
    return all;
}

/// Lines [old_begin, old_end) became [new_begin, new_end).
struct Change {
    std::size_t old_begin, old_end, new_begin, new_end;
};

/// Whether the same line comes next, or the end of both.
bool agree(TextLines const& a, std::size_t i, TextLines const& b, std::size_t j) {
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    return a[i] == b[j];
}

/// Where the texts agree again, the nearest such place.
Change change_at(TextLines const& a, std::size_t i, TextLines const& b, std::size_t j) {
    constexpr std::size_t farthest = 1000;
    for (std::size_t distance = 1; distance <= farthest; ++distance)
        for (std::size_t gone = 0; gone <= distance; ++gone) {
            auto const come = distance - gone;
            if (i + gone <= a.size() && j + come <= b.size() && agree(a, i + gone, b, j + come))
                return {i, i + gone, j, j + come};
        }
    return {i, a.size(), j, b.size()};
}

std::vector<Change> changes_between(TextLines const& a, TextLines const& b) {
    std::vector<Change> changes;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            ++i, ++j;
            continue;
        }
        changes.push_back(change_at(a, i, b, j));
        i = changes.back().old_end;
        j = changes.back().new_end;
    }
    return changes;
}

std::string line_of(char mark, string_view line) {
    auto text = std::string(1, mark).append(line);
    if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    return text;
}

std::string range_text(std::size_t begin, std::size_t count) {
    // An empty range is named by the line before it.
    auto const first = count == 0 ? begin : begin + 1;
    return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

/// Changes that share the lines between them are one hunk.
class Hunks {
  public:
    Hunks(TextLines const& a, TextLines const& b, std::function<bool(string_view)> const& may_show)
        : a_(a), b_(b), may_show_(may_show) {}

    std::string text(std::vector<Change> const& changes) const {
        std::string out;
        for (std::size_t first = 0; first < changes.size();) {
            auto last = first;
            while (last + 1 < changes.size() && is_one_hunk(changes[last], changes[last + 1]))
                ++last;
            auto const above = first == 0 ? 0 : changes[first - 1].old_end;
            auto const below = last + 1 == changes.size() ? a_.size() : changes[last + 1].old_begin;
            out += hunk({changes.data() + first, changes.data() + last + 1}, above, below);
            first = last + 1;
        }
        return out;
    }

  private:
    static constexpr std::size_t around = 3;

    bool shows(std::size_t line) const { return may_show_(a_[line]); }

    bool is_one_hunk(Change const& one, Change const& next) const {
        if (next.old_begin - one.old_end > 2 * around) return false;
        for (auto line = one.old_end; line < next.old_begin; ++line)
            if (!shows(line)) return false;
        return true;
    }

    std::string hunk(std::vector<Change> const& changes, std::size_t above,
                     std::size_t below) const {
        auto const& first = changes.front();
        auto const& last = changes.back();
        auto begin = first.old_begin;
        while (begin > above && first.old_begin - begin < around && shows(begin - 1)) --begin;
        auto end = last.old_end;
        while (end < below && end - last.old_end < around && shows(end)) ++end;
        auto const new_begin = first.new_begin - (first.old_begin - begin);
        auto const new_end = last.new_end + (end - last.old_end);
        auto out = fmt::format("@@ -{} +{} @@\n", range_text(begin, end - begin),
                               range_text(new_begin, new_end - new_begin));
        auto at = begin;
        for (auto const& change : changes) {
            for (; at < change.old_begin; ++at) out += line_of(' ', a_[at]);
            for (; at < change.old_end; ++at) out += line_of('-', a_[at]);
            for (auto j = change.new_begin; j < change.new_end; ++j) out += line_of('+', b_[j]);
        }
        for (; at < end; ++at) out += line_of(' ', a_[at]);
        return out;
    }

    TextLines const& a_;
    TextLines const& b_;
    std::function<bool(string_view)> const& may_show_;
};

}  // namespace

std::string unified_diff(string_view path, string_view before, string_view after,
                         std::function<bool(string_view)> const& may_show) {
    if (before == after) return {};
    while (path.starts_with("./")) path.remove_prefix(2);
    while (path.starts_with('/')) path.remove_prefix(1);
    auto const name = printable(path);
    auto const a = lines_with_ends(before);
    auto const b = lines_with_ends(after);
    return fmt::format("--- a/{0}\n+++ b/{0}\n", name) +
           Hunks(a, b, may_show).text(changes_between(a, b));
}

}  // namespace rocmtune
