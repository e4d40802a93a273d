// SPDX-License-Identifier: MIT
// What has to be read of a host for one judgement alone.
#pragma once

#include <string_view>
#include <vector>

namespace rocmtune {

/// The readers that neither the check nor the class of messages of this id asks anything of; none
/// for an id of another kind. A test holds that a check says the same without them.
std::vector<std::string_view> needless_readers(std::string_view id);

}  // namespace rocmtune
