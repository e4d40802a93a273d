// SPDX-License-Identifier: MIT
// Which environment variables a file can read: names of the catalogue that stand in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// What a file is, and so how names stand in it.
enum class ReaderFileKind : std::uint8_t {
    /// Names end where a text ends. Linkers merge a text with the end of a longer one, so a name
    /// may follow any other characters.
    library,
    python,  ///< names are whole words
};

/// A set of names to look for. The names have to outlive it.
class NameFinder {
  public:
    explicit NameFinder(std::vector<std::string_view> names);

    /// The names in a file, sorted. `read` fills a buffer and gives how many bytes it put there; 0
    /// ends the file. Memory is bounded, however long the file is.
    std::vector<std::string_view> find(
        ReaderFileKind kind, std::function<std::size_t(char*, std::size_t)> const& read) const;

    std::vector<std::string_view> const& names() const { return names_; }

  private:
    struct Ending {
        std::uint32_t bytes;  // the last four
        std::uint32_t name;   // place in names_
    };

    class Scan;

    std::vector<std::string_view> names_;  // sorted
    std::vector<Ending> endings_;          // sorted by bytes
    std::vector<bool> may_end_;            // by a hash of the last four bytes
};

}  // namespace rocmtune
