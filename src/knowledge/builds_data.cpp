// SPDX-License-Identifier: MIT
#include "knowledge/builds_data.hpp"

#include "knowledge/chips.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/data_in_force.hpp"

namespace rocmtune {

template <class Visitor>
void visit_fields(BuildChannel& it, Visitor&& v) {
    v(DataKey{"kind"}, it.kind);
    v(DataKey{"name"}, it.name);
    v(DataKey{"url"}, it.url);
    v(DataKey{"flag"}, it.flag);
    v(DataKey{"extras"}.optional(), it.extras);
    v(DataKey{"prerelease"}.optional(), it.prerelease);
    v(DataKey{"run"}.optional(), it.run);
    v(DataKey{"command"}, it.command);
    v(DataKey{"note"}, it.note);
    v(DataKey{"sources"}, it.sources);
}

template <class Visitor>
void visit_fields(BuildStep& it, Visitor&& v) {
    v(DataKey{"url"}, it.url);
    v(DataKey{"requirements"}, it.requirements);
}

template <class Visitor>
void visit_fields(PublishedBuild& it, Visitor&& v) {
    v(DataKey{"id"}, it.id);
    v(DataKey{"framework"}, it.framework);
    v(DataKey{"version"}, it.version);
    v(DataKey{"channel"}, it.channel);
    v(DataKey{"status"}, it.status);
    v(DataKey{"variant"}, it.variant);
    v(DataKey{"rocm"}, it.rocm);
    v(DataKey{"targets"}, it.targets);
    v(DataKey{"generic"}.optional(), it.generic);
    v(DataKey{"partial"}.optional(), it.partial);
    v(DataKey{"untested"}.optional(), it.untested);
    v(DataKey{"python"}, it.python);
    v(DataKey{"glibc"}, it.glibc);
    v(DataKey{"bundles_rocm"}, it.bundles_rocm);
    v(DataKey{"kernel"}, it.kernel);
    v(DataKey{"driver"}, it.driver);
    v(DataKey{"requirements"}.optional(), it.requirements);
    v(DataKey{"first"}.optional(), it.first);
    v(DataKey{"brings"}.optional(), it.brings);
    v(DataKey{"beside"}, it.beside);
    v(DataKey{"image"}, it.image);
    v(DataKey{"url"}, it.url);
    v(DataKey{"distribution"}.optional(), it.distribution);
    v(DataKey{"packages"}.optional(), it.packages);
    v(DataKey{"repository"}, it.repository);
    v(DataKey{"key"}, it.key);
    v(DataKey{"pins"}.optional(), it.pins);
    v(DataKey{"environment"}.optional(), it.environment);
    v(DataKey{"date"}, it.date);
    v(DataKey{"note"}, it.note);
    v(DataKey{"not_recorded"}.optional(), it.not_recorded);
    v(DataKey{"sources"}, it.sources);
}

template <class Visitor>
void visit_fields(AbsentBuild& it, Visitor&& v) {
    v(DataKey{"framework"}, it.framework);
    v(DataKey{"channel"}, it.channel);
    v(DataKey{"targets"}, it.targets);
    v(DataKey{"last"}, it.last);
    v(DataKey{"last_version"}, it.last_version);
    v(DataKey{"why"}, it.why);
    v(DataKey{"open"}.optional(), it.open);
    v(DataKey{"instead"}.optional(), it.instead);
    v(DataKey{"sources"}, it.sources);
}

template <class Visitor>
void visit_fields(SourceBuild& it, Visitor&& v) {
    v(DataKey{"framework"}, it.framework);
    v(DataKey{"variable"}, it.variable);
    v(DataKey{"separator"}, it.separator);
    v(DataKey{"aliases"}.optional(), it.aliases);
    v(DataKey{"targets"}, it.targets);
    v(DataKey{"command"}, it.command);
    v(DataKey{"note"}, it.note);
    v(DataKey{"sources"}, it.sources);
}

template <class Visitor>
void visit_fields(TargetVariable& it, Visitor&& v) {
    v(DataKey{"consumer"}, it.consumer);
    v(DataKey{"name"}, it.name);
    v(DataKey{"form"}, it.form);
    v(DataKey{"separator"}, it.separator);
}

template <class Visitor>
void visit_fields(KernelRelease& it, Visitor&& v) {
    v(DataKey{"rocm_since"}, it.rocm_since);
    v(DataKey{"rocm_until"}, it.rocm_until);
    v(DataKey{"fixed_kernels"}, it.fixed_kernels);
    v(DataKey{"new_kernels"}, it.new_kernels);
    v(DataKey{"older"}, it.older);
}

template <class Visitor>
void visit_fields(KernelRequirement& it, Visitor&& v) {
    v(DataKey{"targets"}, it.targets);
    v(DataKey{"kernel"}, it.kernel);
    v(DataKey{"distribution_kernels"}, it.distribution_kernels);
    v(DataKey{"has_fixes"}.optional(), it.has_fixes);
    v(DataKey{"releases"}.optional(), it.releases);
    v(DataKey{"drivers"}.optional(), it.drivers);
    v(DataKey{"note"}, it.note);
    v(DataKey{"sources"}, it.sources);
}

template <class Visitor>
void visit_fields(DriverRule& it, Visitor&& v) {
    v(DataKey{"note"}, it.note);
    v(DataKey{"sources"}, it.sources);
}

template <class Visitor>
void visit_fields(BuildSource& it, Visitor&& v) {
    v(DataKey{"title"}, it.title);
    v(DataKey{"url"}, it.url);
    v(DataKey{"reference"}, it.reference);
    v(DataKey{"version"}, it.version);
    v(DataKey{"kind"}, it.kind);
}

template <class Visitor>
void visit_fields(BuildsData& it, Visitor&& v) {
    v(DataKey{"$schema"}, it.schema);
    v(DataKey{"schema_version"}, it.schema_version);
    v(DataKey{"data_date"}, it.data_date);
    v(DataKey{"frameworks"}, it.frameworks);
    v(DataKey{"reasons"}, it.reasons);
    v(DataKey{"target_sets"}, it.target_sets);
    v(DataKey{"generic_targets"}, it.generic_targets);
    v(DataKey{"siblings"}, it.siblings);
    v(DataKey{"driver_rule"}, it.driver_rule);
    v(DataKey{"channels"}, it.channels);
    v(DataKey{"builds"}, it.builds);
    v(DataKey{"absent"}, it.absent);
    v(DataKey{"source_builds"}, it.source_builds);
    v(DataKey{"target_variables"}, it.target_variables);
    v(DataKey{"kernel_requirements"}, it.kernel_requirements);
    v(DataKey{"sources"}, it.sources);
}

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
    StringPool pool;
    auto data = DataReader(pool).record<BuildsData>(root);
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
    static auto const data = parse_builds_data(file_name, data_text(file_name).value());
    return data;
}

}  // namespace rocmtune
