// SPDX-License-Identifier: MIT
// Build tool: turns profiles/names.json into constant C++ tables. compile_names OUT.cpp names.json
#include "knowledge/build_tool.hpp"
#include "knowledge/cpp_table.hpp"
#include "knowledge/names_parser.hpp"

namespace {

using namespace rocmtune;

/// Many short rows in one line: thousands of them stay readable and compile quickly.
template <class Table, class Row>
std::vector<std::string> lines(Table const& table, Row row) {
    constexpr std::size_t widest = 90;
    std::vector<std::string> all;
    for (auto const& element : table) {
        auto const text = row(element);
        if (all.empty() || all.back().size() + text.size() > widest) {
            all.push_back(text);
        } else {
            all.back() += ", " + text;
        }
    }
    return all;
}

std::string numbers(std::initializer_list<std::uint64_t> values) {
    std::string out;
    for (auto const value : values) {
        out += (out.empty() ? "{" : ",") + std::to_string(value);
    }
    return out + "}";
}

/// Arrays of a size that the rows do not tell, because a line holds several.
std::string packed(std::string_view type, std::string_view name, std::size_t size,
                   std::vector<std::string> const& rows) {
    auto text = array(type, name, rows);
    auto const from = text.find(", ") + 2;
    return text.replace(from, text.find('>', from) - from, std::to_string(size));
}

std::string source_file(OwnedNames const& names) {
    auto out = cpp_header("compile_names") + "namespace {\n\nconstexpr char pool[] =\n    " +
               cpp_literal(names.pool) + ";\n";
    out += packed("NameEntry", "names", names.names.size(), lines(names.names, [](auto const& e) {
                      return numbers({e.text, e.first_reader});
                  }));
    out += packed("ReaderEntry", "readers", names.readers.size(),
                  lines(names.readers, [](auto const& e) {
                      return numbers({e.default_text, e.date, e.absent_by, e.component, e.scope});
                  }));
    out += array(
        "Component", "components", rows(names.components, [](Component const& c) {
            return braces({cpp_view(c.id), cpp_view(c.title), cpp_view(c.package),
                           cpp_view(c.parser), cpp_view(c.newest), cpp_view(c.distributions)});
        }));
    out += array(
        "NameFamily", "families", rows(names.families, [&](NameFamily const& family) {
            return braces({cpp_view(family.pattern),
                           "&components[" + index_of(names.components, family.component) + "]",
                           cpp_view(family.rule)});
        }));
    return out +
           "\n}  // namespace\n\nconstinit NameTables const name_tables{pool, names, readers, "
           "components, families, " +
           cpp_view(names.date) + "};\n\n}  // namespace rocmtune::generated\n";
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("compile_names", [&] {
        if (argc != 3) {
            throw std::runtime_error("usage: compile_names OUT.cpp names.json");
        }
        auto const text = read_build_input(argv[2]);
        write_build_output(argv[1], source_file(*parse_names({argv[2], text})));
    });
}
