// SPDX-License-Identifier: MIT
// Which GPUs a text is for: "Dockerfile.gfx1151", PYTORCH_ROCM_ARCH=gfx1030, a page about gfx1151.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using std::string_view;

constexpr string_view gfx = "gfx";

/// What builds are told of their targets by, and what images are called by, in small letters.
bool names_targets(string_view line) {
    return has_one_of(line,
                      {"pytorch_rocm_arch", "amdgpu_targets", "gpu_targets", "hcc_amdgpu_target",
                       "craype-accel-amd", "gpu_archs", "hip_architectures", "offload-arch",
                       "rocm_arch", "image:", "container_name:"}) ||
           line.starts_with("from ");
}

/// What a batch system is asked for: #SBATCH --constraint=MI250, --gres=gpu:mi210:2.
bool asks_for_gpus(string_view line) {
    return has_one_of(line, {"--constraint", "--gres", "--gpus"});
}

/// The text from "gfx" on as far as it is a target, or the beginning of one; empty for none.
string_view gfx_target_at(string_view text) {
    auto const first = text.substr(std::min(gfx.size(), text.size()));
    if (first.empty() || first.front() < '0' || first.front() > '9') return {};
    return text.substr(0, text.find_first_not_of("0123456789abcdef", gfx.size()));
}

/// Those of a text in small letters; `whole`: not in a name with gfx in it.
std::vector<std::string> targets_in(string_view text, bool whole) {
    std::vector<std::string> targets;
    for (auto at = text.find(gfx); at != text.npos; at = text.find(gfx, at + 1)) {
        auto const target = gfx_target_at(text.substr(at));
        bool const fits = !whole || at == 0 || !is_name_character(text[at - 1]);
        if (fits && !target.empty()) targets.emplace_back(target);
    }
    return targets;
}

/// Cards that people call by their products: "mi250" of MI250X.
void add_products(string_view text, std::set<std::string>& targets) {
    constexpr std::size_t digits = 3;
    for (auto at = text.find("mi"); at != text.npos; at = text.find("mi", at + 1)) {
        auto const end = std::min(text.find_first_not_of("0123456789", at + 2), text.size());
        bool const is_whole = at == 0 || !is_name_character(text[at - 1]);
        if (is_whole && end == at + 2 + digits) targets.emplace(text.substr(at, end - at));
    }
    if (text.find("instinct") != text.npos) targets.emplace("gfx9");
    for (string_view const radeon : {"radeon", "rx ", "rdna"})
        if (text.find(radeon) != text.npos) targets.emplace("gfx1");
}

}  // namespace

std::vector<std::string> gpus_named_in(string_view condition) {
    return targets_in(lower(condition), true);
}

std::vector<std::string> stated_gpus(InputText const& input) {
    auto const path = lower(input.file);
    bool is_stated = path.find(gfx) != path.npos;
    // Most texts name none.
    if (!is_stated && !has_one_of(input.text, {gfx, "mi2", "MI2", "mi3", "MI3"})) return {};
    auto const add = [](string_view text, std::set<std::string>& all) {
        for (auto& target : targets_in(text, false)) all.insert(std::move(target));
    };
    std::set<std::string> targets;
    add(path, targets);
    for (auto const line : split(input.text, '\n')) {
        auto const text = trim(line);
        bool const is_comment =
            text.starts_with('#') && !text.starts_with("#SBATCH") && !is_document(input.kind);
        if (is_comment) continue;
        auto const small = lower(line);
        std::set<std::string> here;
        add(small, here);
        bool const is_told = is_document(input.kind) || names_targets(small);
        is_stated = is_stated || (is_told && !here.empty());
        add_products(small, here);
        is_stated = is_stated || (asks_for_gpus(small) && !here.empty());
        targets.merge(here);
    }
    constexpr std::size_t most = 64;  // that people write
    if (!is_stated || targets.size() > most) return {};
    return {targets.begin(), targets.end()};
}

}  // namespace rocmtune
