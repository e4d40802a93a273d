// SPDX-License-Identifier: MIT
// What earlier scans found, in one file of the user's own cache directory. Whatever happens to that
// file, the worst is that libraries are scanned again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Time of change, size and build id of an open file, as one word. Leaves its offset alone.
std::string state_of(int fd);

class ReaderCache {
  public:
    /// Reads what was kept for exactly these names. An empty directory, or one that others can
    /// write, keeps nothing.
    ReaderCache(std::string directory, std::vector<std::string_view> const& names);

    std::optional<std::vector<std::string>> find(std::string const& path,
                                                 std::string const& state) const;
    void add(std::string const& path, std::string const& state,
             std::vector<std::string> const& names);
    /// Writes it if anything is new.
    void save() const;

  private:
    struct Entry {
        std::string state;
        std::vector<std::string> names;
    };

    /// The whole file, or nothing. Says in answers_ whether the directory answers.
    std::string kept_text();
    void write() const;

    std::string directory_;
    std::string header_;
    std::map<std::string, Entry> entries_ = {};
    bool is_new_ = false;
    bool answers_ = false;  ///< the directory, when it was read
};

}  // namespace rocmtune
