// SPDX-License-Identifier: MIT
// Look-ups in the profiles, embedded or laid over by files.
#include "knowledge/chips.hpp"

#include <algorithm>

#include "knowledge/chip_builder.hpp"
#include "knowledge/data_in_force.hpp"

namespace rocmtune {
namespace {

/// The entry whose key equals the wanted one, in a table sorted by that key; or null.
template <class Entry, class Key, class Projection>
Entry const* find_sorted(std::vector<Entry> const& table, Key const& wanted, Projection key) {
    auto const found = std::ranges::lower_bound(table, wanted, {}, key);
    return found != table.end() && key(*found) == wanted ? &*found : nullptr;
}

std::vector<ProfileView> profiles_in_force() {
    std::vector<ProfileView> views;
    for (auto const& file : profile_texts()) views.push_back({file.name, file.bytes});
    return views;
}

}  // namespace

Chip const* ChipSet::find_chip(std::string_view gfx_target) const {
    return find_sorted(data().chips, gfx_target, [](Chip const& chip) { return chip.gfx_target; });
}

Chip const* ChipSet::find_family(std::string_view gfx_target) const {
    auto const after =
        std::ranges::upper_bound(data().families, gfx_target, {}, &FamilyPrefix::prefix);
    if (after == data().families.begin()) return nullptr;
    auto const& family = *std::prev(after);
    return gfx_target.starts_with(family.prefix) ? family.family : nullptr;
}

Product const* ChipSet::find_product(std::uint16_t device, std::uint8_t revision) const {
    for (auto const& wanted : {PciKey{device, revision}, PciKey{device, std::nullopt}}) {
        if (auto const* name = find_sorted(data().names, wanted, pci_key)) {
            return name->product;
        }
    }
    return nullptr;
}

Product const* ChipSet::only_product(std::uint16_t device) const {
    auto const same = std::ranges::equal_range(data().names, device, {}, &PciName::device);
    if (same.empty()) return nullptr;
    auto const* product = same.front().product;
    auto const other = [&](PciName const& name) { return name.product->name != product->name; };
    return std::ranges::any_of(same, other) ? nullptr : product;
}

Chip const* ChipSet::chip_of_device(std::uint16_t device) const {
    auto const* target =
        find_sorted(data().targets, device, [](PciTarget const& entry) { return entry.device; });
    return target ? target->chip : nullptr;
}

std::optional<double> peak_per_second(Chip const& chip, std::string_view data_type,
                                      std::string_view unit, std::uint64_t compute_units,
                                      std::uint64_t clock_mhz) {
    for (auto const& rate : chip.facts.rates) {
        if (rate.data_type != data_type || rate.unit != unit || !rate.per_clock_per_cu) continue;
        return static_cast<double>(compute_units) * static_cast<double>(clock_mhz) * 1e6 *
               static_cast<double>(*rate.per_clock_per_cu);
    }
    return std::nullopt;
}

ChipData const& ChipSet::embedded_data() {
    static auto const data = join_profiles(profiles_in_force());
    return *data;
}

ChipSet const& embedded_chips() {
    static auto const set = ChipSet::embedded();
    return set;
}

ChipSet with_overrides(ChipSet const& base, std::vector<ProfileText> const& files) {
    auto const known = base.profiles();
    std::vector<ProfileView> views(known.begin(), known.end());
    for (auto const& file : files) {
        views.push_back({file.name, file.text});
    }
    return ChipSet{join_profiles(views)};
}

}  // namespace rocmtune
