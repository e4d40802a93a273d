// SPDX-License-Identifier: MIT
#include "judge/rules/scene.hpp"

#include <algorithm>

#include "host/subject.hpp"
#include "judge/rules/thunk.hpp"

namespace rocmtune {

std::vector<Gpu const*> usable_gpus(Host const& host) {
    std::vector<Gpu const*> driven;
    for (auto const& gpu : host.gpus) {
        auto const driver = gpu.driver.value_or("");
        if (driver == "amdgpu") driven.push_back(&gpu);
    }
    auto const thunk = thunk_view(host);
    auto const shown = [&](Gpu const* gpu) {
        return std::ranges::find(thunk.gpus, gpu) != thunk.gpus.end();
    };
    if (!thunk.known || std::ranges::none_of(driven, shown)) return driven;
    std::erase_if(driven, [&](Gpu const* gpu) { return !shown(gpu); });
    return driven;
}

Scene make_scene(Host const& host, Selection const& selection) {
    Scene scene{.host = &host, .elsewhere = selection.elsewhere};
    auto const usable = usable_gpus(host);
    if (selection.rows.empty()) {
        scene.gpus = usable;
        return scene;
    }
    for (auto const& gpu : host.gpus) {
        if (is_among(selection.rows, gpu)) scene.gpus.push_back(&gpu);
        else if (std::ranges::find(usable, &gpu) != usable.end()) ++scene.unselected;
    }
    return scene;
}

std::vector<GpuProfile> profiles_of(Scene const& scene, ChipSet const& chips) {
    std::vector<GpuProfile> all;
    for (auto const* gpu : scene.gpus) {
        GpuProfile profile{.gpu = gpu};
        if (gpu->gfx_target) {
            profile.chip = chips.find_chip(*gpu->gfx_target);
            if (!profile.chip) profile.chip = chips.find_family(*gpu->gfx_target);
            profile.stands_in = profile.chip && profile.chip->gfx_target != *gpu->gfx_target;
        }
        all.push_back(profile);
    }
    return all;
}

Decision covers(Rule const& rule, GpuProfile const& profile) {
    if (rule.everywhere) return {.truth = Truth::yes};
    auto const& target = profile.gpu->gfx_target;
    Because fact{subject_of(*profile.gpu), "gfx_target", target.value()};
    if (!target) return {Truth::unknown, {std::move(fact)}};
    auto const inherits = profile.chip && std::ranges::find(profile.chip->lineage, rule.profile) !=
                                              profile.chip->lineage.end();
    return {truth_of(inherits), {std::move(fact)}};
}

std::size_t rank_of(Rule const& rule, std::vector<GpuProfile> const& profiles) {
    for (auto const& profile : profiles) {
        if (!profile.chip) continue;
        auto const& lineage = profile.chip->lineage;
        auto const place = std::ranges::find(lineage, rule.profile);
        if (place != lineage.end()) {
            return static_cast<std::size_t>(lineage.end() - place) - 1;
        }
    }
    return 0;
}

}  // namespace rocmtune
