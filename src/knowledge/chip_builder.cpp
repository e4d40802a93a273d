// SPDX-License-Identifier: MIT
// Joins all profiles, with the checks that need more than one file.
#include "knowledge/chip_builder.hpp"

#include <algorithm>
#include <map>

namespace rocmtune {
namespace {

class ChipBuilder {
  public:
    ChipBuilder(ChipData& out, Profiles const& profiles) : out_(out), profiles_(profiles) {}

    void build() {
        std::map<std::string_view, Layered const*> chips;
        for (auto const& [name, layered] : profiles_) {
            check_references(layered.profile);
            auto const target = layered.profile.gfx_target.value_or(std::nullopt);
            if (!target) {
                continue;
            }
            auto const [other, is_new] = chips.emplace(*target, &layered);
            if (!is_new) {
                clash(layered, *other->second, "/gfx_target", "/gfx_target", "has this target too");
            }
        }
        reserve(chips.size());
        for (auto const& [target, layered] : chips) {
            add_chip(target, *layered);
        }
        add_lookups(chips);
        add_families();
        add_rules();
        add_cited(&ParsedProfile::debug_variables, out_.debug_variables,
                  "has this variable for debugging too");
    }

  private:
    struct Claim {
        Layered const* owner;
        std::string pointer;
    };

    [[noreturn]] static void clash(Layered const& one, Layered const& two, std::string_view at_one,
                                   std::string_view at_two, std::string_view what) {
        auto const& [late, early] =
            one.layer > two.layer ? std::pair(&one, &two) : std::pair(&two, &one);
        throw ProfileError(late->profile.file, late == &one ? at_one : at_two,
                           std::string(early->profile.file) + " " + std::string(what));
    }

    /// Parents, sources of the list and sources of PCI ids; also of profiles that are no chip.
    void check_references(ParsedProfile const& profile) {
        auto const chain = chain_of(profile, profiles_);
        for (auto const& entry : profile.sources) {
            resolve_source(chain, entry.source, entry.pointer);
        }
        for (auto const& product : profile.products) {
            for (auto const& id : product.pci_ids) {
                find_source(chain, id.source, id.pointer);
            }
        }
        for (auto const& id : profile.unnamed_devices) {
            find_source(chain, id.source, id.pointer);
        }
        for (auto const& parsed : profile.facts.expectations) {
            find_source(chain, parsed.source, parsed.pointer);
        }
    }

    Citation const* find_source(Chain const& chain, std::string_view id, std::string_view pointer) {
        for (auto const* profile : chain) {
            if (auto const entry = profile->bibliography.find(id);
                entry != profile->bibliography.end()) {
                return store(&entry->second);
            }
        }
        throw ProfileError(chain.front()->file, pointer,
                           "no bibliography explains the source \"" + std::string(id) + "\"");
    }

    Citation const* resolve_source(Chain const& chain, Citation const& source,
                                   std::string_view pointer) {
        return source.id.empty() ? store(&source) : find_source(chain, source.id, pointer);
    }

    /// One copy per parsed source, in the order of first use.
    Citation const* store(Citation const* parsed) {
        auto& kept = stored_[parsed];
        if (!kept) {
            kept = &out_.sources.emplace_back(*parsed);
        }
        return kept;
    }

    /// Chips, names and targets point into these vectors, so they must not grow later.
    void reserve(std::size_t chips) {
        std::size_t products = 0;
        for (auto const& [name, layered] : profiles_) products += layered.profile.products.size();
        out_.chips.reserve(chips);
        out_.family_chips.reserve(profiles_.size());
        out_.products.reserve(products);
    }

    void add_chip(std::string_view target, Layered const& layered) {
        auto chip = common_part(layered);
        chip.gfx_target = target;
        chip.products = add_products_of(layered.profile, target);
        out_.chips.push_back(chip);
    }

    /// What a chip and a family have alike.
    Chip common_part(Layered const& layered) {
        auto const chain = chain_of(layered.profile, profiles_);
        Chip chip{};
        chip.family = resolve(chain, &ParsedProfile::family).value_or("");
        if (chip.family.empty()) {
            throw ProfileError(layered.profile.file, "", "neither it nor a parent states a family");
        }
        chip.codename = resolve(chain, &ParsedProfile::codename).value_or("");
        chip.generic_target = resolve(chain, &ParsedProfile::generic_target).value_or("");
        chip.simd_per_cu = resolve(chain, &ParsedProfile::simd_per_cu);
        chip.wavefront_size = resolve(chain, &ParsedProfile::wavefront_size);
        chip.is_apu = resolve(chain, &ParsedProfile::is_apu);
        chip.note = layered.profile.note.value_or(std::nullopt).value_or("");
        chip.sources = add_sources_of(chain);
        std::vector<std::string_view> lineage;
        for (auto const* profile : chain) lineage.push_back(profile->name);
        chip.lineage = out_.pool.keep(std::move(lineage));
        chip.facts = facts_of(chain);
        return chip;
    }

    ChipFacts facts_of(Chain const& chain) {
        auto facts = resolve_facts(chain);
        std::vector<Expectation> all;
        for (auto const& parsed : chain.front()->facts.expectations) {
            all.push_back(parsed.expectation);
            all.back().source = find_source(chain, parsed.source, parsed.pointer);
        }
        facts.expectations = out_.pool.keep(std::move(all));
        return facts;
    }

    std::span<Product const> add_products_of(ParsedProfile const& profile,
                                             std::string_view target) {
        auto const first = out_.products.size();
        for (auto const& parsed : profile.products) {
            out_.products.push_back(parsed.product);
            out_.products.back().gfx_target = target;
        }
        return std::span<Product const>(out_.products).subspan(first);
    }

