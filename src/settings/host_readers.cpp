// SPDX-License-Identifier: MIT
#include "settings/host_readers.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/environment_names.hpp"
#include "machine/posix_file.hpp"
#include "machine/reading_child.hpp"
#include "machine/written_file.hpp"
#include "rocmtune/error.hpp"
#include "settings/reader_scan.hpp"

namespace rocmtune {

namespace {

constexpr std::string_view file_name = "readers.tsv";
constexpr std::size_t most_bytes = std::size_t{16} << 20;
/// A home on a file server that is gone answers never, and what is kept there only saves time.
constexpr std::chrono::milliseconds patience{2'000};

bool can_be_kept(std::string_view path) {
    return path.find_first_of("\t\n") == path.npos;
}

/// The note NT_GNU_BUILD_ID (elf.h), which linkers put near the start of a library.
std::string build_id_of(int fd) {
    constexpr std::size_t head = 8192;
    constexpr std::size_t id_bytes = 20;
    constexpr std::string_view note{"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0", 16};
    std::array<char, head> buffer{};
    auto const count = ::pread(fd, buffer.data(), buffer.size(), 0);
    if (count <= 0) return "-";
    std::string_view const text(buffer.data(), static_cast<std::size_t>(count));
    auto const at = text.find(note);
    if (at == text.npos || at + note.size() + id_bytes > text.size()) return "-";
    std::string id;
    for (auto const c : text.substr(at + note.size(), id_bytes))
        id += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return id;
}

/// Time of change, size and build id of an open file, as one word. Leaves its offset alone.
std::string state_of(int fd) {
    struct stat s {};
    if (::fstat(fd, &s) != 0) return {};
    return fmt::format("{}.{:09}:{}:{}", s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_size,
                       build_id_of(fd));
}

/// What earlier scans found, in one file of the user's own cache directory. Whatever happens to
/// that file, the worst is that libraries are scanned again. A line says which names were looked
/// for; then one line a file: state, path and names, with TABs between.
class ReaderCache {
  public:
    /// Reads what was kept for exactly these names. An empty directory, or one that others can
    /// write, keeps nothing.
    ReaderCache(std::string directory, std::vector<std::string_view> const& names)
        : directory_(std::move(directory)),
          header_(fmt::format("rocmtune-readers 1 {:016x}",
                              fnv1a(fmt::format("{}", fmt::join(names, " "))))) {
        if (directory_.empty()) return;
        auto const kept = kept_text();
        auto const all = lines(kept);
        if (all.empty() || all.front() != header_) return;
        for (auto const line : std::span(all).subspan(1)) {
            auto const parts = split(line, '\t');
            if (parts.size() < 2) continue;
            auto& entry = entries_[std::string(parts[1])];
            entry.state = parts[0];
            entry.names.assign(parts.begin() + 2, parts.end());
        }
    }

    std::optional<std::vector<std::string>> find(std::string const& path,
                                                 std::string const& state) const {
        auto const found = entries_.find(path);
        if (state.empty() || found == entries_.end() || found->second.state != state)
            return std::nullopt;
        return found->second.names;
    }

    void add(std::string const& path, std::string const& state,
             std::vector<std::string> const& names) {
        if (state.empty() || !can_be_kept(path)) return;
        entries_.insert_or_assign(path, Entry{state, names});
        is_new_ = true;
    }

    /// Writes it if anything is new.
    void save() const try {
        if (!is_new_ || !answers_) return;
        (void)messages_of_child([this](Send const&) { write(); }, patience);
    } catch (Error const&) {
        // As above.
    }

  private:
    struct Entry {
        std::string state;
        std::vector<std::string> names;
    };

    /// The whole file, or nothing. Says in answers_ whether the directory answers.
    std::string kept_text() try {
        auto const [messages, end] = messages_of_child(
            [this](Send const& send) {
                // Others must not be able to make lint see readers that are not there.
                if (auto const kept = PrivateDirectory::open(directory_))
                    send(kept.read(std::string(file_name), most_bytes));
            },
            patience);
        answers_ = end == ChildEnd::finished;
        return answers_ && !messages.empty() ? messages.front() : std::string();
    } catch (Error const&) {
        return {};  // no child: a host without processes to spare is not kept waiting for a cache
    }

    void write() const {
        auto const directory = PrivateDirectory::make(directory_);
        if (!directory) return;
        auto text = header_ + '\n';
        for (auto const& [path, entry] : entries_) {
            text.append(entry.state).append(1, '\t').append(path);
            for (auto const& one : entry.names) text.append(1, '\t').append(one);
            text += '\n';
        }
        (void)directory.write(std::string(file_name), text);
    }

    std::string directory_;
    std::string header_;
    std::map<std::string, Entry> entries_ = {};
    bool is_new_ = false;
    bool answers_ = false;  ///< the directory, when it was read
};

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
