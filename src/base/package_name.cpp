// SPDX-License-Identifier: MIT
#include "base/package_name.hpp"

#include "base/text.hpp"

namespace rocmtune {

std::string normalised_name(std::string_view name) {
    std::string result;
    for (char const c : lower(name)) {
        bool const separator = c == '-' || c == '_' || c == '.';
        if (!separator) result += c;
        else if (!result.ends_with('-')) result += '-';
    }
    return result;
}

}  // namespace rocmtune
