// SPDX-License-Identifier: MIT
// An entry is a file HASH.code: a line with the size and the check sum of what follows, the key,
// the code. The whole key is compared, so that a collision of hashes is a miss.
#include "bench/code_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"
#include "machine/written_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::string_view ending = ".code";
constexpr std::string_view magic = "rocmtune-code 1";

std::string variable(char const* name) {
    auto const* const value = ::secure_getenv(name);
    return value != nullptr && *value == '/' ? value : "";
}

std::string name_of(std::string_view key) {
    return fmt::format("{:016x}{:08x}{}", fnv1a(key), key.size(), ending);
}

/// Empty if entries can be kept, else why not. Changes nothing.
std::string problem_of(std::string const& path) {
    if (path.empty()) return "none of ROCMTUNE_CACHE, XDG_CACHE_HOME and HOME is an absolute path";
    auto const directory = PrivateDirectory::open(path);
    if (directory.is_absent() && !PrivateDirectory::can_be_made(path))
        return printable(path) + " cannot be made";
    if (!directory) return directory.is_absent() ? "" : directory.problem();
    return directory.can_be_written() ? "" : printable(path) + " cannot be written";
}

/// How a directory becomes one that is used.
std::string way_out_of(std::string const& directory) {
    struct stat s {};
    bool const own =
        ::lstat(directory.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid();
    return own ? "chmod 700 " + posix_quoted(directory) : "ROCMTUNE_CACHE names another directory";
}

bool is_hash(std::string_view text) {
    constexpr std::size_t digits = 24;  // as file_of writes them
    return text.size() == digits && is_lower_hexadecimal(text);
}

bool is_entry(std::string_view name) {
    return name.ends_with(ending) && is_hash(name.substr(0, name.size() - ending.size()));
}

constexpr std::string_view readers = "readers.tsv";  // what lint keeps here

/// The name of a temporary file of a writer that did not live to rename it.
bool is_leftover(std::string_view name) {
    constexpr std::size_t random = 7;  // a dot and six characters (machine/written_file.cpp)
    if (name.size() <= random || name[name.size() - random] != '.') return false;
    auto const whole = name.substr(0, name.size() - random);
    return is_entry(whole) || whole == readers;
}

bool is_ours(std::string_view name) {
    return is_entry(name) || is_leftover(name) || name == readers;
}

using Entry = PrivateDirectory::Entry;

std::vector<Entry> entries(PrivateDirectory const& directory, bool (*wanted)(std::string_view)) {
    auto files = directory.files();
    std::erase_if(files, [&](auto const& file) { return !wanted(file.name); });
    return files;
}

std::uint64_t bytes_of(std::vector<Entry> const& entries) {
    std::uint64_t bytes = 0;
    for (auto const& entry : entries) bytes += entry.bytes;
    return bytes;
}

void drop_oldest(PrivateDirectory const& directory) {
    auto all = entries(directory, is_entry);
    auto bytes = bytes_of(all);
    std::ranges::sort(all, {}, [](auto const& entry) {
        return std::pair(entry.used.tv_sec, entry.used.tv_nsec);
    });
    for (auto const& entry : all) {
        if (bytes <= most_cache_bytes) return;
        (void)directory.remove(entry.name);
        bytes -= entry.bytes;
    }
}

void drop_leftovers(PrivateDirectory const& directory) {
    constexpr std::time_t hour = 3600;  // a writer needs much less
    for (auto const& file : entries(directory, is_leftover))
        if (file.used.tv_sec < std::time(nullptr) - hour) (void)directory.remove(file.name);
}

std::string header_of(std::string_view key, std::string_view code) {
    return fmt::format("{} {} {} {:016x}\n", magic, key.size(), code.size(),
                       fnv1a(code, fnv1a(key)));
}

}  // namespace

std::string cache_directory() {
    if (auto const own = variable("ROCMTUNE_CACHE"); !own.empty()) return own;
    if (auto const cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/rocmtune";
    if (auto const home = variable("HOME"); !home.empty()) return home + "/.cache/rocmtune";
    return {};
}

std::optional<std::string> cached_code(std::string_view key) {
    if (cache_directory().empty()) return std::nullopt;
    auto const directory = PrivateDirectory::open(cache_directory());
    if (!directory) return std::nullopt;
    auto const text = directory.read(name_of(key), most_cache_bytes);
    auto const line = text.find('\n');
    if (line == std::string::npos || text.size() < line + 1 + key.size()) return std::nullopt;
    std::string_view const rest = std::string_view(text).substr(line + 1);
    auto const code = rest.substr(key.size());
    if (rest.substr(0, key.size()) != key || text.substr(0, line + 1) != header_of(key, code))
        return std::nullopt;
    directory.touch(name_of(key));
    return std::string(code);
}

void keep_code(std::string_view key, std::string_view code) {
    if (cache_directory().empty()) return;
    auto const directory = PrivateDirectory::make(cache_directory());
    if (!directory) return;
    // Several writers of one entry write the same; a rename shows all of it or nothing.
    (void)directory.write(name_of(key),
                          header_of(key, code) + std::string(key) + std::string(code));
    drop_oldest(directory);
    drop_leftovers(directory);
}

CacheStatus cache_status() {
    CacheStatus status;
    status.directory = cache_directory();
    status.problem = problem_of(status.directory);
    if (status.directory.empty()) return status;
    auto const directory = PrivateDirectory::open(status.directory);
    if (!directory && !directory.is_absent()) return status;
    auto const all = directory ? entries(directory, is_entry) : std::vector<Entry>();
    status.entries = all.size();
    status.bytes = bytes_of(all);
    return status;
}

CacheStatus clear_cache() {
    auto const path = cache_directory();
    if (path.empty()) return cache_status();
    auto const directory = PrivateDirectory::open(path);
    if (directory.is_absent()) return cache_status();
    // What lies in a directory of others, or that others may write, was not put there by us.
    if (!directory) throw Error(directory.problem() + ": nothing was removed", way_out_of(path));
    for (auto const& entry : entries(directory, is_ours))
        if (int const error = directory.remove(entry.name))
            throw Error(fmt::format("cannot remove {}/{}: {}", printable(path),
                                    printable(entry.name), errno_text(error)));
    return cache_status();
}

}  // namespace rocmtune::bench
