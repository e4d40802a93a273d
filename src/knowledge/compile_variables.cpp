// SPDX-License-Identifier: MIT
// Build tool: turns profiles/variables.json into constant C++ tables.
// compile_variables OUT.cpp variables.json...
#include "knowledge/build_tool.hpp"
#include "knowledge/catalogue_tables.hpp"
#include "knowledge/cpp_table.hpp"

namespace {

using namespace rocmtune;

std::string optional_view(std::optional<std::string_view> const& value) {
    // {} alone would mean: absent.
    return value ? "std::string_view" + (value->empty() ? "{\"\"}" : cpp_view(*value)) : "{}";
}

std::string source_row(Citation const& source) {
    return braces({cpp_view(source.id), cpp_view(source.title), cpp_view(source.url),
                   cpp_view(source.reference), cpp_view(source.version)});
}

std::string component_row(Component const& component) {
    return braces({cpp_view(component.id), cpp_view(component.title), cpp_view(component.package),
                   cpp_view(component.parser), cpp_view(component.newest),
                   cpp_view(component.distributions)});
}

std::string judged_row(JudgedValue const& judged) {
    return braces({cpp_view(judged.value), flag(judged.any_case), optional(judged.below),
                   cpp_view(judged.lint_class), flag(judged.certain), cpp_view(judged.why),
                   cpp_view(judged.instead)});
}

std::string contradiction_row(Contradiction const& it) {
    return braces({cpp_view(it.value), cpp_view(it.with), cpp_view(it.with_value), flag(it.certain),
                   cpp_view(it.why), cpp_view(it.remove), cpp_view(it.package), cpp_view(it.since),
                   cpp_view(it.until)});
}

template <class T>
std::vector<std::string> pointers(std::string_view table, std::vector<T> const& storage,
                                  std::vector<T const*> const& elements) {
    return rows(elements, [&](T const* element) {
        return "&" + std::string(table) + "[" + index_of(storage, element) + "]";
    });
}

/// The spans of the variables lie one after the other in their tables.
class VariableRows {
  public:
    std::string operator()(Variable const& v) {
        auto const words = take("words.data()", words_, v.words.size());
        auto const prefixes = take("gfx_prefixes.data()", prefixes_, v.gfx_prefixes.size());
        auto const former = take("former_defaults.data()", former_, v.former_defaults.size());
        auto const judged = take("judged_values.data()", judged_, v.judged_values.size());
        auto const contradictions =
            take("contradictions.data()", contradictions_, v.contradictions.size());
        auto const aliases = take("aliases.data()", aliases_, v.aliases.size());
        auto const readers = take("readers.data()", readers_, v.readers.size());
        auto const sources = take("variable_sources.data()", sources_, v.sources.size());
        return braces({cpp_view(v.name),
                       cpp_view(v.kind),
                       cpp_view(v.status),
                       cpp_view(v.use),
                       cpp_view(v.type),
                       cpp_view(v.parser),
                       words,
                       prefixes,
                       cpp_view(v.needs),
                       optional(v.minimum),
                       optional(v.maximum),
                       optional_view(v.default_value),
                       cpp_view(v.default_text),
                       former,
                       judged,
                       contradictions,
                       cpp_view(v.effect),
                       cpp_view(v.scope),
                       cpp_view(v.harm),
                       cpp_view(v.folklore),
                       cpp_view(v.security),
                       cpp_view(v.validity_kind),
                       cpp_view(v.since),
                       cpp_view(v.until),
                       cpp_view(v.checked),
                       cpp_view(v.replaced_by),
                       aliases,
                       readers,
                       sources,
                       cpp_view(v.last_verified)});
    }

  private:
    static std::string take(std::string_view table, std::size_t& first, std::size_t count) {
        auto const text = slice(table, first, count);
        first += count;
        return text;
    }

    std::size_t words_ = 0, prefixes_ = 0, former_ = 0, aliases_ = 0, readers_ = 0, sources_ = 0;
    std::size_t judged_ = 0, contradictions_ = 0;
};

std::string source_file(OwnedCatalogue const& tables) {
    auto out = cpp_header("compile_variables") + "namespace {\n";
    out += array("Citation", "sources", rows(tables.sources, source_row));
    out += array("Component", "components", rows(tables.components, component_row));
    out += array("std::string_view", "words", rows(tables.words, cpp_view));
    out += array("std::string_view", "gfx_prefixes", rows(tables.gfx_prefixes, cpp_view));
    out += array("std::string_view", "aliases", rows(tables.aliases, cpp_view));
    out += array("FormerDefault", "former_defaults",
                 rows(tables.former_defaults, [](FormerDefault const& former) {
                     return braces({cpp_view(former.value), cpp_view(former.until)});
                 }));
    out += array("JudgedValue", "judged_values", rows(tables.judged_values, judged_row));
    out += array("Contradiction", "contradictions", rows(tables.contradictions, contradiction_row));
    out += array("Component const*", "readers",
                 pointers("components", tables.components, tables.readers));
    out += array("Citation const*", "variable_sources",
                 pointers("sources", tables.sources, tables.variable_sources));
    out += array("Variable", "variables", rows(tables.variables, VariableRows{}));
    out +=
        array("Alias", "alias_table", rows(tables.alias_table, [&](Alias const& alias) {
                  return braces({cpp_view(alias.name),
                                 "&variables[" + index_of(tables.variables, alias.variable) + "]"});
              }));
    return out +
           "\n}  // namespace\n\n"
           "constinit CatalogueTables const variable_tables{variables, alias_table, components, "
           "sources, " +
           cpp_view(tables.date) + "};\n\n}  // namespace rocmtune::generated\n";
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("compile_variables", [&] {
        if (argc < 2) {
            throw std::runtime_error("usage: compile_variables OUT.cpp variables.json...");
        }
        std::vector<std::string> texts;
        std::vector<ProfileView> views;
        for (int i = 2; i < argc; ++i) {
            texts.push_back(read_build_input(argv[i]));
        }
        for (int i = 2; i < argc; ++i) {
            views.push_back({argv[i], texts[static_cast<std::size_t>(i - 2)]});
        }
        write_build_output(argv[1], source_file(*build_catalogue({}, views)));
    });
}
