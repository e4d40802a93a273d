// SPDX-License-Identifier: MIT
// The dynamic loader's search, step by step as ld.so(8) describes it, and the names of ROCm
// libraries.
#include "probe/loader.hpp"

#include <algorithm>
#include <array>

#include "base/rocm_libraries.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view configuration_path = "/etc/ld.so.conf";

// Real hosts have a handful of each; more is a mistake or an attack.
constexpr int include_depth_limit = 8;
constexpr std::size_t file_limit = 256;
constexpr std::size_t directory_limit = 256;
constexpr std::size_t soname_limit = 8;

bool is_default(std::string_view directory) {
    return std::find(default_library_directories.begin(), default_library_directories.end(),
                     directory) != default_library_directories.end();
}

bool is_rocm_library(std::string_view name) {
    return parse_library_file(name).has_value();
}

std::string join(std::string_view directory, std::string_view name) {
    return std::string(directory) + '/' + std::string(name);
}

}  // namespace

Loader::Loader(HostRoot root, Listings& listings) : root_(std::move(root)), listings_(listings) {
    read_library_path();
    read_cache();
    read_configuration(std::string(configuration_path), 0);
}

/// An empty entry means the working directory, which is not ours to judge; `$ORIGIN` and its kin
/// depend on the program.
void Loader::read_library_path() {
    auto value = root_.environment_value("LD_LIBRARY_PATH").value_or("");
    std::replace(value.begin(), value.end(), ';', ':');
    for (auto directory : split(value, ':')) {
        while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
        bool const usable = directory.starts_with('/') && directory.find('$') == directory.npos;
        if (usable && library_path_.size() < directory_limit) library_path_.emplace_back(directory);
    }
}

void Loader::read_cache() {
    auto const bytes = root_.read_bytes(ld_cache_path);
    if (bytes) {
        cache_ = parse_ld_cache(*bytes, is_rocm_library);
        cache_is_damaged_ = !cache_;
    }
    recorded_ = bytes || bytes.reason != Missing::not_recorded ||
                root_.status(configuration_path).reason != Missing::not_recorded;
}

void Loader::read_configuration(std::string const& file, int depth) {
    if (depth > include_depth_limit || read_files_.size() >= file_limit) return;
    if (!read_files_.insert(file).second) return;
    auto const text = root_.read(file);
    if (!text) return;
    for (auto const& line : parse_ld_conf(*text)) {
        if (line.is_include)
            include(line.text.starts_with('/') ? std::string(line.text)
                                               : join(parent_directory(file), line.text),
                    depth + 1);
        else if (configured_.size() < directory_limit)
            configured_.push_back({std::string(line.text), file});
    }
}

/// Patterns in the directory part are not used by any distribution, and not followed here.
void Loader::include(std::string const& pattern, int depth) {
    auto const directory = parent_directory(pattern);
    auto const& listed = listings_.names(directory);
    if (!listed) return;
    auto names = *listed;
    std::sort(names.begin(), names.end());  // glob(3) sorts by characters: "10-a" before "2-b"
    for (auto const& name : names)
        if (!name.starts_with('.') && fits_pattern(last_component(pattern), name))
            read_configuration(join(directory, name), depth);
}

bool Loader::is_file(std::string const& path) const {
    auto const status = root_.status(path);
    return status && status->kind != 'd';
}

LdCacheEntry const* Loader::cached(std::string_view soname) const {
    if (!cache_) return nullptr;
    auto const entry = std::find_if(cache_->begin(), cache_->end(),
                                    [&](LdCacheEntry const& e) { return e.name == soname; });
    return entry == cache_->end() ? nullptr : &*entry;
}

std::string const* Loader::naming_file(std::string const& directory) const {
    for (auto const& configured : configured_)
        if (configured.path == directory) return &configured.named_in;
    auto const target = root_.resolve(directory);
    for (auto const& configured : configured_)
        if (target && root_.resolve(configured.path).value == target.value)
            return &configured.named_in;
    return nullptr;
}

