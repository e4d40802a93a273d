// SPDX-License-Identifier: MIT
// The keys of a profile file, as profiles/schema/profile.schema.json describes them.
#include "knowledge/profile_parser.hpp"

#include <algorithm>

#include "knowledge/chip_facts_parser.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/gfx_name.hpp"
#include "knowledge/json_node.hpp"
#include "knowledge/rule_parser.hpp"
#include "knowledge/software_parser.hpp"

namespace rocmtune {
namespace {

// Ranges are far beyond today's devices; they exist to catch slips of units and digits.
constexpr std::uint64_t most_compute_units = 65536;
constexpr std::uint64_t most_vram_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t most_bytes_per_s = 10'000'000'000'000'000;
constexpr std::uint64_t most_clock_mhz = 100'000;
constexpr std::uint64_t most_watts = 100'000;

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

std::string_view profile_name(std::string_view file) {
    auto name = file.substr(file.rfind('/') + 1);
    if (!name.ends_with(".json")) {
        throw ProfileError(file, "", "the name of a profile file must end in .json");
    }
    name.remove_suffix(5);
    auto const allowed = [](char c) { return is_lower_or_digit(c) || c == '_' || c == '-'; };
    if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, allowed)) {
        throw ProfileError(file, "", "a profile is named with 1 to 64 of a-z, 0-9, _ and -");
    }
    return name;
}

/// Reads the keys of one profile into a ParsedProfile.
class Parser {
  public:
    Parser(JsonNode const& root, StringPool& pool) : root_(root), pool_(pool) {}

    void read_into(ParsedProfile& out) const {
        root_.expect_keys({"$schema",
                           "schema_version",
                           "extends",
                           "gfx_target",
                           "family",
                           "codename",
                           "generic_target",
                           "simd_per_cu",
                           "wavefront_size",
                           "is_apu",
                           "note",
                           "products",
                           "unnamed_pci_devices",
                           "sources",
                           "bibliography",
                           "gfx_prefixes",
                           "matrix_instructions",
                           "matrix_kernels",
                           "fp8_format",
                           "ras",
                           "xnack",
                           "vgpr_bytes_per_cu",
                           "lds_bytes_per_workgroup",
                           "rates",
                           "rocm_support",
                           "hipblaslt",
                           "override_gfx_version",
                           "expectations",
                           "recommendations",
                           "pytorch_wheels",
                           "debug_variables"});
        expect_version_1(root_, "profiles");
        out.extends = text_or_empty(root_, "extends");
        read_chip(out);
        for (auto const& item : items(root_, "products")) {
            out.products.push_back(product(item));
        }
        read_unnamed(out);
        read_sources(out);
        out.facts = parse_chip_facts(root_, pool_);
        read_prefixes(out);
        out.rules = parse_rules(root_, out, pool_);
        out.wheels = parse_wheels(root_, pool_);
        out.debug_variables = parse_debug_variables(root_, pool_);
    }

  private:
    void read_chip(ParsedProfile& out) const {
        out.gfx_target = stated_text("gfx_target");
        if (out.gfx_target && !is_gfx_target(out.gfx_target->value_or(""))) {
            root_.at("gfx_target").fail("expected a gfx target such as \"gfx90a\"");
        }
        out.family = stated_text("family");
        out.codename = stated_text("codename");
        out.generic_target = stated_text("generic_target");
        out.note = stated_text("note");
        out.simd_per_cu = stated_count("simd_per_cu", 16);
        out.wavefront_size = stated_count("wavefront_size", 64);
        if (auto const lanes = out.wavefront_size.value_or(32);
            lanes && *lanes != 32 && *lanes != 64) {
            root_.at("wavefront_size").fail("expected 32 or 64");
        }
        if (auto const node = root_.find("is_apu")) {
            out.is_apu.emplace(node->is_null() ? std::nullopt : std::optional(node->boolean()));
        }
        if (!out.gfx_target && (root_.find("products") || root_.find("unnamed_pci_devices"))) {
            root_.fail("a profile with products or devices needs a gfx_target");
        }
    }

    ParsedProduct product(JsonNode const& node) const {
        node.expect_keys({"name", "pci_ids", "compute_units", "vram_bytes", "is_apu", "xcc_count",
                          "memory_type", "memory_bandwidth_bytes_per_s", "pci_functions_per_card",
                          "boost_clock_mhz", "last_level_cache_bytes", "board_power_watts",
                          "virtual_function", "note"});
        ParsedProduct parsed;
        auto& out = parsed.product;
        out.name = node.at("name").string();
        out.compute_units = count(node, "compute_units", most_compute_units);
        out.vram_bytes = amount(node, "vram_bytes", most_vram_bytes);
        out.memory_type = memory_type(node);
        out.memory_bandwidth_bytes_per_s =
            amount(node, "memory_bandwidth_bytes_per_s", most_bytes_per_s);
        out.xcc_count = count(node, "xcc_count", 64);
        out.boost_clock_mhz = count(node, "boost_clock_mhz", most_clock_mhz);
        out.last_level_cache_bytes = amount(node, "last_level_cache_bytes", most_vram_bytes);
        out.board_power_watts = count(node, "board_power_watts", most_watts);
        out.pci_functions_per_card = count(node, "pci_functions_per_card", 16);
        out.is_apu = flag(node, "is_apu");
        out.virtual_function = flag(node, "virtual_function").value_or(false);
        out.note = text_or_empty(node, "note");
        auto const ids = node.at("pci_ids");
        for (auto const& item : ids.items()) {
            read_pci_id(item, parsed.pci_ids);
        }
        if (parsed.pci_ids.empty()) {
            ids.fail("a product needs a PCI id");
        }
        return parsed;
    }

