// SPDX-License-Identifier: MIT
// Places where ROCm libraries lie on this host, each once, however many names lead there, and
// which version each is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/loader.hpp"
#include "probe/python_environment.hpp"
#include "probe/tried.hpp"
#include "rocmtune/gpu.hpp"

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

/// A package of Debian's database.
struct DebianPackage {
    std::string_view name;
    std::string_view version;
};

/// The installed package with the highest version among those whose name is `stem` and a number
/// (libamdhip64-5), in the text of /var/lib/dpkg/status.
std::optional<DebianPackage> find_debian_package(std::string_view status, std::string_view stem);

/// States the version of a place, or why it has none: .info/version*, the name of the directory,
/// the package database or the wheel's metadata, last the version in the library's file name.
Text rocm_version_of(HostRoot const& root, Listings& listings, RocmPlace const& place,
                     std::vector<PythonPackage> const& packages);

/// Major versions of the HIP runtime in a place. Wheels of torch bundle it without a version in
/// its name; there torch/version.py tells.
std::set<std::string> hip_majors_of(HostRoot const& root, RocmPlace const& place);

}  // namespace rocmtune
