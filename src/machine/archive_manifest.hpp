// SPDX-License-Identifier: MIT
// rocmtune.json, the part of a snapshot that no file tree can hold.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Texts are escaped as in rocmtune-host(5), but for calls, which are bodies of call entries.
struct Manifest {
    std::string label;
    bool unlisted_is_absent = false;
    std::optional<std::vector<std::string>> environment;  ///< NAME=VALUE; nothing if not known
    std::vector<std::string> unreached;                   ///< "timeout read /path"
    std::map<std::string, std::string> calls;             ///< key -> body
    std::map<std::string, std::string> paths;             ///< escaped path -> body
};

std::string manifest_json(Manifest const& manifest);

/// @throws Error for text that is no manifest, or one of a newer format.
Manifest parse_manifest(std::string_view json, std::string const& archive);

}  // namespace rocmtune
