// SPDX-License-Identifier: MIT
// The models of tests/plan/models: sizes from their publishers' config.json, and the number of
// parameters that is published.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "judge/plan/model.hpp"

namespace rocmtune::test {

inline std::string text_of_file(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline std::string const plan_folder = ROCMTUNE_SOURCE_DIR "/tests/plan";

/// The data that the program has built in.
inline PlanData const& plan_data() {
    static PlanData const data =
        parse_plan_data("plan.json", text_of_file(ROCMTUNE_SOURCE_DIR "/profiles/plan.json"));
    return data;
}

inline nlohmann::json model_file(std::string const& name) {
    return nlohmann::json::parse(text_of_file(plan_folder + "/models/" + name + ".json"));
}

inline ModelShape model_named(std::string const& name) {
    return read_model_config(name, model_file(name).at("config").dump(), plan_data());
}

inline std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(plan_folder + "/models"))
        names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace rocmtune::test
