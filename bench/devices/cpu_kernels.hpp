// SPDX-License-Identifier: MIT
// The kernels of bench/kernels as functions for processors: same names, same arguments.
#pragma once

#include <span>
#include <string_view>

#include "bench/device.hpp"

namespace rocmtune::bench {

/// One part of a launch; all parts together do what the launch's whole grid would.
using CpuKernel = void (*)(Arguments const& arguments, Shape const& shape, unsigned part,
                           unsigned parts);

struct CpuKernelRow {
    std::string_view file;
    std::string_view function;
    CpuKernel run;
};

std::span<CpuKernelRow const> cpu_bandwidth_kernels(bool doubles);
std::span<CpuKernelRow const> cpu_vpoc_kernels(bool nearest);
std::span<CpuKernelRow const> cpu_gemm_kernels();

}  // namespace rocmtune::bench
