// SPDX-License-Identifier: MIT
// An entry is a file HASH.code: a line with the size and the check sum of what follows, the key,
// the code. The whole key is compared, so that a collision of hashes is a miss.
#include "bench/code_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".code";
constexpr std::string_view magic = "rocmtune-code 1";

std::string variable(char const* name) {
    auto const* const value = ::secure_getenv(name);
    return value != nullptr && *value == '/' ? value : "";
}

fs::path file_of(std::string_view key) {
    return fs::path(cache_directory()) /
           fmt::format("{:016x}{:08x}{}", fnv1a(key), key.size(), ending);
}

/// Ours and nobody else's: others must not be able to give us code to run.
bool is_private(fs::path const& directory) {
    struct stat s {};
    return ::lstat(directory.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid() &&
           (s.st_mode & 0077U) == 0;
}

bool is_there(fs::path const& path) {
    struct stat s {};
    return ::lstat(path.c_str(), &s) == 0;
}

/// Whether the nearest of its parents that is there takes new entries.
bool can_be_made(fs::path directory) {
    while (!is_there(directory) && directory.has_relative_path())
        directory = directory.parent_path();
    std::error_code ignored;
    return fs::is_directory(directory, ignored) && ::access(directory.c_str(), W_OK) == 0;
}

/// Empty if entries can be kept, else why not. Changes nothing.
std::string problem_of(fs::path const& directory) {
    if (directory.empty())
        return "none of ROCMTUNE_CACHE, XDG_CACHE_HOME and HOME is an absolute path";
    if (!is_there(directory))
        return can_be_made(directory)
                   ? ""
                   : fmt::format("{} cannot be made", printable(directory.string()));
    if (!is_private(directory))
        return fmt::format("{} is not a directory of this user alone",
                           printable(directory.string()));
    if (::access(directory.c_str(), W_OK) != 0)
        return fmt::format("{} cannot be written", printable(directory.string()));
    return {};
}

/// How a directory becomes one that is used.
std::string way_out_of(fs::path const& directory) {
    struct stat s {};
    bool const own =
        ::lstat(directory.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid();
    return own ? "chmod 700 " + posix_quoted(directory.string())
               : "ROCMTUNE_CACHE names another directory";
}

bool prepare(fs::path const& directory) {
    if (directory.empty()) return false;
    std::error_code error;
    fs::create_directories(directory.parent_path(), error);
    ::mkdir(directory.c_str(), 0700);
    return is_there(directory) && problem_of(directory).empty();
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
    constexpr std::size_t random = 7;  // a dot and what mkstemp(3) puts in place of XXXXXX
    if (name.size() <= random || name[name.size() - random] != '.') return false;
    auto const whole = name.substr(0, name.size() - random);
    return is_entry(whole) || whole == readers;
}

bool is_ours(std::string_view name) {
    return is_entry(name) || is_leftover(name) || name == readers;
}

struct Entry {
    fs::path path;
    std::uint64_t bytes;
    fs::file_time_type used;
};

std::vector<Entry> entries(fs::path const& directory, bool (*wanted)(std::string_view name)) {
    std::vector<Entry> found;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (!wanted(it->path().filename().string()) || it->is_symlink(ignored) ||
            !it->is_regular_file(ignored))
            continue;
        found.push_back({it->path(), it->file_size(ignored), it->last_write_time(ignored)});
    }
    return found;
}

void drop_oldest(fs::path const& directory) {
    auto all = entries(directory, is_entry);
    std::uint64_t bytes = 0;
    for (auto const& entry : all) bytes += entry.bytes;
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.used < b.used; });
    for (auto const& entry : all) {
        if (bytes <= most_cache_bytes) return;
        std::error_code ignored;
        fs::remove(entry.path, ignored);
        bytes -= entry.bytes;
    }
}

void drop_leftovers(fs::path const& directory) {
    // A writer needs much less.
    auto const old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (auto const& file : entries(directory, is_leftover)) {
        std::error_code ignored;
        if (file.used < old) fs::remove(file.path, ignored);
    }
}

std::string header_of(std::string_view key, std::string_view code) {
    return fmt::format("{} {} {} {:016x}\n", magic, key.size(), code.size(),
                       fnv1a(code, fnv1a(key)));
}

std::string read_file(fs::path const& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::error_code error;
    auto const size = fs::file_size(path, error);
    if (!file || error || size > most_cache_bytes) return {};
    text.resize(size);
    file.read(text.data(), static_cast<std::streamsize>(size));
    return file ? text : std::string();
}

}  // namespace

std::string cache_directory() {
    if (auto const own = variable("ROCMTUNE_CACHE"); !own.empty()) return own;
    if (auto const cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/rocmtune";
    if (auto const home = variable("HOME"); !home.empty()) return home + "/.cache/rocmtune";
    return {};
}

std::optional<std::string> cached_code(std::string_view key) {
    if (cache_directory().empty() || !is_private(cache_directory())) return std::nullopt;
    auto const path = file_of(key);
    auto const text = read_file(path);
    auto const line = text.find('\n');
    if (line == std::string::npos || text.size() < line + 1 + key.size()) return std::nullopt;
    std::string_view const rest = std::string_view(text).substr(line + 1);
    auto const code = rest.substr(key.size());
    if (rest.substr(0, key.size()) != key || text.substr(0, line + 1) != header_of(key, code))
        return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return std::string(code);
}

void keep_code(std::string_view key, std::string_view code) {
    fs::path const directory = cache_directory();
    if (!prepare(directory)) return;
    // Several writers of one entry write the same; a rename shows all of it or nothing.
    auto const path = file_of(key);
    auto name = path.string() + ".XXXXXX";
    int const fd = ::mkstemp(name.data());
    if (fd < 0) return;
    auto const text = header_of(key, code) + std::string(key) + std::string(code);
    bool const written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(fd);
    if (!written || ::rename(name.c_str(), path.c_str()) != 0) ::unlink(name.c_str());
    drop_oldest(directory);
    drop_leftovers(directory);
}

CacheStatus cache_status() {
    CacheStatus status;
    status.directory = cache_directory();
    status.problem = problem_of(status.directory);
    if (status.directory.empty()) return status;
    if (is_there(status.directory) && !is_private(status.directory)) return status;
    std::uint64_t bytes = 0;
    auto const all = entries(status.directory, is_entry);
    for (auto const& entry : all) bytes += entry.bytes;
    status.entries = all.size();
    status.bytes = bytes;
    return status;
}

CacheStatus clear_cache() {
    auto const directory = cache_directory();
    if (directory.empty() || !is_there(directory)) return cache_status();
    // What lies in a directory of others, or that others may write, was not put there by us.
    if (!is_private(directory))
        throw Error(problem_of(directory) + ": nothing was removed", way_out_of(directory));
    for (auto const& entry : entries(directory, is_ours)) {
        std::error_code error;
        fs::remove(entry.path, error);
        if (error)
            throw Error(fmt::format("cannot remove {}: {}", printable(entry.path.string()),
                                    error.message()));
    }
    return cache_status();
}

}  // namespace rocmtune::bench
