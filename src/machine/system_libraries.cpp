// SPDX-License-Identifier: MIT
#include "machine/system_libraries.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace rocmtune {
namespace {

/// Empty if it leads nowhere.
std::string canonical(std::string const& path) {
    std::error_code ignored;
    return std::filesystem::canonical(path, ignored).string();
}

}  // namespace

SystemLibraries::SystemLibraries() {
    std::ifstream file(std::string(ld_cache_path), std::ios::binary);
    auto const bytes = (std::ostringstream() << file.rdbuf()).str();
    entries_ = parse_ld_cache(bytes).value_or(std::vector<LdCacheEntry>());
    std::set<std::string> named(default_library_directories.begin(),
                                default_library_directories.end());
    for (auto const& entry : entries_) named.insert(entry.path.substr(0, entry.path.rfind('/')));
    for (auto const& directory : named)
        if (auto real = canonical(directory); !real.empty()) directories_.insert(std::move(real));
}

std::vector<std::string> SystemLibraries::files(std::string const& name) const {
    std::vector<std::string> found;
    for (auto const& entry : entries_)
        if (entry.name == name) found.push_back(entry.path);
    if (!found.empty()) return found;  // the loader looks into the directories last
    for (auto const directory : default_library_directories) {
        std::error_code ignored;
        auto path = fmt::format("{}/{}", directory, name);
        if (std::filesystem::exists(path, ignored)) found.push_back(std::move(path));
    }
    return found;
}

bool SystemLibraries::are_in(std::string const& directory) const {
    return directories_.count(canonical(directory)) != 0;
}

SystemLibraries const& system_libraries() {
    static SystemLibraries const libraries;
    return libraries;
}

}  // namespace rocmtune
