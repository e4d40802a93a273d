// SPDX-License-Identifier: MIT
#include "knowledge/trials.hpp"

#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"

namespace rocmtune {

template <class Visitor>
void visit_fields(LimitTrial& it, Visitor&& v) {
    v(DataKey{"setting"}, it.setting);
    v(DataKey{"values"}.not_empty("a trial needs a value"), it.values);
    v(DataKey{"limits"}.not_empty("a trial needs what it may ease"), it.limits);
    v(DataKey{"why"}, it.why);
    v(DataKey{"sources"}.not_empty("a trial needs a source"), it.sources);
}

std::vector<LimitTrial> parse_trials(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    root.expect_keys({"$schema", "schema_version", "date", "trials"});
    StringPool pool;
    std::vector<LimitTrial> trials;
    DataReader(pool).read(root.at("trials"), DataKey{"trials"}, trials);
    return trials;
}

std::span<LimitTrial const> all_trials() {
    static auto const trials = parse_trials("trials.json", data_text("trials.json").value());
    return trials;
}

}  // namespace rocmtune
