// SPDX-License-Identifier: MIT
#include "cli/common_options.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view common[] = {
    "--format",  "--json",     "--output", "--also", "--quiet",  "--verbose", "--no-color",
    "--timeout", "--profiles", "--gpu",    "--root", "--replay", "--fail-on"};

constexpr LackingOption lacking[] = {
    {"--format --json --also", "run schema completion",
     "whose output is no report but that of a command, a schema or a script"},
    {"--output", "run", "where standard output belongs to the command"},
    {"--quiet --verbose --no-color", "schema completion", "which print one text in one form"},
    {"--verbose", "env", "whose scripts say the reasons beside the lines"},
    {"--verbose", "cache", "which shows all that it knows"},
    {"--timeout", "compare fleet cache schema completion", "which read files and ask no device"},
    {"--profiles", "compare fleet", "which rest on what the reports say"},
    {"--profiles", "cache completion", "where nothing of them is used"},
    {"--gpu --root --replay", "compare fleet",
     "which read reports: probe and check take these options when a report is made"},
    {"--gpu --root --replay", "cache schema completion", "which look at no host"},
    {"--root --replay", "bench verify", "since a recorded host cannot be measured"},
    {"--fail-on", "probe", "whose exit code judges nothing: check does"},
    {"--fail-on", "env run explain", "whose answers are no findings"},
    {"--fail-on", "bench", "where a wrong or failed figure gives 1 whatever is wished"},
    {"--fail-on", "cache schema completion", "which judge nothing"},
};

}  // namespace

std::span<std::string_view const> common_options() {
    return common;
}

std::span<LackingOption const> lacking_options() {
    return lacking;
}

}  // namespace rocmtune
