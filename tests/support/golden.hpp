// SPDX-License-Identifier: MIT
// Expected outputs that are kept in the tree.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace rocmtune::test {

inline std::string expected_file(std::string const& host, std::string const& name) {
    return std::string(ROCMTUNE_SOURCE_DIR) + "/tests/hosts/" + host + "/expect/" + name;
}

/// The first line that differs: the whole files would fill the screen.
inline testing::AssertionResult same_text(std::string const& text, std::string const& golden) {
    if (text == golden) return testing::AssertionSuccess();
    std::istringstream ours(text);
    std::istringstream theirs(golden);
    std::string our_line;
    std::string their_line;
    int line = 0;
    for (bool more = true; more && our_line == their_line; ++line)
        more = static_cast<bool>(std::getline(ours, our_line)) &
               static_cast<bool>(std::getline(theirs, their_line));
    return testing::AssertionFailure()
           << "line " << line << " is \"" << our_line << "\", expected \"" << their_line
           << "\"; if the new text is right: scripts/update-generated";
}

}  // namespace rocmtune::test
