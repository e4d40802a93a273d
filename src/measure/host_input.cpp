// SPDX-License-Identifier: MIT
#include "measure/host_input.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/archive.hpp"
#include "machine/guard.hpp"
#include "machine/gzip.hpp"
#include "measure/data_files.hpp"
#include "measure/log.hpp"
#include "measure/recording.hpp"
#include "measure/user_file.hpp"
#include "measure/worker_answers.hpp"
#include "probe/reader.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view example_prefix = "example:";
constexpr std::size_t recording_cap_bytes = std::size_t{64} << 20;

std::unique_ptr<HostSource> example_source(Arguments const& arguments, std::string const& name) {
    auto const known = example_names();
    std::vector<std::string_view> const names(known.begin(), known.end());
    if (std::find(names.begin(), names.end(), name) == names.end() &&
        !arguments.has("--profiles")) {
        auto const near = meant(name, names);
        throw Error(fmt::format("there is no example '{}'", printable(name)),
                    near ? fmt::format("did you mean 'example:{}'?", *near)
                         : fmt::format("there are {}", fmt::join(known, ", ")));
    }
    return text_source(data_file(arguments, fmt::format("examples/{}.host", name)),
                       "example:" + name);
}

std::unique_ptr<HostSource> recorded_source(Arguments const& arguments, std::string const& replay) {
    if (replay.starts_with(example_prefix))
        return example_source(arguments, replay.substr(example_prefix.size()));
    auto bytes = user_file(arguments, replay, recording_cap_bytes);
    return is_gzip(bytes) ? archive_source(bytes, replay) : text_source(std::move(bytes), replay);
}

/// A GPU comes back from D3cold before its first answer: seconds, many on a card with much memory.
constexpr std::chrono::milliseconds waking_limit{10000};

GuardLimits limits_of(Arguments const& arguments, std::optional<std::chrono::milliseconds> usual) {
    GuardLimits limits;
    limits.total = usual.value_or(limits.total);
    if (arguments.has("--wake")) limits.query = waking_limit;
    if (auto const total = arguments.seconds("--timeout")) limits.total = *total;
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

}  // namespace

bool reads_this_host(Arguments const& arguments) {
    return !arguments.has("--replay") && arguments.value("--root").value_or("/") == "/";
}

Host read_host(Arguments const& arguments, Recording* recording,
               std::optional<std::chrono::milliseconds> usual, KernelLog log,
               std::vector<std::string_view> const& left_out) {
    auto const is_needed = [&](std::string_view reader) {
        return std::ranges::count(left_out, reader) == 0;
    };
    auto const root = arguments.value("--root");
    auto const replay = arguments.value("--replay");
    if (root && replay)
        throw Error("--root and --replay exclude each other", "choose one host to read");
    auto const chips = chips_for(arguments);
    ProbeOptions const options{.wake = arguments.has("--wake")};
    auto const limits = limits_of(arguments, usual);
    auto const context_of = [&](std::shared_ptr<HostSource> source) {
        return ProbeContext{HostRoot(std::move(source)), options, &chips};
    };
    // A recording answers from memory; it is still guarded when its queries are to be written.
    auto source =
        replay ? recorded_source(arguments, *replay) : directory_source(root.value_or("/"));
    if (replay && !wants_recording(arguments))
        return probe(context_of(std::move(source)), left_out);
    bool const live = reads_this_host(arguments);
    auto const start = std::chrono::steady_clock::now();
    auto const walk = [&](HostSource& asked, std::function<void()> const& pass_mark) {
        WithoutWorkers without(asked);
        auto& seen = live ? static_cast<HostSource&>(without) : asked;
        auto context = context_of(std::shared_ptr<HostSource>(&seen, [](HostSource*) {}));
        context.before = [&](std::string_view reader, Host const&) {
            if (reader == first_undisturbed_reader) pass_mark();
        };
        return probe(context, left_out);
    };
    auto const guarded = std::make_shared<GuardedSource>(std::move(source), walk, limits);
    std::optional<LibraryQuestions> libraries;
    if (live && is_needed(libraries_reader))
        libraries.emplace(arguments, [&] { return left(limits, start); });
    if (libraries && !wants_recording(arguments))
        libraries->ask_beside(*guarded, [&] { return probe(context_of(guarded), all_but_gpus()); });
    guarded->finish();
    if (live && is_needed("kernel-log")) {
        bool const journal = log == KernelLog::ring_and_journal && !arguments.has("--watch");
        answer_journal_call(*guarded, journal, left(limits, start));
    }
    if (!wants_recording(arguments)) {
        auto context = context_of(guarded);
        context.before = [&](std::string_view reader, Host const& host) {
            if (libraries && reader == libraries_reader) libraries->finish(*guarded, host);
        };
        auto host = probe(context, left_out);
        log_queries(guarded->log());
        return host;
    }
    // This walk in our own process also finds, for a recording, what the child did not reach.
    auto const host = walk(*guarded, [] {});
    if (libraries) libraries->finish(*guarded, host);
    log_queries(guarded->log());
    Recording untold;
    return probe(
        context_of(record(arguments, guarded, recording != nullptr ? *recording : untold)));
}

}  // namespace rocmtune