    std::span<Citation const* const> add_sources_of(Chain const& chain) {
        std::vector<Citation const*> all;
        for (auto const* profile : chain) {
            for (auto const& entry : profile->sources) {
                auto const* source = resolve_source(chain, entry.source, entry.pointer);
                if (std::ranges::find(all, source) == all.end()) all.push_back(source);
            }
        }
        return out_.pool.keep(std::move(all));
    }

    void add_lookups(std::map<std::string_view, Layered const*> const& chips) {
        std::size_t product = 0;
        std::size_t chip = 0;
        for (auto const& [target, layered] : chips) {
            auto const chain = chain_of(layered->profile, profiles_);
            for (auto const& parsed : layered->profile.products) {
                for (auto const& id : parsed.pci_ids) {
                    add_name(id, *layered, out_.products[product],
                             *find_source(chain, id.source, id.pointer));
                    add_target(id, *layered, out_.chips[chip]);
                }
                ++product;
            }
            for (auto const& id : layered->profile.unnamed_devices) {
                add_target(id, *layered, out_.chips[chip]);
            }
            ++chip;
        }
        std::ranges::sort(out_.names, {}, pci_key);
        std::ranges::sort(out_.targets, {}, &PciTarget::device);
    }

    void add_name(ParsedPciId const& id, Layered const& owner, Product const& product,
                  Citation const& source) {
        PciKey const key{id.device, id.revision};
        auto const [other, is_new] = names_.emplace(key, Claim{&owner, id.pointer});
        if (!is_new) {
            clash(owner, *other->second.owner, id.pointer, other->second.pointer,
                  "names a product for this device and revision too");
        }
        out_.names.push_back({id.device, id.revision, &product, &source});
    }

    void add_target(ParsedPciId const& id, Layered const& owner, Chip const& chip) {
        auto const [other, is_new] = targets_.emplace(id.device, Claim{&owner, id.pointer});
        if (!is_new && other->second.owner != &owner) {
            clash(owner, *other->second.owner, id.pointer, other->second.pointer,
                  "has this device too, under another gfx target");
        }
        if (is_new) {
            out_.targets.push_back({id.device, &chip});
        }
    }

    void add_families() {
        std::map<std::string_view, Layered const*> claims;
        for (auto const& [name, layered] : profiles_) {
            if (layered.profile.gfx_prefixes.empty()) continue;
            auto const& chip = out_.family_chips.emplace_back(common_part(layered));
            for (auto const prefix : layered.profile.gfx_prefixes) {
                for (auto const& [other, owner] : claims) {
                    if (other.starts_with(prefix) || prefix.starts_with(other)) {
                        clash(layered, *owner, "/gfx_prefixes", "/gfx_prefixes",
                              "stands for these targets too");
                    }
                }
                claims.emplace(prefix, &layered);
                out_.families.push_back({prefix, &chip});
            }
        }
        std::ranges::sort(out_.families, {}, &FamilyPrefix::prefix);
    }

    void add_rules() {
        std::map<std::string_view, std::pair<Layered const*, std::string_view>> claims;
        for (auto const& [name, layered] : profiles_) {
            auto const chain = chain_of(layered.profile, profiles_);
            for (auto const& parsed : layered.profile.rules) {
                auto const& rule = out_.rules.emplace_back(parsed.rule);
                auto const [other, is_new] =
                    claims.emplace(rule.id, std::pair(&layered, rule.pointer));
                if (!is_new) {
                    clash(layered, *other->second.first, rule.pointer, other->second.second,
                          "has a recommendation of this id too");
                }
                out_.rules.back().sources = sources_of(parsed.sources, chain);
            }
        }
        std::ranges::sort(out_.rules, {}, &Rule::id);
    }

    /// Joins the lists that all profiles have under `member`; `what` one says that another has.
    template <class T>
    void add_cited(std::vector<Cited<T>> ParsedProfile::*member, std::vector<T>& out,
                   std::string_view what) {
        std::vector<std::pair<Layered const*, Cited<T> const*>> claims;
        for (auto const& [name, layered] : profiles_) {
            auto const chain = chain_of(layered.profile, profiles_);
            for (auto const& entry : layered.profile.*member) {
                for (auto const& [owner, other] : claims) {
                    if (is_same(other->value, entry.value)) {
                        clash(layered, *owner, entry.pointer, other->pointer, what);
                    }
                }
                claims.emplace_back(&layered, &entry);
                out.push_back(entry.value);
                out.back().sources = sources_of(entry.sources, chain);
            }
        }
    }

    std::span<Citation const* const> sources_of(std::vector<SourceId> const& sources,
                                                Chain const& chain) {
        std::vector<Citation const*> all;
        for (auto const& entry : sources) {
            all.push_back(find_source(chain, entry.id, entry.pointer));
        }
        return out_.pool.keep(std::move(all));
    }

    ChipData& out_;
    Profiles const& profiles_;
    std::map<Citation const*, Citation const*> stored_;
    std::map<PciKey, Claim> names_;
    std::map<std::uint16_t, Claim> targets_;
};

}  // namespace

std::shared_ptr<ChipData const> join_profiles(std::vector<ProfileView> const& profiles) {
    auto data = std::make_shared<ChipData>();
    for (auto const& view : profiles) {
        data->profiles.push_back({data->pool.keep(view.name), data->pool.keep(view.text)});
    }
    auto const parsed = parse_layers(data->profiles, data->pool);
    ChipBuilder(*data, parsed).build();
    return data;
}

}  // namespace rocmtune
