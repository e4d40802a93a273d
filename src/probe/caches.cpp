// SPDX-License-Identifier: MIT
// Reader `caches`: where MIOpen, PyTorch and Triton keep what they compiled and tuned, by file
// names and headers. No database is opened: a broken one must not break its reader.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/filesystem.hpp"
#include "probe/loader.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view caches_reader = "caches";

// A cache has a file for each target, and MIOpen a directory for each of its versions.
constexpr std::size_t most_files = 64;
constexpr std::size_t most_versions = 16;
constexpr std::uint64_t most_devices = 64;

constexpr unsigned sticky_bit = 01000;

/// Where a cache lies, by the environment.
struct Place {
    std::string path;
    std::string found_as;
};

/// An absolute path; "~/" is the home directory, as MIOpen and Python expand it.
std::string absolute(std::string_view value, std::string const& home) {
    auto path = std::string(trim(value));
    if (path.starts_with("~/") && !home.empty()) path.replace(0, 1, home);
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path.starts_with('/') ? path : std::string();
}

class Caches {
  public:
    Caches(HostRoot const& root, Host const& host)
        : root_(root),
          host_(host),
          home_(absolute(root.environment_value("HOME").value_or(""), {})) {
        auto const gids = root.call("identity.gids").value.value_or("");
        for (auto const word : words(gids))
            if (auto const gid = to_unsigned(word, 10)) groups_.insert(*gid);
    }

    void read(Fact<std::vector<Cache>>& fact) {
        add_miopen_databases();
        add_miopen_kernels();
        add_tunableop_results();
        add_triton_kernels();
        if (found_.empty() && !tried_.reason())
            return fact.miss(Missing::absent,
                             "no directory for them is named, and HOME is not set");
        if (found_.empty()) return tried_.state(fact);
        tried_.offer(fact, std::move(found_), {caches_reader, "environment"});
    }

  private:
    std::optional<std::string> set(std::string_view variable) const {
        auto value = root_.environment_value(variable);
        return value && !trim(*value).empty() ? value : std::nullopt;
    }

    /// What a variable names, else the place below the home directory; nothing for a path that
    /// depends on where a program starts.
    std::optional<Place> place(std::string_view variable, std::string_view below_home) const {
        if (auto const value = set(variable)) {
            auto path = absolute(*value, home_);
            if (path.empty()) return std::nullopt;
            return Place{std::move(path), std::string(variable)};
        }
        if (home_.empty()) return std::nullopt;
        return Place{home_ + '/' + std::string(below_home), "default"};
    }

    /// A cache whose directory is there, or of which it cannot be told. After one that does not
    /// answer nobody waits for the others: they mostly lie on the same server.
    Cache* add(std::string_view name, Place const& at, std::string const& directory) {
        Cache cache;
        cache.name = name;
        cache.path = printable(at.path);
        cache.found_as = at.found_as;
        if (silent_) {
            cache.filesystem.miss(Missing::timeout, "not asked after " + *silent_);
            return &found_.emplace_back(std::move(cache));
        }
        auto const state = root_.call("directory." + directory);
        auto const part = state ? words(*state) : std::vector<std::string_view>();
        bool const whole = part.size() == 4 || part.size() == 5;
        auto const mode = whole ? to_unsigned(part[1], 8) : std::nullopt;
        if (!state && (state.reason == Missing::absent || state.reason == Missing::not_recorded)) {
            tried_.add(state);
            if (state.reason == Missing::absent) add_unmade(std::move(cache), directory);
            return nullptr;
        }
        if (state.reason == Missing::timeout) silent_ = cache.path;
        if (!state) miss(cache.filesystem, state);
        else if (auto kind = mode ? filesystem_kind(part[0]) : std::nullopt)
            cache.filesystem.offer(*std::move(kind), {caches_reader, printable(directory)});
        else cache.filesystem.miss(Missing::invalid, printable(directory) + ": unexpected answer");
        if (mode) {
            cache.mode = std::string(part[1]);
            // Older recordings lack the kernel's own word, which knows access lists.
            cache.writable = part.size() == 5
                                 ? std::optional(part[4] == "w")
                                 : may_write(static_cast<unsigned>(*mode), to_unsigned(part[2], 10),
                                             to_unsigned(part[3], 10));
        }
        is_shared_ = mode && (*mode & sticky_bit) != 0;
        return &found_.emplace_back(std::move(cache));
    }

