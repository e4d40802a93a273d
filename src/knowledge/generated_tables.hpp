// SPDX-License-Identifier: MIT
// The constant tables that compile_profiles, compile_environment, compile_findings and embed_files
// write at build.
#pragma once

#include <array>
#include <span>

#include "knowledge/chips.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune::generated {

extern ChipTables const chip_tables;                        // compile_profiles
extern EnvironmentTables const environment_tables;          // compile_environment
extern std::span<FindingKind const> const finding_kinds;    // compile_findings
extern std::span<EmbeddedFile const> const embedded_files;  // embed_files

}  // namespace rocmtune::generated
