// SPDX-License-Identifier: MIT
// What should be equal on cards of one model, and error counters of the hardware.
#include <map>

#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// Cards of one device id and revision; of one board where the board's maker matters.
using Models = std::map<std::string, std::vector<Card const*>>;

Models models_of(CheckContext const& context, bool by_board) {
    Models models;
    for (auto const& card : context.cards) {
        auto const& gpu = *card.gpu;
        if (!gpu.pci_device_id) continue;
        auto key = *gpu.pci_device_id + ':' + gpu.pci_revision.value_or("");
        if (by_board) key += ':' + gpu.pci_subsystem_id.value_or("");
        models[key].push_back(&card);
    }
    return models;
}

using Values = std::vector<std::pair<Card const*, std::string>>;

/// What `of` says of each card, of which it is asked once; without those of which it says nothing.
template <class Of>
Values values_of(std::vector<Card const*> const& cards, Of&& of) {
    Values values;
    for (auto const* card : cards)
        if (auto const value = of(*card)) values.emplace_back(card, *value);
    return values;
}

/// The value that most of them have; of equally many, the first in order.
std::string usual(Values const& values) {
    std::map<std::string, std::size_t> counts;
    for (auto const& [card, value] : values) ++counts[value];
    std::string best;
    std::size_t most = 0;
    for (auto const& [value, count] : counts)
        if (count > most) best = value, most = count;
    return best;
}

/// Judges one text of each card against its peers.
template <class Of>
void judge_alike(Models const& models, std::string_view what, Verdict server, Verdict elsewhere,
                 Verdicts& verdicts, Of&& of) {
    for (auto const& [model, cards] : models) {
        auto const values = values_of(cards, of);
        auto const common = usual(values);
        for (auto const& [card, value] : values) {
            if (value == common) verdicts.pass(card->subject, fmt::format("{} {}", what, value));
            else
                verdicts
                    .give(card->is_server() ? server : elsewhere, card->subject,
                          fmt::format("{} {}, others of this model have {}", what, value, common))
                    .evidence = {{std::string(what), value}};
        }
    }
}

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

void judge_partition_modes(CheckContext const& context, Verdicts& verdicts) {
    judge_alike(models_of(context, false), "partition mode", Verdict::warn, Verdict::warn, verdicts,
                [&](Card const& card) -> std::optional<std::string> {
                    auto const& gpu = *card.gpu;
                    if (!verdicts.have(gpu.compute_partition, card.subject, "partition mode"))
                        return std::nullopt;
                    auto const& memory = gpu.memory_partition;
                    if (memory.reason() == Missing::invalid && !memory) {
                        verdicts.have(memory, card.subject, "memory partition mode");
                        return std::nullopt;
                    }
                    return *gpu.compute_partition + '/' + gpu.memory_partition.value_or("?");
                });
}

void judge_firmware(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& [model, cards] : models_of(context, false)) {
        std::map<std::string, std::string> odd;  // subject -> components that differ
        std::map<std::string, std::size_t> names;
        for (auto const* card : cards)
            if (verdicts.have(card->gpu->firmware, card->subject, "firmware versions"))
                for (auto const& [name, version] : *card->gpu->firmware) ++names[name];
        for (auto const& [name, count] : names) {
            auto const version = [&](Card const& card) -> std::optional<std::string> {
                if (!card.gpu->firmware) return std::nullopt;
                auto const found = card.gpu->firmware->find(name);
                if (found == card.gpu->firmware->end()) return std::nullopt;
                return found->second;
            };
            auto const versions = values_of(cards, version);
            auto const common = usual(versions);
            for (auto const& [card, value] : versions)
                if (value != common)
                    odd[card->subject] +=
                        fmt::format("{}{} {} (others {})", odd[card->subject].empty() ? "" : ", ",
                                    name, value, common);
        }
        for (auto const* card : cards) {
            if (!card->gpu->firmware) continue;
            if (auto const& unread = card->gpu->firmware.limit(); !unread.empty())
                verdicts.unknown(card->subject, "firmware versions: " + unread);
            else if (!odd.contains(card->subject))
                verdicts.pass(card->subject, "the same firmware as its peers");
            else
                verdicts
                    .give(card->is_server() ? Verdict::fail : Verdict::info, card->subject,
                          "firmware differs from its peers: " + odd[card->subject])
                    .evidence = {{source_text(card->gpu->firmware.source()), odd[card->subject]}};
        }
    }
}

void judge_vbios(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards)
        verdicts.have(card.gpu->vbios_version, card.subject, "video BIOS");
    // Boards of different makers have a BIOS of their own.
    judge_alike(models_of(context, true), "video BIOS", Verdict::fail, Verdict::info, verdicts,
                [](Card const& card) { return card.gpu->vbios_version.value(); });
}

void judge_metrics(CheckContext const& context, Verdicts& verdicts) {
    for (auto const& card : context.cards) {
        auto const& revision = card.gpu->metrics_revision;
        if (revision)
            verdicts.pass(card.subject, fmt::format("gpu_metrics {}", *revision)).evidence = {
                evidence(revision)};
        else if (revision.reason() == Missing::invalid)
            // A layout of a newer driver: never guessed.
            verdicts.skip(card.subject, revision.detail());
        else verdicts.have(revision, card.subject, "gpu_metrics");
    }
}

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
