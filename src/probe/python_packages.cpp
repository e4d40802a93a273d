// SPDX-License-Identifier: MIT
// Installed Python packages by their metadata: *.dist-info (PEP 376), *.egg-info, *.egg-link.
#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "probe/python_environment.hpp"
#include "probe/python_metadata.hpp"
#include "probe/rocm_library.hpp"

namespace rocmtune {
namespace {

/// Packages that fit the wanted names in all sites together; an environment has a few dozen.
constexpr std::size_t package_limit = 1024;

struct Found {
    MetadataEntry entry;
    std::string path;       ///< of the entry
    std::string directory;  ///< where the modules lie
    std::string site;
};

/// The version in the metadata file; where that cannot be read, the one in the entry's name.
Text version_of(HostRoot const& root, Found const& found) {
    auto file = found.path;
    if (found.entry.kind == MetadataEntry::Kind::dist_info) file += "/METADATA";
    else if (auto const status = root.status(file); status && status->kind == 'd')
        file += "/PKG-INFO";
    Text version;
    auto const text = root.read(file);
    auto const stated = text ? parse_package_metadata(*text).version : std::string_view();
    if (is_python_version(stated)) {
        version.offer(std::string(stated), {python_reader, printable(file) + ":Version"});
    } else if (is_python_version(found.entry.version)) {
        version.offer(std::string(found.entry.version), {python_reader, printable(found.path)});
    } else if (!text) {
        version.miss(text.reason, text.detail);
    } else {
        version.miss(Missing::invalid, printable(file) + ": no version");
    }
    return version;
}

/// A development install: the file's first line is the directory of the sources, where the
/// egg-info lies (setuptools, "Development Mode").
std::optional<Found> follow_egg_link(HostRoot const& root, Found const& link) {
    auto const text = root.read(link.path);
    if (!text) return std::nullopt;
    auto const directory = std::string(trim(text->substr(0, text->find('\n'))));
    if (!directory.starts_with('/')) return std::nullopt;
    auto const names = root.list(directory);
    if (!names) return std::nullopt;
    for (auto const& name : *names) {
        auto const entry = parse_metadata_entry(name);
        if (entry && entry->kind == MetadataEntry::Kind::egg_info && entry->name == link.entry.name)
            return Found{*entry, directory + '/' + name, directory, link.site};
    }
    return std::nullopt;
}

using Packages = std::map<std::string, PythonPackage>;

void add_package(HostRoot const& root, Found found, Packages& packages) {
    bool const is_link = found.entry.kind == MetadataEntry::Kind::egg_link;
    auto const known = packages.find(found.entry.name);
    // Within one site the later name is the higher version: pip left the older one behind.
    bool const hidden = known != packages.end() && (is_link || known->second.site != found.site);
    if (hidden || packages.size() >= package_limit) return;
    if (is_link) {
        auto target = follow_egg_link(root, found);
        if (!target) return;
        found = std::move(*target);
    }
    auto version = version_of(root, found);
    packages[found.entry.name] = {found.entry.name, std::move(version), found.directory,
                                  found.site};
}

}  // namespace

std::vector<PythonPackage> find_python_packages(HostRoot const& root, Listings& listings,
                                                PythonEnvironment const& environment,
                                                bool (*wanted)(std::string_view)) {
    Packages packages;
    for (auto const& site : environment.sites) {
        auto const& names = listings.names(site);
        if (!names) continue;
        for (auto const& name : *names) {
            auto entry = parse_metadata_entry(name);
            if (entry && wanted(entry->name))
                add_package(root, {std::move(*entry), site + '/' + name, site, site}, packages);
        }
    }
    std::vector<PythonPackage> result;
    for (auto& [name, package] : packages) result.push_back(std::move(package));
    return result;
}

}  // namespace rocmtune
