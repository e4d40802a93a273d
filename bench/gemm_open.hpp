// SPDX-License-Identifier: MIT
// What the matrix libraries share: symbols, status, tables of types.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bench/device.hpp"
#include "machine/dynamic_library.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune::bench {

/// The function, which every version should have. @throws DeviceError.
template <class F>
F* need(DynamicLibrary const& library, char const* name) {
    auto* const function = library.symbol<F>(name);
    if (function == nullptr)
        throw DeviceError(fmt::format("missing-symbol: {} in {}", name, library.path()),
                          "unsupported");
    return function;
}

/// All these libraries return 0 for success. @throws DeviceError.
inline void check_status(int status, char const* call) {
    if (status != 0) throw DeviceError(fmt::format("{}: status {}", call, status));
}

/// How a library names the types of a product.
struct BlasType {
    std::string_view name;
    int input, output, compute;
};

/// The row of a type, or null.
template <class Rows>
auto const* row_of(Rows const& rows, std::string_view type) {
    auto const found = std::find_if(std::begin(rows), std::end(rows),
                                    [&](auto const& row) { return row.name == type; });
    return found == std::end(rows) ? nullptr : &*found;
}

}  // namespace rocmtune::bench
