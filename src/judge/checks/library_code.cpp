// SPDX-License-Identifier: MIT
// Whether the libraries of ROCm have kernels for the GPUs that compute here.
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// The installation that programs outside Python get: the loader's, or the only one.
RocmInstallation const* installation_in_use(Host const& host) {
    RocmInstallation const* only = nullptr;
    std::size_t count = 0;
    for (auto const& rocm : *host.rocm_installations) {
        if (rocm.kind == "python-wheel") continue;
        if (rocm.selected) return &rocm;
        only = &rocm;
        ++count;
    }
    return count == 1 ? only : nullptr;
}

/// The way out by the library's own files: another target whose code runs on this chip, by the
/// value of the override; empty if there is none.
std::string override_step(CheckContext const& context, std::vector<std::string> const& targets,
                          std::string const& target) {
    auto const* chip = context.chips.find_chip(target);
    if (chip == nullptr || chip->facts.gfx_override.value.empty()) return {};
    auto const& advice = chip->facts.gfx_override;
    bool const has = std::ranges::any_of(
        targets, [&](std::string const& one) { return override_version(one) == advice.value; });
    if (!has) return {};
    return fmt::format(
        "export HSA_OVERRIDE_GFX_VERSION={}   # risk: {}; rocmtune explain {} says "
        "more; the sure way is a release with code for {}",
        advice.value, advice.risk, target, target);
}

/// Since which release AMD's main list names the target, and until when.
std::string listed_text(CheckContext const& context, std::string const& target) {
    auto const* chip = context.chips.find_chip(target);
    if (chip == nullptr) return {};
    for (auto const& range : chip->facts.support) {
        if (range.list != "rocm") continue;
        return range.until.empty() ? fmt::format("ROCm lists {} since {}", target, range.since)
                                   : fmt::format("ROCm listed {} from {} until before {}", target,
                                                 range.since, range.until);
    }
    return fmt::format("no release of ROCm lists {}", target);
}

struct Library {
    std::string_view name;
    std::string_view shown;
    Verdict without;  ///< the verdict where it has no code for a GPU
};

/// Programs do without hipBLASLt: they call rocBLAS in its place.
constexpr Library rocblas{"librocblas", "rocBLAS", Verdict::warn};
constexpr Library hipblaslt{"libhipblaslt", "hipBLASLt", Verdict::info};

/// What programs on several GPUs talk through; all its code is in the library.
constexpr Library rccl{"librccl", "RCCL", Verdict::warn};

/// Whether another installation has the library, and its files do not show this target.
bool lacks_elsewhere(CheckContext const& context, RocmInstallation const& used,
                     Library const& library, std::string const& target) {
    std::string const name(library.name);
    return std::ranges::any_of(*context.host.rocm_installations, [&](RocmInstallation const& rocm) {
        if (rocm.path == used.path || !rocm.libraries.contains(name)) return false;
        auto const found = rocm.gfx_targets.find(name);
        return found == rocm.gfx_targets.end() || !has_code_for(context, found->second, target);
    });
}

void judge_library(CheckContext const& context, Library const& library, Verdicts const& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "ROCm installations")) return;
    auto const* rocm = installation_in_use(context.host);
    if (rocm == nullptr) return verdicts.skip("no ROCm outside Python environments is in use");
    auto const found = rocm->gfx_targets.find(std::string(library.name));
    if (found == rocm->gfx_targets.end())
        return verdicts.skip(
            fmt::format("no file of {} tells which targets it has code for", library.shown));
    auto const& targets = found->second;
    for (auto const* card : compute_cards(context)) {
        auto const& target = *card->gpu->gfx_target;
        auto const at = verdicts.about(card->subject);
        if (has_code_for(context, targets, target)) {
            // Wheels bring a copy of their own, which RT3712 judges.
            if (lacks_elsewhere(context, *rocm, library, target))
                at.skip(fmt::format("{} in {} has kernels for {}; of another copy nothing is known",
                                    library.shown, rocm->path, target));
            else at.pass(fmt::format("{} has kernels for {}", library.shown, target));
            continue;
        }
        // Under an override programs ask for the code of another target.
        bool const overridden = !gfx_overrides(context.host).empty();
        at.give(overridden ? Verdict::info : library.without,
                fmt::format("{} of ROCm {} in {} has no kernels for {}", library.shown,
                            rocm->version.value_or("?"), rocm->path, target),
                {{fmt::format("rocm: {} in {}", library.name, rocm->path), fact_text(targets)},
                 {"profile", listed_text(context, target)}},
                override_step(context, targets, target));
    }
}

void judge_rocblas(CheckContext const& context, Verdicts const& verdicts) {
    judge_library(context, rocblas, verdicts);
}

void judge_hipblaslt(CheckContext const& context, Verdicts const& verdicts) {
    judge_library(context, hipblaslt, verdicts);
}

void judge_rccl(CheckContext const& context, Verdicts const& verdicts) {
    if (compute_cards(context).size() < 2)
        return verdicts.skip("programs on one GPU do without RCCL");
    judge_library(context, rccl, verdicts);
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check library_code_rows[] = {
    {"RT3752", "rocblas-targets", "rocm", quick, false, anywhere, judge_rocblas},
    {"RT3753", "hipblaslt-targets", "rocm", quick, false, anywhere, judge_hipblaslt},
    {"RT3779", "rccl-targets", "rocm", quick, false, anywhere, judge_rccl},
};
// clang-format on

}  // namespace

std::span<Check const> library_code_checks() {
    return library_code_rows;
}

}  // namespace rocmtune
