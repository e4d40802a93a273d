// SPDX-License-Identifier: MIT
#include "judge/lint/near_names.hpp"

#include <algorithm>

namespace rocmtune {
namespace {

/// Which characters a name has (lower half) and which it has twice (upper half), a bit for each of
/// 32 classes. One slip takes at most one character away and brings one in: it changes two bits at
/// most.
std::uint64_t letters_of(std::string_view name) {
    std::uint32_t once = 0;
    std::uint32_t twice = 0;
    for (auto const c : name) {
        auto const bit = std::uint32_t{1} << (static_cast<unsigned char>(c) % 32);
        twice |= once & bit;
        once |= bit;
    }
    return std::uint64_t{twice} << 32 | once;
}

/// Without std::popcount(), which is a call where the processor's own instruction may be missing.
bool has_more_bits(std::uint64_t word, std::size_t most) {
    for (; word != 0; word &= word - 1)
        if (most-- == 0) return true;
    return false;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Whether the names are equal without their digits.
bool are_siblings(std::string_view a, std::string_view b) {
    auto one = a.begin();
    auto other = b.begin();
    for (;;) {
        one = std::find_if_not(one, a.end(), is_digit);
        other = std::find_if_not(other, b.end(), is_digit);
        if (one == a.end() || other == b.end()) return one == a.end() && other == b.end();
        if (*one++ != *other++) return false;
    }
}

/// edit_distance() to one name of at most 64 bytes: a column of its matrix is the bits of a word
/// (H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
/// Nordic Journal of Computing 10, 2003).
class DistanceTo {
  public:
    explicit DistanceTo(std::string_view name) : size_(name.size()) {
        for (std::size_t i = 0; i < name.size(); ++i) places(name[i]) |= std::uint64_t{1} << i;
    }

    /// `size_` must not be 0.
    std::size_t from(std::string_view other) {
        auto const last = std::uint64_t{1} << (size_ - 1);
        // Where the value below is larger by one, where it is smaller, and where the diagonal
        // stays.
        std::uint64_t larger = ~std::uint64_t{0}, smaller = 0, equal = 0, before = 0;
        auto distance = size_;
        for (auto const c : other) {
            auto const here = places(c);
            auto const swapped = ((~equal & here) << 1) & before;
            equal = (((here & larger) + larger) ^ larger) | here | smaller | swapped;
            auto right_larger = smaller | ~(equal | larger);
            auto right_smaller = equal & larger;
            if ((right_larger & last) != 0) ++distance;
            if ((right_smaller & last) != 0) --distance;
            right_larger = right_larger << 1 | 1;
            right_smaller <<= 1;
            larger = right_smaller | ~(equal | right_larger);
            smaller = right_larger & equal;
            before = here;
        }
        return distance;
    }

  private:
    std::uint64_t& places(char c) { return places_[static_cast<unsigned char>(c)]; }

    std::size_t size_;
    std::array<std::uint64_t, 256> places_ = {};  ///< of each byte in the name
};

}  // namespace

std::optional<std::string_view> NearNames::nearest_to(std::string_view name) const {
    constexpr std::size_t long_name = 12;
    if (name.empty() || name.size() > longest) return std::nullopt;
    std::call_once(once_, [this] { read_names(); });
    std::size_t limit = name.size() >= long_name ? 2 : 1;
    auto const letters = letters_of(name);
    DistanceTo distance(name);
    Known const* best = nullptr;
    for (auto size = name.size() - std::min(name.size(), limit); size <= name.size() + limit;
         ++size)
        for (auto const& known : by_length_[size]) {
            // This saves the long way for nearly all of thousands of names.
            if (has_more_bits(letters ^ known.letters, 2 * limit)) continue;
            auto const found = distance.from(known.name);
            if (found > limit || are_siblings(name, known.name)) continue;
            if (best != nullptr && found == limit && best->rank < known.rank) continue;
            best = &known;
            limit = found;
        }
    return best != nullptr ? std::optional(best->name) : std::nullopt;
}

void NearNames::read_names() const {
    std::size_t rank = 0;
    auto const add = [&](std::string_view name) {
        if (name.size() < by_length_.size())
            by_length_[name.size()].push_back({letters_of(name), name, rank++});
    };
    for (auto const& variable : catalogue_.all())
        if (variable.kind == "environment") add(variable.name);
    for (auto const known : catalogue_.names().all()) add(known);
}

}  // namespace rocmtune
