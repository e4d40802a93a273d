// SPDX-License-Identifier: MIT
// /proc/PID/environ: NAME=VALUE, each with a NUL behind it.
#include "base/text.hpp"
#include "collect/collect.hpp"

namespace rocmtune {

std::vector<Assignment> read_environ(InputText const& input) {
    std::vector<Assignment> assignments;
    for (auto const entry : split(input.text, '\0')) {
        auto const equals = entry.find('=');
        // The name of an exported function of bash is none that a program asks for.
        if (equals == entry.npos || !is_variable_name(entry.substr(0, equals))) continue;
        assignments.push_back({.name = std::string(entry.substr(0, equals)),
                               .value = std::string(entry.substr(equals + 1)),
                               .file = input.file,
                               .kind = input.kind,
                               .scope = input.first_scope});
    }
    return assignments;
}

}  // namespace rocmtune
