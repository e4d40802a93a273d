// SPDX-License-Identifier: MIT
// What the programs that run during the build share: files in and out, and their exit codes.
#pragma once

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rocmtune {

/// The whole file. Throws std::runtime_error if it cannot be read.
inline std::string read_build_input(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in) {
        throw std::runtime_error(path + ": cannot be read");
    }
    return text;
}

/// Writes the whole file. Throws std::runtime_error if that fails.
inline void write_build_output(std::string const& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary);
    out << text << std::flush;
    if (!out) {
        throw std::runtime_error(path + ": cannot be written");
    }
}

/// Runs a build tool: 0, or 2 with one line on stderr.
template <class Work>
int run_build_tool(std::string_view name, Work const& work) {
    try {
        work();
        return 0;
    } catch (std::exception const& error) {
        std::cerr << name << ": " << error.what() << '\n';
        return 2;
    }
}

}  // namespace rocmtune
