// SPDX-License-Identifier: MIT
#include "machine/written_file.hpp"

#include <algorithm>
#include <charconv>
#include <climits>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/held_signals.hpp"
#include "machine/trusted_path.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// A dot and six characters, as mkstemp(3) has them.
std::string random_ending() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::uint64_t number = 0;
    // So few bytes are never cut short (getrandom(2)).
    [[maybe_unused]] auto const got = ::getrandom(&number, sizeof number, 0);
    std::string ending = ".";
    for (int i = 0; i < 6; ++i, number /= letters.size())
        ending += letters[number % letters.size()];
    return ending;
}

/// A file in a directory that vanishes unless it gets its name in it.
class TemporaryFile {
  public:
    /// One that stands beside `name` under another name: who kills us meanwhile leaves it there.
    TemporaryFile(int directory, std::string const& name) : directory_(directory) {
        constexpr auto flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
        error_ = with_free_name(name, [this] {
            file_ = FileDescriptor(::openat(directory_, name_.c_str(), flags, S_IRUSR | S_IWUSR));
            return static_cast<bool>(file_);
        });
        is_there_ = error_ == 0;
    }
    /// One that has no name until it is whole. Some file systems have none such (EOPNOTSUPP).
    explicit TemporaryFile(int directory)
        : directory_(directory),
          file_(::openat(directory, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, S_IRUSR | S_IWUSR)),
          error_(file_ ? 0 : errno) {}
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;
    ~TemporaryFile() {
        if (is_there_) ::unlinkat(directory_, name_.c_str(), 0);
    }

    int error() const { return error_; }  ///< of making it: 0 or errno
    // All of these: 0 or errno.
    int fill(std::string_view text, mode_t mode, Durable durable,
             std::optional<Owner> const& owner) {
        if (int const error = write_all(file_.get(), text)) return error;
        // This takes bits of the mode away.
        if (owner && ::fchown(file_.get(), owner->user, owner->group) != 0) return errno;
        if (::fchmod(file_.get(), mode) != 0) return errno;
        // The rename must not reach the disk before the content.
        return durable == Durable::yes && ::fsync(file_.get()) != 0 ? errno : 0;
    }
    /// A link cannot take the place of a file: it is put beside it, to be renamed.
    int link_beside(std::string const& name) {
        auto const own = fmt::format("/proc/self/fd/{}", file_.get());
        int const error = with_free_name(name, [&] {
            return ::linkat(AT_FDCWD, own.c_str(), directory_, name_.c_str(), AT_SYMLINK_FOLLOW) ==
                   0;
        });
        is_there_ = error == 0;
        return error;
    }
    int rename_to(std::string const& name) {
        if (::renameat(directory_, name_.c_str(), directory_, name.c_str()) != 0) return errno;
        is_there_ = false;
        return 0;
    }

  private:
    /// Tries names until one is free. 0 or errno.
    template <class Try>
    int with_free_name(std::string const& name, Try take) {
        constexpr int tries = 100;
        constexpr std::size_t room = NAME_MAX - 7;
        for (int i = 0; i < tries; ++i) {
            name_ = name.substr(0, room) + random_ending();
            if (take()) return 0;
            if (errno != EEXIST) break;
        }
        return errno;
    }

    int directory_;
    std::string name_ = {};
    FileDescriptor file_;
    int error_;
    bool is_there_ = false;
};

/// A directory that may be written but not read cannot be synced: its names are then on the disk
/// when the kernel likes.
void sync_names(int directory) {
    FileDescriptor const readable(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (readable) (void)::fsync(readable.get());
}

/// The number of the descriptor of this process that /proc/self/fd/N names.
std::optional<int> own_descriptor(PathWalk const& walk) {
    struct stat own {};
    auto const& holder = walk.steps[walk.holder].inode;
    if (!walk.is_magic || ::stat("/proc/self/fd", &own) != 0 || own.st_dev != holder.device ||
        own.st_ino != holder.number)
        return std::nullopt;
    int number = -1;
    (void)std::from_chars(walk.name.data(), walk.name.data() + walk.name.size(), number);
    return number;
}

/// For a descriptor of ours itself, so that what comes before and behind goes to the same place.
FileDescriptor open_to_write(PathWalk const& walk) {
    if (auto const number = own_descriptor(walk))
        return FileDescriptor(::fcntl(*number, F_DUPFD_CLOEXEC, 0));
    return reopen(walk, O_WRONLY | O_TRUNC | O_NOCTTY);
}

mode_t umask_of_process() {
    auto const mask = ::umask(0);
    ::umask(mask);
    return mask;
}

/// 0, errno, or nothing where such files cannot be had, or not be named.
std::optional<int> replace_by_unnamed(int directory, std::string const& name, std::string_view text,
                                      mode_t mode, Durable durable,
                                      std::optional<Owner> const& owner) {
    TemporaryFile file(directory);
    if (file.error() != 0) return std::nullopt;
    if (int const error = file.fill(text, mode, durable, owner)) return error;
    if (file.link_beside(name) != 0) return std::nullopt;
    return file.rename_to(name);
}

/// 0 or errno.
int replace_by_named(int directory, std::string const& name, std::string_view text, mode_t mode,
                     Durable durable, std::optional<Owner> const& owner) {
    TemporaryFile file(directory, name);
    if (file.error() != 0) return file.error();
    if (int const error = file.fill(text, mode, durable, owner)) return error;
    return file.rename_to(name);
}

char const* hint_for(int error) {
    switch (error) {
        case ENOENT: return "the directory must exist";
        case ENOSPC: return "the disk is full";
        case EBUSY: return "something is mounted on that name: choose another one";
        default: return "";
    }
}

}  // namespace

