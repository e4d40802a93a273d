// SPDX-License-Identifier: MIT
// The constant tables that the tools compile_* and embed_files write at build.
#pragma once

#include <array>
#include <span>

#include "knowledge/chips.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune::generated {

extern ChipTables const chip_tables;                        // compile_profiles
extern std::span<EmbeddedFile const> const embedded_files;  // embed_files

}  // namespace rocmtune::generated
