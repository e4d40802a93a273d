// SPDX-License-Identifier: MIT
// Look-up in the table that embed_files wrote.
#include "knowledge/embedded.hpp"

#include <algorithm>

#include "knowledge/generated_tables.hpp"

namespace rocmtune {

std::span<EmbeddedFile const> embedded_files() {
    return generated::embedded_files;
}

std::optional<std::string_view> embedded_file(std::string_view name) {
    auto const files = embedded_files();
    auto const found = std::ranges::lower_bound(files, name, {}, &EmbeddedFile::name);
    if (found == files.end() || found->name != name) {
        return std::nullopt;
    }
    return found->bytes;
}

}  // namespace rocmtune
