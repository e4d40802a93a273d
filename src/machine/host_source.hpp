// SPDX-License-Identifier: MIT
// The one narrow seam to the machine: a query has a reply, and nothing else looks outside.
// A live system, a directory tree, a recording and a guarded child all answer the same questions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rocmtune/fact.hpp"

namespace rocmtune {

/// What can be asked. The numbers are part of the guard's log (guard.cpp) only.
enum class Operation : std::uint8_t {
    read,     ///< content of a regular file
    list,     ///< names in a directory, each ended by NUL, sorted
    link,     ///< target of a symbolic link
    resolve,  ///< canonical path inside the root
    status,   ///< what a path is: see FileStatus in host_root.hpp
    open,     ///< whether open(O_RDWR) of a device node succeeds; the reply is empty
    call,     ///< an answer that is no file: see host_calls in host_root.hpp
};

struct Query {
    Operation operation = Operation::read;
    std::string_view path;  ///< absolute inside the root; the key of a call
};

/// The answer: text, or the reason why there is none.
struct Reply {
    bool ok = false;
    Missing reason = Missing::absent;
    int error = 0;           ///< errno, 0 if the refusal was ours
    bool truncated = false;  ///< read: the file is longer than the cap
    std::string text;        ///< the answer; for a failure of our own, its explanation
};

/// Who answers. Implementations never throw for what the machine does, only for wrong arguments
/// at construction (Error).
class HostSource {
  public:
    virtual ~HostSource() = default;
    virtual Reply ask(Query const& query) = 0;
    /// The environment of the probing process, "NAME=VALUE\0" each; nothing if it is not known,
    /// which is not the same as an empty one.
    virtual std::optional<std::string> environment() = 0;
    /// Where answers come from when they are not live; empty for the running system.
    virtual std::string label() const { return {}; }
};

/// Largest reply to a read or call in bytes, unless the path is declared larger in host_root.cpp.
/// Attributes of sysfs are at most one page (4 KiB); /proc files of large hosts need more.
inline constexpr std::size_t read_cap_bytes = 64 * 1024;

/// The cap that applies to one path.
std::size_t read_cap(std::string_view path);

/// The running system (`root` empty or "/"), or a directory laid out as one. Links resolve as in
/// a chroot: absolute targets start at the root, and nothing leaves it.
/// @throws Error if `root` is no directory.
std::unique_ptr<HostSource> directory_source(std::string const& root);

/// A host in the text format of rocmtune-host(5). `name` is used in messages.
/// @throws Error with the line for malformed text.
std::unique_ptr<HostSource> text_source(std::string text, std::string const& name);

}  // namespace rocmtune
