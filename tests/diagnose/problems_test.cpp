// SPDX-License-Identifier: MIT
// Real problems of public threads (tests/problems): is the cause that was confirmed there the first
// one that diagnose names, with the text and without? ROCMTUNE_PROBLEM_HALF says which half; the
// floors are those of the half that the data was written with.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "judge/checks/checks.hpp"
#include "judge/diagnose/diagnose.hpp"

namespace rocmtune::test {
namespace {

using Json = nlohmann::json;

Json file(std::string const& name) {
    std::ifstream in(ROCMTUNE_SOURCE_DIR "/tests/problems/" + name);
    return Json::parse(in);
}

std::string half() {
    auto const* const wanted = std::getenv("ROCMTUNE_PROBLEM_HALF");
    return wanted == nullptr ? "open" : wanted;
}

// ---- a host as the thread shows it --------------------------------------------------------------

Source const source{"test", "test"};

void fill(Fact<std::string>& fact, Json const& value) {
    if (value.is_string()) fact.offer(value.get<std::string>(), source);
}
void fill(Fact<bool>& fact, Json const& value) {
    if (value.is_boolean()) fact.offer(value.get<bool>(), source);
}
template <class T>
void fill(Fact<T>& fact, Json const& value) requires std::is_arithmetic_v<T> {
    if (value.is_number()) fact.offer(value.get<T>(), source);
}
void fill(Fact<std::vector<std::string>>& fact, Json const& value) {
    std::vector<std::string> texts;
    if (!value.is_array()) return;
    for (auto const& one : value)
        if (one.is_string()) texts.push_back(one);
    fact.offer(std::move(texts), source);
}
template <class T>
void fill(Fact<T>&, Json const&) {}
template <class T>
void fill(T&, Json const&) {}

/// Words in place of values have blanks: "not loaded", "without iommu=pt".
bool is_value(Json const& value) {
    return !value.is_string() || value.get<std::string>().find(' ') == std::string::npos;
}

template <class Entity>
void set(Entity& entity, std::string_view key, Json const& value) {
    visit_fields(entity, [&](Field const& field, auto& fact) {
        if (field.key == key) fill(fact, value);
    });
}

Host host_of(Json const& problem) {
    Host host;
    std::map<std::string, std::string> variables;
    bool knows_environment = false;
    Gpu gpu;
    bool has_gpu = false;
    for (auto const& [key, value] : problem.at("facts").items()) {
        if (!is_value(value)) continue;
        constexpr std::string_view of_gpus = "gpus.", of_environment = "environment.";
        if (key.starts_with(of_gpus)) {
            has_gpu = true;
            set(gpu, key.substr(of_gpus.size()), value);
        } else if (key.starts_with(of_environment)) {
            knows_environment = true;
            if (value.is_string()) variables[key.substr(of_environment.size())] = value;
        } else {
            set(host, key, value);
        }
    }
    if (has_gpu) {
        gpu.pci_address.offer("0000:03:00.0", source);
        gpu.row.offer(0, source);
        gpu.vendor.offer("amd", source);
        host.gpus.push_back(gpu);
    }
    if (knows_environment) host.environment.offer(std::move(variables), source);
    return host;
}

// ---- what diagnose says -------------------------------------------------------------------------

struct Score {
    int right = 0, wrong = 0, open = 0;
    std::vector<std::string> misses = {};

    int all() const { return right + wrong + open; }
};

/// The first cause that is here; empty if there is none.
std::string top(Diagnosis const& diagnosis) {
    auto const& causes = diagnosis.causes;
    bool const here = !causes.empty() && causes.front().verdict == CauseVerdict::here;
    return here ? causes.front().id : std::string();
}

std::string top_with_text(Json const& problem) {
    std::string text;
    for (auto const& line : problem.at("message")) text += line.get<std::string>() + '\n';
    DiagnoseCommand const command{.inputs = {"the output is\n" + text}};
    Report report;
    diagnose_text(
        command, [&](HostNeeds const&) { return host_of(problem); }, report);
    return top(*report.diagnosis);
}

std::string top_without_text(Json const& problem) {
    auto const host = host_of(problem);
    CheckSelection selection;
    selection.skip = {"liveness", "measured"};
    auto findings = run_checks(host, chips_for({}), selection);
    for (auto& finding : harm_in_environment({}, host)) findings.push_back(std::move(finding));
    return top(diagnose_host({host, findings}));
}

/// A cause that nobody found is right where none is named, and so is a harmless text.
void count(Json const& problem, std::set<std::string> const& wanted, std::string const& named,
           Score& score) {
    if (wanted.empty() ? named.empty() : wanted.contains(named)) {
        ++score.right;
        return;
    }
    ++(named.empty() ? score.open : score.wrong);
    score.misses.push_back(problem.at("id").get<std::string>() + ' ' +
                           (named.empty() ? "none" : named) + ", wanted " +
                           problem.at("cause_ids").dump());
}

void print(char const* name, Score const& score) {
    std::cout << name << ": " << score.all() << " problems, " << score.right << " right, "
              << score.wrong << " wrong, " << score.open << " cannot tell\n";
    for (auto const& miss : score.misses) std::cout << "    " << miss << '\n';
}

TEST(Problems, are_told_by_their_text_and_their_host) {
    auto const names = file("names.json");
    Score with, without;
    for (auto const& problem : file("problems.json")) {
        if (problem.at("half") != half()) continue;
        std::set<std::string> wanted;
        for (std::string const id : problem.at("cause_ids")) {
            wanted.insert(id);
            if (!names.contains(id)) continue;
            for (std::string const today : names.at(id)) wanted.insert(today);
        }
        count(problem, wanted, top_with_text(problem), with);
        count(problem, wanted, top_without_text(problem), without);
    }
    print("with the text", with);
    print("without it", without);
    ASSERT_GT(with.all(), 100);
    if (half() != "open") return;
    EXPECT_GE(with.right, 75);
    EXPECT_LE(with.wrong, 8);
    EXPECT_GE(without.right, 15);
    EXPECT_LE(without.wrong, 4);
}

}  // namespace
}  // namespace rocmtune::test
