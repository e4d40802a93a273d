// SPDX-License-Identifier: MIT
// HostRoot: what readers ask the machine with. It turns replies into values or reasons.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_source.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {

/// A value, or why there is none. `detail` names the path and the errno for people.
template <class T>
struct Answer {
    std::optional<T> value;
    Missing reason = Missing::absent;
    int error = 0;
    std::string detail;

    explicit operator bool() const { return value.has_value(); }
    T const& operator*() const { return *value; }
    T const* operator->() const { return &*value; }

    /// The same failure for a value of another type.
    template <class U>
    Answer<U> failure() const {
        return {std::nullopt, reason, error, detail};
    }
};

/// What a path is.
struct FileStatus {
    char kind = 'f';    ///< f regular, d directory, l link, c character device, b block, o other
    unsigned mode = 0;  ///< permission bits
    unsigned uid = 0;
    unsigned gid = 0;
    unsigned major = 0;  ///< of a device node
    unsigned minor = 0;
};

/// The machine to be looked at. Cheap to copy; paths are absolute inside the root.
class HostRoot {
  public:
    explicit HostRoot(std::shared_ptr<HostSource> source);

    /// A file as text: cut at the first NUL (the kernel and captures pad with them), trailing
    /// white space removed. `invalid` if it holds control characters: that is no attribute.
    Answer<std::string> read(std::string_view path) const;
    /// A file byte by byte.
    Answer<std::string> read_bytes(std::string_view path) const;
    /// The names in a directory, sorted so that card2 comes before card10.
    Answer<std::vector<std::string>> list(std::string_view path) const;
    Answer<std::string> link(std::string_view path) const;
    /// Canonical path: every link followed, inside the root.
    Answer<std::string> resolve(std::string_view path) const;
    Answer<FileStatus> status(std::string_view path) const;
    bool exists(std::string_view path) const { return status(path).value.has_value(); }
    /// Whether open(O_RDWR) works; the value is always true.
    Answer<bool> open_device(std::string_view path) const;
    /// An answer that is no file, as text. Keys: uname.release, uname.machine, uname.nodename,
    /// limit.memlock and limit.nofile ("SOFT HARD", bytes, files or `unlimited`), cgroup.cpu
    /// ("QUOTA PERIOD" in microseconds of the control group that grants least, or `max`),
    /// identity.uid, identity.gids (blank-separated), identity.of (whose they are, if not this
    /// process's), writers.PATH (whom an access list lets write: "u:UID g:GID"), filesystem.PATH
    /// (size in bytes), directory.PATH (magic number of statfs(2), mode, uid, gid), head.PATH (size
    /// of a file, a line end, its first 512 bytes), home.filesystem (magic number, hexadecimal),
    /// clock.monotonic (seconds), kernel-log; those of device_code.hpp and host_commands.hpp.
    Answer<std::string> call(std::string_view key) const;
    std::optional<std::string> environment_value(std::string_view name) const;
    /// Whether the environment of the process is known at all.
    bool knows_environment() const { return source_->environment().has_value(); }
    /// All variables as name and value, in the order of the process; none if they are not known.
    std::vector<std::pair<std::string, std::string>> environment() const;
    std::string label() const { return source_->label(); }

  private:
    Answer<std::string> ask(Operation operation, std::string_view path) const;
    std::shared_ptr<HostSource> source_;
};

/// Runtime behaviour of one probing run that is no property of the host.
struct ProbeOptions {
    bool wake = false;  ///< read telemetry of suspended GPUs, which wakes them
};

}  // namespace rocmtune
