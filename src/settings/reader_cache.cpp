// SPDX-License-Identifier: MIT
// A line says which names were looked for; then one line a file: state, path and names, with TABs
// between.
#include "settings/reader_cache.hpp"

#include <array>
#include <chrono>
#include <span>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "machine/private_directory.hpp"
#include "machine/reading_child.hpp"
#include "rocmtune/error.hpp"

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

std::string ReaderCache::kept_text() try {
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

void ReaderCache::save() const try {
    if (!is_new_ || !answers_) return;
    (void)messages_of_child([this](Send const&) { write(); }, patience);
} catch (Error const&) {
    // As above.
}

void ReaderCache::write() const {
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

}  // namespace rocmtune
