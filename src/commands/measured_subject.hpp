// SPDX-License-Identifier: MIT
// What verify and tune measure: a benchmark on a device, or a command of the user's.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "commands/verify_settings.hpp"
#include "judge/verify/report.hpp"
#include "judge/verify/runners.hpp"

namespace rocmtune {

/// Not from std::random_device, which in a static libstdc++ of gcc 12 asks for glibc 2.36.
/// @throws Error if there are no random numbers
std::uint32_t random_seed();

/// The words as a shell would take them.
std::string shell_text(std::vector<std::string> const& words);

/// The only shell that this program starts, for what its user has written for one.
std::vector<std::string> shell_words(std::string const& line);

/// The program of the user's command and its arguments.
std::vector<std::string> words_of(VerifyCommand const& options);

/// How long one run of the command may take.
std::chrono::milliseconds command_time(VerifyCommand const& options);

/// The runs of the user's command; fills what `subject` says of it. A change of the name ":launch"
/// holds words that stand before the command. `check`: what must hold for each run, see
/// verify::command_runner().
verify::Runner command_of(VerifyCommand const& options,
                          std::vector<EnvironmentChange> const& baseline, verify::Subject& subject,
                          verify::OutputCheck check = {});

/// A runner of the first metric that the first device has, and what it measured first. The others
/// take part where a benchmark is between devices.
/// @throws Error if the device has none of them
verify::Runner benchmark_of(VerifyCommand const& options, SettingGroup const& group,
                            std::vector<ChosenDevice> const& devices, verify::Subject& subject);

}  // namespace rocmtune