LoaderChoice Loader::configured_choice(std::string const& directory,
                                       std::string const& path) const {
    auto const source = std::string(cache_ ? ld_cache_path : configuration_path);
    if (is_default(directory)) return {path, "default library directory", cache_ ? source : path};
    if (auto const* const file = naming_file(directory))
        return {path, "listed in " + *file, cache_ ? source : *file};
    return {path, "listed in " + source, source};
}

/// What the loader searches after LD_LIBRARY_PATH and the cache.
std::vector<std::string> Loader::searched_directories() const {
    std::vector<std::string> searched;
    if (!cache_ && !cache_is_damaged_)
        for (auto const& directory : configured_) searched.push_back(directory.path);
    searched.insert(searched.end(), default_library_directories.begin(),
                    default_library_directories.end());
    return searched;
}

std::vector<std::string> Loader::sonames(std::string_view library) const {
    std::set<std::string> found;
    auto const consider = [&](std::string const& name) {
        auto const file = parse_library_file(name);
        if (file && file->name == library && file->version == file->major()) found.insert(name);
    };
    auto directories = library_path_;
    if (cache_) {
        for (auto const& entry : *cache_) consider(entry.name);
    } else {
        auto const searched = searched_directories();
        directories.insert(directories.end(), searched.begin(), searched.end());
    }
    for (auto const& directory : directories) {
        auto const& names = listings_.names(directory);
        if (names) std::for_each(names->begin(), names->end(), consider);
    }
    std::vector<std::string> sorted(found.begin(), found.end());
    std::sort(sorted.begin(), sorted.end(),
              [](auto const& a, auto const& b) { return natural_less(b, a); });
    sorted.resize(std::min(sorted.size(), soname_limit));
    return sorted;
}

std::optional<LoaderChoice> Loader::find(std::string const& soname) const {
    for (auto const& directory : library_path_)
        if (auto const path = join(directory, soname); is_file(path))
            return LoaderChoice{path, "first match in LD_LIBRARY_PATH", "LD_LIBRARY_PATH"};
    // Of several entries the loader tries the first only, even if its file is gone.
    if (auto const* const entry = cached(soname); entry != nullptr && is_file(entry->path))
        return configured_choice(parent_directory(entry->path), entry->path);
    for (auto const& directory : searched_directories())
        if (auto const path = join(directory, soname); is_file(path))
            return configured_choice(directory, path);
    return std::nullopt;
}

std::vector<Loader::Directory> Loader::directories() const {
    std::vector<Directory> unique;
    auto const add = [&](std::string const& path, std::string const& named_in) {
        bool const known = std::any_of(unique.begin(), unique.end(), [&](Directory const& other) {
            return other.path == path && other.named_in == named_in;
        });
        if (!known && !is_default(path)) unique.push_back({path, named_in});
    };
    for (auto const& directory : library_path_) add(directory, "LD_LIBRARY_PATH");
    for (auto const& directory : configured_) add(directory.path, directory.named_in);
    if (!cache_) return unique;
    for (auto const& entry : *cache_) {
        auto const path = parent_directory(entry.path);
        bool const configured = std::any_of(configured_.begin(), configured_.end(),
                                            [&](Directory const& d) { return d.path == path; });
        if (!configured) add(path, std::string(ld_cache_path));
    }
    return unique;
}

std::string Loader::why_not(std::string const& directory) const {
    auto const place = printable(directory);
    if (cache_is_damaged_)
        return "/etc/ld.so.cache is damaged, so only LD_LIBRARY_PATH and default directories count";
    if (auto const* const file = naming_file(directory); file != nullptr && cache_)
        return *file + " names " + place + ", but ldconfig has not put it into /etc/ld.so.cache";
    return "no ld.so.conf.d entry names " + place + ", nor does LD_LIBRARY_PATH";
}

namespace {

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
    auto const known = std::ranges::find(rocm_libraries, name);
    if (known == rocm_libraries.end()) return std::nullopt;
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
