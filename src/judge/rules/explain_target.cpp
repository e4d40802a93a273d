// SPDX-License-Identifier: MIT
#include "judge/rules/explain.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {
namespace {

using Texts = std::vector<std::string>;

std::optional<std::string> stated(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

Texts pci_ids_of(Product const& product, ChipSet const& chips) {
    Texts ids;
    for (auto const& name : chips.all_names())
        if (name.product == &product)
            ids.push_back(name.revision
                              ? fmt::format("{:#06x}:{:#04x}", name.device, *name.revision)
                              : fmt::format("{:#06x}", name.device));
    return ids;
}

TargetProduct product_facts(Product const& product, Chip const& chip, ChipSet const& chips) {
    TargetProduct facts{.name = std::string(product.name), .pci_ids = pci_ids_of(product, chips)};
    facts.compute_units = product.compute_units;
    facts.vram_bytes = product.vram_bytes;
    if (product.memory_type) facts.memory_type = word_of(*product.memory_type);
    facts.memory_bandwidth_bytes_per_s = product.memory_bandwidth_bytes_per_s;
    facts.last_level_cache_bytes = product.last_level_cache_bytes;
    facts.boost_clock_mhz = product.boost_clock_mhz;
    facts.xcc_count = product.xcc_count;
    facts.board_power_watts = product.board_power_watts;
    facts.pci_functions_per_card = product.pci_functions_per_card;
    facts.is_apu = product.is_apu ? product.is_apu : chip.is_apu;
    facts.virtual_function = product.virtual_function;
    facts.note = product.note;
    return facts;
}

Texts overridden_by(Chip const& chip, ChipSet const& chips) {
    Texts others;
    for (auto const& other : chips.all_chips())
        if (!other.facts.gfx_override.value.empty() &&
            other.facts.gfx_override.value == override_version(chip.gfx_target))
            others.emplace_back(other.gfx_target);
    return others;
}

void fill_support(ChipFacts const& facts, ExplainedTarget& target) {
    for (auto const& range : facts.support)
        target.rocm_support.push_back({std::string(range.list), std::string(range.since),
                                       stated(range.until), std::string(range.note)});
    target.hipblaslt_supported = facts.hipblaslt.supported;
    target.hipblaslt_since = stated(facts.hipblaslt.since);
    target.hipblaslt_note = facts.hipblaslt.note;
    target.override_version = stated(facts.gfx_override.value);
    target.override_risk = stated(facts.gfx_override.risk);
    target.override_note = facts.gfx_override.note;
}

ExplainedTarget target_facts(Chip const& chip, ChipSet const& chips) {
    auto const& facts = chip.facts;
    ExplainedTarget target{.targets = {std::string(chip.gfx_target)}};
    target.family = stated(chip.family);
    target.codename = stated(chip.codename);
    target.generic_target = stated(chip.generic_target);
    target.is_apu = chip.is_apu;
    target.wavefront_size = chip.wavefront_size;
    if (facts.matrix_known)
        target.matrix_instructions.emplace(facts.matrix_instructions.begin(),
                                           facts.matrix_instructions.end());
    target.fp8_format = stated(facts.fp8_format);
    target.xnack = stated(facts.xnack);
    target.vgpr_bytes_per_cu = facts.vgpr_bytes_per_cu;
    target.lds_bytes_per_workgroup = facts.lds_bytes_per_workgroup;
    for (auto const& rate : facts.rates)
        target.rates.push_back(
            {std::string(rate.data_type), std::string(rate.unit), rate.per_clock_per_cu});
    fill_support(facts, target);
    target.overridden_by = overridden_by(chip, chips);
    for (auto const& product : chip.products)
        target.products.push_back(product_facts(product, chip, chips));
    return target;
}

/// The sources of the targets, each once, and those that named their PCI ids.
std::vector<Reference> sources_of(std::vector<Chip const*> const& targets, ChipSet const& chips) {
    std::vector<Reference> sources;
    std::set<std::string_view> seen;
    auto const add = [&](Citation const* source) {
        if (source != nullptr && seen.insert(source->title).second)
            sources.push_back(reference_of(*source));
    };
    for (auto const* chip : targets)
        for (auto const* source : chip->sources) add(source);
    for (auto const& name : chips.all_names())
        for (auto const* chip : targets)
            if (name.product->gfx_target == chip->gfx_target) add(name.source);
    return sources;
}

// ---- features of a name -------------------------------------------------------------------------

/// What LLVM's names of targets can carry: AMDGPUUsage, "Target Features" (xnack, sramecc).
constexpr std::string_view features[] = {"sramecc", "xnack"};

bool is_feature(std::string_view part) {
    if (part.empty() || (part.back() != '+' && part.back() != '-')) return false;
    return std::ranges::find(features, part.substr(0, part.size() - 1)) != std::end(features);
}

std::string xnack_text(std::string_view xnack) {
    if (xnack == "process") return " Each process chooses that (HSA_XNACK).";
    if (xnack == "boot") return " The option noretry of the driver chooses that.";
    if (xnack == "none") return " The driver never turns them on for this target.";
    return " Who chooses that on this target is not known.";
}

std::string feature_text(std::string_view part, Chip const& chip) {
    bool const on = part.ends_with('+');
    if (part.starts_with("xnack"))
        return fmt::format("{}: code for retries of page faults that are {}.{}", part,
                           on ? "on" : "off", xnack_text(chip.facts.xnack));
    return fmt::format(
        "{}: code for GPUs whose registers and local memory have error correction {}.", part,
        on ? "on" : "off");
}

std::optional<Explanation> explain_one(std::vector<std::string_view> const& parts,
                                       ChipSet const& chips) {
    auto const* chip = chips.find_chip(parts.front());
    if (chip == nullptr || !std::ranges::all_of(parts.begin() + 1, parts.end(), is_feature))
        return std::nullopt;
    Explanation result{
        .name = fmt::format("{}", fmt::join(parts, ":")), .kind = "target", .status = "public"};
    result.target = target_facts(*chip, chips);
    result.summary = fmt::format("a target of the family {}", chip->family);
    if (!chip->codename.empty()) result.summary += fmt::format(", {}", chip->codename);
    if (chip->is_apu == true) result.summary += ", an APU";
    Texts said;
    if (!chip->note.empty()) said.emplace_back(chip->note);
    for (auto part = parts.begin() + 1; part != parts.end(); ++part)
        said.push_back(feature_text(*part, *chip));
    result.effect = fmt::format("{}", fmt::join(said, " "));
    result.sources = sources_of({chip}, chips);
    return result;
}

std::optional<Explanation> explain_generic(std::string_view name, ChipSet const& chips) {
    std::vector<Chip const*> behind;
    for (auto const& chip : chips.all_chips())
        if (chip.generic_target == name) behind.push_back(&chip);
    if (behind.empty()) return std::nullopt;
    Explanation result{.name = std::string(name), .kind = "target", .status = "public"};
    result.summary = "a generic target of LLVM: one code for several targets";
    result.effect =
        "It uses only what all of them have; a library that was built for one of them alone can be "
        "faster.";
    auto& target = result.target.emplace();
    for (auto const* chip : behind) target.targets.emplace_back(chip->gfx_target);
    auto const same = [&](Chip const* chip) { return chip->family == behind.front()->family; };
    if (std::ranges::all_of(behind, same)) target.family = stated(behind.front()->family);
    result.sources = sources_of(behind, chips);
    return result;
}

}  // namespace

bool is_target_name(std::string_view name) {
    auto const plain = lower(name);
    return plain.starts_with("gfx") && plain.size() > 3 && is_digit(plain[3]);
}

std::optional<Explanation> explain_target(std::string_view name, ChipSet const& chips) {
    auto const plain = lower(name);
    if (auto one = explain_one(split(plain, ':'), chips)) return one;
    return explain_generic(plain, chips);
}

std::string target_here_text(ExplainedTarget const& target, Host const& host) {
    Texts here;
    std::size_t unknown = 0;
    for (auto const& gpu : host.gpus) {
        if (!gpu.gfx_target) ++unknown;
        else if (std::ranges::find(target.targets, *gpu.gfx_target) != target.targets.end())
            here.push_back(subject_of(gpu));
    }
    auto text = here.empty() ? std::string("No GPU of this host is known to have it.")
                             : fmt::format("{} of this host: {}.", counted(here.size(), "GPU"),
                                           fmt::join(here, ", "));
    if (unknown > 0)
        text += fmt::format(" Of {} here the target is not known.", counted(unknown, "GPU"));
    return text;
}

std::string unknown_target_hint(std::string_view name, ChipSet const& chips) {
    auto const plain = lower(name);
    auto const parts = split(plain, ':');
    if (chips.find_chip(parts.front()) != nullptr)
        return fmt::format("{} can be followed by :sramecc+, :sramecc-, :xnack+ or :xnack-",
                           parts.front());
    std::set<std::string_view> known;
    for (auto const& chip : chips.all_chips()) {
        known.insert(chip.gfx_target);
        if (!chip.generic_target.empty()) known.insert(chip.generic_target);
    }
    std::vector<std::string_view> const candidates(known.begin(), known.end());
    auto const near = nearest(parts.front(), candidates);
    auto hint = near ? fmt::format("did you mean {}?", *near) : std::string();
    if (auto const* family = chips.find_family(parts.front());
        family != nullptr && is_gfx_target(parts.front()))
        hint += fmt::format("{}A GPU that reports it is taken for one of the family {}",
                            hint.empty() ? "" : " ", family->family);
    return hint.empty() ? "rocmtune probe names the targets of this host" : hint;
}

}  // namespace rocmtune
