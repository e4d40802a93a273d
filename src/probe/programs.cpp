// SPDX-License-Identifier: MIT
// Reader `programs`: which of the programs that next steps call are here; and `python-needs`: what
// the packages of the active Python environment ask of others.
#include <algorithm>

#include <fmt/format.h>

#include "probe/loader.hpp"
#include "probe/python_environment.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view programs_reader = "programs";
constexpr std::string_view path_of_root = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin";

/// amd-ttm is of AMD's amd-debug-tools.
constexpr std::string_view program_names[] = {"amd-ttm", "apt",  "dnf",    "docker",     "grubby",
                                              "pip",     "pipx", "podman", "rpm-ostree", "uv"};

std::vector<std::string> directories_of(HostRoot const& root) {
    constexpr std::size_t most = 64;
    std::vector<std::string> there;
    auto const path = root.environment_value("PATH").value_or(std::string(path_of_root));
    for (auto const directory : split(path, ':'))
        if (directory.starts_with('/') && there.size() < most && root.exists(directory))
            there.emplace_back(directory);
    return there;
}

// ---- what packages ask for ----------------------------------------------------------------------

bool is_anything(std::string_view) {
    return true;
}

PackageNeeds needs_of(HostRoot const& root, PythonPackage const& package) {
    constexpr std::size_t longest = 300;
    PackageNeeds needs{.name = printable(package.name), .version = package.version.value_or("")};
    auto const text = root.read(package.metadata);
    if (!text) {
        needs.unread = text.detail;
        return needs;
    }
    if (parse_package_metadata(*text).name.empty())
        needs.unread = printable(package.metadata) + ": no name";
    for (auto const requirement : requirements_in(*text))
        if (requirement.size() <= longest && is_gpu_framework(required_name(requirement)))
            needs.requirements.push_back(printable(requirement));
    return needs;
}

}  // namespace

void read_programs(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    auto const directories = directories_of(root);
    if (directories.empty())
        return host.programs.miss(Missing::not_recorded, "no directory of PATH is there");
    std::vector<std::string> found;
    for (auto const name : program_names)
        if (std::ranges::any_of(directories, [&](std::string const& directory) {
                return root.exists(fmt::format("{}/{}", directory, name));
            }))
            found.emplace_back(name);
    // A recording or composed host may not show the folders' programs at all.
    if (found.empty()) return host.programs.miss(Missing::absent, "none of them is on PATH");
    host.programs.offer(std::move(found), {programs_reader, "PATH"});
}

void read_python_needs(ProbeContext const& context, Host& host) {
    auto const environment = find_python_environment(context.root);
    if (!environment.prefix)
        return host.python_needs.miss(environment.prefix.reason(), environment.prefix.detail());
    Listings listings(context.root);
    std::vector<PackageNeeds> all;
    for (auto const& package :
         find_python_packages(context.root, listings, environment, is_anything)) {
        auto needs = needs_of(context.root, package);
        if (!needs.requirements.empty() || !needs.unread.empty()) all.push_back(std::move(needs));
    }
    host.python_needs.offer(std::move(all), {python_reader, environment.prefix.source().where});
}

}  // namespace rocmtune
