// SPDX-License-Identifier: MIT
// The running system, or a directory laid out as one. The only file that opens /sys, /proc, /dev.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/text.hpp"
#include "machine/live_calls.hpp"
#include "machine/path.hpp"
#include "machine/path_walk.hpp"
#include "machine/plain_tree.hpp"
#include "machine/replies.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

/// Reads to the end or the cap; one byte more than the cap tells that there was more. An attribute
/// of sysfs comes in pages, so less than a page is its end; /proc may stop anywhere.
Reply read_all(int fd, std::size_t cap, bool is_attribute) {
    constexpr ssize_t page = 4096;
    std::array<char, read_cap_bytes> buffer;
    Reply reply;
    for (bool more = true; more && reply.text.size() <= cap;) {
        auto const count =
            ::read(fd, buffer.data(), std::min(buffer.size(), cap + 1 - reply.text.size()));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure(errno);
        reply.text.append(buffer.data(), static_cast<std::size_t>(count));
        more = count > 0 && !(is_attribute && count < page);
    }
    reply.ok = true;
    reply.truncated = reply.text.size() > cap;
    reply.text.resize(std::min(reply.text.size(), cap));
    return reply;
}

/// By getdents64(2) itself: what fdopendir asks about the file, and the copy of it that it needs,
/// would double the calls for each of hundreds of small directories.
Reply list_directory(FileDescriptor const& fd) {
    alignas(dirent64) std::array<char, 32768> buffer;
    std::vector<std::string> names;
    for (;;) {
        auto const size = ::getdents64(fd.get(), buffer.data(), buffer.size());
        if (size < 0) return failure(errno);
        if (size == 0) return names_reply(std::move(names));
        for (ssize_t at = 0; at < size;) {
            auto const* const entry = reinterpret_cast<dirent64 const*>(buffer.data() + at);
            std::string_view const name = entry->d_name;
            if (name != "." && name != "..") names.emplace_back(name);
            at += entry->d_reclen;
        }
    }
}

char kind_of(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFREG: return 'f';
        case S_IFDIR: return 'd';
        case S_IFLNK: return 'l';
        case S_IFCHR: return 'c';
        case S_IFBLK: return 'b';
        default: return 'o';
    }
}

FileStatus file_status(struct stat const& s) {
    return {kind_of(s.st_mode), s.st_mode & 07777U, s.st_uid,
            s.st_gid,           ::major(s.st_rdev), ::minor(s.st_rdev)};
}

/// A directory that is kept open, because many questions lie below it and the kernel finds a short
/// path sooner than a long one.
struct Anchor {
    std::string prefix = {};  ///< its path with a slash behind
    FileDescriptor fd = FileDescriptor();
};

/// Without O_NONBLOCK a FIFO would hang the open.
constexpr int file_flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;

