// SPDX-License-Identifier: MIT
// From what was typed to the options of each command: here alone values become numbers, words of
// enumerations, files and GPUs, and here it is said which options do not go together.
#pragma once

#include "cli/arguments.hpp"
#include "commands/commands.hpp"

namespace rocmtune {

// What a command is asked for. Each @throws Error for values that are wrong, and for options that
// exclude each other.
void fill(ProbeCommand& command, Arguments const& arguments);
void fill(EnvCommand& command, Arguments const& arguments);
void fill(RunCommand& command, Arguments const& arguments);
void fill(ExplainCommand& command, Arguments const& arguments);
void fill(BenchCommand& command, Arguments const& arguments);
void fill(CheckCommand& command, Arguments const& arguments);
void fill(DiagnoseCommand& command, Arguments const& arguments);
void fill(LintCommand& command, Arguments const& arguments);
void fill(VerifyCommand& command, Arguments const& arguments);
void fill(TuneCommand& command, Arguments const& arguments);
void fill(ReportCommand& command, Arguments const& arguments);
void fill(CompareCommand& command, Arguments const& arguments);
void fill(FleetCommand& command, Arguments const& arguments);
void fill(PlanCommand& command, Arguments const& arguments);
void fill(BuildsCommand& command, Arguments const& arguments);
void fill(CacheCommand& command, Arguments const& arguments);
void fill(SchemaCommand& command, Arguments const& arguments);

}  // namespace rocmtune
