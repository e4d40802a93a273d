// SPDX-License-Identifier: MIT
// Error counters of the hardware and retired memory pages.
#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

/// MI25 has no such counters in the driver, nor have Radeons.
bool should_have_ras(Card const& card) {
    return card.is_server() && card.gpu->gfx_target.value_or("") != "gfx900" &&
           card.gpu->gfx_target.has_value();
}

/// What amdgpu shows of every GPU; a tree that lacks it recorded parts only, and that it lacks
/// something else proves nothing.
bool is_recorded_in_part(Gpu const& gpu) {
    return !gpu.vbios_version || !gpu.vram_used_bytes;
}

void judge_block(Card const& card, RasBlock const& block, Source const& source,
                 Verdicts& verdicts) {
    struct Row {
        std::optional<std::uint64_t> RasBlock::*count;
        std::string_view what;
        Verdict verdict;
        Action action;
    };
    // Corrected errors are expected over months; deferred ones wait to be used.
    static constexpr Row rows[] = {
        {&RasBlock::uncorrectable, "uncorrectable", Verdict::fail, Action::reset},
        {&RasBlock::deferred, "deferred", Verdict::warn, Action::monitor},
        {&RasBlock::correctable, "corrected", Verdict::info, Action::none}};
    for (auto const& row : rows) {
        auto const count = block.*row.count;
        if (count.value_or(0) == 0) continue;
        auto& finding = verdicts.give(
            row.verdict, card.subject,
            fmt::format("{} errors of the block {}: {}", row.what, block.name, *count));
        finding.action = row.action;
        finding.evidence = {{fmt::format("{}/{}", source_text(source), block.name),
                             fmt::format("{} {}", *count, row.what)}};
    }
}

}  // namespace

void judge_ras_present(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& features = card.gpu->ras_features;
        if (!should_have_ras(card)) verdicts.skip(card.subject, "asked of Instinct servers only");
        else if (features)
            verdicts.pass(card.subject, fmt::format("RAS features {}", *features)).evidence = {
                evidence(features)};
        else if (features.reason() == Missing::absent && is_recorded_in_part(*card.gpu))
            verdicts.unknown(card.subject, "the driver's files of this GPU are not all here");
        else if (features.reason() == Missing::absent)
            verdicts.warn(card.subject, "the driver counts no hardware errors (no ras/features)");
        else verdicts.have(features, card.subject, "RAS features");
    }
}

void judge_ras_counters(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& blocks = card.gpu->ras_blocks;
        if (!verdicts.have(blocks, card.subject, "error counters")) continue;
        bool sound = true;
        std::string unread;
        for (auto const& block : *blocks) {
            if (block.problem) unread += (unread.empty() ? "" : ", ") + block.name;
            else {
                sound &= block.uncorrectable.value_or(0) + block.deferred.value_or(0) +
                             block.correctable.value_or(0) ==
                         0;
                judge_block(card, block, blocks.source(), verdicts);
            }
        }
        if (!unread.empty())
            verdicts.unknown(card.subject, "error counters without a number: " + unread);
        else if (sound) verdicts.pass(card.subject, "no hardware errors counted");
    }
}

void judge_bad_pages(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& gpu = *card.gpu;
        if (!verdicts.have(gpu.bad_pages_retired, card.subject, "retired pages")) continue;
        auto const failed = gpu.bad_pages_unreservable.value_or(0);
        auto const pending = gpu.bad_pages_pending.value_or(0);
        auto const retired = *gpu.bad_pages_retired;
        auto const text = fmt::format(
            "bad memory pages: {} retired, {} pending, {} that could "
            "not be retired",
            retired, pending, failed);
        auto& finding = verdicts.give(failed > 0    ? Verdict::fail
                                      : pending > 0 ? Verdict::warn
                                      : retired > 0 ? Verdict::info
                                                    : Verdict::pass,
                                      card.subject, text);
        finding.evidence = {evidence(gpu.bad_pages_retired)};
        // A pending page is retired when the GPU is reset or the driver loaded anew.
        if (failed == 0 && pending > 0) finding.action = Action::reset;
    }
}

}  // namespace rocmtune
