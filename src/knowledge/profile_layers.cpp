// SPDX-License-Identifier: MIT
// How files override profiles, and how profiles find their parents.
#include "knowledge/chip_builder.hpp"

#include <algorithm>

namespace rocmtune {
namespace {

template <class T>
void inherit(Stated<T>& own, Stated<T> const& lower) {
    if (!own) {
        own = lower;
    }
}

/// Adds those products of the lower profile whose PCI ids the upper one does not name itself.
void add_products(ParsedProfile& upper, ParsedProfile const& lower) {
    std::vector<PciKey> taken;
    for (auto const& product : upper.products) {
        for (auto const& id : product.pci_ids) {
            taken.push_back({id.device, id.revision});
        }
    }
    for (auto product : lower.products) {
        std::erase_if(product.pci_ids, [&](ParsedPciId const& id) {
            return std::ranges::find(taken, PciKey{id.device, id.revision}) != taken.end();
        });
        if (!product.pci_ids.empty()) {
            upper.products.push_back(std::move(product));
        }
    }
}

/// What the upper file does not say of the hardware; expectations of both count.
void inherit_facts(ParsedFacts& upper, ParsedFacts const& lower) {
    inherit(upper.matrix_instructions, lower.matrix_instructions);
    inherit(upper.matrix_kernels, lower.matrix_kernels);
    inherit(upper.fp8_format, lower.fp8_format);
    inherit(upper.ras, lower.ras);
    inherit(upper.xnack, lower.xnack);
    inherit(upper.vgpr_bytes_per_cu, lower.vgpr_bytes_per_cu);
    inherit(upper.lds_bytes_per_workgroup, lower.lds_bytes_per_workgroup);
    inherit(upper.rates, lower.rates);
    inherit(upper.support, lower.support);
    inherit(upper.hipblaslt, lower.hipblaslt);
    inherit(upper.gfx_override, lower.gfx_override);
    inherit(upper.firmware_files, lower.firmware_files);
    upper.expectations.insert(upper.expectations.end(), lower.expectations.begin(),
                              lower.expectations.end());
}

/// Adds the rules whose ids the upper profile does not have itself. They stay rules of the root of
/// all profiles if they were: the upper file's "extends" only names the profile it covers.
void add_rules(ParsedProfile& upper, ParsedProfile const& lower) {
    auto const own = upper.rules.size();
    auto const everywhere = lower.extends.empty() && !lower.gfx_target && !lower.family;
    for (auto& parsed : upper.rules) parsed.rule.everywhere = everywhere;
    for (auto const& parsed : lower.rules) {
        auto const mine = std::span(upper.rules).first(own);
        auto const same = [&](ParsedRule const& other) { return other.rule.id == parsed.rule.id; };
        if (std::ranges::none_of(mine, same)) upper.rules.push_back(parsed);
    }
}

/// Adds what the upper profile has no entry of itself.
template <class T>
void add_missing(std::vector<Cited<T>>& upper, std::vector<Cited<T>> const& lower) {
    auto const own = upper.size();
    for (auto const& entry : lower) {
        auto const mine = std::span(upper).first(own);
        auto const same = [&](auto const& other) { return is_same(other.value, entry.value); };
        if (std::ranges::none_of(mine, same)) upper.push_back(entry);
    }
}

/// A file that extends its own name: what it does not say comes from the profile it covers.
void lay_over(ParsedProfile& upper, ParsedProfile const& lower) {
    add_rules(upper, lower);
    add_missing(upper.debug_variables, lower.debug_variables);
    upper.extends = lower.extends;
    inherit(upper.gfx_target, lower.gfx_target);
    inherit(upper.family, lower.family);
    inherit(upper.codename, lower.codename);
    inherit(upper.generic_target, lower.generic_target);
    inherit(upper.note, lower.note);
    inherit(upper.simd_per_cu, lower.simd_per_cu);
    inherit(upper.wavefront_size, lower.wavefront_size);
    inherit(upper.is_apu, lower.is_apu);
    inherit_facts(upper.facts, lower.facts);
    upper.gfx_prefixes.insert(upper.gfx_prefixes.end(), lower.gfx_prefixes.begin(),
                              lower.gfx_prefixes.end());
    add_products(upper, lower);
    upper.unnamed_devices.insert(upper.unnamed_devices.end(), lower.unnamed_devices.begin(),
                                 lower.unnamed_devices.end());
    upper.sources.insert(upper.sources.end(), lower.sources.begin(), lower.sources.end());
    upper.bibliography.insert(lower.bibliography.begin(), lower.bibliography.end());
}

}  // namespace

Profiles parse_layers(std::vector<ProfileView> const& files, StringPool& pool) {
    Profiles profiles;
    for (std::size_t layer = 0; layer < files.size(); ++layer) {
        auto parsed = parse_profile(files[layer], pool);
        auto const lower = profiles.find(parsed.name);
        if (lower != profiles.end() && parsed.extends == parsed.name) {
            lay_over(parsed, lower->second.profile);
        }
        auto const name = parsed.name;
        profiles.insert_or_assign(name, Layered{std::move(parsed), layer});
    }
    return profiles;
}

Chain chain_of(ParsedProfile const& profile, Profiles const& profiles) {
    Chain chain{&profile};
    while (!chain.back()->extends.empty()) {
        auto const& child = *chain.back();
        auto const parent = profiles.find(child.extends);
        if (parent == profiles.end()) {
            throw ProfileError(child.file, "/extends",
                               "there is no profile \"" + std::string(child.extends) + "\"");
        }
        auto const* next = &parent->second.profile;
        if (std::ranges::find(chain, next) != chain.end()) {
            throw ProfileError(child.file, "/extends",
                               "\"" + std::string(child.extends) + "\" closes a circle of parents");
        }
        chain.push_back(next);
    }
    return chain;
}

ChipFacts resolve_facts(Chain const& chain) {
    ChipFacts facts;
    auto const matrix = resolve(chain, &ParsedFacts::matrix_instructions);
    facts.matrix_known = matrix.has_value();
    if (matrix) facts.matrix_instructions = *matrix;
    if (auto const kernels = resolve(chain, &ParsedFacts::matrix_kernels))
        facts.matrix_kernels = *kernels;
    facts.fp8_format = resolve(chain, &ParsedFacts::fp8_format).value_or("");
    facts.ras = resolve(chain, &ParsedFacts::ras);
    facts.xnack = resolve(chain, &ParsedFacts::xnack).value_or("");
    facts.vgpr_bytes_per_cu = resolve(chain, &ParsedFacts::vgpr_bytes_per_cu);
    facts.lds_bytes_per_workgroup = resolve(chain, &ParsedFacts::lds_bytes_per_workgroup);
    if (auto const rates = resolve(chain, &ParsedFacts::rates)) facts.rates = *rates;
    if (auto const support = resolve(chain, &ParsedFacts::support)) facts.support = *support;
    facts.hipblaslt = resolve(chain, &ParsedFacts::hipblaslt).value_or(HipblasltSupport{});
    facts.gfx_override = resolve(chain, &ParsedFacts::gfx_override).value_or(OverrideAdvice{});
    if (auto const files = resolve(chain, &ParsedFacts::firmware_files))
        facts.firmware_files = *files;
    return facts;
}

}  // namespace rocmtune
