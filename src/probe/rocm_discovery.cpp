// SPDX-License-Identifier: MIT
// Places where ROCm libraries lie. What makes two names one place is the directory that the HIP
// runtime (or else the library directory) resolves to: /opt/rocm, /etc/alternatives/rocm and the
// old /opt/rocm/hip all end at the same files.
#include "probe/rocm_discovery.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Real hosts have a few; more would only make the report unreadable.
constexpr std::size_t place_limit = 64;
constexpr std::size_t attempt_limit = 512;
constexpr std::size_t name_limit = 16;
constexpr std::size_t module_limit = 64;

constexpr std::array<std::string_view, 3> prefix_variables{"ROCM_PATH", "HIP_PATH", "ROCM_HOME"};

/// Debian and Ubuntu use the multiarch directories, Fedora, SUSE and Gentoo lib64.
constexpr std::array<std::string_view, 6> distribution_directories{"/usr/lib/x86_64-linux-gnu",
                                                                   "/usr/lib/aarch64-linux-gnu",
                                                                   "/usr/lib/powerpc64le-linux-gnu",
                                                                   "/usr/lib64",
                                                                   "/usr/lib64/rocm/lib",
                                                                   "/usr/lib"};

/// Fedora's per-family builds of the math libraries: /usr/lib64/rocm/gfx942/lib.
constexpr std::string_view fedora_modules = "/usr/lib64/rocm";

bool is_library_directory_name(std::string_view path) {
    return last_component(path) == "lib" || last_component(path) == "lib64";
}

/// The directory that ROCM_PATH would name for these libraries.
std::string prefix_of(std::string const& library_directory) {
    bool const of_distribution =
        std::find(distribution_directories.begin(), distribution_directories.end(),
                  library_directory) != distribution_directories.end();
    if (of_distribution) return "/usr";
    return is_library_directory_name(library_directory) ? parent_directory(library_directory)
                                                        : library_directory;
}

std::string kind_of(RocmPlace const& place) {
    if (!place.python_site.empty()) return "python-wheel";
    if (place.path == "/usr" || place.path.starts_with("/usr/lib")) return "distribution";
    if (!place.path.starts_with("/opt/rocm")) return "other";
    return last_component(place.path).starts_with("core") ? "core" : "opt";
}

bool is_named(std::string_view name, std::string_view stem) {
    return name == stem || (name.starts_with(stem) && name[stem.size()] == '-');
}

void add_unique(std::vector<std::string>& list, std::string const& text) {
    bool const known = std::find(list.begin(), list.end(), text) != list.end();
    if (!known && list.size() < name_limit) list.push_back(text);
}

}  // namespace

RocmPlaces::RocmPlaces(HostRoot root, Listings& listings)
    : root_(std::move(root)), listings_(listings) {}

void RocmPlaces::find(Loader const& loader, PythonEnvironment const& python) {
    for (auto const& site : python.sites) add_wheels(site);
    add_variables();
    add_opt();
    add_distribution({});
    add_loader_directories(loader);
    note_search_path();
    std::sort(places_.begin(), places_.end(),
              [](auto const& a, auto const& b) { return natural_less(a.path, b.path); });
}

void RocmPlaces::add_variables() {
    for (auto const name : prefix_variables) {
        auto const value = root_.environment_value(name).value_or("");
        if (!value.starts_with('/')) continue;
        if (root_.resolve(value).value == "/usr") add_distribution(std::string(name));
        else add_prefix(value, std::string(name));
    }
}

void RocmPlaces::add_opt() {
    auto const& opt = listings_.names("/opt");
    if (!opt) return doubts_.add(opt);
    for (auto const& name : *opt) {
        if (!is_named(name, "rocm")) continue;
        auto const prefix = "/opt/" + name;
        add_prefix(prefix, prefix);
        // Packages of TheRock: /opt/rocm/core -> core-7.12.
        auto const& inner = listings_.names(prefix);
        if (!inner) continue;
        for (auto const& part : *inner)
            if (is_named(part, "core")) add_prefix(prefix + '/' + part, prefix + '/' + part);
    }
}

void RocmPlaces::add_distribution(std::string const& found_as) {
    for (auto const directory : distribution_directories)
        add_library_directory(std::string(directory), found_as);
    auto const place = std::find_if(places_.begin(), places_.end(),
                                    [](auto const& p) { return p.path == "/usr"; });
    auto const& modules = listings_.names(std::string(fedora_modules));
    if (place == places_.end() || !modules) return;
    for (std::size_t i = 0; i < std::min(modules->size(), module_limit); ++i) {
        auto const lib = fmt::format("{}/{}/lib", fedora_modules, (*modules)[i]);
        if (auto const& names = listings_.names(lib))
            merge_libraries(place->libraries, scan_libraries(*names));
    }
}

void RocmPlaces::add_loader_directories(Loader const& loader) {
    for (auto const& directory : loader.directories())
        add_library_directory(directory.path, directory.named_in);
}

