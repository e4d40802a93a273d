// SPDX-License-Identifier: MIT
// A text of rocmtune-host(5), taken apart and checked: what text_source.cpp answers from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "machine/host_root.hpp"

namespace rocmtune {

/// One path of the recorded host. Content stays in the text it came from until it is asked for.
struct HostNode {
    enum class Kind : std::uint8_t { implied, directory, file, link, device, error, listed };
    Kind kind = Kind::implied;
    int error = 0;  ///< of every query (error), of open (device), of reading (listed, directory)
    bool in_listing = true;  ///< whether the directory's list has its name; a recorded miss has not
    std::string_view body;   ///< file: the body of the entry (host_text.hpp); link: the target
    FileStatus status{'d', 0755, 0, 0, 0, 0};
};

/// The host in a text. Views point into that text.
struct ParsedHost {
    std::map<std::string, HostNode, std::less<>> nodes;            ///< by canonical path
    std::map<std::string, std::string_view, std::less<>> calls;    ///< key -> body of the entry
    std::map<std::pair<Operation, std::string>, Reply> unreached;  ///< queries without an answer
    std::optional<std::string> environment;                        ///< as HostSource::environment()
    std::string label;
    bool unlisted_is_absent = false;
};

/// @throws Error with `name` and the line for malformed text.
ParsedHost parse_host_text(std::string_view text, std::string const& name);

}  // namespace rocmtune
