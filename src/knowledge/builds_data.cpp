// SPDX-License-Identifier: MIT
#include "knowledge/builds_data.hpp"

#include "knowledge/chips.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/record_reader.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view file_name = "builds.json";

/// The rows under a key beside the values that they were read into, in the same order.
template <class Row, class Check>
void each_row(JsonNode const& root, std::string_view key, std::vector<Row>& rows, Check check) {
    auto const nodes = root.at(key).items();
    for (std::size_t i = 0; i < rows.size(); ++i) check(nodes[i], rows[i]);
}

/// Puts targets in the place of the names of sets.
void resolve(JsonNode const& row, BuildsData const& data, BuildTexts& targets) {
    BuildTexts all;
    for (auto const& item : row.at("targets").items()) {
        std::string const name(item.string());
        if (is_gfx_target(name)) {
            all.push_back(name);
            continue;
        }
        auto const set =
            name.starts_with('@') ? data.target_sets.find(name.substr(1)) : data.target_sets.end();
        if (set == data.target_sets.end()) item.fail("no gfx target, and no set of them");
        all.insert(all.end(), set->second.begin(), set->second.end());
    }
    targets = std::move(all);
}

void expect_sources(JsonNode const& list, BuildsData const& data) {
    for (auto const& item : list.items())
        if (!data.sources.contains(std::string(item.string())))
            item.fail("there is no such source");
}

void check_build(JsonNode const& row, BuildsData const& data, PublishedBuild& build) {
    if (!data.channels.contains(build.channel)) row.at("channel").fail("there is no such channel");
    if (build.targets) resolve(row, data, *build.targets);
    for (auto const& [field, list] : row.at("sources").members()) expect_sources(list, data);
    for (auto const& [field, reason] : build.not_recorded)
        if (!data.reasons.contains(reason))
            row.at("not_recorded").at(field).fail("there is no such reason");
}

}  // namespace

BuildsData parse_builds_data(std::string_view file, std::string_view text) {
    auto const document = parse_data_file(file, text);
    JsonNode const root(*document);
    expect_version_1(root, "builds");
    BuildsData data;
    read_value(root, data);
    for (auto const& [id, node] : root.at("channels").members())
        expect_sources(node.at("sources"), data);
    each_row(root, "builds", data.builds,
             [&](JsonNode const& row, PublishedBuild& build) { check_build(row, data, build); });
    each_row(root, "absent", data.absent, [&](JsonNode const& row, AbsentBuild& absent) {
        resolve(row, data, absent.targets);
        expect_sources(row.at("sources"), data);
    });
    each_row(root, "source_builds", data.source_builds,
             [&](JsonNode const& row, SourceBuild& build) {
                 if (build.targets) resolve(row, data, *build.targets);
                 expect_sources(row.at("sources"), data);
             });
    each_row(
        root, "kernel_requirements", data.kernel_requirements,
        [&](JsonNode const& row, KernelRequirement&) { expect_sources(row.at("sources"), data); });
    return data;
}

BuildsData const& embedded_builds() {
    static auto const data = parse_builds_data(file_name, embedded_file(file_name).value());
    return data;
}

}  // namespace rocmtune
