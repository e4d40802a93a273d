// SPDX-License-Identifier: MIT
#include "knowledge/embedded.hpp"

#include <algorithm>

namespace rocmtune {

std::optional<std::string_view> embedded_file(std::string_view name) {
    auto const files = embedded_files();
    auto const found = std::ranges::lower_bound(files, name, {}, &EmbeddedFile::name);
    if (found == files.end() || found->name != name) {
        return std::nullopt;
    }
    return found->bytes;
}

}  // namespace rocmtune
