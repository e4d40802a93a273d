// SPDX-License-Identifier: MIT
// Listings: several questions about one directory cost one listing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "machine/host_root.hpp"

namespace rocmtune {

/// The directories that one reader has listed so far.
class Listings {
  public:
    explicit Listings(HostRoot root) : root_(std::move(root)) {}

    Answer<std::vector<std::string>> const& names(std::string const& directory) {
        auto const known = answers_.find(directory);
        if (known != answers_.end()) return known->second;
        return answers_.emplace(directory, root_.list(directory)).first->second;
    }

  private:
    HostRoot root_;
    std::map<std::string, Answer<std::vector<std::string>>> answers_;
};

}  // namespace rocmtune
