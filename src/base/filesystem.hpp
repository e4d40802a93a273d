// SPDX-License-Identifier: MIT
// Kinds of file systems, and which of them other hosts share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rocmtune {

/// The kind behind a magic number of statfs(2), as text: "0x6969" is nfs. A number without a name
/// here stays the number that it is; nothing if the text is no number.
std::optional<std::string> filesystem_kind(std::string_view magic);

/// Whether files of this kind lie on another machine.
bool is_network_filesystem(std::string_view kind);

/// Whether MIOpen knows that, and takes the temporary directory in place of its default one there
/// (IsNetworkedFilesystem; it has no number for GPFS, BeeGFS and PanFS).
bool is_left_by_miopen(std::string_view kind);

}  // namespace rocmtune
