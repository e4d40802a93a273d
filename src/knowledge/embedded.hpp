// SPDX-License-Identifier: MIT
// Files that are part of the program: what it knows (profiles/), schemas, examples, kernels, pages.
// What a command does not ask for stays unread.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace rocmtune {

/// A file as it was at build time, under the name that the build gave it.
struct EmbeddedFile {
    std::string_view name;
    std::string_view bytes;
};

/// Every embedded file, sorted by name. The tool embed_files writes this function at build.
std::span<EmbeddedFile const> embedded_files();

/// The bytes of one file, or nothing if there is none of that name.
inline std::optional<std::string_view> embedded_file(std::string_view name) {
    auto const files = embedded_files();
    auto const found = std::ranges::lower_bound(files, name, {}, &EmbeddedFile::name);
    if (found == files.end() || found->name != name) return std::nullopt;
    return found->bytes;
}

}  // namespace rocmtune
