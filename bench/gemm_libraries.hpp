// SPDX-License-Identifier: MIT
// Matrix products of vendors' libraries, opened by hand in the worker.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench/device.hpp"
#include "bench/gemm_data.hpp"

namespace rocmtune::bench {

/// Matrices on the device; all are n x n.
struct GemmBuffers {
    Address a, b, c;
    std::uint64_t n;
};

/// A product ready to be queued: C = A B, or A B^T.
struct Product {
    std::string kernel;
    std::string library;  ///< file it came from; empty for our own
    bool b_transposed = false;
    std::function<void()> queue;
};

/// A library for a backend. `make` gives nothing if the library is not installed, and throws
/// DeviceError if it should work and does not.
struct GemmLibrary {
    std::string_view name;
    std::string_view backend;
    bool (*has)(std::string_view type);
    std::optional<Product> (*make)(Device& device, GemmType const& type,
                                   GemmBuffers const& buffers);
};

std::span<GemmLibrary const> gemm_libraries();

}  // namespace rocmtune::bench
