// SPDX-License-Identifier: MIT
// Keys that more than one kind of data file has: sources, words, dates, the head of a file.
#pragma once

#include <string_view>
#include <vector>

#include "codec/data_reader.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/symptoms.hpp"

namespace rocmtune {

/// The first keys of a data file.
struct DataFileHead {
    std::string_view schema, version;
};

template <class Visitor>
void visit_fields(DataFileHead& it, Visitor&& v) {
    v(DataKey{"$schema"}.optional(), it.schema);
    v(DataKey{"schema_version"}, it.version);
}

/// Throws unless the version begins with "1.".
void expect_version_1(JsonNode const& root, std::string_view what);

/// A source of a bibliography, without its id.
template <class Visitor>
void visit_fields(Citation& it, Visitor&& v) {
    v(DataKey{"title"}, it.title);
    v(DataKey{"url"}.optional(), it.url);
    v(DataKey{"reference"}.optional(), it.reference);
    v(DataKey{"version"}.optional(), it.version);
}
void check(JsonNode const& node, Citation& source);

/// A source where a message, a combination or a cause was read.
template <class Visitor>
void visit_fields(DataSource& it, Visitor&& v) {
    v(DataKey{"title"}.optional(), it.title);
    v(DataKey{"url"}, it.url);
    v(DataKey{"version"}, it.version);
    v(DataKey{"file"}.optional(), it.file);
    v(DataKey{"repository"}.optional(), it.repository);
    v(DataKey{"release"}.optional(), it.release);
}

/// The texts of a list with blanks between them; empty if the key is not there. Throws ProfileError
/// for a text with a blank.
std::string_view joined_words(JsonNode const& parent, std::string_view key, StringPool& pool);

/// "2026", "2026-08" or "2026-08-31", of the shortest length at least. Throws ProfileError.
std::string_view parse_date(JsonNode const& node, std::size_t shortest);

/// A version such as "6.2".
extern TextRule const version_text;
/// A target such as "gfx90a".
extern TextRule const target_text;
/// A name that every shell takes.
extern TextRule const variable_text;
/// "2026", "2026-08" or "2026-08-31".
extern TextRule const date_text;
/// The last of them.
extern TextRule const day_text;

}  // namespace rocmtune
