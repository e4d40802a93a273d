// SPDX-License-Identifier: MIT
// Installed Python packages by their metadata: *.dist-info (PEP 376), *.egg-info, *.egg-link.
#include <algorithm>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "probe/loader.hpp"
#include "probe/python_environment.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t longest_version = 80;

bool is_lower_alphanumeric(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z');
}

/// Takes the suffix off, and says whether it was there.
bool strip_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

/// "torch-1.13.0-py3.11-linux-x86_64" -> "torch-1.13.0" (PEP 376 predecessors wrote such names).
std::string_view without_python_tag(std::string_view stem) {
    auto const at = stem.find("-py");
    bool const is_tag = at != stem.npos && at + 3 < stem.size() && is_digit(stem[at + 3]);
    return is_tag ? stem.substr(0, at) : stem;
}

/// A header line "Key: value"; keys are compared without case (RFC 822).
std::string_view header_value(std::string_view line, std::string_view key) {
    if (line.size() <= key.size() || line[key.size()] != ':') return {};
    return lower(line.substr(0, key.size())) == key ? trim(line.substr(key.size() + 1))
                                                    : std::string_view();
}

/// The target that starts at the front of `text`, with its length; what follows must end the word.
std::optional<std::string_view> target_at(std::string_view text) {
    constexpr std::string_view generic = "-generic";
    std::size_t end = 3;
    while (end < text.size() && is_lower_hexadecimal(text[end])) ++end;
    auto const digits = end - 3;
    // LLVM's generic targets: gfx9-generic, gfx9-4-generic, gfx10-3-generic, gfx11-generic.
    auto rest = text.substr(end);
    if (rest.size() > 2 && rest[0] == '-' && is_digit(rest[1]) && rest[2] == '-')
        rest.remove_prefix(2);
    if (digits >= 1 && digits <= 2 && rest.starts_with(generic))
        return text.substr(0, text.size() - rest.size() + generic.size());
    bool const ends_word = end == text.size() || !is_lower_alphanumeric(text[end]);
    if (digits < 3 || digits > 4 || !is_digit(text[3]) || !ends_word) return std::nullopt;
    return text.substr(0, end);
}

}  // namespace

bool is_python_version(std::string_view text) {
    auto const allowed = [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
               c == '+' || c == '!' || c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= longest_version &&
           std::all_of(text.begin(), text.end(), allowed);
}

std::optional<MetadataEntry> parse_metadata_entry(std::string_view file_name) {
    using Kind = MetadataEntry::Kind;
    MetadataEntry entry;
    auto stem = file_name;
    if (strip_suffix(stem, ".dist-info")) entry.kind = Kind::dist_info;
    else if (strip_suffix(stem, ".egg-info")) entry.kind = Kind::egg_info;
    else if (strip_suffix(stem, ".egg-link")) entry.kind = Kind::egg_link;
    else return std::nullopt;
    stem = without_python_tag(stem);
    // Hyphens in names are written as underscores, but old tools kept them.
    auto at = stem.find('-');
    while (at != stem.npos && !(at + 1 < stem.size() && is_digit(stem[at + 1])))
        at = stem.find('-', at + 1);
    entry.name = normalised_name(stem.substr(0, at));
    if (at != stem.npos) entry.version = stem.substr(at + 1);
    if (entry.name.empty()) return std::nullopt;
    return entry;
}

PackageMetadata parse_package_metadata(std::string_view text) {
    PackageMetadata metadata;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = text.substr(0, end);
        if (trim(line).empty()) break;  // what follows is the description
        if (metadata.name.empty()) metadata.name = header_value(line, "name");
        if (metadata.version.empty()) metadata.version = header_value(line, "version");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return metadata;
}

std::vector<std::string_view> requirements_in(std::string_view metadata) {
    std::vector<std::string_view> requirements;
    for (auto const line : lines(metadata)) {
        if (trim(line).empty()) break;  // what follows is the description
        auto const requirement = header_value(line, "requires-dist");
        auto const marker = requirement.find(';');
        bool const optional =
            marker != requirement.npos && requirement.find("extra", marker) != requirement.npos;
        if (!requirement.empty() && !optional) requirements.push_back(requirement);
    }
    return requirements;
}

std::string required_name(std::string_view requirement) {
    auto const end = requirement.find_first_of(" \t[(<>=!~;@");
    return normalised_name(requirement.substr(0, end));
}

std::optional<PythonConstant> find_python_constant(std::string_view source, std::string_view name) {
    for (auto line : lines(source)) {
        if (!line.starts_with(name)) continue;
        line = trim(line.substr(name.size()));
        if (!line.starts_with(':') && !line.starts_with('=')) continue;
        auto const equals = line.find('=');
        if (equals == line.npos || line.substr(equals).starts_with("==")) continue;
        auto const value = trim(line.substr(equals + 1));
        if (value == "None") return PythonConstant{true, {}};
        if (value.size() < 2 || (value[0] != '\'' && value[0] != '"')) continue;
        auto const end = value.find(value[0], 1);
        if (end != value.npos) return PythonConstant{false, value.substr(1, end - 1)};
    }
    return std::nullopt;
}

std::optional<std::string> gfx_target_in(std::string_view file_name) {
    constexpr std::string_view prefix = "gfx";
    for (auto at = file_name.find(prefix); at != file_name.npos;
         at = file_name.find(prefix, at + 1)) {
        bool const starts_word = at == 0 || !is_lower_alphanumeric(file_name[at - 1]);
        if (!starts_word) continue;
        if (auto const target = target_at(file_name.substr(at))) return std::string(*target);
    }
    return std::nullopt;
}

std::optional<std::string> rocm_version_in(std::string_view package_version) {
    constexpr std::string_view label = "rocm";
    auto const local = package_version.find('+');
    auto const at = local == package_version.npos ? local : package_version.find(label, local);
    if (at == package_version.npos) return std::nullopt;
    auto version = package_version.substr(at + label.size());
    version = version.substr(0, version.find_first_not_of(".0123456789"));
    while (version.ends_with('.')) version.remove_suffix(1);
    if (version.find('.') == version.npos || !is_digit(version[0])) return std::nullopt;
    return std::string(version);
}

namespace {

/// Packages that fit the wanted names in all sites together; an environment has a few dozen.
constexpr std::size_t package_limit = 1024;

struct Found {
    MetadataEntry entry;
    std::string path;       ///< of the entry
    std::string directory;  ///< where the modules lie
    std::string site;
};

/// An egg-info is a folder, or the file itself.
std::string metadata_of(HostRoot const& root, Found const& found) {
    if (found.entry.kind == MetadataEntry::Kind::dist_info) return found.path + "/METADATA";
    auto const status = root.status(found.path);
    return status && status->kind == 'd' ? found.path + "/PKG-INFO" : found.path;
}

/// The version in the metadata file; where that cannot be read, the one in the entry's name.
Text version_of(HostRoot const& root, Found const& found, std::string const& file) {
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
    auto file = metadata_of(root, found);
    auto version = version_of(root, found, file);
    packages[found.entry.name] = {found.entry.name, std::move(version), found.directory, found.site,
                                  std::move(file)};
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
