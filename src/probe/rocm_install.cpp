// SPDX-License-Identifier: MIT
// Reader `rocm`: every ROCm installation, its version, and the HIP runtime that programs get.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/gpu_packages.hpp"
#include "probe/library_code.hpp"
#include "probe/loader.hpp"
#include "probe/python_environment.hpp"
#include "probe/reader.hpp"
#include "probe/rocm_discovery.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t longest_release = 64;
constexpr std::size_t version_file_limit = 16;
// One paragraph is a few KiB, and a library has a handful of packages: bounds for damaged files.
constexpr std::size_t paragraph_limit_bytes = 64 * 1024;
constexpr std::size_t rocm_package_limit = 64;

/// "6.3.0-39", "7.0.0~rc1": starts with a number, one word.
bool is_version(std::string_view text) {
    auto const odd = [](char c) { return c <= ' ' || c >= 0x7f; };
    return !text.empty() && text.size() <= longest_release && is_digit(text[0]) &&
           std::none_of(text.begin(), text.end(), odd);
}

/// Value of a field in one paragraph of a Debian control file.
std::string_view control_field(std::string_view paragraph, std::string_view field) {
    for (auto const line : lines(paragraph))
        if (line.starts_with(field) && line.substr(field.size()).starts_with(':'))
            return trim(line.substr(field.size() + 1));
    return {};
}

/// .info/version is the packages' own; version-rocm and others are its forerunners.
void offer_info_version(HostRoot const& root, Listings& listings, RocmPlace const& place,
                        Text& version) {
    auto const directory = place.path + "/.info";
    auto const& listed = listings.names(directory);
    if (!listed) {
        if (listed.reason != Missing::absent) version.miss(listed.reason, listed.detail);
        return;
    }
    auto names = *listed;
    std::erase_if(names, [](auto const& name) { return !name.starts_with("version"); });
    auto const rank = [](std::string const& name) {
        return name == "version" ? 0 : name == "version-rocm" ? 1 : 2;
    };
    std::sort(names.begin(), names.end(), [&](auto const& a, auto const& b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : natural_less(a, b);
    });
    names.resize(std::min(names.size(), version_file_limit));
    for (auto const& name : names) {
        auto const file = directory + '/' + name;
        auto const text = root.read(file);
        if (text && is_version(*text)) return version.offer(*text, {rocm_reader, printable(file)});
        if (text) version.miss(Missing::invalid, printable(file) + ": no version");
        else version.miss(text.reason, text.detail);
    }
}

/// "/opt/rocm-6.3.0", "/opt/rocm/core-7.12".
void offer_directory_version(RocmPlace const& place, Text& version) {
    auto const name = last_component(place.path);
    auto const at = name.find('-');
    if (at == name.npos || !is_version(name.substr(at + 1))) return;
    version.offer(std::string(name.substr(at + 1)), {rocm_reader, printable(place.path)});
}

void offer_debian_version(HostRoot const& root, Text& version) {
    auto const status = root.read_bytes(dpkg_status);
    if (!status) return;
    for (auto const stem : {"libamdhip64-", "libhsa-runtime64-", "librocm-smi64-", "libamd-smi"})
        if (auto const package = find_debian_package(*status, stem))
            return version.offer(
                std::string(package->version),
                {rocm_reader, std::string(dpkg_status) + ':' + std::string(package->name)});
}

/// The version in the name of the HIP runtime: HIP's, which is close to ROCm's (5.2.21153).
void offer_file_version(RocmPlace const& place, Text& version) {
    auto const hip = place.libraries.files.find(std::string(hip_library));
    if (hip == place.libraries.files.end() || place.library_directories.empty()) return;
    auto const file = parse_library_file(hip->second);
    if (!file || file->version == file->major()) return;  // a bare major is a soname, no version
    version.offer(std::string(file->version),
                  {rocm_reader, printable(place.library_directories.front() + '/' + hip->second)});
}

