// SPDX-License-Identifier: MIT
#include "measure/host_input.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include "base/text.hpp"
#include "judge/checks/checks.hpp"
#include "knowledge/causes.hpp"
#include "knowledge/messages.hpp"
#include "knowledge/scrub.hpp"
#include "machine/archive.hpp"
#include "machine/guard.hpp"
#include "machine/posix_file.hpp"
#include "machine/tar.hpp"
#include "measure/input_files.hpp"
#include "measure/output.hpp"
#include "measure/worker_answers.hpp"
#include "probe/reader.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view example_prefix = "example:";
constexpr std::size_t recording_cap_bytes = std::size_t{64} << 20;

std::unique_ptr<HostSource> example_source(HostChoice const& choice, std::string const& name) {
    auto const known = example_names();
    std::vector<std::string_view> const names(known.begin(), known.end());
    if (std::find(names.begin(), names.end(), name) == names.end() && !choice.data.directory) {
        auto const near = meant(name, names);
        throw Error(fmt::format("there is no example '{}'", printable(name)),
                    near ? fmt::format("did you mean 'example:{}'?", *near)
                         : fmt::format("there are {}", fmt::join(known, ", ")));
    }
    return text_source(data_file(choice.data, fmt::format("examples/{}.host", name)),
                       std::string(example_prefix) + name);
}

std::unique_ptr<HostSource> recorded_source(HostChoice const& choice, std::string const& replay) {
    if (replay.starts_with(example_prefix))
        return example_source(choice, replay.substr(example_prefix.size()));
    auto bytes = user_file(replay, recording_cap_bytes, choice.data.patience);
    return is_gzip(bytes) ? archive_source(bytes, replay) : text_source(std::move(bytes), replay);
}

/// A GPU comes back from D3cold before its first answer: seconds, many on a card with much memory.
constexpr std::chrono::milliseconds waking_limit{10000};

GuardLimits limits_of(HostChoice const& choice, HostNeeds const& needs) {
    GuardLimits limits;
    limits.total = needs.usual.value_or(limits.total);
    if (choice.wake) limits.query = waking_limit;
    if (choice.data.patience) limits.total = *choice.data.patience;
    return limits;
}

std::chrono::milliseconds left(GuardLimits const& limits,
                               std::chrono::steady_clock::time_point start) {
    auto const used = std::chrono::steady_clock::now() - start;
    return limits.total - std::chrono::duration_cast<std::chrono::milliseconds>(used);
}

/// What need not be read to know which GPUs there are, and whether one of them sleeps.
std::vector<std::string_view> all_but_gpus() {
    std::vector<std::string_view> names;
    for (auto const& reader : all_readers())
        if (reader.name != "kfd" && reader.name != "pci") names.push_back(reader.name);
    return names;
}

// ---- ROCMTUNE_LOG -------------------------------------------------------------------------------

constexpr std::string_view operations[] = {"read",   "list", "link", "resolve",
                                           "status", "open", "call"};

std::string outcome(Reply const& reply) {
    if (reply.ok) return fmt::format("{} bytes", reply.text.size());
    auto const reason = missing_name(reply.reason);
    return reply.error != 0 ? fmt::format("{} ({})", reason, errno_name(reply.error))
                            : std::string(reason);
}

/// Writes every query of a run with its outcome to standard error where ROCMTUNE_LOG is debug or
/// trace (with the text of short replies): how a user or a developer sees what was looked at.
void log_queries(QueryLog const& log) {
    char const* const wanted = std::getenv("ROCMTUNE_LOG");
    if (wanted == nullptr || *wanted == '\0') return;
    spdlog::logger logger("rocmtune", std::make_shared<spdlog::sinks::ansicolor_stderr_sink_st>());
    logger.set_pattern("%n: %v");
    logger.set_level(spdlog::level::from_str(wanted));
    constexpr std::size_t short_reply = 80;
    for (auto const& entry : log.entries()) {
        auto const operation = operations[static_cast<std::size_t>(entry.operation)];
        logger.debug("{} {}: {}", operation, printable(scrubbed(entry.path)), outcome(entry.reply));
        if (entry.reply.ok && entry.reply.text.size() <= short_reply)
            logger.trace("    {}", printable(scrubbed(entry.reply.text)));
    }
}

