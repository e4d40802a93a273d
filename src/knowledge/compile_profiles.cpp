// SPDX-License-Identifier: MIT
// Build tool: turns profiles/*.json into constant C++ tables. compile_profiles OUT.cpp
// PROFILE.json...
#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "knowledge/build_tool.hpp"
#include "knowledge/cpp_table.hpp"
#include "knowledge/profile_tables.hpp"
#include "knowledge/rule_rows.hpp"

namespace {

using namespace rocmtune;

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string source_row(Citation const& source) {
    return braces({cpp_view(source.id), cpp_view(source.title), cpp_view(source.url),
                   cpp_view(source.reference), cpp_view(source.version)});
}

std::string memory_type(std::optional<MemoryType> type) {
    if (!type) return "{}";
    return "MemoryType(" + std::to_string(static_cast<int>(*type)) + ")";
}

std::string product_row(Product const& product) {
    return braces({cpp_view(product.name), cpp_view(product.gfx_target),
                   optional(product.compute_units), optional(product.vram_bytes),
                   memory_type(product.memory_type), optional(product.memory_bandwidth_bytes_per_s),
                   optional(product.xcc_count), optional(product.boost_clock_mhz),
                   optional(product.last_level_cache_bytes), optional(product.board_power_watts),
                   optional(product.pci_functions_per_card), optional(product.is_apu),
                   flag(product.virtual_function), cpp_view(product.note)});
}

/// Spans of chips and families lie one after the other in the tables, families last.
class ChipRows {
  public:
    ChipRows(OwnedTables const& tables, ListTables& lists) : tables_(tables), lists_(lists) {}

    std::string operator()(Chip const& chip) {
        auto row =
            braces({cpp_view(chip.gfx_target), cpp_view(chip.family), cpp_view(chip.codename),
                    cpp_view(chip.generic_target), optional(chip.simd_per_cu),
                    optional(chip.wavefront_size), optional(chip.is_apu), cpp_view(chip.note),
                    slice("products.data()", product_, chip.products.size()),
                    slice("chip_sources.data()", source_, chip.sources.size()),
                    lists_.texts(chip.lineage), facts(chip.facts)});
        product_ += chip.products.size();
        source_ += chip.sources.size();
        return row;
    }

  private:
    std::string facts(ChipFacts const& facts) {
        return braces(
            {lists_.texts(facts.matrix_instructions), flag(facts.matrix_known),
             cpp_view(facts.fp8_format), cpp_view(facts.xnack), optional(facts.vgpr_bytes_per_cu),
             optional(facts.lds_bytes_per_workgroup),
             lists_.list("Rate", facts.rates,
                         [](Rate const& rate) {
                             return braces({cpp_view(rate.data_type), cpp_view(rate.unit),
                                            optional(rate.per_clock_per_cu)});
                         }),
             lists_.list("SupportRange", facts.support,
                         [](SupportRange const& range) {
                             return braces({cpp_view(range.list), cpp_view(range.since),
                                            cpp_view(range.until), cpp_view(range.note)});
                         }),
             lists_.list("Expectation", facts.expectations,
                         [this](Expectation const& one) {
                             return braces(
                                 {cpp_view(one.product), cpp_view(one.benchmark),
                                  cpp_view(one.data_type), std::to_string(one.value) + "u",
                                  cpp_view(one.conditions),
                                  "&sources[" + index_of(tables_.sources, one.source) + "]"});
                         }),
             braces({optional(facts.hipblaslt.supported), cpp_view(facts.hipblaslt.since),
                     cpp_view(facts.hipblaslt.note)}),
             braces({cpp_view(facts.gfx_override.value), cpp_view(facts.gfx_override.risk),
                     cpp_view(facts.gfx_override.note)})});
    }

