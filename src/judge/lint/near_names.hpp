// SPDX-License-Identifier: MIT
// The known name that a misspelt one was meant to be.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"

namespace rocmtune {

/// A text may have 100,000 misspelt names, and thousands are known: what is compared of each is
/// worked out once, when it is first asked for.
class NearNames {
  public:
    /// Names beyond this are compared with nothing.
    static constexpr std::size_t longest = 64;

    explicit NearNames(Catalogue const& catalogue) : catalogue_(catalogue) {}

    /// The name that is one slip away, or two from a name of 12 bytes or more. Of equally near ones
    /// that which the catalogue describes, since it is set most; then the first by the alphabet.
    /// Names that differ in their numbers alone are siblings, not misspellings. Threads may ask
    /// side by side.
    std::optional<std::string_view> nearest_to(std::string_view name) const;

  private:
    struct Known {
        std::uint64_t letters;
        std::string_view name;
        std::size_t rank;  ///< of two that are equally near, the lower one is meant
    };

    void read_names() const;

    Catalogue const& catalogue_;
    mutable std::once_flag once_ = {};
    /// By length. No longer one can be two slips away.
    mutable std::array<std::vector<Known>, longest + 3> by_length_ = {};
};

}  // namespace rocmtune
