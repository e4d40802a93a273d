// SPDX-License-Identifier: MIT
// Files that are part of the program: schemas, examples, data that the user may print.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace rocmtune {

/// A file as it was at build time, under the name that the build gave it.
struct EmbeddedFile {
    std::string_view name;
    std::string_view bytes;
};

/// Every embedded file, sorted by name.
std::span<EmbeddedFile const> embedded_files();

/// The bytes of one file, or nothing if there is none of that name.
std::optional<std::string_view> embedded_file(std::string_view name);

}  // namespace rocmtune
