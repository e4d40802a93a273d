// SPDX-License-Identifier: MIT
// Members of a tar that a root tree consists of: files, links, directories.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace rocmtune {

struct TarMember {
    char kind = 'f';   ///< f file, l link, d directory
    std::string text;  ///< content or target
};

/// Canonical absolute path -> member.
using TarMembers = std::map<std::string, TarMember>;

/// True if a tar of ours may have a member at this canonical path.
bool is_tar_path(std::string_view path);

/// @throws Error for everything that is no plain file, link or directory at a place of its own
/// below the root.
TarMembers read_tar(std::string_view tar, std::string const& name);

/// A tar in memory. Owners, times and modes are constant.
class TarWriter {
  public:
    void file(std::string_view path, std::string_view content) { add(path, '0', {}, content); }
    void link(std::string_view path, std::string_view target) { add(path, '2', target, {}); }
    void directory(std::string_view path) { add(std::string(path) + '/', '5', {}, {}); }
    /// Everything that `other` has so far.
    void append(TarWriter const& other) { bytes_ += other.bytes_; }
    /// The bytes, ended. Nothing may be added afterwards.
    std::string finish() &&;

  private:
    void add(std::string_view path, char type, std::string_view target, std::string_view content);
    void long_text(char type, std::string_view text);
    void header(std::string_view name, char type, std::string_view target, std::size_t size);
    void padded(std::string_view content);

    std::string bytes_;
};

// gzip (RFC 1952) in memory.

/// True for the magic number of gzip.
bool is_gzip(std::string_view bytes);

/// The same input gives the same bytes: no name, no time.
std::string gzip(std::string_view bytes);

/// The whole content, its checksum verified. `name` is used in messages.
/// @throws Error for broken, truncated or trailing bytes, and for more than `cap` bytes of content.
std::string gunzip(std::string_view bytes, std::size_t cap, std::string const& name);

}  // namespace rocmtune
