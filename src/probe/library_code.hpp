// SPDX-License-Identifier: MIT
// For which gfx targets libraries have code: by the names of files that they load it from, and by
// the bundles in the libraries themselves.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/chips.hpp"
#include "machine/host_root.hpp"
#include "probe/rocm_discovery.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {

/// Library of an installation -> its targets. One of which nothing is known is left out.
std::map<std::string, std::vector<std::string>> library_targets(HostRoot const& root,
                                                                Listings& listings,
                                                                RocmPlace const& place,
                                                                ChipSet const& chips);

/// Offers what the code in one library is for. Bundles that are compressed or were not read limit
/// the fact, or are its reason.
void offer_code_targets(HostRoot const& root, std::string const& file, std::string_view reader,
                        Fact<std::vector<std::string>>& fact);

}  // namespace rocmtune
