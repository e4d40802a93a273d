// SPDX-License-Identifier: MIT
// The composed hosts of tests/hosts, for tests that hold for every host.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "machine/host_source.hpp"

namespace rocmtune::test {

inline std::vector<std::string> host_names() {
    std::vector<std::string> names;
    for (auto const& entry :
         std::filesystem::directory_iterator(ROCMTUNE_SOURCE_DIR "/tests/hosts"))
        if (std::filesystem::exists(entry.path() / "host"))
            names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

inline std::string host_text(std::string const& name) {
    std::ifstream in(ROCMTUNE_SOURCE_DIR "/tests/hosts/" + name + "/host", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::unique_ptr<HostSource> host_source(std::string const& name) {
    return text_source(host_text(name), name);
}

/// A host name as a name of a test.
inline std::string test_name(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

}  // namespace rocmtune::test
