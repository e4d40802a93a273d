// SPDX-License-Identifier: MIT
// What the profiles know of the software beside the GPUs.
#pragma once

#include <span>
#include <string_view>

namespace rocmtune {

struct Citation;

/// A build of PyTorch, of the index https://download.pytorch.org/whl/rocmN.
struct TorchWheel {
    std::string_view rocm;                      ///< N, digits and dots: "7.1"
    std::span<std::string_view const> targets;  ///< that it has usable code for; never empty
    std::string_view note;                      ///< may be empty
    std::span<Citation const* const> sources;   ///< never empty
};

/// A variable that check warns about where it is left on.
struct DebugVariable {
    std::string_view name;
    std::string_view off;     ///< the value, beside an empty one, that switches nothing on
    std::string_view effect;  ///< what happens while it is on, as a part of a sentence
    std::span<Citation const* const> sources;  ///< never empty
};

}  // namespace rocmtune