void offer_torch_version(HostRoot const& root, RocmPlace const& place,
                         std::vector<PythonPackage> const& packages, Text& version) {
    auto const file = place.path + "/version.py";
    auto const text = root.read(file);
    if (text)
        if (auto const rocm = find_python_constant(*text, "rocm"); rocm && is_version(rocm->text))
            return version.offer(std::string(rocm->text), {rocm_reader, printable(file) + ":rocm"});
    for (auto const& package : packages)
        if (package.name == "torch" && package.version)
            if (auto label = rocm_version_in(*package.version))
                return version.offer(*label, {rocm_reader, package.version.source().where});
    if (text)
        if (auto const hip = find_python_constant(*text, "hip"); hip && is_version(hip->text))
            version.offer(std::string(hip->text), {rocm_reader, printable(file) + ":hip"});
}

/// The SDK's own wheels: _rocm_sdk_core belongs to rocm-sdk-core.
void offer_wheel_version(RocmPlace const& place, std::vector<PythonPackage> const& packages,
                         Text& version) {
    auto const name = last_component(place.path);
    auto const owner = name.starts_with("_rocm_sdk_devel") ? "rocm-sdk-devel" : "rocm-sdk-core";
    for (auto const& package : packages)
        if (package.name == owner && package.version)
            return version.offer(*package.version, {rocm_reader, package.version.source().where});
}

}  // namespace

std::optional<DebianPackage> find_debian_package(std::string_view status, std::string_view stem) {
    std::optional<DebianPackage> best;
    auto const key = "Package: " + std::string(stem);
    std::size_t seen = 0;
    for (auto at = status.find(key); at != status.npos && seen < rocm_package_limit;
         at = status.find(key, at + 1)) {
        if (at != 0 && status[at - 1] != '\n') continue;
        ++seen;
        auto const rest = status.substr(at, paragraph_limit_bytes);
        auto const paragraph = rest.substr(0, rest.find("\n\n"));
        auto const name = control_field(paragraph, "Package");
        auto const version = control_field(paragraph, "Version");
        bool const numbered = to_unsigned(name.substr(stem.size()), 10).has_value();
        bool const installed = control_field(paragraph, "Status").ends_with(" installed");
        if (!numbered || !installed || !is_version(version)) continue;
        if (!best || natural_less(best->version, version)) best = DebianPackage{name, version};
    }
    return best;
}

Text rocm_version_of(HostRoot const& root, Listings& listings, RocmPlace const& place,
                     std::vector<PythonPackage> const& packages) {
    Text version;
    place.unread.state(version);
    bool const is_torch = last_component(place.path) == "torch";
    if (place.kind == "python-wheel") {
        if (is_torch) offer_torch_version(root, place, packages, version);
        else offer_wheel_version(place, packages, version);
    } else if (place.kind == "distribution") {
        offer_debian_version(root, version);
    } else {
        offer_info_version(root, listings, place, version);
        if (!version) offer_directory_version(place, version);
    }
    if (!version) offer_file_version(place, version);
    if (!version) version.miss(Missing::absent, "neither files nor names state it");
    return version;
}

std::set<std::string> hip_majors_of(HostRoot const& root, RocmPlace const& place) {
    bool const bundled = place.kind == "python-wheel" && last_component(place.path) == "torch";
    bool const has_hip = place.libraries.files.contains(std::string(hip_library));
    if (!place.libraries.hip_majors.empty() || !bundled || !has_hip)
        return place.libraries.hip_majors;
    auto const text = root.read(place.path + "/version.py");
    auto const hip = text ? find_python_constant(*text, "hip") : std::nullopt;
    if (!hip || !is_version(hip->text)) return {};
    auto const major = hip->text.substr(0, hip->text.find('.'));
    if (!to_unsigned(major, 10)) return {};
    return {std::string(major)};
}

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
        installation.gfx_targets = library_targets(root, listings, place, chips_of(context));
        installation.selected = chosen && holds(root, place, *chosen);
        installations.push_back(std::move(installation));
    }
    state_hip_runtime(chosen, loader, places.all(), host);
    state_majors(root, places.all(), host);
    state_installations(places, std::move(installations), host);
}

}  // namespace rocmtune
