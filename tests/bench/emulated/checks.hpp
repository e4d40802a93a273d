// SPDX-License-Identifier: MIT
// What the kernels of the benchmarks give under every schedule, compared with the processor.
#pragma once

#include <string>

#include "bench/emulated/device.hpp"

namespace rocmtune::test {

/// The first answer of `wrong` that is not empty, under each schedule in turn; a launch that fails
/// is one, too.
template <class F>
std::string wrong_under_any_schedule(EmulatedDevice& device, F wrong) {
    for (auto const schedule : schedules) {
        device.options.schedule = schedule;
        try {
            if (auto text = wrong(); !text.empty()) return text;
        } catch (bench::DeviceError const& error) {
            return error.what();
        }
    }
    return {};
}

/// All kernels of bench/kernels/NAME.hip in all their forms. Empty if everything is right, else the
/// first that is not: a wrong result, a fault in memory, an instruction that nobody knows.
/// @throws std::runtime_error if a kernel does not compile
std::string wrong_in_bandwidth(EmulatedDevice& device);
std::string wrong_in_pattern(EmulatedDevice& device);  ///< of check
std::string wrong_in_vpoc(EmulatedDevice& device);
std::string wrong_in_gemm(EmulatedDevice& device);         ///< fp32
std::string wrong_in_gemm_matrix(EmulatedDevice& device);  ///< the types with matrix instructions

}  // namespace rocmtune::test
