// SPDX-License-Identifier: MIT
#include "knowledge/data_in_force.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/data_date.hpp"
#include "codec/json_node.hpp"
#include "knowledge/builds_data.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/embedded.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/messages.hpp"
#include "knowledge/plan_data.hpp"
#include "knowledge/symptoms.hpp"
#include "knowledge/terms.hpp"
#include "knowledge/trials.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view profile_folder = "profiles/";

/// What is in force, and whether somebody has read of it.
struct InForce {
    std::optional<DataSet> newer;
    bool was_read = false;
};

InForce& in_force() {
    static InForce state;
    return state;
}

/// The built-in files but schemas, examples, kernels and pages, which are the program's.
bool is_data(std::string_view name) {
    return name.starts_with(profile_folder) ||
           (name.find('/') == name.npos && name.ends_with(".json"));
}

std::string_view name_in_folder(std::string_view name) {
    return name.starts_with(profile_folder) ? name.substr(profile_folder.size()) : name;
}

// ---- what the program names ---------------------------------------------------------------------

/// The program speaks of records by their identifiers, which are never given up.
template <class Record>
void keeps(std::string_view file, std::vector<Record> const& built_in, std::span<Record const> now,
           std::string Record::*id) {
    for (auto const& record : built_in)
        if (std::ranges::find(now, record.*id, id) == now.end())
            throw ProfileError(file, "", "\"" + record.*id + "\" is not there any more");
}

std::string_view built_in(std::string_view name) {
    return embedded_file(name).value();
}

void compare_ids() {
    auto const kinds = parse_finding_kinds("findings.json", built_in("findings.json"));
    for (auto const& kind : kinds.kinds)
        if (find_finding_kind(kind.id) == nullptr)
            throw ProfileError("findings.json", "",
                               "\"" + std::string(kind.id) + "\" is not there any more");
    keeps<MessageClass>("messages.json",
                        parse_message_classes("messages.json", built_in("messages.json")),
                        message_classes(), &MessageClass::id);
    auto const plan = parse_plan_data("plan.json", built_in("plan.json"));
    auto const now = parse_plan_data("plan.json", data_text("plan.json").value());
    for (auto const& [id, source] : plan.sources)
        if (!now.sources.contains(id))
            throw ProfileError("plan.json", "/sources", "\"" + id + "\" is not there any more");
    keeps<PlanOptimizer>("plan.json", plan.optimizers, now.optimizers, &PlanOptimizer::name);
    keeps<WeightFormat>("plan.json", plan.weight_formats, now.weight_formats, &WeightFormat::name);
    keeps<CacheFormat>("plan.json", plan.cache_formats, now.cache_formats, &CacheFormat::name);
    keeps<PlanPrecision>("plan.json", plan.precisions, now.precisions, &PlanPrecision::name);
    keeps<PlanEngine>("plan.json", plan.engines, now.engines, &PlanEngine::name);
}

}  // namespace

std::optional<std::string_view> data_text(std::string_view name) {
    in_force().was_read = true;
    if (!in_force().newer) return embedded_file(name);
    auto const found = in_force().newer->files.find(name);
    if (found == in_force().newer->files.end()) return std::nullopt;
    return found->second;
}

std::vector<DataText> profile_texts() {
    in_force().was_read = true;
    std::vector<DataText> texts;
    if (!in_force().newer) {
        for (auto const& file : embedded_files())
            if (file.name.starts_with(profile_folder))
                texts.push_back({name_in_folder(file.name), file.bytes});
        return texts;
    }
    for (auto const& [name, text] : in_force().newer->files)
        if (!embedded_file(name)) texts.push_back({name, text});
    return texts;
}

std::vector<std::string> data_file_names() {
    std::vector<std::string> names;
    for (auto const& file : embedded_files())
        if (is_data(file.name)) names.emplace_back(name_in_folder(file.name));
    return names;
}

void put_in_force(DataSet set) {
    if (in_force().was_read) throw std::logic_error("newer data come after the first reading");
    set_data_date(set.date);
    in_force().newer = std::move(set);
}

void read_all_data() {
    check_rule_values(embedded_chips(), ChipSet(std::make_shared<ChipData const>()),
                      embedded_catalogue());
    (void)parse_names("names.json", data_text("names.json").value());
    (void)embedded_environment_names();
    (void)embedded_builds();
    (void)all_terms();
    (void)all_trials();
    (void)all_symptoms();
    (void)all_cause_rules();
    (void)all_advisories();
    compare_ids();
}

}  // namespace rocmtune
