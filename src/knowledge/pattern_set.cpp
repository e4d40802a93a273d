// SPDX-License-Identifier: MIT
#include "knowledge/pattern_set.hpp"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <map>
#include <unordered_map>

#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// Literals by their first bytes. A key that begins none is seldom looked up.
template <std::size_t key_bytes>
class Literals {
  public:
    void add(std::string_view literal, int number) {
        auto const key = key_at(literal.data());
        by_key_[key].emplace_back(literal, number);
        may_start_.set(slot_of(key));
    }

    /// Adds the numbers of the literals at the start of the text, which has so many bytes.
    void look(std::string_view text, std::vector<int>& found) const {
        auto const key = key_at(text.data());
        if (!may_start_.test(slot_of(key))) return;
        auto const literals = by_key_.find(key);
        if (literals == by_key_.end()) return;
        for (auto const& [literal, number] : literals->second)
            if (text.starts_with(literal)) found.push_back(number);
    }

  private:
    static std::uint64_t key_at(char const* bytes) {
        std::uint64_t key = 0;
        std::memcpy(&key, bytes, key_bytes);
        return key;
    }
    static std::size_t slot_of(std::uint64_t key) { return (key * 0x9e3779b97f4a7c15U) >> 48; }

    std::unordered_map<std::uint64_t, std::vector<std::pair<std::string_view, int>>> by_key_;
    std::bitset<1U << 16> may_start_;
};

constexpr std::size_t short_bytes = PatternSet::least_literal_bytes;
constexpr std::size_t long_bytes = 8;

/// The slot of the four bytes at a place: the upper 16 bits of a multiplicative hash.
std::size_t start_slot(char const* bytes) {
    std::uint32_t key = 0;
    std::memcpy(&key, bytes, sizeof key);
    return (key * 0x9e3779b1U) >> 16;
}

/// Small ASCII letters in place of large ones, eight bytes at once.
void set_lower(std::string_view text, std::string& out) {
    constexpr std::uint64_t each = 0x0101010101010101U;
    out.assign(text);
    std::size_t at = 0;
    for (std::uint64_t bytes = 0; at + sizeof bytes <= out.size(); at += sizeof bytes) {
        std::memcpy(&bytes, out.data() + at, sizeof bytes);
        auto const low = bytes & (0x7f * each);
        auto const from_a = low + (0x80 - 'A') * each, behind_z = low + (0x7f - 'Z') * each;
        auto const large = (from_a ^ behind_z) & ~bytes & (0x80 * each);
        bytes |= large >> 2U;  // 0x80 >> 2 is what tells 'a' from 'A'
        std::memcpy(out.data() + at, &bytes, sizeof bytes);
    }
    for (; at < out.size(); ++at)
        if (out[at] >= 'A' && out[at] <= 'Z') out[at] = static_cast<char>(out[at] + 'a' - 'A');
}

/// Lines come from anywhere: any byte is a character.
RE2::Options options() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_log_errors(false);
    // Of each expression: programs and their states, of which hundreds may be in use.
    options.set_max_mem(std::int64_t{1} << 20);
    return options;
}

}  // namespace

struct PatternSet::Engine {
    re2::FilteredRE2 filter{static_cast<int>(short_bytes)};
    std::vector<std::string> atoms;
    Literals<long_bytes> longer;
    Literals<short_bytes> shorter;
    /// By the first four bytes of all literals: most places of a line begin none.
    std::bitset<1U << 16> may_start;
    std::vector<int> without;
    // Of the line at hand. Lines of a log have the same few literals again and again.
    std::string lower;
    std::vector<int> seen;
    std::map<std::vector<int>, std::vector<int>> found = {};

    void add_atoms();
    void look_for_atoms(std::string_view line);
};

void PatternSet::Engine::add_atoms() {
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        may_start.set(start_slot(atoms[i].data()));
        if (atoms[i].size() < long_bytes) shorter.add(atoms[i], static_cast<int>(i));
        else longer.add(atoms[i], static_cast<int>(i));
    }
}

void PatternSet::Engine::look_for_atoms(std::string_view line) {
    seen.clear();
    set_lower(line, lower);
    if (lower.size() < short_bytes) return;
    char const* const begin = lower.data();
    char const* const end = begin + lower.size();
    for (char const* at = begin; at + short_bytes <= end; ++at) {
        if (!may_start.test(start_slot(at))) continue;
        std::string_view const rest(at, static_cast<std::size_t>(end - at));
        shorter.look(rest, seen);
        if (rest.size() >= long_bytes) longer.look(rest, seen);
    }
    if (seen.size() < 2) return;
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
}

PatternSet::PatternSet(std::vector<std::string> const& expressions)
    : engine_(std::make_unique<Engine>()) {
    for (auto const& expression : expressions) {
        int number = 0;
        if (engine_->filter.Add(expression, options(), &number) != RE2::NoError)
            throw Error("no RE2 expression: " + expression, {}, Exit::internal);
    }
    if (expressions.empty()) return;
    engine_->filter.Compile(&engine_->atoms);
    engine_->add_atoms();
    engine_->filter.AllPotentials({}, &engine_->without);
    std::ranges::sort(engine_->without);
}

PatternSet::~PatternSet() = default;

std::vector<int> const& PatternSet::candidates(std::string_view line) {
    constexpr std::size_t most_kept = 4096;
    auto& it = *engine_;
    it.look_for_atoms(line);
    if (it.seen.empty()) return it.without;
    if (it.found.size() >= most_kept) it.found.clear();
    auto const [kept, is_new] = it.found.try_emplace(it.seen);
    if (is_new) {
        it.filter.AllPotentials(it.seen, &kept->second);
        std::ranges::sort(kept->second);
    }
    return kept->second;
}

bool PatternSet::matches(int number, std::string_view line) const {
    return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()),
                             engine_->filter.GetRE2(number));
}

bool PatternSet::match(int number, std::string_view line, PatternMatch& match) const {
    auto const& expression = engine_->filter.GetRE2(number);
    constexpr int most_groups = 16;
    re2::StringPiece groups[most_groups];
    auto const count = std::min(expression.NumberOfCapturingGroups() + 1, most_groups);
    re2::StringPiece const text(line.data(), line.size());
    if (!expression.Match(text, 0, line.size(), RE2::UNANCHORED, groups, count)) return false;
    match.begin = static_cast<std::size_t>(groups[0].data() - line.data());
    match.end = match.begin + groups[0].size();
    match.said.clear();
    for (auto const& [number_of_group, name] : expression.CapturingGroupNames())
        if (number_of_group < count && !groups[number_of_group].empty())
            match.said.emplace_back(name, std::string(groups[number_of_group]));
    return true;
}

std::vector<int> const& PatternSet::without_literal() const {
    return engine_->without;
}

}  // namespace rocmtune
