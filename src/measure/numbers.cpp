// SPDX-License-Identifier: MIT
#include "measure/numbers.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

std::optional<std::uint64_t> whole_number(Arguments const& arguments, std::string_view option,
                                          std::uint64_t least, std::uint64_t most) {
    auto const number = arguments.number(option, static_cast<double>(least));
    if (!number) return std::nullopt;
    if (*number != std::floor(*number) || *number > static_cast<double>(most))
        throw Error(fmt::format("{} needs a whole number from {} to {}, not '{}'", option, least,
                                most, printable(*arguments.value(option))));
    return static_cast<std::uint64_t>(*number);
}

}  // namespace rocmtune