class DirectorySource : public HostSource {
  public:
    explicit DirectorySource(std::string root)
        : root_(std::move(root)),
          live_(root_ == "/"),
          areas_([this](std::string const& at) { return target_of(at); },
                 [this](std::string const& path) { return has_entries(path); }) {
        fd_ =
            above_standard(FileDescriptor(::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)));
        if (!fd_)
            throw Error("cannot open " + printable(root_) +
                        " as a directory: " + errno_name(errno));
    }

    Reply ask(Query const& query) override {
        std::string const path(query.path);
        switch (query.operation) {
            case Operation::read: return read(path);
            case Operation::list: return list(path);
            case Operation::link: return link(path);
            case Operation::resolve: return resolve(path);
            case Operation::status: return status(path);
            case Operation::open: return open_device(path);
            case Operation::call: return live_ ? live_call(path) : no_call();
        }
        return failure(ENOSYS);
    }

    std::optional<std::string> environment() override {
        return live_ ? std::optional(live_environment()) : std::nullopt;
    }
    std::string label() const override { return live_ ? std::string() : "directory " + root_; }

  private:
    static Reply no_call() {
        return refusal(Missing::not_recorded, "a directory tree does not say");
    }

    /// Anybody may have put anything into a tree, and opening a device or a FIFO can act on it:
    /// what lies there is looked at first. On the running system the paths are the kernel's.
    Reply read(std::string const& path) {
        bool const is_attribute = path.starts_with("/sys/");
        if (auto const file = open_plain_file(path))
            return read_all(file.get(), read_cap(path), is_attribute);
        FileDescriptor const fd = open(path, live_ ? file_flags : O_PATH);
        if (!fd) return missing(path, errno);
        // The kernel's own sysfs holds no devices or pipes, and of a directory read(2) says EISDIR.
        if (live_ && is_attribute) return read_all(fd.get(), read_cap(path), is_attribute);
        struct stat s {};
        if (::fstat(fd.get(), &s) != 0) return failure(errno);
        if (S_ISDIR(s.st_mode)) return failure(EISDIR);
        if (!S_ISREG(s.st_mode)) return refusal(Missing::invalid, "no regular file");
        if (live_) return read_all(fd.get(), read_cap(path), is_attribute);
        auto const file = opened_file(fd, path);
        return file ? read_all(file.get(), read_cap(path), is_attribute) : failure(errno);
    }

    /// The short way for a file of a tree that is regular and has no link in its way below the
    /// anchor. Whoever could swap it for a device in between is root already.
    FileDescriptor open_plain_file(std::string const& path) const {
        if (live_ || !has_openat2_ || !anchor_.fd || !path.starts_with(anchor_.prefix))
            return FileDescriptor();
        auto const* const name = path.c_str() + anchor_.prefix.size();
        struct stat s {};
        if (*name == '\0' || *name == '/' ||
            ::fstatat(anchor_.fd.get(), name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
            return FileDescriptor();
        return FileDescriptor(openat2_call(anchor_.fd.get(), name, file_flags,
                                           RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS));
    }

    /// Opens the very file that an O_PATH descriptor stands for; by its path where there is no
    /// /proc.
    FileDescriptor opened_file(FileDescriptor const& found, std::string const& path) {
        auto const name = fmt::format("/proc/self/fd/{}", found.get());
        FileDescriptor file(::open(name.c_str(), file_flags | O_CLOEXEC));
        return file || errno != ENOENT ? std::move(file) : open(path, file_flags);
    }

    Reply list(std::string const& path) {
        FileDescriptor fd = open(path, O_RDONLY | O_DIRECTORY);
        if (!fd) return missing(path, errno);
        // Its entries are asked for next, each in a directory of its own (caches/7/properties).
        anchor_ = {path + '/', std::move(fd)};
        return list_directory(anchor_.fd);
    }

    Reply link(std::string const& path) {
        auto const parent_end = path.rfind('/');
        auto const parent = parent_end == 0 ? "/" : path.substr(0, parent_end);
        FileDescriptor const fd = open(parent, O_PATH | O_DIRECTORY);
        if (!fd) return missing(path, errno);
        return read_link(fd.get(), path.substr(parent_end + 1), path);
    }

    Reply read_link(int parent, std::string const& name, std::string const& path) {
        auto target = link_text(parent, name.c_str());
        return target ? success(std::move(*target)) : missing(path, errno);
    }

    Reply resolve(std::string const& path) {
        if (auto known = resolved_by_kernel(path)) return success(std::move(*known));
        auto const resolved = walk(path);
        if (resolved.error != 0) return missing(path, resolved.error);
        struct stat s {};
        if (::fstatat(fd_.get(), relative(resolved.path), &s, AT_SYMLINK_NOFOLLOW) != 0)
            return missing(path, errno);
        return success(resolved.path);
    }

    Reply status(std::string const& path) {
        FileDescriptor const fd = open(path, O_PATH);
        if (!fd) return missing(path, errno);
        struct stat s {};
        if (::fstat(fd.get(), &s) != 0) return failure(errno);
        return status_reply(file_status(s));
    }

    Reply open_device(std::string const& path) const {
        if (!live_) return no_call();
        FileDescriptor const fd(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        return fd ? success({}) : failure(errno);
    }

    /// Opens below the root; the kernel keeps the links inside it (openat2, Linux 5.6). Where that
    /// call is missing or filtered (old container runtimes answer EPERM), we walk the path
    /// ourselves; so we do where anybody renames or mounts anything meanwhile (EAGAIN).
    FileDescriptor open(std::string const& path, int flags) {
        flags |= O_CLOEXEC;
        missed_near_ = false;
        if (auto fd = open_near(path, flags)) return std::move(*fd);
        if (live_) return FileDescriptor(::open(path.c_str(), flags));
        if (has_openat2_) {
            auto const fd = openat2_call(fd_.get(), relative(path), flags,
                                         RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
            has_openat2_ = fd >= 0 || (errno != ENOSYS && errno != EPERM);
            if (fd >= 0 || (has_openat2_ && errno != EAGAIN)) return FileDescriptor(fd);
        }
        auto const resolved = walk(path);
        if (resolved.error != 0) return errno = resolved.error, FileDescriptor();
        return open_resolved(resolved.path, flags);
    }

    /// A canonical path, one directory after the other: none is followed that has become a link
    /// since it was looked at.
    FileDescriptor open_resolved(std::string_view path, int flags) const {
        FileDescriptor directory;
        int at = fd_.get();
        for (path.remove_prefix(1);;) {
            auto const end = path.find('/');
            std::string const name(path.empty() ? "." : path.substr(0, end));
            if (end == path.npos)
                return FileDescriptor(::openat(at, name.c_str(), flags | O_NOFOLLOW));
            directory = FileDescriptor(
                ::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            if (!directory) return directory;
            at = directory.get();
            path.remove_prefix(end + 1);
        }
    }

    /// The short way for a path below the anchor. Nothing if it is not below, or if a link or `..`
    /// stands in the way: then the whole path must be resolved.
    std::optional<FileDescriptor> open_near(std::string const& path, int flags) {
        if (!has_openat2_) return std::nullopt;
        auto const parent = path.substr(0, path.rfind('/') + 1);
        if (lacks(parent, path.substr(parent.size())))
            return missed_near_ = true, errno = ENOENT, FileDescriptor();
        if (!anchor_.fd || !path.starts_with(anchor_.prefix)) {
            if (!move_anchor(parent)) return std::nullopt;
        }
        auto const* const rest = path.c_str() + anchor_.prefix.size();
        if (*rest == '\0' || *rest == '/') return std::nullopt;
        auto const fd =
            openat2_call(anchor_.fd.get(), rest, flags, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
        missed_near_ = fd < 0 && errno == ENOENT;
        if (fd >= 0 || missed_near_) return FileDescriptor(fd);
        return std::nullopt;
    }

    /// Devices lack many of the files that are asked for: one look at the directory tells which.
    bool lacks(std::string const& parent, std::string const& name) const {
        auto const known = names_of_.find(parent);
        return known != names_of_.end() && !name.empty() && name != "." && name != ".." &&
               !known->second.contains(name);
    }

    /// The second question in a row about one directory makes it the anchor: a third will follow.
    bool move_anchor(std::string const& parent) {
        if (parent.size() <= 1 || parent != last_parent_) return last_parent_ = parent, false;
        last_parent_.clear();
        anchor_ = {};
        auto fd = open(parent.substr(0, parent.size() - 1), O_PATH | O_DIRECTORY);
        if (!fd) return false;
        anchor_ = {parent, std::move(fd)};
        if (parent.starts_with("/sys/devices/")) learn_names(parent);
        return true;
    }

    void learn_names(std::string const& parent) {
        auto const [known, fresh] = names_of_.try_emplace(parent);
        if (!fresh) return;
        FileDescriptor const fd(
            ::openat(anchor_.fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        auto const names = fd ? list_directory(fd) : failure(errno);
        if (!names.ok) return void(names_of_.erase(known));
        for (auto const name : split(names.text, '\0')) known->second.emplace(name);
    }

    /// A canonical path from the kernel, where /proc tells: one question instead of one for each
    /// component.
    std::optional<std::string> resolved_by_kernel(std::string const& path) {
        if (!has_openat2_) return std::nullopt;
        auto const name_of = [](int fd) {
            return link_text(AT_FDCWD, fmt::format("/proc/self/fd/{}", fd).c_str());
        };
        if (real_root_.empty()) real_root_ = live_ ? "/" : name_of(fd_.get()).value_or("") + '/';
        auto const fd = open(path, O_PATH);
        auto const name = fd ? name_of(fd.get()) : std::nullopt;
        if (!name || real_root_.front() != '/' || name->ends_with(" (deleted)"))
            return std::nullopt;
        if (*name + '/' == real_root_) return "/";
        if (!name->starts_with(real_root_)) return std::nullopt;
        return name->substr(real_root_.size() - 1);
    }

    /// The first component that cannot be looked up decides, as in the kernel: a path does not come
    /// back to life by a later `..`.
    ResolvedPath walk(std::string const& path) const {
        int error = 0;
        auto resolved = resolve_in_root(path, [&](std::string const& at) {
            auto target = target_of(at);
            if (!target && errno != EINVAL && error == 0)
                error = errno;  // EINVAL: there, but no link
            return target;
        });
        return error == 0 ? resolved : ResolvedPath{error, {}};
    }

    /// Text of the link at a path whose parents hold none; errno says why there is none.
    std::optional<std::string> target_of(std::string const& at) const {
        return link_text(fd_.get(), relative(at));
    }

    static std::optional<std::string> link_text(int directory, char const* path) {
        std::array<char, 4096> target;  // PATH_MAX
        auto const size = ::readlinkat(directory, path, target.data(), target.size());
        if (size < 0) return std::nullopt;
        return std::string(target.data(), static_cast<std::size_t>(size));
    }

    /// The path as openat(2) wants it; "/" itself is ".".
    static char const* relative(std::string const& path) {
        auto const start = path.find_first_not_of('/');
        return start == path.npos ? "." : path.c_str() + start;
    }

    /// What a failed open says: in a plain tree a missing file of a part that was never captured
    /// says nothing.
    Reply missing(std::string const& path, int error) {
        if (live_ || reason_of(error) != Missing::absent || areas_.contains(path, !missed_near_))
            return failure(error);
        return refusal(Missing::not_recorded, "the tree has nothing of this kind");
    }

    bool has_entries(std::string const& path) {
        FileDescriptor const fd = open(path, O_RDONLY | O_DIRECTORY);
        return fd && !list_directory(fd).text.empty();
    }

    std::string root_;
    bool live_;
    bool has_openat2_ = true;
    FileDescriptor fd_;
    std::string
        real_root_;  ///< where the root lies, as /proc/self/fd names it, with a slash behind
    std::string
        last_parent_;  ///< directory of the last path that was asked for, with a slash behind
    Anchor anchor_;
    std::unordered_map<std::string, std::unordered_set<std::string>>
        names_of_;              ///< by path with a slash
    bool missed_near_ = false;  ///< the last open failed below the anchor: no link was in the way
    CapturedAreas areas_;
};

/// Asked of the tree itself, so that a link that leaves it does not count.
void refuse_what_is_no_host(HostSource& tree, std::string const& root) {
    for (auto const part : host_parts)
        if (auto const reply = tree.ask({Operation::status, part});
            reply.ok && reply.text.starts_with('d'))
            return;
    throw Error(
        printable(root) + " is not laid out as a host: it has none of sys, proc, etc, dev, opt",
        "give the directory that holds sys/, as a chroot would be laid out");
}

}  // namespace

std::unique_ptr<HostSource> directory_source(std::string const& root) {
    if (root.empty() || root == "/") return std::make_unique<DirectorySource>("/");
    struct stat s {};
    if (::stat(root.c_str(), &s) != 0)
        throw Error("cannot read " + printable(root) + ": " + errno_text(errno));
    if (!S_ISDIR(s.st_mode))
        throw Error(printable(root) + " is not a directory", "for a recorded file use --replay");
    auto tree = std::make_unique<DirectorySource>(root);
    refuse_what_is_no_host(*tree, root);
    return tree;
}

}  // namespace rocmtune