// ---- what one judgement needs -------------------------------------------------------------------

/// Readers that cost most of the time. The others are quick, and nearly every check needs some.
constexpr std::string_view costly_readers =
    "telemetry processes kernel-log packages rocm python caches runtimes";

struct Need {
    std::string_view theme;    ///< or a fact
    std::string_view readers;  ///< of the costly ones
};

/// Checks of other themes get everything.
constexpr Need needs_of_themes[] = {
    {"driver", ""},         {"access", ""},         {"host", ""},
    {"container", ""},      {"environment", ""},    {"pcie", "telemetry"},
    {"xgmi", "telemetry"},  {"power", "telemetry"}, {"occupancy", "telemetry processes"},
    {"alike", "telemetry"}, {"ras", "telemetry"},   {"kernel-log", "kernel-log"},
};

/// Facts that one of the costly readers offers; what GPUs are like may come from telemetry.
constexpr Need needs_of_facts[] = {
    {"kernel_messages", "kernel-log"},
    {"gpu_processes", "processes"},
    {"installed_packages", "packages"},
    {"linux_firmware_version", "packages"},
    {"rocm_installations", "rocm"},
    {"hip_runtime_path", "rocm"},
    {"hip_runtime_reason", "rocm"},
    {"hip_runtime_majors", "rocm"},
    {"hip_runtime_loaded", "rocm runtimes"},
    {"runtimes", "rocm runtimes"},
    {"programs", "programs"},
    {"python_environment", "python"},
    {"python_version", "python"},
    {"python_is_managed", "python"},
    {"frameworks", "python"},
    {"caches", "caches python"},
};

std::string_view needed_by(Condition const& leaf) {
    switch (leaf.kind) {
        case ConditionKind::package:
        case ConditionKind::package_hip: return "python rocm";
        case ConditionKind::version: return "rocm runtimes";
        case ConditionKind::installed: return "rocm";
        default: break;
    }
    if (leaf.of_gpu) return "telemetry";
    auto const name = leaf.kind == ConditionKind::said ? leaf.entry : leaf.name;
    auto const found = std::ranges::find(needs_of_facts, name, &Need::theme);
    return found == std::end(needs_of_facts) ? "" : found->readers;
}

/// The readers that the conditions of an advisory or a cause ask something of.
std::string needed_by(std::initializer_list<WhenAll const*> all) {
    std::string readers;
    for (auto const* when : all)
        for (auto const& leaf : when->nodes) readers.append(needed_by(leaf)).append(1, ' ');
    return readers;
}

std::string needed_by(CauseRule const& rule) {
    return needed_by({&rule.here, &rule.not_here, &rule.unless_here});
}

/// Nothing: all of them.
std::optional<std::string> needed_by(std::string_view id) {
    if (auto const* advisory = find_advisory(id))
        return needed_by({&advisory->when, &advisory->text});
    auto const* check = find_check(id);
    auto const* rule = find_cause_rule(id);
    // The device map is judged by everything that names a device.
    if (id.starts_with("RT1")) return std::nullopt;
    if (check == nullptr && rule != nullptr) return needed_by(*rule);
    if (check == nullptr)
        return find_message_class(id) ? std::optional<std::string>("kernel-log") : std::nullopt;
    auto const found = std::ranges::find(needs_of_themes, check->theme, &Need::theme);
    if (found == std::end(needs_of_themes)) return std::nullopt;
    auto const by_rule = rule == nullptr ? std::string() : needed_by(*rule);
    return std::string(found->readers) + ' ' + by_rule;
}

}  // namespace

