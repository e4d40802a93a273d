// SPDX-License-Identifier: MIT
#include "show/workflow_command.hpp"

#include <fmt/format.h>

namespace rocmtune {
namespace {

/// Escapes as the runner undoes them; a property must not hold its separators either.
std::string escaped(std::string_view text, bool property) {
    std::string out;
    for (auto const c : text) {
        if (c == '%') out += "%25";
        else if (c == '\r') out += "%0D";
        else if (c == '\n') out += "%0A";
        else if (property && c == ':') out += "%3A";
        else if (property && c == ',') out += "%2C";
        else out += c;
    }
    return out;
}

}  // namespace

std::string workflow_line(WorkflowCommand const& command) {
    auto const where = command.file.empty()
                           ? std::string()
                           : fmt::format("file={},line={},col={},", escaped(command.file, true),
                                         command.line, command.column);
    return fmt::format("::{} {}title={}::{}\n", command.name, where, escaped(command.title, true),
                       escaped(command.text, false));
}

}  // namespace rocmtune
