// SPDX-License-Identifier: MIT
// How components read values, by name: the words of "parser" in variables.json.
#pragma once

#include <array>
#include <string_view>

namespace rocmtune {

/// value_parsers.cpp has one function for each, in this order.
inline constexpr std::array<std::string_view, 21> value_parser_names{
    "hip_flag",        "rocr_exact",  "thunk",
    "nccl_param",      "nccl_text",   "torch_allocator",
    "torch_check_env", "tunableop",   "miopen_bool",
    "miopen_number",   "miopen_word", "vllm_bool",
    "triton_bool",     "exact_true",  "devices_rocr",
    "devices_hip",     "text",        "path",
    "integer",         "real",        "omp"};

}  // namespace rocmtune
