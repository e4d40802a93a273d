// SPDX-License-Identifier: MIT
// ROCm libraries by their file names, and which file the dynamic loader opens for one, and why
// (ld.so(8), without RPATH and RUNPATH, which belong to single programs).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_root.hpp"
#include "machine/library_files.hpp"

namespace rocmtune {

/// The HIP runtime: what makes a directory an installation that programs can compute with.
inline constexpr std::string_view hip_library = "libamdhip64";

/// A file name taken apart: "libamdhip64.so.6.3.60300" is libamdhip64 of version 6.3.60300.
struct LibraryFile {
    std::string_view name;
    std::string_view version;  ///< what follows ".so."; empty for the bare name

    bool is_hip_runtime() const { return name == hip_library; }
    /// First number of the version, empty if there is none.
    std::string_view major() const { return version.substr(0, version.find('.')); }
};

/// Nothing for a file that is none of the ROCm libraries we know. Copies that auditwheel renamed
/// (libamdhip64-46b24d76.so.4.2.40200) count.
std::optional<LibraryFile> parse_library_file(std::string_view file);

/// What a list of file names holds.
struct LibraryScan {
    std::map<std::string, std::string> files;  ///< library -> the file with the highest version
    std::set<std::string> hip_majors;          ///< every major version of the HIP runtime
};

LibraryScan scan_libraries(std::span<std::string const> names);

/// Adds what `more` has and `scan` lacks.
void merge_libraries(LibraryScan& scan, LibraryScan const& more);

/// "/a/b/c" -> "/a/b"; "/" stays.
std::string parent_directory(std::string_view path);
/// "/a/b/c" -> "c".
std::string_view last_component(std::string_view path);

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
