// SPDX-License-Identifier: MIT
// Which file the dynamic loader opens for a library name, and why (ld.so(8), without RPATH and
// RUNPATH, which belong to single programs).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_root.hpp"
#include "machine/ld_cache.hpp"
#include "probe/listings.hpp"

namespace rocmtune {

/// The file that the loader opens.
struct LoaderChoice {
    std::string path;    ///< as the loader names it; links are not followed
    std::string reason;  ///< in words: "listed in /etc/ld.so.conf.d/rocm.conf"
    std::string source;  ///< the file or variable that leads there
};

/// The search path of this host and process: LD_LIBRARY_PATH, the cache, default directories.
/// Where no cache can be read, as in many captures, ld.so.conf stands in for it: that is what the
/// cache is made from.
class Loader {
  public:
    Loader(HostRoot root, Listings& listings);

    /// Names under which programs could ask for a library, newest major version first, the bare
    /// name last; only names that some searched place has.
    std::vector<std::string> sonames(std::string_view library) const;
    std::optional<LoaderChoice> find(std::string const& soname) const;
    /// A directory that the loader searches.
    struct Directory {
        std::string path;
        std::string named_in;  ///< the variable or file that names it
    };
    /// Directories outside the default ones that the loader searches or has ROCm libraries from.
    std::vector<Directory> directories() const;
    /// Why the loader does not look into a directory that has the library.
    std::string why_not(std::string const& directory) const;
    /// Whether the tree says anything about the loader at all; if not, `find` knows nothing.
    bool is_recorded() const { return recorded_; }

  private:
    void read_library_path();
    void read_cache();
    void read_configuration(std::string const& file, int depth);
    void include(std::string const& pattern, int depth);
    bool is_file(std::string const& path) const;
    LdCacheEntry const* cached(std::string_view soname) const;
    std::string const* naming_file(std::string const& directory) const;
    LoaderChoice configured_choice(std::string const& directory, std::string const& path) const;
    std::vector<std::string> searched_directories() const;

    HostRoot root_;
    Listings& listings_;
    std::vector<std::string> library_path_;
    std::optional<std::vector<LdCacheEntry>> cache_;
    bool cache_is_damaged_ = false;
    bool recorded_ = true;
    std::vector<Directory> configured_;
    std::set<std::string> read_files_;
};

}  // namespace rocmtune