int replace_in(int directory, std::string const& name, std::string_view text, mode_t mode,
               Durable durable, std::optional<Owner> owner) {
    // Whoever ends us meanwhile would leave a temporary file behind.
    HeldSignals const signals;
    auto const done = replace_by_unnamed(directory, name, text, mode, durable, owner);
    int const error = done ? *done : replace_by_named(directory, name, text, mode, durable, owner);
    if (error != 0) return error;
    if (durable == Durable::yes) sync_names(directory);
    return 0;
}

Destination::Destination(std::string path)
    : path_(std::move(path)), walk_(walk_path(path_, Noted::links)) {
    auto const why = distrust_links(walk_.steps, trust_of_process());
    if (!why.empty())
        throw Error(fmt::format("cannot write {}: {}", printable(path_), why),
                    "choose a directory of your own, or name the place that it leads to");
}

std::optional<std::pair<std::string, std::string>> Destination::identity() const {
    if (!is_replaced()) return std::nullopt;
    auto const& holder = walk_.steps[walk_.holder].inode;
    return std::pair(fmt::format("{}:{}", holder.device, holder.number), walk_.name);
}

void Destination::write(std::string_view text) const {
    if (walk_.error != 0 && !walk_.is_new()) fail(walk_.error);
    if (!is_replaced()) return write_in_place(text);
    if (int const error = replace_in(walk_.directory.get(), walk_.name, text, mode(), Durable::yes))
        fail(error);
}

bool Destination::is_replaced() const {
    if (walk_.is_new()) return true;
    return walk_.error == 0 && !walk_.is_magic && S_ISREG(walk_.steps.back().inode.mode);
}

/// A file that was ours keeps its mode; one of somebody else must not say who may read ours, also
/// where it is a file of ours that he gave this name, or a second one.
mode_t Destination::mode() const {
    mode_t const usual = 0600U & ~umask_of_process();
    if (walk_.is_new()) return usual;
    auto const& old = walk_.steps.back().inode;
    auto const& holder = walk_.steps[walk_.holder].inode;
    auto const trust = trust_of_process();
    bool const keeps_names = (holder.mode & S_ISVTX) != 0 && trust.holds(holder.owner);
    bool const is_put_there =
        (!keeps_names || old.links > 1) && !other_writer(holder, trust).empty();
    return old.owner == ::geteuid() && !is_put_there ? old.mode & 0777U : usual;
}

void Destination::write_in_place(std::string_view text) const {
    if (S_ISDIR(walk_.steps.back().inode.mode)) fail(EISDIR);
    auto const file = open_to_write(walk_);
    if (!file) fail(errno);
    if (int const error = write_all(file.get(), text)) fail(error);
}

void Destination::append(std::string_view text) const {
    constexpr int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    FileDescriptor const file(::openat(walk_.directory.get(), walk_.name.c_str(), flags));
    auto const inode = file ? inode_of(file.get()) : std::nullopt;
    if (!inode) fail(errno);
    // Somebody may have put another one in its place.
    if (!inode->is(S_IFREG) || inode->owner != ::geteuid()) fail(ESTALE);
    if (int const error = write_all(file.get(), text)) fail(error);
    if (::fdatasync(file.get()) != 0) fail(errno);
}

void Destination::fail(int error) const {
    throw Error(fmt::format("cannot write {}: {}", printable(path_), errno_text(error)),
                hint_for(error));
}

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
