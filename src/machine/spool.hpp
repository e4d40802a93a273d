// SPDX-License-Identifier: MIT
// Text that is written piece by piece now and read later, without being kept in memory.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "machine/posix_file.hpp"

namespace rocmtune {

/// A temporary file without a name, which is gone with the object. Where no such file can be made
/// (no place for temporary files that can be written), it lies in memory.
class Spool {
  public:
    /// @throws Error if neither can be had.
    Spool();
    Spool(Spool const&) = delete;
    Spool& operator=(Spool const&) = delete;
    ~Spool();

    /// @throws Error if the disk is full and the like.
    void add(std::string_view text);

    /// All that was added, in its order and in pieces.
    /// @throws Error if it cannot be read back.
    void hand_on(std::function<void(std::string_view)> const& sink);

    /// The same at once: the file mapped, of which the kernel keeps what it has room for. It lives
    /// as long as the object, to which nothing may be added any more.
    /// @throws Error if it cannot be mapped.
    std::string_view mapped();

  private:
    void flush();

    FileDescriptor fd_;
    std::string unwritten_ = {};
    std::size_t size_ = 0;
    void* map_ = nullptr;
};

}  // namespace rocmtune
