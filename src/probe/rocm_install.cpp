// SPDX-License-Identifier: MIT
// Reader `rocm`: every ROCm installation, and the HIP runtime that programs get.
#include <algorithm>
#include <set>

#include "probe/loader.hpp"
#include "probe/readers.hpp"
#include "probe/rocm_discovery.hpp"
#include "probe/rocm_version.hpp"

namespace rocmtune {
namespace {

struct NaturalLess {
    bool operator()(std::string const& a, std::string const& b) const { return natural_less(a, b); }
};

bool has_hip(RocmPlace const& place) {
    return place.libraries.files.contains(std::string(hip_library));
}

bool brings_rocm(std::string_view package) {
    return package == "torch" || package == "rocm-sdk-core" || package == "rocm-sdk-devel";
}

/// Strings from the file system are printed, so none may hold control characters.
std::vector<std::string> printable_all(std::vector<std::string> const& texts) {
    std::vector<std::string> result;
    for (auto const& text : texts) result.push_back(printable(text));
    return result;
}

/// Why programs get no HIP runtime although some place may have one.
std::string explain_absence(Loader const& loader, std::vector<RocmPlace> const& places) {
    auto const outside = std::find_if(places.begin(), places.end(), [](RocmPlace const& place) {
        return has_hip(place) && place.kind != "python-wheel";
    });
    if (outside != places.end()) {
        auto const& names = outside->found_as;
        bool const linked = std::find(names.begin(), names.end(), "/opt/rocm") != names.end();
        return "not found by the loader: " +
               loader.why_not(linked ? "/opt/rocm/lib" : outside->library_directories.front());
    }
    bool const in_wheel = std::any_of(places.begin(), places.end(), has_hip);
    return in_wheel ? "not found by the loader: only Python packages have one, for their own use"
                    : "no HIP runtime (libamdhip64) is installed";
}

/// What the loader takes for the newest major version, and for programs linked with older ones.
std::optional<LoaderChoice> choose_hip_runtime(Loader const& loader) {
    std::optional<LoaderChoice> chosen;
    for (auto const& soname : loader.sonames(hip_library)) {
        auto const choice = loader.find(soname);
        if (!choice) continue;
        bool const is_bare = parse_library_file(soname)->version.empty();
        if (!chosen) chosen = choice;
        else if (!is_bare)
            chosen->reason += "; programs linked with " + soname + " get " + choice->path;
    }
    return chosen;
}

void state_hip_runtime(std::optional<LoaderChoice> const& chosen, Loader const& loader,
                       std::vector<RocmPlace> const& places, Host& host) {
    if (chosen) {
        Source const source{rocm_reader, printable(chosen->source)};
        host.hip_runtime_path.offer(printable(chosen->path), source);
        host.hip_runtime_reason.offer(printable(chosen->reason), source);
        return;
    }
    auto const known = loader.is_recorded();
    auto const why = known ? explain_absence(loader, places)
                           : "neither /etc/ld.so.cache nor /etc/ld.so.conf is in the tree";
    auto const reason = known ? Missing::absent : Missing::not_recorded;
    host.hip_runtime_path.miss(reason, why);
    if (known && std::any_of(places.begin(), places.end(), has_hip))
        host.hip_runtime_reason.offer(why, {rocm_reader, "/etc/ld.so.conf"});
    else host.hip_runtime_reason.miss(reason, why);
}

void state_majors(HostRoot const& root, std::vector<RocmPlace> const& places, Host& host) {
    std::set<std::string, NaturalLess> majors;
    std::string where;
    for (auto const& place : places) {
        auto const found = hip_majors_of(root, place);
        if (where.empty() && !found.empty()) where = place.path;
        majors.insert(found.begin(), found.end());
    }
    if (majors.empty())
        return host.hip_runtime_majors.miss(Missing::absent, "no versioned HIP runtime was found");
    host.hip_runtime_majors.offer({majors.begin(), majors.end()}, {rocm_reader, printable(where)});
}

/// Whether the loader's choice lies in this place, links followed.
bool holds(HostRoot const& root, RocmPlace const& place, LoaderChoice const& chosen) {
    auto const target = root.resolve(chosen.path);
    auto const& directories = place.library_directories;
    return target && std::find(directories.begin(), directories.end(), parent_directory(*target)) !=
                         directories.end();
}

void state_installations(RocmPlaces const& places, std::vector<RocmInstallation> installations,
                         Host& host) {
    auto const& doubts = places.doubts();
    auto& all = host.rocm_installations;
    Source where{rocm_reader, installations.empty() ? "/opt" : installations.front().path};
    // Trees hold some of a host's directories: what is not recorded limits nothing that is.
    if (installations.empty() || doubts.reason() != Missing::not_recorded)
        return doubts.offer(all, std::move(installations), std::move(where));
    all.offer(std::move(installations), std::move(where));
}

}  // namespace

void read_rocm_installations(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    Listings listings(root);
    Loader const loader(root, listings);
    auto const python = find_python_environment(root);
    RocmPlaces places(root, listings);
    places.find(loader, python);
    auto const packages = find_python_packages(root, listings, python, brings_rocm);
    auto const chosen = choose_hip_runtime(loader);
    std::vector<RocmInstallation> installations;
    for (auto const& place : places.all()) {
        RocmInstallation installation;
        installation.path = printable(place.path);
        installation.kind = place.kind;
        installation.found_as = printable_all(place.found_as);
        installation.version = rocm_version_of(root, listings, place, packages);
        installation.libraries = place.libraries.files;
        installation.selected = chosen && holds(root, place, *chosen);
        installations.push_back(std::move(installation));
    }
    state_hip_runtime(chosen, loader, places.all(), host);
    state_majors(root, places.all(), host);
    state_installations(places, std::move(installations), host);
}

}  // namespace rocmtune
