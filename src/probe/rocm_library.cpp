// SPDX-License-Identifier: MIT
// ROCm libraries by their file names.
#include "probe/rocm_library.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

/// What diagnosis and tuning ask about: runtime, compiler, monitoring, math, communication.
constexpr std::array<std::string_view, 17> known_libraries{
    hip_library,  "libhiprtc",    "libhsa-runtime64", "libamd_comgr", "librocm_smi64", "libamd_smi",
    "librocblas", "libhipblaslt", "libhipblas",       "librocsolver", "librocsparse",  "librocfft",
    "librocrand", "libMIOpen",    "libmigraphx",      "librccl",      "librocdxg"};

/// Major versions that are kept; real hosts have two or three.
constexpr std::size_t major_limit = 16;

/// auditwheel inserts the first eight hexadecimal digits of a checksum into the name.
std::string_view without_checksum(std::string_view stem) {
    constexpr std::size_t suffix = 9;
    if (stem.size() <= suffix || stem[stem.size() - suffix] != '-') return stem;
    auto const digits = stem.substr(stem.size() - suffix + 1);
    if (!is_lower_hexadecimal(digits)) return stem;
    return stem.substr(0, stem.size() - suffix);
}

}  // namespace

std::optional<LibraryFile> parse_library_file(std::string_view file) {
    constexpr std::string_view suffix = ".so";
    auto const at = file.find(suffix);
    if (at == file.npos || !file.starts_with("lib")) return std::nullopt;
    auto const name = without_checksum(file.substr(0, at));
    auto const known = std::find(known_libraries.begin(), known_libraries.end(), name);
    if (known == known_libraries.end()) return std::nullopt;
    auto version = file.substr(at + suffix.size());
    if (version.empty()) return LibraryFile{*known, {}};
    bool const numbers = version.find_first_not_of(".0123456789") == version.npos;
    if (version[0] != '.' || version.size() < 2 || !numbers) return std::nullopt;
    version.remove_prefix(1);
    return LibraryFile{*known, version};
}

LibraryScan scan_libraries(std::span<std::string const> names) {
    LibraryScan scan;
    std::map<std::string_view, std::string_view> versions;
    for (auto const& name : names) {
        auto const file = parse_library_file(name);
        if (!file) continue;
        auto const [best, is_new] = versions.try_emplace(file->name, file->version);
        if (is_new || natural_less(best->second, file->version)) {
            best->second = file->version;
            scan.files[std::string(file->name)] = name;
        }
        bool const counts = file->is_hip_runtime() && !file->version.empty();
        if (counts && scan.hip_majors.size() < major_limit)
            scan.hip_majors.insert(std::string(file->major()));
    }
    return scan;
}

void merge_libraries(LibraryScan& scan, LibraryScan const& more) {
    scan.files.insert(more.files.begin(), more.files.end());
    scan.hip_majors.insert(more.hip_majors.begin(), more.hip_majors.end());
}

std::string parent_directory(std::string_view path) {
    auto const end = path.rfind('/');
    if (end == path.npos || end == 0) return "/";
    return std::string(path.substr(0, end));
}

std::string_view last_component(std::string_view path) {
    auto const end = path.rfind('/');
    return end == path.npos ? path : path.substr(end + 1);
}

}  // namespace rocmtune
