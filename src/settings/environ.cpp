// SPDX-License-Identifier: MIT
// /proc/PID/environ: NAME=VALUE, each with a NUL behind it.
#include "base/text.hpp"
#include "settings/collect.hpp"

namespace rocmtune {

std::vector<Assignment> read_environ(InputText const& input) {
    std::vector<Assignment> assignments;
    for (auto const entry : split(input.text, '\0')) {
        auto const parts = split_once(entry, '=');
        // The name of an exported function of bash is none that a program asks for.
        if (!parts || !is_variable_name(parts->first)) continue;
        make_room(assignments);
        assignments.push_back({.name = std::string(parts->first),
                               .value = std::string(parts->second),
                               .file = input.file,
                               .kind = input.kind,
                               .scope = input.first_scope});
    }
    return assignments;
}

}  // namespace rocmtune