Host read_host(HostChoice const& choice, HostNeeds const& needs, Recording* recording) {
    auto left_out = needs.left_out;
    if (!needs.python_needs) left_out.push_back(python_needs_reader);
    auto const is_needed = [&](std::string_view reader) {
        return std::ranges::count(left_out, reader) == 0;
    };
    auto const chips = chips_for(choice.data);
    ProbeOptions const options{.wake = choice.wake};
    auto const limits = limits_of(choice, needs);
    auto const context_of = [&](std::shared_ptr<HostSource> source) {
        return ProbeContext{HostRoot(std::move(source)), options, &chips};
    };
    // A recording answers from memory; it is still guarded when its queries are to be written.
    auto source = choice.replay ? recorded_source(choice, *choice.replay)
                                : directory_source(choice.root.value_or("/"));
    if (choice.behalf)
        source = on_behalf_of(*choice.behalf, std::move(source), choice.is_this_host());
    bool const is_recorded = choice.recording.is_wanted();
    if (choice.replay && !is_recorded) return probe(context_of(std::move(source)), left_out);
    bool const live = choice.is_this_host();
    auto const start = std::chrono::steady_clock::now();
    auto const walk_over = [&](HostSource& asked, bool asks_programs,
                               std::function<void()> const& pass_mark) {
        WithoutWorkers without(asked, asks_programs);
        auto& seen = live ? static_cast<HostSource&>(without) : asked;
        auto context = context_of(std::shared_ptr<HostSource>(&seen, [](HostSource*) {}));
        context.before = [&](std::string_view reader, Host const&) {
            if (reader == first_undisturbed_reader) pass_mark();
        };
        return probe(context, left_out);
    };
    auto const walk = [&](HostSource& asked, std::function<void()> const& pass_mark) {
        return walk_over(asked, false, pass_mark);
    };
    auto const guarded = std::make_shared<GuardedSource>(std::move(source), walk, limits);
    std::optional<LibraryQuestions> libraries;
    // A library that is asked here would answer this process.
    if (live && is_needed(libraries_reader))
        libraries.emplace(choice, [&] { return left(limits, start); });
    if (libraries && !is_recorded)
        libraries->ask_beside(*guarded, [&] { return probe(context_of(guarded), all_but_gpus()); });
    guarded->finish();
    bool const takes_time = needs.log == KernelLog::ring_and_journal && !choice.is_watched;
    if (live && is_needed("kernel-log"))
        answer_journal_call(*guarded, takes_time, left(limits, start));
    std::shared_ptr<HostSource> answered = guarded;
    if (live && !choice.is_watched)
        answered = std::make_shared<WithPrograms>(
            guarded, takes_time || (!needs.left_out.empty() && is_needed("packages")),
            [&] { return left(limits, start); });
    if (!is_recorded) {
        auto context = context_of(answered);
        context.before = [&](std::string_view reader, Host const& host) {
            if (libraries && reader == libraries_reader) libraries->finish(*guarded, host);
        };
        auto host = probe(context, left_out);
        log_queries(guarded->log());
        return host;
    }
    // This walk in our own process also finds, for a recording, what the child did not reach.
    auto const host = walk_over(*answered, true, [] {});
    if (libraries) libraries->finish(*guarded, host);
    log_queries(guarded->log());
    Recording untold;
    return probe(
        context_of(record(choice.recording, guarded, recording != nullptr ? *recording : untold)),
        std::vector{python_needs_reader});
}

std::vector<std::string_view> needless_readers(std::string_view id) {
    auto const needed = needed_by(id);
    if (!needed) return {};
    auto readers = words(costly_readers);
    std::erase_if(readers, [&](std::string_view reader) {
        return std::ranges::count(words(*needed), reader) > 0;
    });
    return readers;
}

std::vector<std::string_view> readers_beside_use() {
    constexpr std::array<std::string_view, 5> kept{"kernel", "kfd", "pci", "names", "processes"};
    std::vector<std::string_view> beside;
    for (auto const& reader : all_readers())
        if (std::ranges::count(kept, reader.name) == 0) beside.push_back(reader.name);
    return beside;
}

}  // namespace rocmtune
