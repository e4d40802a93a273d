// SPDX-License-Identifier: MIT
// A plan.json that a user wrote is read or refused; with what was read, any model can be planned.
#include <cstddef>
#include <cstdint>

#include "judge/plan/model.hpp"
#include "judge/plan/plan.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    try {
        auto const rows =
            parse_plan_data("fuzzed.json", {reinterpret_cast<char const*>(data), size});
        auto const shape = assumed_shape(8'000'000'000, rows);
        for (bool const inference : {false, true})
            (void)judge_plan(make_plan(shape, {.inference = inference, .gpus = 2}, rows,
                                       given_memory(std::uint64_t{1} << 36)));
    } catch (Error const&) {
        // Refused, with a reason.
    }
    return 0;
}
