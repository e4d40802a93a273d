// SPDX-License-Identifier: MIT
// Build tool: puts files into the program as constants. embed_files OUT.cpp NAME=FILE...
#include <map>

#include "knowledge/build_tool.hpp"
#include "knowledge/cpp_literal.hpp"

namespace {

using namespace rocmtune;

std::map<std::string, std::string> read_files(int count, char** arguments) {
    std::map<std::string, std::string> files;
    for (int i = 0; i < count; ++i) {
        std::string const argument = arguments[i];
        auto const equals = argument.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw std::runtime_error("\"" + argument + "\" is not NAME=FILE");
        }
        auto const name = argument.substr(0, equals);
        if (!files.emplace(name, read_build_input(argument.substr(equals + 1))).second) {
            throw std::runtime_error("the name \"" + name + "\" is given twice");
        }
    }
    return files;
}

std::string source_file(std::map<std::string, std::string> const& files) {
    auto out = cpp_header("embed_files") + "namespace {\n\nconstexpr std::array<EmbeddedFile, " +
               std::to_string(files.size()) + "> files{{\n";
    for (auto const& [name, bytes] : files) {
        out += "    {" + cpp_view(name) + ",\n    " + cpp_view(bytes) + "},\n";
    }
    return out +
           "}};\n\n}  // namespace\n\n"
           "constinit std::span<EmbeddedFile const> const embedded_files{files};\n\n"
           "}  // namespace rocmtune::generated\n";
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("embed_files", [&] {
        if (argc < 2) {
            throw std::runtime_error("usage: embed_files OUT.cpp NAME=FILE...");
        }
        write_build_output(argv[1], source_file(read_files(argc - 2, argv + 2)));
    });
}
