// SPDX-License-Identifier: MIT
// PyTorch's allocator settings: PYTORCH_ALLOC_CONF and its older names.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// One "key:value" of the list.
struct AllocatorOption {
    std::string key;
    std::string value;  ///< without blanks; "[256:1,512:2,>:4]" for a list
};

/// The list as PyTorch takes it. Read: c10/core/AllocatorConfig.cpp of 2.6 to 2.9.
struct AllocatorOptions {
    std::vector<AllocatorOption> options;  ///< in the order of the text, up to the mistake if any
    std::string error;  ///< why PyTorch raises an exception; empty if it does not

    /// The value that counts, which is the last; or null.
    std::string const* find(std::string_view key) const;
};

/// Any bytes are allowed. Keys that no PyTorch knows, and values out of their range, are mistakes.
AllocatorOptions parse_allocator_options(std::string_view text);

/// The variables that hold such a list. Which of them counts depends on PyTorch's version: their
/// contradictions in profiles/variables.json say so.
inline constexpr std::array<std::string_view, 3> allocator_names{
    "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"};
bool is_allocator_variable(std::string_view name);

/// Whether two of the options must not meet: expandable segments and a limit on splitting.
bool is_refuted(AllocatorOptions const& parsed);

}  // namespace rocmtune