    /// Without "revisions", or with null there, the entry holds for every revision.
    void read_pci_id(JsonNode const& node, std::vector<ParsedPciId>& out) const {
        node.expect_keys({"device", "revisions", "source"});
        auto const device = node.at("device").hexadecimal(4);
        auto const source = node.at("source").string();
        auto const revisions = node.find("revisions");
        if (!revisions || revisions->is_null()) {
            out.push_back({device, std::nullopt, source, node.pointer()});
            return;
        }
        for (auto const& item : revisions->items()) {
            auto const revision = static_cast<std::uint8_t>(item.hexadecimal(2));
            out.push_back({device, revision, source, item.pointer()});
        }
        if (revisions->items().empty()) {
            revisions->fail("expected at least one revision, or null for any");
        }
    }

    void read_unnamed(ParsedProfile& out) const {
        auto const node = root_.find("unnamed_pci_devices");
        if (!node) {
            return;
        }
        node->expect_keys({"devices", "source"});
        auto const source = node->at("source").string();
        for (auto const& item : node->at("devices").items()) {
            out.unnamed_devices.push_back(
                {item.hexadecimal(4), std::nullopt, source, item.pointer()});
        }
    }

    void read_prefixes(ParsedProfile& out) const {
        for (auto const& item : items(root_, "gfx_prefixes")) {
            auto const prefix = item.string();
            if (out.gfx_target || !is_gfx_prefix(prefix)) {
                item.fail("a family takes a prefix of gfx targets, such as \"gfx110\"");
            }
            out.gfx_prefixes.push_back(prefix);
        }
    }

    void read_sources(ParsedProfile& out) const {
        auto const list = root_.at("sources");
        for (auto const& item : list.items()) {
            auto& entry = out.sources.emplace_back();
            entry.pointer = item.pointer();
            if (item.is_string()) {
                entry.source.id = item.string();
            } else {
                entry.source = parse_citation(item);
            }
        }
        if (out.sources.empty()) {
            list.fail("every profile needs a source");
        }
        if (auto const book = root_.find("bibliography")) {
            for (auto const& [key, node] : book->members()) {
                out.bibliography[key] = parse_citation(node);
                out.bibliography[key].id = key;
            }
        }
    }

    Stated<std::string_view> stated_text(std::string_view key) const {
        auto const node = root_.find(key);
        if (!node) {
            return std::nullopt;
        }
        return Stated<std::string_view>{node->is_null() ? std::nullopt
                                                        : std::optional(node->string())};
    }

    Stated<std::uint32_t> stated_count(std::string_view key, std::uint64_t high) const {
        return root_.find(key) ? Stated<std::uint32_t>{count(root_, key, high)} : std::nullopt;
    }

    static std::optional<std::uint64_t> amount(JsonNode const& parent, std::string_view key,
                                               std::uint64_t high) {
        auto const node = parent.find(key);
        return node && !node->is_null() ? std::optional(node->integer(1, high)) : std::nullopt;
    }

    static std::optional<std::uint32_t> count(JsonNode const& parent, std::string_view key,
                                              std::uint64_t high) {
        auto const number = amount(parent, key, high);
        return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
    }

    static std::optional<MemoryType> memory_type(JsonNode const& parent) {
        auto const node = parent.find("memory_type");
        if (!node || node->is_null()) return std::nullopt;
        auto const found = std::ranges::find(memory_type_words, node->word(memory_type_words));
        return static_cast<MemoryType>(found - memory_type_words.begin());
    }

    static std::optional<bool> flag(JsonNode const& parent, std::string_view key) {
        auto const node = parent.find(key);
        return node && !node->is_null() ? std::optional(node->boolean()) : std::nullopt;
    }

    static std::vector<JsonNode> items(JsonNode const& parent, std::string_view key) {
        auto const node = parent.find(key);
        return node ? node->items() : std::vector<JsonNode>{};
    }

    JsonNode const& root_;
    StringPool& pool_;
};

}  // namespace

ParsedProfile parse_profile(ProfileView const& profile, StringPool& pool) {
    ParsedProfile parsed;
    auto const& document = pool.keep(parse_data_file(profile.name, profile.text));
    parsed.file = document.file();
    parsed.name = profile_name(parsed.file);
    Parser(JsonNode(document), pool).read_into(parsed);
    return parsed;
}

}  // namespace rocmtune
