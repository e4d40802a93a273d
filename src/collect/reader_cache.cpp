// SPDX-License-Identifier: MIT
// A line says which names were looked for; then one line a file: state, path and names, with TABs
// between.
#include "collect/reader_cache.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_name = "/readers.tsv";
constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;

/// Others must not be able to make lint see readers that are not there.
bool is_private(std::string const& directory) {
    struct stat s {};
    return ::lstat(directory.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid() &&
           (s.st_mode & 0077U) == 0;
}

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

}  // namespace

std::string state_of(int fd) {
    struct stat s {};
    if (::fstat(fd, &s) != 0) return {};
    return fmt::format("{}.{:09}:{}:{}", s.st_mtim.tv_sec, s.st_mtim.tv_nsec, s.st_size,
                       build_id_of(fd));
}

ReaderCache::ReaderCache(std::string directory, std::vector<std::string_view> const& names)
    : directory_(std::move(directory)),
      header_(fmt::format("rocmtune-readers 1 {:016x}",
                          fnv1a(fmt::format("{}", fmt::join(names, " "))))) {
    auto const path = directory_ + std::string(file_name);
    std::error_code error;
    if (directory_.empty() || !is_private(directory_) || fs::file_size(path, error) > most_bytes ||
        error)
        return;
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line != header_) return;
    while (std::getline(file, line)) {
        auto const parts = split(line, '\t');
        if (parts.size() < 2) continue;
        auto& entry = entries_[std::string(parts[1])];
        entry.state = parts[0];
        entry.names.assign(parts.begin() + 2, parts.end());
    }
}

std::optional<std::vector<std::string>> ReaderCache::find(std::string const& path,
                                                          std::string const& state) const {
    auto const found = entries_.find(path);
    if (state.empty() || found == entries_.end() || found->second.state != state)
        return std::nullopt;
    return found->second.names;
}

void ReaderCache::add(std::string const& path, std::string const& state,
                      std::vector<std::string> const& names) {
    if (state.empty() || !can_be_kept(path)) return;
    entries_.insert_or_assign(path, Entry{state, names});
    is_new_ = true;
}

void ReaderCache::save() const {
    if (!is_new_ || directory_.empty()) return;
    std::error_code error;
    fs::create_directories(fs::path(directory_).parent_path(), error);
    ::mkdir(directory_.c_str(), 0700);
    if (!is_private(directory_)) return;
    // A rename shows all of it or nothing to others that write at the same time.
    auto name = directory_ + std::string(file_name) + ".XXXXXX";
    int const fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) return;
    ::close(fd);
    std::ofstream file(name);
    file << header_ << '\n';
    for (auto const& [path, entry] : entries_) {
        file << entry.state << '\t' << path;
        for (auto const& one : entry.names) file << '\t' << one;
        file << '\n';
    }
    file.close();
    bool const kept =
        file && ::rename(name.c_str(), (directory_ + std::string(file_name)).c_str()) == 0;
    if (!kept) ::unlink(name.c_str());
}

}  // namespace rocmtune
