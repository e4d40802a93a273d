// SPDX-License-Identifier: MIT
// Build tool: turns profiles/findings.json into a constant table.
// compile_findings OUT.cpp findings.json
#include <algorithm>

#include "knowledge/build_tool.hpp"
#include "knowledge/cpp_literal.hpp"
#include "knowledge/json_node.hpp"
#include "rocmtune/finding.hpp"

namespace {

using namespace rocmtune;

/// RT and four digits, of which the first names the area.
std::string_view id_of(JsonNode const& node) {
    auto const id = node.string();
    bool const digits = std::all_of(id.begin() + std::min<std::ptrdiff_t>(2, std::ssize(id)),
                                    id.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (id.size() != 6 || !id.starts_with("RT") || !digits || id[2] < '1' || id[2] > '7')
        node.fail("expected RT and four digits, the first of them 1 to 7");
    return id;
}

std::string action_of(JsonNode const& node) {
    auto const word = node.string();
    if (std::ranges::find(action_words, word) == action_words.end())
        node.fail("expected none, monitor, config, reset, reboot, isolate or hardware");
    return "Action::" + std::string(word);
}

std::string optional_view(JsonNode const& node, std::string_view key) {
    auto const member = node.find(key);
    return member ? cpp_view(member->string()) : "{}";
}

std::string source_row(JsonNode const& source) {
    source.expect_keys({"title", "url", "version"});
    return "    {{}, " + cpp_view(source.at("title").string()) + ", " +
           optional_view(source, "url") + ", {}, " + optional_view(source, "version") + "},\n";
}

/// Collects the rows of both tables; the sources of one kind lie one after the other.
class Tables {
  public:
    void add(JsonNode const& kind) {
        kind.expect_keys({"id", "title", "meaning", "action", "next_step", "sources"});
        auto const id = id_of(kind.at("id"));
        if (id <= last_id_) kind.at("id").fail("ids stand in their order, each once");
        last_id_ = id;
        auto const sources = kind.at("sources").items();
        if (sources.empty()) kind.at("sources").fail("a finding needs a source");
        kinds_ += "    {" + cpp_view(id) + ", " + cpp_view(kind.at("title").string()) + ",\n     " +
                  cpp_view(kind.at("meaning").string()) + ",\n     " +
                  action_of(kind.at("action")) + ", " + cpp_view(kind.at("next_step").string()) +
                  ",\n     {sources.data() + " + std::to_string(source_count_) + ", " +
                  std::to_string(sources.size()) + "}},\n";
        ++kind_count_;
        source_count_ += sources.size();
        for (auto const& source : sources) sources_ += source_row(source);
    }

    std::string source_file() const {
        return cpp_header("compile_findings") + "namespace {\n\n" +
               array("Citation", "sources", source_count_, sources_) + '\n' +
               array("FindingKind", "kinds", kind_count_, kinds_) +
               "\n}  // namespace\n\n"
               "constinit std::span<FindingKind const> const finding_kinds{kinds};\n\n"
               "}  // namespace rocmtune::generated\n";
    }

  private:
    static std::string array(std::string const& type, std::string const& name, std::size_t count,
                             std::string const& rows) {
        return "constexpr std::array<" + type + ", " + std::to_string(count) + "> " + name +
               "{{\n" + rows + "}};\n";
    }

    std::string_view last_id_;
    std::string kinds_;
    std::string sources_;
    std::size_t kind_count_ = 0;
    std::size_t source_count_ = 0;
};

std::string source_file(JsonNode const& root) {
    root.expect_keys({"$schema", "schema_version", "findings"});
    root.at("schema_version").string();
    Tables tables;
    auto const kinds = root.at("findings").items();
    if (kinds.empty()) root.at("findings").fail("there is no finding in it");
    for (auto const& kind : kinds) tables.add(kind);
    return tables.source_file();
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("compile_findings", [&] {
        if (argc != 3) throw std::runtime_error("usage: compile_findings OUT.cpp findings.json");
        auto const document = parse_data_file(argv[2], read_build_input(argv[2]));
        write_build_output(argv[1], source_file(JsonNode(*document)));
    });
}