    /// A cache that no program has made yet is worth a word only where none could be made.
    void add_unmade(Cache cache, std::string directory) {
        while (directory.size() > 1) {
            directory = parent_directory(directory);
            auto const state = root_.call("directory." + directory);
            if (!state && state.reason == Missing::absent) continue;
            auto const part = state ? words(*state) : std::vector<std::string_view>();
            if (part.size() != 5 || part[4] == "w") return;
            cache.writable = false;
            cache.mode = std::string(part[1]);
            cache.filesystem.miss(Missing::absent, "the directory does not exist");
            cache.files.miss(Missing::absent, "the directory does not exist");
            found_.push_back(std::move(cache));
            return;
        }
    }

    /// Whether mode and owner let this process write; root always may.
    std::optional<bool> may_write(unsigned mode, std::optional<std::uint64_t> owner,
                                  std::optional<std::uint64_t> group) const {
        if (!host_.user_id || !owner || !group) return std::nullopt;
        if (*host_.user_id == 0) return true;
        if (*owner == *host_.user_id) return (mode & 0200U) != 0;
        return (mode & (groups_.contains(*group) ? 0020U : 0002U)) != 0;
    }

    void add_miopen_databases() {
        auto const at = place("MIOPEN_USER_DB_PATH", ".config/miopen");
        if (!at) return;
        auto* const cache = add("miopen-databases", *at, at->path);
        if (cache != nullptr) look_at_miopen(*cache, at->path, {""});
        if (at->found_as == "default") add_miopen_fallback();
    }

    /// On a network home MIOpen keeps its databases in the temporary directory itself
    /// (MIOpen src/db_path.cpp.in), where another user's may have taken their names.
    void add_miopen_fallback() {
        auto const magic = root_.call("home.filesystem");
        auto const kind = magic ? filesystem_kind(trim(*magic)) : std::nullopt;
        if (!kind || !is_left_by_miopen(*kind)) return;
        auto const directory = absolute(set("TMPDIR").value_or("/tmp"), {});
        auto foreign = files_of_others(directory);
        if (foreign.empty()) return;
        auto* const cache = add("miopen-databases", {directory, "fallback"}, directory);
        if (cache == nullptr || !cache->filesystem) return;
        cache->files.miss(Missing::unsupported, "a directory for everybody");
        cache->unread = std::move(foreign);
    }

    /// Databases of MIOpen in a directory that this process may not write.
    std::vector<std::string> files_of_others(std::string const& directory) const {
        std::vector<std::string> found;
        auto const names = root_.list(directory);
        for (auto const& name : names.value.value_or(std::vector<std::string>{})) {
            if (found.size() == most_files) break;
            if (!miopen_target(name) && !is_miopen_database(name)) continue;
            auto const file = root_.status(directory + '/' + name);
            if (file && !may_write(file->mode, file->uid, file->gid).value_or(true))
                found.push_back(fmt::format("{}: of user {}", printable(name), file->uid));
        }
        return found;
    }

    void add_miopen_kernels() {
        auto const at = place("MIOPEN_CUSTOM_CACHE_DIR", ".cache/miopen");
        auto* const cache = at ? add("miopen-kernels", *at, at->path) : nullptr;
        if (cache == nullptr) return;
        std::vector<std::string> directories{""};
        // The default place has one directory for each version of MIOpen.
        if (auto const names = at->found_as == "default" && cache->filesystem
                                   ? root_.list(at->path)
                                   : Answer<std::vector<std::string>>{})
            for (auto const& name : *names)
                if (directories.size() <= most_versions && name.front() >= '0' &&
                    name.front() <= '9')
                    directories.push_back(name);
        look_at_miopen(*cache, at->path, directories);
    }

    std::optional<Place> triton_place() const {
        auto const home = set("TRITON_HOME");
        if (!home || set("TRITON_CACHE_DIR")) return place("TRITON_CACHE_DIR", ".triton/cache");
        auto const path = absolute(*home, home_);
        if (path.empty()) return std::nullopt;
        return Place{path + "/.triton/cache", "TRITON_HOME"};
    }

    /// Triton's directories are named by hashes: no name tells the target.
    void add_triton_kernels() {
        auto const at = triton_place();
        if (auto* const cache = at ? add("triton-kernels", *at, at->path) : nullptr)
            cache->files.miss(Missing::unsupported, "no file name tells the target");
    }

