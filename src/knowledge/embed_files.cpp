// SPDX-License-Identifier: MIT
// Build tool: puts files into the program as constants.
// embed_files OUT.cpp NAME=FILE... [--compact NAME=FILE...]
// What follows --compact is JSON, and stands there without white space: it is quicker to read so.
#include <map>
#include <nlohmann/json.hpp>

#include "knowledge/build_tool.hpp"

namespace {

using namespace rocmtune;

/// What the arguments name, by name.
class Files {
  public:
    void add(std::string_view argument) {
        if (argument == "--compact") {
            is_compact_ = true;
            return;
        }
        auto const equals = argument.find('=');
        if (equals == argument.npos || equals == 0)
            throw std::runtime_error("\"" + std::string(argument) + "\" is not NAME=FILE");
        std::string const name(argument.substr(0, equals)), path(argument.substr(equals + 1));
        auto text = read_build_input(path);
        if (is_compact_ && !nlohmann::json::accept(text))
            throw std::runtime_error(path + ": not valid JSON");
        if (is_compact_) text = compact_json(text);
        if (!files_.emplace(name, std::move(text)).second)
            throw std::runtime_error("the name \"" + name + "\" is given twice");
    }

    std::map<std::string, std::string> const& all() const { return files_; }

  private:
    bool is_compact_ = false;
    std::map<std::string, std::string> files_;
};

std::string source_file(std::map<std::string, std::string> const& files) {
    auto out = cpp_header("embed_files") + "namespace {\n\nconstexpr std::array<EmbeddedFile, " +
               std::to_string(files.size()) + "> files{{\n";
    for (auto const& [name, bytes] : files) {
        out += "    {" + cpp_view(name) + ",\n    " + cpp_view(bytes) + "},\n";
    }
    return out +
           "}};\n\n}  // namespace\n\n"
           "std::span<EmbeddedFile const> embedded_files() {\n    return files;\n}\n\n"
           "}  // namespace rocmtune\n";
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("embed_files", [&] {
        if (argc < 2) {
            throw std::runtime_error(
                "usage: embed_files OUT.cpp NAME=FILE... [--compact NAME=FILE...]");
        }
        Files files;
        for (int i = 2; i < argc; ++i) files.add(argv[i]);
        write_build_output(argv[1], source_file(files.all()));
    });
}
