// SPDX-License-Identifier: MIT
// The simulation against what Debian's real ROCr and HIP 5.2.3 showed on emulated hosts
// (tests/support/fake_kfd/visibility_truth.txt).
#include <gtest/gtest.h>

#include <fstream>

#include "base/text.hpp"
#include "judge/rules/visibility.hpp"
#include "support/visible_host.hpp"

namespace rocmtune::test {
namespace {

constexpr auto truth_file = ROCMTUNE_SOURCE_DIR "/tests/support/fake_kfd/visibility_truth.txt";

struct Truth {
    std::string line = {};
    std::size_t gpus = 0;
    std::map<std::string, std::string> variables = {};
    std::string rocr = {}, hip = {};
};

/// "NAME=-" is unset, NAME="" set but empty.
void read_variable(std::string_view field, Truth& row) {
    auto const sign = field.find('=');
    auto const value = field.substr(sign + 1);
    if (value != "-")
        row.variables[std::string(field.substr(0, sign))] = value == "\"\"" ? "" : value;
}

Truth read_row(std::string const& line) {
    auto const fields = split(line, '|');
    Truth row{.line = line};
    if (fields.size() != 6) return row;
    row.gpus = static_cast<std::size_t>(to_unsigned(fields[0]).value_or(0));
    for (std::size_t i = 1; i < 4; ++i) read_variable(fields[i], row);
    row.rocr = trim(fields[4].substr(5));
    row.hip = trim(fields[5].substr(4));
    return row;
}

struct Observations {
    std::map<std::size_t, std::vector<std::string>> ids;
    std::vector<Truth> rows;
};

/// "# 2 devices: 1 is 0000:26:00.0 GPU-f35957b38155f31f"
void read_id(std::string_view line, Observations& all) {
    auto const parts = words(line);
    if (parts.size() != 7 || parts[2] != "devices:" || !parts[6].starts_with("GPU-")) return;
    all.ids[to_unsigned(parts[1]).value_or(0)].emplace_back(parts[6].substr(4));
}

Observations read_observations() {
    Observations all;
    std::ifstream in(truth_file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("# ")) read_id(line, all);
        else if (!line.empty()) all.rows.push_back(read_row(line));
    }
    return all;
}

/// What 5.2.3 does differently, put into the variables: it takes a set but empty mask of HIP as
/// unset (changed by clr b5799c4db, 2022-10-20).
std::map<std::string, std::string> as_5_2_3(std::map<std::string, std::string> variables) {
    for (auto const* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
        if (auto const found = variables.find(name);
            found != variables.end() && found->second.empty())
            variables.erase(found);
    return variables;
}

/// HIP knows UUIDs since clr 52db98edd (2024-04-08) only: 5.2.3 stops there, so nothing after the
/// first one can be compared.
bool hip_reads_uuid(Truth const& row) {
    for (auto const* name : {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
        if (auto const found = row.variables.find(name); found != row.variables.end())
            if (found->second.find("GPU-") != std::string::npos) return true;
    return false;
}

/// A runtime that aborts shows nothing. Debian's build asserts where a release returns an error.
std::string shown(std::string const& observed) {
    return observed.starts_with("exit") ? "none" : observed;
}

TEST(VisibilityTruth, every_observed_row_agrees) {
    auto const all = read_observations();
    if (all.rows.empty()) GTEST_SKIP() << "no observations in " << truth_file;
    std::size_t compared = 0;
    for (auto const& row : all.rows) {
        ASSERT_TRUE(all.ids.contains(row.gpus)) << row.line;
        auto const seen =
            simulate_visibility(host_of(all.ids.at(row.gpus)), as_5_2_3(row.variables));
        EXPECT_EQ(text_of(nodes_of(seen.rocr.devices)), shown(row.rocr)) << row.line;
        if (hip_reads_uuid(row)) continue;
        EXPECT_EQ(text_of(nodes_of(seen.hip.devices)), shown(row.hip)) << row.line;
        ++compared;
    }
    EXPECT_GT(compared, all.rows.size() / 2);
}

}  // namespace
}  // namespace rocmtune::test
