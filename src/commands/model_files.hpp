// SPDX-License-Identifier: MIT
// What --model names: config.json, a GGUF file, safetensors, a folder of them, or the id of a model
// in the local cache of Hugging Face. Headers are read, no weights.
#pragma once

#include <string>

#include "judge/plan/model.hpp"
#include "measure/input_files.hpp"

namespace rocmtune {

/// @throws Error that names the file and what is wrong with it.
ModelShape model_shape(std::string const& name, PlanData const& data, FilePatience patience);

}  // namespace rocmtune
