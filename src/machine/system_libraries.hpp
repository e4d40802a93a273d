// SPDX-License-Identifier: MIT
// The libraries that root has chosen for every program: what ldconfig has listed in
// /etc/ld.so.cache, and the loader's default directories.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "machine/ld_cache.hpp"

namespace rocmtune {

class SystemLibraries {
  public:
    SystemLibraries();

    /// The files that a program may get for a name that is on no search path of its own.
    std::vector<std::string> files(std::string const& name) const;
    /// Whether they are looked for in this directory.
    bool are_in(std::string const& directory) const;

  private:
    std::vector<LdCacheEntry> entries_;
    std::set<std::string> directories_;  ///< links followed
};

/// Those of this machine, read once.
SystemLibraries const& system_libraries();

}  // namespace rocmtune
