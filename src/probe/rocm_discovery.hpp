// SPDX-License-Identifier: MIT
// Places where ROCm libraries lie on this host, each once, however many names lead there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "probe/listings.hpp"
#include "probe/loader.hpp"
#include "probe/python_environment.hpp"
#include "probe/rocm_library.hpp"
#include "probe/tried.hpp"

namespace rocmtune {

/// Word for `_sources` of what is read from ROCm installations.
inline constexpr std::string_view rocm_reader = "rocm";

/// One installation before it is described.
struct RocmPlace {
    std::string path;                   ///< resolved; holds lib/, or is the library directory
    std::string kind;                   ///< see RocmInstallation::kind
    std::vector<std::string> found_as;  ///< variables, links and files that lead here
    std::vector<std::string> library_directories;  ///< resolved
    LibraryScan libraries;
    std::string python_site;  ///< of a python-wheel: the directory that holds the package
    Tried unread;             ///< parts that could not be looked into
};

/// Looks at every usual place: variables, /opt, distribution directories, the loader's search path
/// and the active Python environment.
class RocmPlaces {
  public:
    RocmPlaces(HostRoot root, Listings& listings);

    void find(Loader const& loader, PythonEnvironment const& python);
    /// Sorted by path.
    std::vector<RocmPlace> const& all() const { return places_; }
    /// Why there could be more than was found.
    Tried const& doubts() const { return doubts_; }

  private:
    void add_variables();
    void add_opt();
    void add_distribution(std::string const& found_as);
    void add_loader_directories(Loader const& loader);
    void add_wheels(std::string const& directory);
    void note_search_path();
    void add_prefix(std::string const& prefix, std::string const& found_as,
                    std::string const& python_site = {});
    void add_library_directory(std::string const& directory, std::string const& found_as);
    void add_place(RocmPlace place, std::string const& found_as);
    bool scan_directory(std::string const& directory, RocmPlace& place, Tried& unread);
    bool has_version_file(std::string const& prefix);

    HostRoot root_;
    Listings& listings_;
    std::vector<RocmPlace> places_;
    Tried doubts_;
    std::size_t attempts_ = 0;
};

}  // namespace rocmtune
