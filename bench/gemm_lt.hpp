// SPDX-License-Identifier: MIT
#pragma once

#include "bench/gemm_libraries.hpp"

namespace rocmtune::bench {

/// hipBLASLt and cuBLASLt: the same interface under two names. The second operand is transposed,
/// as fp8 wants it.
std::optional<Product> make_hipblaslt(Device& device, GemmType const& type,
                                      GemmBuffers const& buffers);
std::optional<Product> make_cublaslt(Device& device, GemmType const& type,
                                     GemmBuffers const& buffers);
bool hipblaslt_has(std::string_view type);
bool cublaslt_has(std::string_view type);

}  // namespace rocmtune::bench
