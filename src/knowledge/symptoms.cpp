// SPDX-License-Identifier: MIT
#include "knowledge/symptoms.hpp"

#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"
#include "knowledge/records_by_id.hpp"

namespace rocmtune {

Reference reference_of(DataSource const& source) {
    if (source.file.empty()) return {source.title, source.url, source.version};
    auto title = source.repository;
    title.append(title.empty() ? "" : ", ").append(source.file);
    if (!source.title.empty()) title = source.title + ", " + title;
    auto version = source.version;
    if (!source.release.empty()) version = source.release;
    return {std::move(title), source.url, std::move(version)};
}

std::vector<Reference> references_of(std::vector<DataSource> const& sources) {
    std::vector<Reference> references;
    for (auto const& source : sources) references.push_back(reference_of(source));
    return references;
}

template <class Visitor>
void visit_fields(Symptom& it, Visitor&& v) {
    v(DataKey{"id"}, it.id);
    v(DataKey{"name"}, it.name);
    v(DataKey{"component"}, it.component);
    v(DataKey{"says"}, it.says);
    v(DataKey{"patterns"}.not_empty("a symptom needs a pattern"), it.patterns);
    v(DataKey{"not"}.optional(), it.excluded);
    v(DataKey{"role"}.optional(), it.role);
    v(DataKey{"silent"}.optional(), it.silent);
    v(DataKey{"first"}, it.first);
    v(DataKey{"last"}, it.last);
    v(DataKey{"causes"}, it.causes);
    v(DataKey{"sources"}, it.sources);
}

std::vector<Symptom> parse_symptoms(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "symptoms"});
    StringPool pool;
    return records_by_id<Symptom>(root.at("symptoms"), DataReader(pool));
}

std::span<Symptom const> all_symptoms() {
    static auto const symptoms =
        parse_symptoms("symptoms.json", data_text("symptoms.json").value());
    return symptoms;
}

Symptom const* find_symptom(std::string_view id) {
    return find_by_id(all_symptoms(), id);
}

}  // namespace rocmtune
