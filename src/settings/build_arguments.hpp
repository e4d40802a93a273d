// SPDX-License-Identifier: MIT
// What ARG and ENV of a Dockerfile put in the place of $NAME.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace rocmtune {

/// After the reference of Dockerfiles: an ARG before the first FROM is known to FROM lines, and to
/// a stage that names it again.
class BuildArguments {
  public:
    /// A FROM line. @returns it with the values of the ARGs before the first one.
    std::string begin_stage(std::string_view line);

    /// What stands behind ARG or ENV: NAME, NAME=VALUE, several of them. Values in quotes that have
    /// blanks, and long ones, are not learnt.
    void declare(std::string_view text);

    /// The text with known values in place of $NAME and ${NAME}; all else stays.
    std::string replaced(std::string_view text) const { return replaced(text, known_); }

  private:
    using Values = std::map<std::string, std::string, std::less<>>;
    static std::string replaced(std::string_view text, Values const& values);

    Values global_ = {};  ///< of ARGs before the first FROM
    Values known_ = {};
    bool in_stage_ = false;
};

}  // namespace rocmtune
