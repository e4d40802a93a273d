// SPDX-License-Identifier: MIT
// The shape of a model from its config.json (Hugging Face Transformers), or from a bare number of
// parameters.
#pragma once

#include <cstdint>
#include <string_view>

#include "judge/plan/shape.hpp"

namespace rocmtune {

/// Reads a config.json. A family that `data` knows is counted; another one that states the usual
/// sizes is taken for a Llama, and the shape says so in its notes.
/// @throws ProfileError with file and JSON pointer for what is no config.json, lacks a size, or
/// states one that no model has.
ModelShape read_model_config(std::string_view file, std::string_view text, PlanData const& data);

/// The shape of the published model nearest to this number, with its layers scaled.
ModelShape assumed_shape(std::uint64_t parameters, PlanData const& data);

}  // namespace rocmtune
