// SPDX-License-Identifier: MIT
// Headers of weights come from anywhere: any bytes are read or refused, and what was read is
// planned without overflow.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "judge/plan/plan.hpp"
#include "judge/plan/weights_file.hpp"
#include "knowledge/embedded.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    static PlanData const rows = parse_plan_data("plan.json", embedded_file("plan.json").value());
    constexpr std::uint64_t large = std::uint64_t{1} << 45;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    for (std::uint64_t const file_bytes : {std::uint64_t{size}, large}) try {
            if (auto const shape = read_gguf("fuzzed.gguf", text, file_bytes, rows)) {
                if (*shape->file_active > *shape->file_parameters) std::abort();
                auto const plan = make_plan(*shape, {.inference = true}, rows, given_memory(large));
                (void)judge_plan(plan);
            }
        } catch (Error const&) {
            // Refused, with a reason.
        }
    try {
        auto const stored = read_safetensors("fuzzed.safetensors", text, large);
        if (stored.in_experts > stored.parameters) std::abort();
    } catch (Error const&) {
        // Likewise.
    }
    return 0;
}
