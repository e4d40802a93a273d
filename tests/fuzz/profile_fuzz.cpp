// SPDX-License-Identifier: MIT
// Any bytes as a profile file: read, or refused with a ProfileError, alone and as an override.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_node.hpp"
#include "knowledge/chip_builder.hpp"
#include "knowledge/chips.hpp"

namespace {

using namespace rocmtune;

/// A set that was accepted answers every look-up with a name of its own.
void look_up(ChipSet const& set) {
    for (auto const& chip : set.all_chips()) {
        if (set.find_chip(chip.gfx_target) != &chip || chip.family.empty() ||
            chip.sources.empty()) {
            std::abort();
        }
    }
    for (auto const& variable : set.debug_variables()) {
        if (variable.name.empty() || variable.off.empty() || variable.sources.empty()) std::abort();
    }
    for (unsigned device = 0; device <= 0xffff; device += 0x101) {
        auto const id = static_cast<std::uint16_t>(device);
        auto const* product = set.find_product(id, 0);
        if (product && (!set.chip_of_device(id) || product->name.empty())) {
            std::abort();
        }
    }
}

/// A family and two chips: enough to override, and cheap to build again for every input.
ChipSet small_set() {
    std::vector<ProfileView> views;
    for (auto const& view : embedded_chips().profiles()) {
        if (view.name == "common.json" || view.name == "rdna3.json" ||
            view.name == "gfx1100.json" || view.name == "gfx1101.json") {
            views.push_back(view);
        }
    }
    auto const tables = join_profiles(views);
    return ChipSet{tables};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static ChipSet const base = small_set();
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const tables = join_profiles({{"gfx1100.json", text}});
        look_up(ChipSet{tables});
    } catch (ProfileError const&) {
    }
    try {
        look_up(with_overrides(base, {{"gfx1100.json", std::string(text)}}));
    } catch (ProfileError const&) {
    }
    return 0;
}
