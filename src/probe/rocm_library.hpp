// SPDX-License-Identifier: MIT
// ROCm libraries by their file names: which one, which version, which of several.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace rocmtune
