// SPDX-License-Identifier: MIT
#include "judge/plan/gpu_memory.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "host/subject.hpp"

namespace rocmtune {
namespace {

std::string why_missing(std::string_view what, Number const& fact) {
    auto text = fmt::format("{}: {}", what, missing_name(fact.reason()));
    return fact.detail().empty() ? text : text + ", " + fact.detail();
}

/// An APU computes in host memory, as far as KFD lets it; the carve-out is for the screen. Kernels
/// that let it have the carve-out alone state just that (Linux 6.10 changed it). An MI300A states
/// all of its memory as VRAM, of which KFD lets it have less (the default is three quarters).
bool computes_in_host_memory(Gpu const& gpu) {
    if (!gpu.is_apu.value_or(false) || !gpu.compute_memory_bytes) return false;
    return *gpu.compute_memory_bytes != gpu.vram_bytes.value_or(0);
}

void take(Number const& total, Number const& used, PlanGpu& into) {
    if (total) into.total_bytes = *total;
    else into.reason = why_missing("memory", total);
    if (used) into.used_bytes = *used;
    else if (into.reason.empty()) into.reason = why_missing("memory in use", used);
    if (total && used) into.free_bytes = *total - std::min(*total, *used);
}

/// Pages that the host itself needs cannot be had, whatever the driver's limit.
void limit_to_host(Host const& host, PlanGpu& into) {
    if (!host.memory_available_bytes) {
        into.free_bytes.reset();
        if (into.reason.empty())
            into.reason = why_missing("memory available in the host", host.memory_available_bytes);
        return;
    }
    if (into.free_bytes) into.free_bytes = std::min(*into.free_bytes, *host.memory_available_bytes);
}

PlanGpu memory_of(Host const& host, Gpu const& gpu) {
    PlanGpu it;
    if (gpu.row) it.row = *gpu.row;
    it.subject = subject_of(gpu);
    it.name = gpu.marketing_name ? *gpu.marketing_name : gpu.gfx_target.value_or("GPU");
    if (!computes_in_host_memory(gpu)) {
        it.memory = "vram";
        take(gpu.vram_bytes, gpu.vram_used_bytes, it);
        return it;
    }
    it.memory = "shared";
    take(gpu.compute_memory_bytes, gpu.gtt_used_bytes, it);
    limit_to_host(host, it);
    return it;
}

/// Name and memory; the last digits of the memory differ between cards of one model.
using Kind = std::pair<std::string, std::uint64_t>;

Kind kind_of(PlanGpu const& gpu) {
    return {gpu.name, gpu.total_bytes.value_or(0) >> 30};
}

/// A processor's own GPU beside a card is meant for the screen, however much it could share.
void choose_a_kind(std::vector<PlanGpu>& gpus) {
    bool const cards = std::ranges::find(gpus, "vram", &PlanGpu::memory) != gpus.end();
    std::map<Kind, std::uint64_t> sums;
    for (auto const& gpu : gpus)
        if (!cards || gpu.memory == "vram") sums[kind_of(gpu)] += gpu.total_bytes.value_or(0);
    if (sums.empty()) return;
    auto const best =
        std::ranges::max_element(sums, {}, [](auto const& entry) { return entry.second; })->first;
    for (auto& gpu : gpus) gpu.chosen = kind_of(gpu) == best && (!cards || gpu.memory == "vram");
}

}  // namespace

std::vector<PlanGpu> gpu_memory(Host const& host, std::vector<std::uint64_t> const& rows) {
    std::vector<PlanGpu> gpus;
    for (auto const& gpu : host.gpus) gpus.push_back(memory_of(host, gpu));
    if (rows.empty()) choose_a_kind(gpus);
    else
        for (auto& gpu : gpus)
            gpu.chosen = gpu.row && std::ranges::find(rows, *gpu.row) != rows.end();
    return gpus;
}

std::vector<PlanGpu> given_memory(std::uint64_t bytes) {
    PlanGpu it;
    it.subject = "given";
    it.name = "GPU";
    it.memory = "given";
    it.chosen = true;
    it.total_bytes = it.free_bytes = bytes;
    it.used_bytes = 0;
    return {it};
}

}  // namespace rocmtune
