// SPDX-License-Identifier: MIT
// The program as another user, for tests that run as root.
#pragma once

#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "support/run_program.hpp"

namespace rocmtune::test {

inline constexpr uid_t stranger = 65534;

/// A copy of the program where everybody may start it: others cannot reach what was built below
/// /root, which only root may enter.
class ProgramForEverybody {
  public:
    ProgramForEverybody() {
        std::filesystem::copy_file(ROCMTUNE_BINARY, path());
        for (auto const& one : {directory_.path(), path()}) ::chmod(one.c_str(), 0755);
    }

    /// The same launch by a user who is nobody in particular.
    Launch by_stranger(Launch launch) const {
        launch.words.at(0) = path();
        launch.user = stranger;
        return launch;
    }
    /// Why the stranger cannot start it, for a test that is to be skipped then; empty if he can.
    std::string why_unreachable() const {
        constexpr int not_started = 99;  // Running's, where execve fails
        if (run(by_stranger(rocmtune_with({"--version"}))).code != not_started) return {};
        return "others may start no program from the directory for temporary files";
    }

    std::string path() const { return directory_ / "rocmtune"; }

  private:
    Directory const directory_;
};

}  // namespace rocmtune::test
