// SPDX-License-Identifier: MIT
// gzip (RFC 1952) in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rocmtune {

/// True for the magic number of gzip.
bool is_gzip(std::string_view bytes);

/// The same input gives the same bytes: no name, no time.
std::string gzip(std::string_view bytes);

/// The whole content, its checksum verified. `name` is used in messages.
/// @throws Error for broken, truncated or trailing bytes, and for more than `cap` bytes of content.
std::string gunzip(std::string_view bytes, std::size_t cap, std::string const& name);

}  // namespace rocmtune
