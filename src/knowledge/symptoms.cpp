// SPDX-License-Identifier: MIT
#include "knowledge/symptoms.hpp"

#include <algorithm>

#include "knowledge/embedded.hpp"
#include "knowledge/record_reader.hpp"

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

std::vector<Symptom> parse_symptoms(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "symptoms"});
    std::vector<Symptom> symptoms;
    for (auto const& node : root.at("symptoms").items()) {
        Symptom symptom;
        read_record(node, symptom);
        if (!symptoms.empty() && symptom.id <= symptoms.back().id)
            node.at("id").fail("ids stand in their order, each once");
        if (symptom.patterns.empty()) node.fail("a symptom needs a pattern");
        symptoms.push_back(std::move(symptom));
    }
    return symptoms;
}

std::span<Symptom const> all_symptoms() {
    static auto const symptoms =
        parse_symptoms("symptoms.json", embedded_file("symptoms.json").value());
    return symptoms;
}

Symptom const* find_symptom(std::string_view id) {
    auto const symptoms = all_symptoms();
    auto const found = std::ranges::lower_bound(symptoms, id, {}, &Symptom::id);
    return found == symptoms.end() || found->id != id ? nullptr : &*found;
}

}  // namespace rocmtune