    /// Without a name the results lie where a program starts, which is not ours to know.
    void add_tunableop_results() {
        auto const value = set("PYTORCH_TUNABLEOP_FILENAME");
        auto const name = absolute(value.value_or(""), {});
        if (name.empty()) return;
        std::set<std::string> files{name};
        auto const devices = std::clamp<std::uint64_t>(host_.gpus.size(), 1, most_devices);
        for (std::uint64_t i = 0; i < devices; ++i) files.insert(tunableop_file(name, i));
        auto* const cache =
            add("tunableop-results", {name, "PYTORCH_TUNABLEOP_FILENAME"}, parent_directory(name));
        if (cache == nullptr || !cache->filesystem) return;
        std::uint64_t count = 0;
        for (auto const& file : files) count += look_at_results(*cache, file) ? 1 : 0;
        cache->files.offer(count, {caches_reader, cache->path});
    }

    /// The files of MIOpen in a directory ("") and some below it.
    void look_at_miopen(Cache& cache, std::string const& path,
                        std::vector<std::string> const& directories) {
        if (!cache.filesystem) return cache.files.miss(Missing::not_read);
        // What others keep in a directory for everybody is nobody's business.
        if (is_shared_) return cache.files.miss(Missing::unsupported, "a directory for everybody");
        std::set<std::string> targets;
        std::uint64_t count = 0;
        for (auto const& directory : directories) {
            auto const names = root_.list(directory.empty() ? path : path + '/' + directory);
            if (!names) return miss(cache.files, names);
            for (auto const& name : *names) {
                auto const target = miopen_target(name);
                if (!target && !is_miopen_database(name)) continue;
                if (++count > most_files) break;
                if (target) targets.insert(*target);
                if (!is_miopen_database(name)) continue;
                look_at_database(cache, path, directory.empty() ? name : directory + '/' + name,
                                 *names);
            }
        }
        cache.gfx_targets.assign(targets.begin(), targets.end());
        cache.files.offer(std::min<std::uint64_t>(count, most_files), {caches_reader, cache.path});
    }

    void look_at_database(Cache& cache, std::string const& path, std::string const& file,
                          std::vector<std::string> const& beside) {
        auto const answer = root_.call(fmt::format("head.{}/{}", path, file));
        if (!answer) return add_unread(cache, file, answer);
        auto const has = [&](std::string_view suffix) {
            auto const log = std::string(last_component(file)).append(suffix);
            return std::find(beside.begin(), beside.end(), log) != beside.end();
        };
        auto const head = parse_file_head(*answer);
        auto const fault = head ? sqlite_fault(*head, has("-wal") || has("-journal"))
                                : std::optional<std::string>("unexpected answer");
        if (fault) cache.damaged.push_back(fmt::format("{}: {}", printable(file), *fault));
    }

    static void add_unread(Cache& cache, std::string const& file,
                           Answer<std::string> const& answer) {
        // A file that went between two looks is no fault.
        if (answer.reason == Missing::absent) return;
        cache.unread.push_back(fmt::format("{}: {}", printable(file), missing_name(answer.reason)));
    }

    /// Returns whether the file is there.
    bool look_at_results(Cache& cache, std::string const& file) {
        auto const answer = root_.call("head." + file);
        auto const name = std::string(last_component(file));
        if (!answer) return add_unread(cache, name, answer), answer.reason != Missing::absent;
        auto const head = parse_file_head(*answer);
        auto const validators =
            head ? tunableop_validators(*head) : std::map<std::string, std::string>();
        if (validators.empty() && (!head || head->size_bytes > 0))
            cache.damaged.push_back(printable(name) + ": no validators at its start");
        for (auto const& [key, value] : validators) add_validator(cache, key, value);
        return true;
    }

    static void add_validator(Cache& cache, std::string const& key, std::string const& value) {
        auto add_once = [](std::vector<std::string>& list, std::string one) {
            if (std::find(list.begin(), list.end(), one) == list.end())
                list.push_back(std::move(one));
        };
        if (key == "GCN_ARCH_NAME") add_once(cache.gfx_targets, value.substr(0, value.find(':')));
        if (key == "PT_VERSION") add_once(cache.torch_versions, value);
    }

    HostRoot const& root_;
    Host const& host_;
    std::string home_;
    std::set<std::uint64_t> groups_;
    std::vector<Cache> found_;
    Tried tried_;
    std::optional<std::string> silent_;  ///< the cache whose directory did not answer in time
    bool is_shared_ = false;             ///< the last directory has the sticky bit, as /tmp has
};

}  // namespace

void read_caches(ProbeContext const& context, Host& host) {
    if (!context.root.knows_environment())
        return host.caches.miss(Missing::not_recorded, "no environment came with the tree");
    Caches(context.root, host).read(host.caches);
}

}  // namespace rocmtune
