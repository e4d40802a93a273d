// SPDX-License-Identifier: MIT
// Who uses the GPUs, and memory that nobody seems to use.
#include <array>

#include "base/text.hpp"
#include "host/gpu_use.hpp"
#include "judge/checks/jobs.hpp"
#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

/// Processes that no list showed may hold the memory.
bool list_is_complete(Host const& host) {
    return host.gpu_processes && host.gpu_processes.limit().empty();
}

/// More than an idle card needs for itself: 1 % in a server, 5 % or 1 GiB elsewhere.
bool is_much(Card const& card, std::uint64_t used, std::uint64_t total) {
    if (card.is_server()) return used > total / 100;
    constexpr auto one_gib = std::uint64_t{1} << 30;
    return used > total / 20 || used > one_gib;
}

/// The GPUs of a hive are reset together (Linux amdgpu_device_gpu_recover).
std::string reset_note(CheckContext const& context, Card const& card) {
    auto const& hive = card.gpu->xgmi_hive_id;
    auto const size = std::ranges::count_if(context.cards, [&](Card const& other) {
        return hive && other.gpu->xgmi_hive_id.value() == *hive;
    });
    return size < 2 ? std::string()
                    : fmt::format(", which resets all {} GPUs of its XGMI hive", size);
}

std::string process_text(GpuProcess const& process) {
    auto text = fmt::format("{} ({})", process.name.value_or("?"), process.pid);
    return process.vram_bytes ? text + ' ' + human_bytes(*process.vram_bytes) : text;
}

}  // namespace

bool is_job(GpuProcess const& process) {
    static constexpr std::array<std::string_view, 6> watchers{
        "gpuagent", "rocm-smi-daemon", "amd-smi", "dcgm-exporter", "rdcd", "rocmtune"};
    auto const name = process.name.value_or("");
    if (process.through != "kfd") return false;
    if (std::find(watchers.begin(), watchers.end(), name) != watchers.end()) return false;
    // Processes of a check are named for what they do: "rocmtune livene".
    return !name.starts_with("rocmtune ") || name.starts_with("rocmtune bench");
}

void judge_memory_used(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& gpu = *card.gpu;
        if (card.is_apu()) {
            verdicts.skip(card.subject, "an APU shares main memory");
            continue;
        }
        if (!verdicts.have(gpu.vram_used_bytes, card.subject, "device memory in use") ||
            !verdicts.have(gpu.vram_bytes, card.subject, "device memory"))
            continue;
        auto const message = fmt::format("{} of {} in use", human_bytes(*gpu.vram_used_bytes),
                                         human_bytes(*gpu.vram_bytes));
        bool const much = is_much(card, *gpu.vram_used_bytes, *gpu.vram_bytes);
        bool const explained =
            gpu.drives_display.value_or(false) || is_held(context.host, *card.gpu);
        if (!much || explained) {
            verdicts.pass(card.subject, message);
            continue;
        }
        // Memory in use is strange only where somebody looked who uses it.
        if (!verdicts.have(context.host.gpu_processes, card.subject,
                           message + ", processes that hold this GPU"))
            continue;
        bool const complete = list_is_complete(context.host);
        auto& finding =
            verdicts.give(complete ? Verdict::warn : Verdict::info, card.subject,
                          message + (complete ? ", and no process holds this GPU"
                                              : ", and no visible process holds this GPU"));
        finding.evidence = {evidence(gpu.vram_used_bytes)};
        finding.next_step += reset_note(context, card);
    }
}

void judge_processes(CheckContext const& context, Verdicts& verdicts) {
    auto const& processes = context.host.gpu_processes;
    if (!verdicts.have(processes, "host", "processes that hold a GPU")) return;
    for (auto const& card : context.cards) {
        std::string names;
        for (auto const& process : *processes) {
            if (!holds(process, *card.gpu) || !is_job(process)) continue;
            names += (names.empty() ? "" : ", ") + process_text(process);
        }
        if (names.empty()) {
            verdicts.pass(card.subject, "no compute process");
            continue;
        }
        auto const verdict = !context.rules.idle    ? Verdict::info
                             : context.rules.strict ? Verdict::fail
                                                    : Verdict::warn;
        verdicts.give(verdict, card.subject, "in use by " + names).evidence = {
            {source_text(processes.source()), names}};
    }
}

void judge_busy(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& busy = card.gpu->busy_percent;
        if (!verdicts.have(busy, card.subject, "load")) continue;
        constexpr std::uint64_t idle_percent = 5;
        // A load with a process is that process's; without one, something hangs.
        bool const strange = *busy > idle_percent && !is_held(context.host, *card.gpu) &&
                             list_is_complete(context.host) && card.is_server();
        bool const unwanted = *busy > idle_percent && context.rules.idle && card.is_server();
        auto& finding = verdicts.give(
            strange || unwanted ? Verdict::warn : Verdict::pass, card.subject,
            fmt::format("busy {} %{}", *busy, strange ? ", and no process holds this GPU" : ""));
        finding.evidence = {evidence(busy)};
        if (strange || unwanted) finding.next_step += reset_note(context, card);
    }
}

}  // namespace rocmtune
