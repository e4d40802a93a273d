// SPDX-License-Identifier: MIT
#include "probe/workers/answer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/dynamic_library.hpp"
#include "machine/library_files.hpp"
#include "machine/trusted_library.hpp"

namespace rocmtune {
namespace {

// Sonames by release: SOVERSION in the CMake files of ROCm/clr, rocm_smi_lib and amdsmi, tags 5.2
// to 7.0, and package names of Debian and Ubuntu. ROCm SMI's number follows a git tag that builders
// often lack, so 1 may hold any interface.
constexpr std::string_view hip_majors[] = {"7", "6", "5"};
constexpr std::string_view hsa_majors[] = {"1"};
constexpr std::string_view rocm_smi_majors[] = {"7", "6", "5", "1"};
constexpr std::string_view amd_smi_majors[] = {"27", "26", "25", "24", "23", "1"};

constexpr std::array prefix_variables{"ROCM_PATH", "HIP_PATH", "ROCM_HOME"};

/// Directories with installations, best first; a pattern's matches are tried newest first.
/// core-X.Y is where the packages of TheRock install.
constexpr std::array directory_patterns{"/opt/rocm/lib",
                                        "/opt/rocm/lib64",
                                        "/opt/rocm/core/lib",
                                        "/opt/rocm/core/lib64",
                                        "/opt/rocm-*/lib",
                                        "/opt/rocm-*/lib64",
                                        "/opt/rocm/core-*/lib",
                                        "/opt/rocm/core-*/lib64",
                                        "/usr/lib64/rocm/lib",
                                        "/usr/lib64/rocm/*/lib",
                                        "/usr/lib/*-linux-gnu",
                                        "/usr/lib64",
                                        "/usr/lib"};

/// The ROCm SDK as a Python package brings no link without a version and is on no search path.
constexpr std::string_view wheel_pattern = "/lib/python3*/site-packages/_rocm_sdk_core/lib";

/// The newest version first.
std::vector<std::string> matches(std::string const& pattern) {
    auto paths = glob_matches(pattern);
    std::sort(paths.begin(), paths.end(),
              [](auto const& a, auto const& b) { return natural_less(b, a); });
    return paths;
}

/// A path as a glob pattern that matches itself.
std::string quoted(std::string const& path) {
    std::string pattern;
    for (auto const c : path) {
        if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

/// Collects candidates, each file once.
class Candidates {
  public:
    explicit Candidates(RocmLibrary const& library) : library_(library) {}

    void add_name(std::string name) { list_.push_back(std::move(name)); }

    /// Files of one directory; false if it has none.
    bool add_directory(std::string const& directory, bool known_majors_first) {
        auto const stem = directory + '/' + std::string(library_.stem) + ".so";
        auto files = matches(quoted(stem) + "*");
        if (known_majors_first)
            for (auto const major : library_.majors) add_file(stem + '.' + std::string(major));
        // The bare name is a link of a development package: it says least.
        for (auto const& file : files)
            if (file != stem) add_file(file);
        add_file(stem);
        return !files.empty();
    }

    std::vector<std::string> take() { return std::exchange(list_, {}); }

  private:
    void add_file(std::string const& path) {
        std::error_code error;
        auto const real = std::filesystem::canonical(path, error);
        if (!error && seen_.insert(real.string()).second) list_.push_back(path);
    }

    RocmLibrary const& library_;
    std::vector<std::string> list_;
    std::set<std::string> seen_;
};

/// What ROCM_PATH and its like name. If nothing is there, one candidate remains, so that the answer
/// says that the variable leads nowhere.
void add_variables(RocmLibrary const& library, Candidates& candidates) {
    for (auto const* name : prefix_variables) {
        auto const prefix = secure_variable(name);
        if (!prefix.starts_with('/')) continue;
        bool const lib = candidates.add_directory(prefix + "/lib", true);
        bool const lib64 = candidates.add_directory(prefix + "/lib64", true);
        if (!lib && !lib64)
            candidates.add_name(prefix + "/lib/" + std::string(library.stem) + ".so");
    }
}

void add_loader_names(RocmLibrary const& library, Candidates& candidates) {
    auto const bare = std::string(library.stem) + ".so";
    for (auto const major : library.majors) candidates.add_name(bare + '.' + std::string(major));
    candidates.add_name(bare);
}

void add_usual_directories(Candidates& candidates) {
    auto const search_path = secure_variable("LD_LIBRARY_PATH");
    for (auto const directory : split(search_path, ':'))
        if (directory.starts_with('/')) candidates.add_directory(std::string(directory), false);
    for (auto const* pattern : directory_patterns)
        for (auto const& directory : matches(pattern)) candidates.add_directory(directory, false);
    auto const python = secure_variable("VIRTUAL_ENV");
    if (!python.starts_with('/')) return;
    for (auto const& directory : matches(quoted(python) + std::string(wheel_pattern)))
        candidates.add_directory(directory, false);
}

std::string real_file(std::string const& path) {
    std::error_code error;
    return std::filesystem::canonical(path, error).string();
}

/// The files that the loader may come to for a candidate where nothing is loaded yet.
std::set<std::string> files_of(std::string const& candidate) {
    std::set<std::string> files;
    if (candidate.find('/') != candidate.npos) {
        files.insert(real_file(candidate));
    } else {
        auto const search_path = secure_variable("LD_LIBRARY_PATH");
        for (auto const element : split_search_path(search_path, ":;"))
            for (auto const& directory :
                 searched_directories(element.empty() ? "." : std::string(element)))
                files.insert(real_file(directory + '/' + candidate));
        for (auto const& file : system_libraries().files(candidate)) files.insert(real_file(file));
    }
    files.erase(std::string());
    return files;
}

/// Those of the first candidate that leads anywhere.
std::set<std::string> first_files(std::vector<std::string> const& candidates) {
    for (auto const& candidate : candidates)
        if (auto files = files_of(candidate); !files.empty()) return files;
    return {};
}

}  // namespace

RocmLibrary const hip_runtime{"libamdhip64", "ROCMTUNE_LIBAMDHIP64", hip_majors};
RocmLibrary const hip_compiler{"libhiprtc", "ROCMTUNE_LIBHIPRTC", hip_majors};
RocmLibrary const hsa_runtime{"libhsa-runtime64", "ROCMTUNE_LIBHSA_RUNTIME64", hsa_majors};
RocmLibrary const rocm_smi{"librocm_smi64", "ROCMTUNE_LIBROCM_SMI64", rocm_smi_majors};
RocmLibrary const amd_smi{"libamd_smi", "ROCMTUNE_LIBAMD_SMI", amd_smi_majors};

std::vector<std::string> library_candidates(RocmLibrary const& library) {
    auto all = named_candidates(library);
    auto listed = listed_candidates(library);
    std::move(listed.begin(), listed.end(), std::back_inserter(all));
    return all;
}

std::vector<std::string> named_candidates(RocmLibrary const& library) {
    if (auto only = secure_variable(library.variable.data()); !only.empty())
        return {std::move(only)};
    Candidates candidates(library);
    add_variables(library, candidates);
    add_loader_names(library, candidates);
    return candidates.take();
}

std::vector<std::string> listed_candidates(RocmLibrary const& library) {
    if (!secure_variable(library.variable.data()).empty()) return {};
    Candidates candidates(library);
    add_variables(library, candidates);
    (void)candidates.take();  // it remembers the files that these lead to
    add_usual_directories(candidates);
    return candidates.take();
}

std::vector<std::string> companion_candidates(RocmLibrary const& library,
                                              std::string const& directory) {
    if (auto only = secure_variable(library.variable.data()); !only.empty())
        return {std::move(only)};
    Candidates candidates(library);
    candidates.add_directory(directory, true);
    return candidates.take();
}

std::string why_not_here(RocmLibrary const& library) {
    auto const loaded = loaded_files_of(library.stem);
    if (loaded.empty()) return {};
    // What $LIB and the like mean in a search path is known to the loader alone.
    bool const is_known = secure_variable("LD_LIBRARY_PATH").find('$') == std::string::npos;
    auto files = first_files(named_candidates(library));
    if (files.empty()) files = first_files(listed_candidates(library));
    if (is_known && files.size() == 1 && loaded == std::vector(files.begin(), files.end()))
        return {};
    return fmt::format("{} is loaded by another library", loaded.front());
}

std::string_view major_of(std::string_view file) {
    constexpr std::string_view mark = ".so.";
    auto const at = file.rfind(mark);
    if (at == file.npos) return {};
    auto const version = file.substr(at + mark.size());
    return version.substr(0, version.find('.'));
}

}  // namespace rocmtune
