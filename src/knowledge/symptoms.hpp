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

/// All symptoms, sorted by id. Read from the embedded file at the first call.
/// @throws ProfileError for a file that does not hold what it must.
std::span<Symptom const> all_symptoms();

/// The symptom with this id, or null.
Symptom const* find_symptom(std::string_view id);

/// The symptoms of another text than the embedded one; `file` is used in messages.
/// @throws ProfileError
std::vector<Symptom> parse_symptoms(std::string_view file, std::string_view text);

}  // namespace rocmtune
