// SPDX-License-Identifier: MIT
// Files of this folder that are made from the tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace rocmtune::test {

/// A file of this folder that is made from the tests; ROCMTUNE_UPDATE writes it.
inline testing::AssertionResult is_published(std::string const& name, std::string const& text) {
    auto const path = std::string(ROCMTUNE_SOURCE_DIR) + "/tests/checks/" + name;
    if (std::getenv("ROCMTUNE_UPDATE") != nullptr) std::ofstream(path) << text;
    std::ifstream in(path);
    std::string const published{std::istreambuf_iterator<char>(in), {}};
    if (published == text) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << name << " differs; if the new text is right: ROCMTUNE_UPDATE=1 checks_test";
}

}  // namespace rocmtune::test
