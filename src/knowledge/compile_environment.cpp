// SPDX-License-Identifier: MIT
// Build tool: turns profiles/environment.json into constant tables.
// compile_environment OUT.cpp environment.json
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "knowledge/build_tool.hpp"
#include "knowledge/cpp_literal.hpp"
#include "knowledge/json_node.hpp"

namespace {

using namespace rocmtune;

constexpr std::array<std::string_view, 4> matches{"anywhere", "word", "word_end", "last_word"};

/// Letters, digits and underscores; what a shell can set.
std::string_view name_of(JsonNode const& node) {
    auto const name = node.string();
    auto const allowed = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z');
    };
    if (!std::ranges::all_of(name, allowed)) {
        node.fail("expected letters, digits and underscores");
    }
    return name;
}

/// One list of the file: objects with a name under `key` and a reason. Sorted; no name twice.
std::set<std::string_view> read_names(JsonNode const& root, std::string_view list,
                                      std::string_view key) {
    std::set<std::string_view> names;
    for (auto const& item : root.at(list).items()) {
        item.expect_keys({key, "reason"});
        item.at("reason").string();
        auto const node = item.at(key);
        if (key == "prefix" && !node.string().ends_with('_')) {
            node.fail("a prefix ends in an underscore");
        }
        if (!names.insert(name_of(node)).second) {
            node.fail("stands twice in the list");
        }
    }
    return names;
}

std::string names_array(std::string_view name, std::set<std::string_view> const& names) {
    auto out = "\nconstexpr std::array<std::string_view, " + std::to_string(names.size()) + "> " +
               std::string(name) + "{{\n";
    for (auto const& entry : names) {
        out += "    " + cpp_view(entry) + ",\n";
    }
    return out + "}};\n";
}

std::string secrets_array(JsonNode const& root) {
    std::map<std::string, std::string> rows;  // by text
    auto const items = root.at("secret_patterns").items();
    for (auto const& item : items) {
        item.expect_keys({"text", "match", "reason"});
        item.at("reason").string();
        auto const match = item.at("match");
        if (std::ranges::find(matches, match.string()) == matches.end()) {
            match.fail("expected anywhere, word, word_end or last_word");
        }
        auto const text = name_of(item.at("text"));
        if (std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; })) {
            item.at("text").fail("patterns are written in capitals");
        }
        auto const row = cpp_view(text) + ", SecretMatch::" + std::string(match.string());
        if (!rows.emplace(text, "    {" + row + "},\n").second)
            item.at("text").fail("stands twice in the list");
    }
    std::string table;
    for (auto const& [text, row] : rows) table += row;
    return "\nconstexpr std::array<SecretPattern, " + std::to_string(items.size()) +
           "> secrets{{\n" + table + "}};\n";
}

std::string source_file(JsonNode const& root) {
    root.expect_keys({"$schema", "schema_version", "sources", "prefixes", "names",
                      "secret_patterns", "not_secret"});
    root.at("schema_version").string();
    if (root.at("sources").items().empty()) {
        root.at("sources").fail("the lists need a source");
    }
    return cpp_header("compile_environment") + "namespace {\n" +
           names_array("prefixes", read_names(root, "prefixes", "prefix")) +
           names_array("names", read_names(root, "names", "name")) + secrets_array(root) +
           names_array("not_secret", read_names(root, "not_secret", "name")) +
           "\n}  // namespace\n\n"
           "constinit EnvironmentTables const environment_tables{prefixes, names, secrets, "
           "not_secret};\n\n}  // namespace rocmtune::generated\n";
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("compile_environment", [&] {
        if (argc != 3) {
            throw std::runtime_error("usage: compile_environment OUT.cpp environment.json");
        }
        auto const document = parse_data_file(argv[2], read_build_input(argv[2]));
        write_build_output(argv[1], source_file(JsonNode(*document)));
    });
}
