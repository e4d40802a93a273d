// SPDX-License-Identifier: MIT
// The keys of a profile file, as profiles/schema/profile.schema.json describes them.
#include "knowledge/profile_parser.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "base/version.hpp"
#include "knowledge/citation_parser.hpp"
#include "knowledge/condition_parser.hpp"

namespace rocmtune {
namespace {

using Words = std::string_view const[];

constexpr Words data_types = {"fp64", "fp32", "xf32", "fp16", "bf16",
                              "fp8",  "fp6",  "fp4",  "int8", "int4"};
constexpr Words units = {"vector", "dot", "matrix"};
constexpr Words fp8_formats = {"FNUZ", "OCP"};
constexpr Words xnack_words = {"process", "boot", "none"};
constexpr Words risks = {"none-needed", "low", "moderate", "high"};
constexpr Words benchmarks = {"gemm"};
constexpr Words validity_words = {"known", "observed", "unknown"};
constexpr Words confidence_words = {"documented", "source", "observed"};
constexpr Words verify_words = {"bandwidth", "gemm", "vpoc", "collectives"};

// Ranges are far beyond today's devices; they exist to catch slips of units and digits.
constexpr std::uint64_t most_compute_units = 65536;
constexpr std::uint64_t most_vram_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t most_bytes_per_s = 10'000'000'000'000'000;
constexpr std::uint64_t most_clock_mhz = 100'000;
constexpr std::uint64_t most_watts = 100'000;
constexpr std::uint64_t most_rate = 1'000'000;
constexpr std::uint64_t most_bytes_per_cu = std::uint64_t{1} << 30;
constexpr std::uint64_t most_gflops = 1'000'000'000;

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

DataKey version(std::string_view key) {
    return DataKey{key}.optional().like(version_text);
}

/// Whether a range of versions has nothing in it.
bool is_void(std::string_view since, std::string_view until) {
    auto const order = compare_versions(since, until);
    return order && *order >= 0;
}

/// Devices of no product that was sold.
struct UnnamedDevices {
    std::vector<std::uint16_t> devices;
    std::string_view source;
};

/// One id of a product, with the revisions that it holds for; none: for every one.
struct DeviceRevisions {
    std::uint16_t device;
    std::optional<std::vector<std::uint8_t>> revisions;
    std::string_view source;
};

}  // namespace

// ---- of the hardware ----------------------------------------------------------------------------

template <class Visitor>
void visit_fields(UnnamedDevices& it, Visitor&& v) {
    v(DataKey{"devices"}.hexadecimal(4), it.devices);
    v(DataKey{"source"}, it.source);
}

template <class Visitor>
void visit_fields(DeviceRevisions& it, Visitor&& v) {
    v(DataKey{"device"}.hexadecimal(4), it.device);
    v(DataKey{"revisions"}.hexadecimal(2).not_empty(
          "expected at least one revision, or null for any"),
      it.revisions);
    v(DataKey{"source"}, it.source);
}

template <class Visitor>
void visit_fields(ParsedProduct& parsed, Visitor&& v) {
    auto& it = parsed.product;
    v(DataKey{"name"}, it.name);
    v(DataKey{"pci_ids"}.not_empty("a product needs a PCI id"), parsed.pci_ids);
    v(DataKey{"compute_units"}.up_to(most_compute_units), it.compute_units);
    v(DataKey{"vram_bytes"}.up_to(most_vram_bytes), it.vram_bytes);
    v(DataKey{"is_apu"}, it.is_apu);
    v(DataKey{"xcc_count"}.up_to(64), it.xcc_count);
    v(DataKey{"memory_type"}, it.memory_type);
    v(DataKey{"memory_bandwidth_bytes_per_s"}.up_to(most_bytes_per_s),
      it.memory_bandwidth_bytes_per_s);
    v(DataKey{"pci_functions_per_card"}.up_to(16), it.pci_functions_per_card);
    v(DataKey{"boost_clock_mhz"}.up_to(most_clock_mhz), it.boost_clock_mhz);
    v(DataKey{"last_level_cache_bytes"}.up_to(most_vram_bytes), it.last_level_cache_bytes);
    v(DataKey{"board_power_watts"}.up_to(most_watts), it.board_power_watts);
    v(DataKey{"virtual_function"}.optional(), it.virtual_function);
    v(DataKey{"note"}.optional(), it.note);
}

template <class Visitor>
void visit_fields(SupportRange& it, Visitor&& v) {
    v(DataKey{"list"}, it.list);
    v(version("since"), it.since);
    v(version("until"), it.until);
    v(DataKey{"note"}.optional(), it.note);
}

template <class Visitor>
void visit_fields(HipblasltSupport& it, Visitor&& v) {
    v(DataKey{"supported"}.needed(), it.supported);
    v(version("since"), it.since);
    v(DataKey{"note"}.optional(), it.note);
}

template <class Visitor>
void visit_fields(OverrideAdvice& it, Visitor&& v) {
    v(DataKey{"value"}.optional(), it.value);
    v(DataKey{"risk"}.optional().needed().one_of(risks), it.risk);
    v(DataKey{"note"}.optional(), it.note);
}

template <class Visitor>
void visit_fields(ParsedExpectation& parsed, Visitor&& v) {
    auto& it = parsed.expectation;
    v(DataKey{"product"}, it.product);
    v(DataKey{"benchmark"}.one_of(benchmarks), it.benchmark);
    v(DataKey{"data_type"}.one_of(data_types), it.data_type);
    v(DataKey{"gigaflops"}.up_to(most_gflops), it.value);
    v(DataKey{"conditions"}.optional(), it.conditions);
    v(DataKey{"source"}, parsed.source);
}

// ---- of settings and software -------------------------------------------------------------------

template <class Visitor>
void visit_fields(RuleValidity& it, Visitor&& v) {
    v(DataKey{"kind"}.one_of(validity_words), it.kind);
    v(DataKey{"of"}.optional(), it.of);
    v(version("since"), it.since);
    v(version("until"), it.until);
    v(version("checked"), it.checked);
    v(DataKey{"versions"}.optional(), it.versions);
}

template <class Visitor>
void visit_fields(ParsedRule& parsed, Visitor&& v) {
    auto& it = parsed.rule;
    v(DataKey{"id"}, it.id);
    v(DataKey{"name"}, it.name);
    v(DataKey{"kind"}, it.kind);
    v(DataKey{"value"}.optional(), it.value);
    v(DataKey{"value_from"}.optional().one_of(value_words), it.value_from);
    v(DataKey{"level"}, it.level);
    v(DataKey{"workloads"}.optional(), it.workloads);
    v(DataKey{"frameworks"}.optional(), it.frameworks);
    v(DataKey{"unless_set"}.optional().like(variable_text), it.unless_set);
    v(DataKey{"when"}.optional(), it.when);
    v(DataKey{"why"}, it.why);
    v(DataKey{"validity"}, it.validity);
    v(DataKey{"confidence"}.one_of(confidence_words), it.confidence);
    v(DataKey{"verify_with"}.optional().one_of(verify_words), it.verify_with);
    v(DataKey{"sources"}.not_empty("every recommendation needs a source"), parsed.sources);
}

template <class Visitor>
void visit_fields(Cited<DebugVariable>& it, Visitor&& v) {
    v(DataKey{"name"}.like(variable_text), it.value.name);
    v(DataKey{"off"}, it.value.off);
    v(DataKey{"effect"}, it.value.effect);
    v(DataKey{"sources"}.not_empty("every variable needs a source"), it.sources);
}

// ---- the whole ----------------------------------------------------------------------------------

namespace {

struct ProfileFile : ParsedProfile {
    DataFileHead head;
    UnnamedDevices unnamed;
};

}  // namespace

template <class Visitor>
void visit_fields(ProfileFile& it, Visitor&& v) {
    visit_fields(it.head, v);
    v(DataKey{"extends"}.optional(), it.extends);
    v(DataKey{"gfx_target"}.like(target_text), it.gfx_target);
    v(DataKey{"family"}, it.family);
    v(DataKey{"codename"}, it.codename);
    v(DataKey{"generic_target"}, it.generic_target);
    v(DataKey{"simd_per_cu"}.up_to(16), it.simd_per_cu);
    v(DataKey{"wavefront_size"}.up_to(64), it.wavefront_size);
    v(DataKey{"is_apu"}, it.is_apu);
    v(DataKey{"note"}, it.note);
    v(DataKey{"products"}.optional(), it.products);
    v(DataKey{"unnamed_pci_devices"}.optional(), it.unnamed);
    v(DataKey{"sources"}.not_empty("every profile needs a source"), it.sources);
    v(DataKey{"bibliography"}.optional(), it.bibliography);
    v(DataKey{"gfx_prefixes"}.optional(), it.gfx_prefixes);
    v(DataKey{"matrix_instructions"}, it.facts.matrix_instructions);
    v(DataKey{"matrix_kernels"}, it.facts.matrix_kernels);
    v(DataKey{"fp8_format"}.one_of(fp8_formats), it.facts.fp8_format);
    v(DataKey{"ras"}, it.facts.ras);
    v(DataKey{"xnack"}.one_of(xnack_words), it.facts.xnack);
    v(DataKey{"vgpr_bytes_per_cu"}.up_to(most_bytes_per_cu), it.facts.vgpr_bytes_per_cu);
    v(DataKey{"lds_bytes_per_workgroup"}.up_to(most_bytes_per_cu),
      it.facts.lds_bytes_per_workgroup);
    v(DataKey{"rates"}, it.facts.rates);
    v(DataKey{"rocm_support"}, it.facts.support);
    v(DataKey{"hipblaslt"}, it.facts.hipblaslt);
    v(DataKey{"override_gfx_version"}, it.facts.gfx_override);
    v(DataKey{"firmware_files"}, it.facts.firmware_files);
    v(DataKey{"expectations"}.optional(), it.facts.expectations);
    v(DataKey{"recommendations"}.optional(), it.rules);
    v(DataKey{"debug_variables"}.optional(), it.debug_variables);
}

/// Without "revisions", or with null there, the entry holds for every revision.
void read_data(JsonNode const& node, DataReader const& reader, std::vector<ParsedPciId>& out) {
    for (auto const& item : node.items()) {
        auto const ids = reader.record<DeviceRevisions>(item);
        if (!ids.revisions) out.push_back({ids.device, std::nullopt, ids.source, item.pointer()});
        for (std::size_t i = 0; ids.revisions && i < ids.revisions->size(); ++i)
            out.push_back({ids.device, (*ids.revisions)[i], ids.source,
                           item.at("revisions").items()[i].pointer()});
    }
}

void read_data(JsonNode const& node, DataReader const&, SourceId& out) {
    out = {node.string(), node.pointer()};
}

/// An id that a bibliography explains, or a source written in place.
void read_data(JsonNode const& node, DataReader const& reader, ParsedSource& out) {
    out.pointer = node.pointer();
    if (node.is_string()) out.source.id = node.string();
    else reader.fill(node, out.source);
}

/// {"fp16": "mfma_f32_32x32x8f16"}
void read_data(JsonNode const& node, DataReader const&, std::vector<MatrixKernel>& out) {
    node.expect_keys({"fp64", "fp16", "bf16", "fp8", "int8"});
    for (auto const& [type, instruction] : node.members())
        out.push_back({type, instruction.word(matrix_kernel_words)});
}

/// {"fp16": {"matrix": 2048, "vector": null}}: null is a unit whose rate is not known.
void read_data(JsonNode const& node, DataReader const&, std::vector<Rate>& out) {
    for (auto const& [type, by_unit] : node.members()) {
        if (std::ranges::find(data_types, type) == std::end(data_types))
            by_unit.fail("unknown data type");
        for (auto const& [unit, rate] : by_unit.members()) {
            if (std::ranges::find(units, unit) == std::end(units)) rate.fail("unknown unit");
            out.push_back({.data_type = type, .unit = unit});
            if (!rate.is_null())
                out.back().per_clock_per_cu =
                    static_cast<std::uint32_t>(rate.integer(1, most_rate));
        }
    }
}

void read_data(JsonNode const& node, DataReader const& reader, std::vector<Condition>& out) {
    out = parse_condition(node, reader.pool());
}

void check(JsonNode const& node, SupportRange& range) {
    if (is_void(range.since, range.until)) node.fail("the range ends before it begins");
}

void check(JsonNode const& node, ParsedExpectation& parsed) {
    parsed.pointer = node.pointer();
}

void check(JsonNode const& node, RuleValidity& range) {
    bool const bounded = !range.since.empty() || !range.until.empty() || !range.checked.empty();
    if (bounded && range.of.empty()) node.fail("versions of what? \"of\" is missing");
    if (range.kind == "observed" && range.versions.empty())
        node.fail("observed in which versions? \"versions\" is missing");
    if (is_void(range.since, range.until)) node.fail("the range ends before it begins");
}

void check(JsonNode const& node, ParsedRule& parsed) {
    auto& rule = parsed.rule;
    if (rule.value.empty() == rule.value_from.empty())
        node.fail("expected one of value, value_from");
    if (rule.kind == SettingKind::environment && !is_variable_name(rule.name))
        node.at("name").fail(variable_text.otherwise);
    for (auto const framework : rule.frameworks)
        if (framework == FrameworkChoice::automatic || framework == FrameworkChoice::none)
            node.at("frameworks").fail("expected names of frameworks");
    rule.per_gpu = asks_about_gpu(rule.when);
}

template <class T>
void check(JsonNode const& node, Cited<T>& cited) {
    cited.pointer = node.pointer();
}

namespace {

/// Not more elements than allowed, and no two that are the same by their `identity`.
template <class T, class Same>
void check_list(JsonNode const& root, std::string_view key, std::vector<T> const& all,
                std::string_view identity, std::size_t most, Same const& same) {
    if (all.size() > most)
        root.at(key).fail("a profile has at most " + std::to_string(most) + " of these");
    for (std::size_t i = 1; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same(all[j], all[i]))
                root.at(key).items()[i].at(identity).fail("this " + std::string(identity) +
                                                          " stands twice in the file");
}

void check_chip(JsonNode const& root, ProfileFile const& file) {
    if (auto const lanes = file.wavefront_size.value_or(32); lanes && *lanes != 32 && *lanes != 64)
        root.at("wavefront_size").fail("expected 32 or 64");
    if (!file.gfx_target && (root.find("products") || root.find("unnamed_pci_devices")))
        root.fail("a profile with products or devices needs a gfx_target");
    for (std::size_t i = 0; i < file.gfx_prefixes.size(); ++i)
        if (file.gfx_target || !is_gfx_prefix(file.gfx_prefixes[i]))
            root.at("gfx_prefixes")
                .items()[i]
                .fail("a family takes a prefix of gfx targets, such as \"gfx110\"");
}

void check_lists(JsonNode const& root, ProfileFile const& file) {
    check_list(root, "recommendations", file.rules, "id", max_rules,
               [](auto const& a, auto const& b) { return a.rule.id == b.rule.id; });
    auto const same = [](auto const& a, auto const& b) { return is_same(a.value, b.value); };
    check_list(root, "debug_variables", file.debug_variables, "name", max_software, same);
}

void finish(JsonNode const& root, ProfileFile& file, StringPool& pool) {
    for (auto& [id, source] : file.bibliography) source.id = id;
    for (std::size_t i = 0; i < file.unnamed.devices.size(); ++i)
        file.unnamed_devices.push_back(
            {file.unnamed.devices[i], std::nullopt, file.unnamed.source,
             root.at("unnamed_pci_devices").at("devices").items()[i].pointer()});
    for (std::size_t i = 0; i < file.rules.size(); ++i) {
        auto& rule = file.rules[i].rule;
        rule.profile = file.name;
        rule.file = file.file;
        rule.pointer = pool.keep("/recommendations/" + std::to_string(i));
        rule.everywhere = file.extends.empty() && !file.gfx_target && !file.family;
    }
}

}  // namespace

bool is_same(DebugVariable const& one, DebugVariable const& other) {
    return one.name == other.name;
}

ParsedProfile parse_profile(ProfileView const& profile, StringPool& pool) {
    auto const& document = pool.keep(parse_data_file(profile.name, profile.text));
    JsonNode const root(document);
    ProfileFile file;
    file.file = document.file();
    file.name = profile_name(file.file);
    DataReader(pool).fill(root, file);
    expect_version_1(root, "profiles");
    check_chip(root, file);
    check_lists(root, file);
    finish(root, file, pool);
    return file;
}

}  // namespace rocmtune
