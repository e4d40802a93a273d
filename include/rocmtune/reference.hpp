// SPDX-License-Identifier: MIT
// Reference: a text that a recommendation or a finding rests on.
#pragma once

#include "rocmtune/records.hpp"

namespace rocmtune {

/// Who says so.
struct Reference {
    std::string title = {};
    std::optional<std::string> url = {};
    std::optional<std::string> version = {};  ///< version or commit and date of the text
};

template <SameEntity<Reference> Self, class Visitor>
void visit_fields(Self& reference, Visitor&& v) {
    v(Field{"title", "document or source file"}, reference.title);
    v(Field{"url", "where it stands"}, reference.url);
    v(Field{"version", "version, commit or date of the text"}, reference.version);
}

}  // namespace rocmtune
