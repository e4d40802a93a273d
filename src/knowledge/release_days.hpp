// SPDX-License-Identifier: MIT
// When releases were out: some changes of programs are known by their day only.
// profiles/releases.json.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/symptoms.hpp"

namespace rocmtune {

/// A release, and a day on which it was out, at most some weeks after it came.
struct ReleaseDay {
    std::string package = {};  ///< as its index calls it: "vllm"
    std::string version = {};  ///< "0.9.2"
    std::string day = {};      ///< "2025-07-06"
    std::vector<DataSource> sources = {};
};

/// Those of each package in the order of their versions. Read from the embedded file at the first
/// call. @throws ProfileError for a file that does not hold what it must.
std::span<ReleaseDay const> all_release_days();

}  // namespace rocmtune