    OwnedTables const& tables_;
    ListTables& lists_;
    std::size_t product_ = 0;
    std::size_t source_ = 0;
};

std::vector<std::string> wheel_rows(OwnedTables const& tables, ListTables& lists) {
    return rows(tables.wheels, [&](TorchWheel const& wheel) {
        return braces({cpp_view(wheel.rocm), lists.texts(wheel.targets), cpp_view(wheel.note),
                       source_list(wheel.sources, tables, lists)});
    });
}

std::vector<std::string> debug_variable_rows(OwnedTables const& tables, ListTables& lists) {
    return rows(tables.debug_variables, [&](DebugVariable const& variable) {
        return braces({cpp_view(variable.name), cpp_view(variable.off), cpp_view(variable.effect),
                       source_list(variable.sources, tables, lists)});
    });
}

/// The profiles themselves, for files that override them: without white space, named without path.
std::string profile_row(ProfileView const& profile) {
    auto const compact = nlohmann::json::parse(profile.text).dump();
    return braces({cpp_view(base_name(profile.name)), cpp_view(compact)});
}

std::string source_file(OwnedTables const& tables) {
    auto out = cpp_header("compile_profiles") + "namespace {\n";
    out += array("Citation", "sources", rows(tables.sources, source_row));
    out += array("Product", "products", rows(tables.products, product_row));
    out +=
        array("Citation const*", "chip_sources", rows(tables.chip_sources, [&](auto const* source) {
                  return "&sources[" + index_of(tables.sources, source) + "]";
              }));
    ListTables lists;
    ChipRows chip_row(tables, lists);
    auto const chips = rows(tables.chips, std::ref(chip_row));
    auto const families = rows(tables.family_chips, std::ref(chip_row));
    auto const rules = rule_rows(tables, lists);
    auto const wheels = wheel_rows(tables, lists);
    auto const debug_variables = debug_variable_rows(tables, lists);
    out += lists.source_text();
    out += array("Chip", "chips", chips) + array("Chip", "family_chips", families);
    out += array("Rule", "rules", rules) + array("TorchWheel", "wheels", wheels);
    out += array("DebugVariable", "debug_variables", debug_variables);
    out += array(
        "FamilyPrefix", "families", rows(tables.families, [&](FamilyPrefix const& entry) {
            return braces({cpp_view(entry.prefix),
                           "&family_chips[" + index_of(tables.family_chips, entry.family) + "]"});
        }));
    out += array("PciName", "names", rows(tables.names, [&](PciName const& name) {
                     return braces({std::to_string(name.device) + "u", optional(name.revision),
                                    "&products[" + index_of(tables.products, name.product) + "]",
                                    "&sources[" + index_of(tables.sources, name.source) + "]"});
                 }));
    out += array("PciTarget", "targets", rows(tables.targets, [&](PciTarget const& target) {
                     return braces({std::to_string(target.device) + "u",
                                    "&chips[" + index_of(tables.chips, target.chip) + "]"});
                 }));
    out += array("ProfileView", "profiles", rows(tables.profiles, profile_row));
    return out +
           "\n}  // namespace\n\n"
           "constinit ChipTables const chip_tables{chips, names, targets, families, rules,\n"
           "                                         wheels, debug_variables, profiles};\n\n"
           "}  // namespace rocmtune::generated\n";
}

/// Reads the files in the order of their names, so that equal files give equal bytes.
std::map<std::string, std::string> read_profiles(int count, char** paths) {
    std::map<std::string, std::string> texts;
    std::map<std::string_view, std::string_view> seen;
    for (int i = 0; i < count; ++i) {
        std::string_view const path = paths[i];
        auto const [other, is_new] = seen.emplace(base_name(path), path);
        if (!is_new) {
            throw ProfileError(path, "", "has the same name as " + std::string(other->second));
        }
        texts.emplace(path, read_build_input(paths[i]));
    }
    return texts;
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("compile_profiles", [&] {
        if (argc < 3) {
            throw std::runtime_error("usage: compile_profiles OUT.cpp PROFILE.json...");
        }
        auto const texts = read_profiles(argc - 2, argv + 2);
        std::vector<ProfileView> views;
        for (auto const& [path, text] : texts) {
            views.push_back({path, text});
        }
        std::ranges::sort(views, {}, [](ProfileView const& view) { return base_name(view.name); });
        write_build_output(argv[1], source_file(*build_tables(views)));
    });
}
