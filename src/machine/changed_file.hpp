// SPDX-License-Identifier: MIT
// Files of users that are changed where they lie.
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

/// Replaces the content of a file in one step; mode and owner stay. A link of one's own is
/// followed.
/// @param read  what was read from it. @throws Error, and nothing is changed, where the file has
/// another content by now, is read-only, has several names or an access list, cannot keep its
/// owner, or where somebody else's link leads there.
void change_file(std::string const& path, std::string_view read, std::string_view text);

}  // namespace rocmtune
