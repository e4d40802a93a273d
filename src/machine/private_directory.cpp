// SPDX-License-Identifier: MIT
#include "machine/private_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/named_file.hpp"
#include "machine/trusted_path.hpp"
#include "machine/written_file.hpp"

namespace rocmtune {
namespace {

struct Split {
    std::string parent;
    std::string name;
};

Split split_last(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    auto const slash = path.rfind('/');
    return {path.substr(0, std::max<std::size_t>(slash, 1)), path.substr(slash + 1)};
}

/// What root trusts, nobody else may have written on the way; others follow no link of anybody
/// else, not even in his own directory: a cache is not for others to place.
struct Way {
    PathWalk walk;
    std::string distrust;

    explicit Way(std::string const& path) {
        bool const is_strict = has_rights_of_its_own();
        walk = walk_path(path + "/.", is_strict ? Noted::every_step : Noted::links);
        auto const judge = is_strict ? rocmtune::distrust : distrust_links;
        auto trust = trust_of_process();
        trust.owners = false;
        distrust = judge(walk.steps, trust);
    }
    bool is_usable() const { return walk.error == 0 && distrust.empty(); }
};

/// The directory, made with its parents where it is not there.
Way made_way(std::string const& path) {
    Way way(path);
    if (path == "/" || way.walk.error != ENOENT || !way.distrust.empty()) return way;
    auto const [parent, name] = split_last(path);
    auto const above = made_way(parent);
    if (above.is_usable()) (void)::mkdirat(above.walk.file.get(), name.c_str(), S_IRWXU);
    return Way(path);
}

bool is_of_this_user_alone(int fd) {
    struct stat s {};
    return ::fstat(fd, &s) == 0 && s.st_uid == ::geteuid() && (s.st_mode & 0077U) == 0;
}

struct CloseDirectory {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

std::optional<PrivateDirectory::Entry> entry_of(int directory, char const* name) {
    struct stat s {};
    if (::fstatat(directory, name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
        return std::nullopt;
    return PrivateDirectory::Entry{name, static_cast<std::uint64_t>(s.st_size), s.st_mtim};
}

}  // namespace

PrivateDirectory::PrivateDirectory(std::string const& path, PathWalk const& above,
                                   std::string const& distrust) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    auto const name = printable(path);
    if (!distrust.empty()) {
        problem_ = fmt::format("{} is not used: {}", name, distrust);
        return;
    }
    FileDescriptor directory(
        above.error != 0 ? -1 : ::openat(above.file.get(), split_last(path).name.c_str(), flags));
    error_ = directory ? 0 : above.error != 0 ? above.error : errno;
    bool const is_other = above.error == 0 && (error_ == ENOTDIR || error_ == ELOOP);
    if (directory ? !is_of_this_user_alone(directory.get()) : is_other)
        problem_ = fmt::format("{} is not a directory of this user alone", name);
    else if (!directory)
        problem_ = fmt::format("{} cannot be opened: {}", name, errno_text(error_));
    else directory_ = std::move(directory);
}

PrivateDirectory PrivateDirectory::open(std::string const& path) {
    Way const above(split_last(path).parent);
    return {path, above.walk, above.distrust};
}

PrivateDirectory PrivateDirectory::make(std::string const& path) {
    auto const [parent, name] = split_last(path);
    auto const above = made_way(parent);
    if (above.is_usable()) (void)::mkdirat(above.walk.file.get(), name.c_str(), S_IRWXU);
    return {path, above.walk, above.distrust};
}

bool PrivateDirectory::can_be_made(std::string const& path) {
    auto const parent = split_last(path).parent;
    Way const above(parent);
    if (above.walk.error == ENOENT && parent != "/") return can_be_made(parent);
    return above.is_usable() && ::faccessat(above.walk.file.get(), ".", W_OK, 0) == 0;
}

bool PrivateDirectory::can_be_written() const {
    return ::faccessat(directory_.get(), ".", W_OK, 0) == 0;
}

std::vector<PrivateDirectory::Entry> PrivateDirectory::files() const {
    std::vector<Entry> files;
    int const again = ::openat(directory_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::unique_ptr<DIR, CloseDirectory> const list(again < 0 ? nullptr : ::fdopendir(again));
    while (auto const* const found = list ? ::readdir(list.get()) : nullptr)
        if (auto entry = entry_of(directory_.get(), found->d_name))
            files.push_back(std::move(*entry));
    return files;
}

std::string PrivateDirectory::read(std::string const& name, std::size_t most_bytes) const {
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    FileDescriptor const file(::openat(directory_.get(), name.c_str(), flags));
    struct stat s {};
    if (!file || ::fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode)) return {};
    return read_all(file.get(), most_bytes).text;
}

bool PrivateDirectory::write(std::string const& name, std::string_view text) const {
    return replace_in(directory_.get(), name, text, S_IRUSR | S_IWUSR, Durable::no) == 0;
}

void PrivateDirectory::touch(std::string const& name) const {
    (void)::utimensat(directory_.get(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

int PrivateDirectory::remove(std::string const& name) const {
    return ::unlinkat(directory_.get(), name.c_str(), 0) == 0 ? 0 : errno;
}

}  // namespace rocmtune
