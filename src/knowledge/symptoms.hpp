// SPDX-License-Identifier: MIT
// Messages of libraries, frameworks and tools, and what each can come from: profiles/symptoms.json.
// Those of the kernel stand in messages.json (knowledge/messages.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/diagnosis.hpp"

namespace rocmtune {

/// Where a message, a combination or a cause was read.
struct DataSource {
    std::string title = {};
    std::optional<std::string> url = {};
    std::optional<std::string> version = {};
    std::string file = {};  ///< of a program's source, with its repository and release
    std::string repository = {};
    std::string release = {};
};

template <SameEntity<DataSource> Self, class Visitor>
void visit_fields(Self& source, Visitor&& v) {
    v(Field{"title", "document"}, source.title);
    v(Field{"url", "where it stands"}, source.url);
    v(Field{"version", "version or date of it"}, source.version);
    v(Field{"file", "source file"}, source.file);
    v(Field{"repository", "repository of that file"}, source.repository);
    v(Field{"release", "release of that repository"}, source.release);
}

/// As reports carry it.
Reference reference_of(DataSource const& source);
std::vector<Reference> references_of(std::vector<DataSource> const& sources);

/// One meaning with all its wordings.
struct Symptom {
    std::string id = {};                     ///< "RT8201"; ids are never used for something else
    std::string name = {};                   ///< "no-kernel-image"
    std::string component = {};              ///< who prints it: "HIP"
    std::string says = {};                   ///< one sentence
    std::vector<std::string> patterns = {};  ///< RE2, searched in one cleaned line
    std::vector<std::string> excluded = {};  ///< a line with one of these is not of it
    SymptomRole role = SymptomRole::error;
    bool silent = false;                    ///< the program goes on, without the GPU, and ends well
    std::optional<std::string> first = {};  ///< release of the component that prints it first
    std::optional<std::string> last = {};   ///< and last
    std::vector<std::string> causes = {};   ///< ids, the most frequent first
    std::vector<DataSource> sources = {};
};

template <SameEntity<Symptom> Self, class Visitor>
void visit_fields(Self& symptom, Visitor&& v) {
    v(Field{"id", "RT and four digits, from 8201"}, symptom.id);
    v(Field{"name", "a few words with hyphens"}, symptom.name);
    v(Field{"component", "who prints it"}, symptom.component);
    v(Field{"says", "what it means"}, symptom.says);
    v(Field{"patterns", "RE2 expressions"}, symptom.patterns);
    v(Field{"not", "RE2 expressions of lines that are none"}, symptom.excluded);
    v(Field{"role", "error, consequence or note"}, symptom.role);
    v(Field{"silent", "whether the program goes on without the GPU"}, symptom.silent);
    v(Field{"first", "first release that prints it"}, symptom.first);
    v(Field{"last", "last release that prints it"}, symptom.last);
    v(Field{"causes", "ids of findings and advisories"}, symptom.causes);
    v(Field{"sources", "where the message stands"}, symptom.sources);
}

/// All symptoms, sorted by id. Read from the embedded file at the first call.
/// @throws ProfileError for a file that does not hold what it must.
std::span<Symptom const> all_symptoms();

/// The symptom with this id, or null.
Symptom const* find_symptom(std::string_view id);

/// The symptoms of another text than the embedded one; `file` is used in messages.
/// @throws ProfileError
std::vector<Symptom> parse_symptoms(std::string_view file, std::string_view text);

}  // namespace rocmtune
