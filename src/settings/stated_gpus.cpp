// SPDX-License-Identifier: MIT
// Which GPUs a text is for: "Dockerfile.gfx1151", PYTORCH_ROCM_ARCH=gfx1030, a page about gfx1151.
#include <algorithm>
#include <array>
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

/// What builds are told of their targets by, in small letters.
bool names_targets(string_view line) {
    constexpr std::array<string_view, 9> words{
        "pytorch_rocm_arch", "amdgpu_targets",   "gpu_targets",
        "hcc_amdgpu_target", "craype-accel-amd", "gpu_archs",
        "hip_architectures", "offload-arch",     "rocm_arch"};
    return std::ranges::any_of(words,
                               [&](string_view word) { return line.find(word) != line.npos; });
}

/// What a batch system is asked for: #SBATCH --constraint=MI250, --gres=gpu:mi210:2.
bool asks_for_gpus(string_view line) {
    constexpr std::array<string_view, 3> words{"--constraint", "--gres", "--gpus"};
    return std::ranges::any_of(words,
                               [&](string_view word) { return line.find(word) != line.npos; });
}

bool names_products(string_view text) {
    return text.find("mi2") != text.npos || text.find("MI2") != text.npos ||
           text.find("mi3") != text.npos || text.find("MI3") != text.npos;
}

bool is_document(InputKind kind) {
    return kind == InputKind::markdown || kind == InputKind::rst;
}

/// The text from "gfx" on as far as it is a target, or the beginning of one; empty for none.
string_view gfx_target_at(string_view text) {
    auto const first = text.substr(std::min(gfx.size(), text.size()));
    if (first.empty() || first.front() < '0' || first.front() > '9') return {};
    return text.substr(0, text.find_first_not_of("0123456789abcdef", gfx.size()));
}

void add_targets(string_view text, std::set<std::string>& targets) {
    for (auto at = text.find(gfx); at != text.npos; at = text.find(gfx, at + 1))
        if (auto const target = gfx_target_at(text.substr(at)); !target.empty())
            targets.emplace(target);
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
    std::vector<std::string> gpus;
    auto const small = lower(condition);
    for (auto at = small.find(gfx); at != small.npos; at = small.find(gfx, at + 1)) {
        auto const target = gfx_target_at(string_view(small).substr(at));
        if (!target.empty() && (at == 0 || !is_name_character(small[at - 1])))
            gpus.emplace_back(target);
    }
    return gpus;
}

std::vector<std::string> stated_gpus(InputText const& input) {
    auto const path = lower(input.file);
    bool is_stated = path.find(gfx) != path.npos;
    // Most texts name none.
    if (!is_stated && input.text.find(gfx) == input.text.npos && !names_products(input.text))
        return {};
    std::set<std::string> targets;
    add_targets(path, targets);
    for (auto const line : split(input.text, '\n')) {
        auto const text = trim(line);
        bool const is_comment =
            text.starts_with('#') && !text.starts_with("#SBATCH") && !is_document(input.kind);
        if (is_comment) continue;
        auto const small = lower(line);
        std::set<std::string> here;
        add_targets(small, here);
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
