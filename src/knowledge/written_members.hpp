// SPDX-License-Identifier: MIT
// The parts of a large JSON text that are read one by one, when somebody asks for them.
#pragma once

#include <string_view>
#include <vector>

namespace rocmtune {

/// A member of an object as it is written: the key with its quotes, the value without white space
/// around it.
struct WrittenMember {
    std::string_view key;
    std::string_view value;
};

/// The members of an object in their order. Looks for quotes and brackets alone, which is several
/// times quicker than reading: the text must be known to be a JSON object.
std::vector<WrittenMember> written_members(std::string_view object);

/// The same; the members of the object that stands under `key`, as it is written, are found in the
/// same pass.
std::vector<WrittenMember> written_members(std::string_view object, std::string_view key,
                                           std::vector<WrittenMember>& of_key);

}  // namespace rocmtune
