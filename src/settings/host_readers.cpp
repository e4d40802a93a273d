// SPDX-License-Identifier: MIT
#include "settings/host_readers.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

#include <fcntl.h>

#include "knowledge/environment_names.hpp"
#include "machine/posix_file.hpp"
#include "settings/reader_cache.hpp"
#include "settings/reader_scan.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;

/// Where an installation keeps its libraries; a path may also be the directory itself.
constexpr std::string_view library_directories[] = {"", "lib", "lib64", "lib/x86_64-linux-gnu",
                                                    "lib/aarch64-linux-gnu"};

bool is_python(fs::path const& path) {
    return path.extension() == ".py";
}

/// libtorch_hip.so, librccl.so.1, _C.cpython-311-x86_64-linux-gnu.so
bool is_library(fs::path const& path) {
    auto const name = path.filename().string();
    return name.ends_with(".so") || name.find(".so.") != name.npos;
}

class FileList {
  public:
    void add(fs::path const& path, std::string const& package) {
        std::error_code error;
        auto const real = fs::canonical(path, error);
        if (error || !fs::is_regular_file(real, error) || error) return;
        if (seen_.insert(real.string()).second)
            files_.push_back({.path = real.string(), .package = package});
    }

    void add_package(fs::path const& directory, std::string const& package) {
        std::error_code error;
        auto entry = fs::recursive_directory_iterator(
            directory, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
            if (is_python(entry->path()) || is_library(entry->path())) add(entry->path(), package);
    }

    std::vector<ReaderFile> take() {
        std::ranges::sort(files_, {}, &ReaderFile::path);
        return std::move(files_);
    }

  private:
    std::vector<ReaderFile> files_ = {};
    std::set<std::string> seen_ = {};
};

void scan(ReaderFile& file, NameFinder const& finder, FileDescriptor const& fd) {
    auto const read = [&](char* buffer, std::size_t size) -> std::size_t {
        while (true) {
            auto const count = ::read(fd.get(), buffer, size);
            if (count >= 0) return static_cast<std::size_t>(count);
            if (errno == EINTR) continue;
            file.complete = false;
            return 0;
        }
    };
    auto const kind = is_python(file.path) ? ReaderFileKind::python : ReaderFileKind::library;
    auto const found = finder.find(kind, read);
    file.names.assign(found.begin(), found.end());
}

}  // namespace

std::vector<std::string_view> names_to_find(Catalogue const& catalogue) {
    std::vector<std::string_view> names;
    // Names without a part of their own (PATH, RANK) are words of any program.
    auto const add = [&](std::string_view name) {
        if (name.ends_with(number_mark)) name.remove_suffix(number_mark.size());
        if (name.find('_') != name.npos) names.push_back(name);
    };
    for (auto const& variable : catalogue.all()) {
        if (variable.kind != "environment" && variable.kind != "allocator") continue;
        add(variable.name);
        for (auto const alias : variable.aliases) add(alias);
    }
    for (auto const name : catalogue.names().all()) add(name);
    return names;
}

std::vector<ReaderFile> installed_reader_files(Host const& host) {
    FileList list;
    if (host.rocm_installations)
        for (auto const& rocm : *host.rocm_installations)
            for (auto const& [name, file] : rocm.libraries)
                for (auto const directory : library_directories)
                    list.add(fs::path(rocm.path) / directory / file, name);
    if (host.frameworks)
        for (auto const& framework : *host.frameworks) {
            auto directory = framework.name;
            std::ranges::replace(directory, '-', '_');
            list.add_package(fs::path(framework.path) / directory, directory);
        }
    return list.take();
}

void scan_reader_files(std::vector<ReaderFile>& files, std::vector<std::string_view> const& names,
                       std::string const& cache_directory) {
    NameFinder const finder(names);
    ReaderCache cache(cache_directory, finder.names());
    for (auto& file : files) {
        FileDescriptor const fd(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
        file.complete = static_cast<bool>(fd);
        if (!fd) continue;
        auto const state = state_of(fd.get());
        if (auto known = cache.find(file.path, state)) {
            file.names = std::move(*known);
            continue;
        }
        scan(file, finder, fd);
        if (file.complete) cache.add(file.path, state, file.names);
    }
    cache.save();
}

}  // namespace rocmtune
