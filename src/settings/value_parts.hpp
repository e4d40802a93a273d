// SPDX-License-Identifier: MIT
// Puts a value together of pieces, some of which only the running text knows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/assignment.hpp"

namespace rocmtune {

/// Beyond 64 KiB or 64 pieces nothing is known of a value: a chain of A=$A$A would double it with
/// every line.
class ValueParts {
  public:
    void add(std::string_view known);
    /// `text` as it stands there; may be empty.
    void add_unknown(std::string_view text);

    /// The value, if all of it is known.
    std::optional<std::string> whole() const;
    /// The pieces, if some are known and some are not; else none.
    std::vector<ValuePart> take();

  private:
    void add(std::string_view text, bool is_known);

    std::vector<ValuePart> parts_ = {};
    std::size_t size_ = 0;
    bool is_too_long_ = false;
};

/// A text in which $NAME, ${...} and `...` stand for something that is not known.
ValueParts value_parts(std::string_view text);

}  // namespace rocmtune
