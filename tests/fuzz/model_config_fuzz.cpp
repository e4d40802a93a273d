// SPDX-License-Identifier: MIT
// A config.json comes from anywhere: any bytes are read or refused, and what was read is planned
// without overflow: parts are no less than nothing, and a larger batch needs no less.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "judge/plan/model.hpp"
#include "judge/plan/plan.hpp"
#include "knowledge/embedded.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    static PlanData const rows = parse_plan_data("plan.json", embedded_file("plan.json").value());
    try {
        auto const shape =
            read_model_config("fuzzed.json", {reinterpret_cast<char const*>(data), size}, rows);
        auto const count = count_parameters(shape);
        if (count.active > count.total || count.tables > count.total) std::abort();
        for (bool const inference : {false, true}) {
            auto const plan = make_plan(shape, {.inference = inference}, rows,
                                        given_memory(std::uint64_t{1} << 36));
            (void)judge_plan(plan);
            auto const setup = setup_of({.inference = inference}, 2, shape, rows);
            if (!(setup.needed() > 0)) std::abort();
            if (setup.with(2, 3, setup.sequence).needed() < setup.needed()) std::abort();
        }
    } catch (Error const&) {
        // Refused, with a reason.
    }
    return 0;
}