/// Wheels of the ROCm SDK (TheRock), and the libraries that torch wheels bring along.
void RocmPlaces::add_wheels(std::string const& directory) {
    auto const site = root_.resolve(directory).value.value_or(directory);
    auto const& names = listings_.names(site);
    if (!names) return;
    LibraryScan math;  // the SDK has them in wheels of their own, to be used with its core
    for (auto const& name : *names) {
        bool const is_sdk =
            name.starts_with("_rocm_sdk_core") || name.starts_with("_rocm_sdk_devel");
        if (is_sdk || name == "torch") add_prefix(site + '/' + name, {}, site);
        if (!name.starts_with("_rocm_sdk_libraries")) continue;
        if (auto const& files = listings_.names(site + '/' + name + "/lib"))
            merge_libraries(math, scan_libraries(*files));
    }
    for (auto& place : places_)
        if (place.python_site == site && last_component(place.path).starts_with("_rocm_sdk_core"))
            merge_libraries(place.libraries, math);
}

/// PATH decides which tools run; it only names places, it does not make any.
void RocmPlaces::note_search_path() {
    auto const path = root_.environment_value("PATH").value_or("");
    std::size_t tried = 0;
    for (auto const directory : split(path, ':')) {
        bool const is_bin = directory.starts_with('/') && last_component(directory) == "bin";
        if (!is_bin || ++tried > attempt_limit) continue;
        auto const prefix = root_.resolve(parent_directory(directory));
        if (prefix.reason == Missing::timeout) doubts_.add(prefix);
        for (auto& place : places_)
            if (prefix && place.path == *prefix && place.kind != "distribution")
                add_unique(place.found_as, "PATH");
    }
}

/// Takes the libraries of a directory, and says whether it has any. A directory whose HIP runtime
/// is a link stands for the directory that the link leads to.
bool RocmPlaces::scan_directory(std::string const& directory, RocmPlace& place, Tried& unread) {
    auto const target = root_.resolve(directory);
    auto const& names = listings_.names(target.value.value_or(directory));
    if (!names) {
        if (names.reason != Missing::absent) unread.add(names);
        return false;
    }
    auto scan = scan_libraries(*names);
    if (scan.files.empty()) return false;
    auto home = target.value.value_or(directory);
    if (auto const hip = scan.files.find(std::string(hip_library)); hip != scan.files.end())
        if (auto const file = root_.resolve(home + '/' + hip->second);
            file && parent_directory(*file) != home) {
            home = parent_directory(*file);
            if (auto const& real = listings_.names(home)) scan = scan_libraries(*real);
        }
    add_unique(place.library_directories, home);
    merge_libraries(place.libraries, scan);
    return true;
}

bool RocmPlaces::has_version_file(std::string const& prefix) {
    auto const& names = listings_.names(prefix + "/.info");
    if (!names) return false;
    return std::any_of(names->begin(), names->end(),
                       [](auto const& name) { return name.starts_with("version"); });
}

void RocmPlaces::add_prefix(std::string const& prefix, std::string const& found_as,
                            std::string const& python_site) {
    if (++attempts_ > attempt_limit) return;
    auto const target = root_.resolve(prefix);
    if (!target) {
        if (target.reason != Missing::absent) doubts_.add(target);
        return;
    }
    RocmPlace place;
    place.path = *target;
    place.python_site = python_site;
    bool const has_lib = scan_directory(*target + "/lib", place, place.unread);
    bool const has_lib64 = scan_directory(*target + "/lib64", place, place.unread);
    bool const may_hide = python_site.empty() && place.unread.leaves_doubt() &&
                          place.unread.reason() != Missing::not_recorded;
    if (!has_lib && !has_lib64 && !may_hide && !has_version_file(*target)) return;
    add_place(std::move(place), found_as);
}

void RocmPlaces::add_library_directory(std::string const& directory, std::string const& found_as) {
    if (++attempts_ > attempt_limit) return;
    RocmPlace place;
    place.path = directory;
    if (scan_directory(directory, place, doubts_)) add_place(std::move(place), found_as);
}

/// Settles the path of a place by its libraries, and joins it with the one that is already known.
void RocmPlaces::add_place(RocmPlace place, std::string const& found_as) {
    if (!place.library_directories.empty()) {
        place.path = prefix_of(place.library_directories.front());
        if (!place.path.starts_with(place.python_site + '/')) place.python_site.clear();
    }
    auto known = std::find_if(places_.begin(), places_.end(),
                              [&](RocmPlace const& other) { return other.path == place.path; });
    if (known == places_.end()) {
        if (places_.size() >= place_limit) return;
        place.kind = kind_of(place);
        known = places_.insert(places_.end(), std::move(place));
    } else {
        for (auto const& directory : place.library_directories)
            add_unique(known->library_directories, directory);
        merge_libraries(known->libraries, place.libraries);
    }
    if (!found_as.empty() && found_as != known->path) add_unique(known->found_as, found_as);
}

}  // namespace rocmtune
