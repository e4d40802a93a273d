// SPDX-License-Identifier: MIT
// What should be equal on cards of one model, and error counters of the hardware.
#include <map>
#include <set>

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
                 Verdicts const& verdicts, Of&& of) {
    for (auto const& [model, cards] : models) {
        auto const values = values_of(cards, of);
        auto const common = usual(values);
        for (auto const& [card, value] : values) {
            auto const at = verdicts.about(card->subject);
            if (value == common) at.pass(fmt::format("{} {}", what, value));
            else
                at.give(card->is_server() ? server : elsewhere,
                        fmt::format("{} {}, others of this model have {}", what, value, common),
                        {{std::string(what), value}});
        }
    }
}

/// The version of a component of the firmware, if the card states it.
std::optional<std::string> firmware_of(Card const& card, std::string const& component) {
    if (!card.gpu->firmware) return std::nullopt;
    auto const found = card.gpu->firmware->find(component);
    return found == card.gpu->firmware->end() ? std::nullopt : std::optional(found->second);
}

/// Radeons have no such counters in the driver, nor have servers whose profile says so.
bool should_have_ras(ChipSet const& chips, Card const& card) {
    if (!card.is_server() || !card.gpu->gfx_target) return false;
    auto const* const chip = chips.find_chip(*card.gpu->gfx_target);
    return chip == nullptr || chip->facts.ras.value_or(true);
}

/// What amdgpu shows of every GPU; a tree that lacks it recorded parts only, and that it lacks
/// something else proves nothing.
bool is_recorded_in_part(Gpu const& gpu) {
    return !gpu.vbios_version || !gpu.vram_used_bytes;
}

/// True if it has counted something.
bool judge_block(RasBlock const& block, Source const& source, Verdicts const& verdicts) {
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
    bool counted = false;
    for (auto const& row : rows) {
        auto const count = block.*row.count;
        if (count.value_or(0) == 0) continue;
        counted = true;
        auto& finding = verdicts.give(
            row.verdict, fmt::format("{} errors of the block {}: {}", row.what, block.name, *count),
            {{fmt::format("{}/{}", source_text(source), block.name),
              fmt::format("{} {}", *count, row.what)}});
        finding.action = row.action;
    }
    return counted;
}

void judge_partition_modes(CheckContext const& context, Verdicts const& verdicts) {
    judge_alike(
        models_of(context, false), "partition mode", Verdict::warn, Verdict::warn, verdicts,
        [&](Card const& card) -> std::optional<std::string> {
            auto const at = verdicts.about(card.subject);
            auto const& compute = card.gpu->compute_partition;
            auto const& memory = card.gpu->memory_partition;
            if (!at.have(compute, "partition mode")) return std::nullopt;
            if (memory.reason() == Missing::invalid && !at.have(memory, "memory partition mode"))
                return std::nullopt;
            return *compute + '/' + memory.value_or("?");
        });
}

void judge_firmware(CheckContext const& context, Verdicts const& verdicts) {
    for (auto const& [model, cards] : models_of(context, false)) {
        std::map<std::string, std::string> odd;  // subject -> components that differ
        std::set<std::string> components;
        for (auto const* card : cards)
            if (verdicts.about(card->subject).have(card->gpu->firmware, "firmware versions"))
                for (auto const& [component, version] : *card->gpu->firmware)
                    components.insert(component);
        for (auto const& component : components) {
            auto const versions =
                values_of(cards, [&](Card const& card) { return firmware_of(card, component); });
            auto const common = usual(versions);
            for (auto const& [card, version] : versions)
                if (version != common)
                    odd[card->subject] +=
                        fmt::format("{}{} {} (others {})", odd[card->subject].empty() ? "" : ", ",
                                    component, version, common);
        }
        for (auto const* card : cards) {
            auto const& firmware = card->gpu->firmware;
            auto const at = verdicts.about(card->subject);
            if (!firmware) continue;
            if (!firmware.limit().empty()) at.unknown("firmware versions: " + firmware.limit());
            else if (!odd.contains(card->subject)) at.pass("the same firmware as its peers");
            else
                at.give(card->is_server() ? Verdict::fail : Verdict::info,
                        "firmware differs from its peers: " + odd[card->subject],
                        {{source_text(firmware.source()), odd[card->subject]}});
        }
    }
}

