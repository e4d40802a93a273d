// SPDX-License-Identifier: MIT
#include "knowledge/release_days.hpp"

#include "knowledge/citation_parser.hpp"
#include "knowledge/embedded.hpp"

namespace rocmtune {

template <class Visitor>
void visit_fields(ReleaseDay& it, Visitor&& v) {
    v(DataKey{"package"}, it.package);
    v(DataKey{"version"}, it.version);
    v(DataKey{"day"}.like(day_text), it.day);
    v(DataKey{"sources"}.not_empty("a release needs a source"), it.sources);
}

namespace {

std::vector<ReleaseDay> parse_release_days(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "date", "releases"});
    StringPool pool;
    std::vector<ReleaseDay> days;
    DataReader(pool).read(root.at("releases"), DataKey{"releases"}, days);
    return days;
}

}  // namespace

std::span<ReleaseDay const> all_release_days() {
    constexpr std::string_view file = "releases.json";
    static auto const days = parse_release_days(file, embedded_file(file).value());
    return days;
}

}  // namespace rocmtune