void judge_vbios(CheckContext const& context, Verdicts const& verdicts) {
    for (auto const& card : context.cards)
        verdicts.about(card.subject).have(card.gpu->vbios_version, "video BIOS");
    // Boards of different makers have a BIOS of their own.
    judge_alike(models_of(context, true), "video BIOS", Verdict::fail, Verdict::info, verdicts,
                [](Card const& card) { return card.gpu->vbios_version.value(); });
}

void judge_metrics(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& revision = card.gpu->metrics_revision;
    if (revision) verdicts.pass(fmt::format("gpu_metrics {}", *revision), revision);
    else if (revision.reason() == Missing::invalid)
        // A layout of a newer driver: never guessed.
        verdicts.skip(revision.detail());
    else verdicts.have(revision, "gpu_metrics");
}

void judge_ras_present(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& features = card.gpu->ras_features;
    if (!should_have_ras(context.chips, card)) verdicts.skip("asked of Instinct servers only");
    else if (features) verdicts.pass(fmt::format("RAS features {}", *features), features);
    else if (features.reason() == Missing::absent && is_recorded_in_part(*card.gpu))
        verdicts.unknown("the driver's files of this GPU are not all here");
    else if (features.reason() == Missing::absent)
        verdicts.warn("the driver counts no hardware errors (no ras/features)");
    else verdicts.have(features, "RAS features");
}

void judge_ras_counters(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& blocks = card.gpu->ras_blocks;
    if (!verdicts.have(blocks, "error counters")) return;
    bool sound = true;
    std::string unread;
    for (auto const& block : *blocks) {
        if (block.problem) unread += (unread.empty() ? "" : ", ") + block.name;
        else sound &= !judge_block(block, blocks.source(), verdicts);
    }
    if (!unread.empty()) verdicts.unknown("error counters without a number: " + unread);
    else if (sound) verdicts.pass("no hardware errors counted");
}

void judge_bad_pages(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    if (!verdicts.have(gpu.bad_pages_retired, "retired pages")) return;
    auto const failed = gpu.bad_pages_unreservable.value_or(0);
    auto const pending = gpu.bad_pages_pending.value_or(0);
    auto const retired = *gpu.bad_pages_retired;
    auto& finding = verdicts.give(
        failed > 0    ? Verdict::fail
        : pending > 0 ? Verdict::warn
        : retired > 0 ? Verdict::info
                      : Verdict::pass,
        fmt::format("bad memory pages: {} retired, {} pending, {} that could not be retired",
                    retired, pending, failed),
        gpu.bad_pages_retired);
    // A pending page is retired when the GPU is reset or the driver loaded anew.
    if (failed == 0 && pending > 0) finding.action = Action::reset;
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check hardware_rows[] = {
    {"RT3421", "partition-modes", "alike", quick, false, driver, judge_partition_modes},
    {"RT3422", "firmware", "alike", quick, false, driver, judge_firmware},
    {"RT3423", "vbios", "alike", quick, false, driver, judge_vbios},
    {"RT3424", "metrics", "alike", quick, false, driver, judge_metrics},
    {"RT3501", "ras-present", "ras", quick, false, driver, judge_ras_present},
    {"RT3502", "ras-counters", "ras", quick, false, driver, judge_ras_counters},
    {"RT3503", "bad-pages", "ras", quick, false, driver, judge_bad_pages},
};
// clang-format on

}  // namespace

std::span<Check const> hardware_checks() {
    return hardware_rows;
}

}  // namespace rocmtune
