// SPDX-License-Identifier: MIT
#include "cli/host_input.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/data_files.hpp"
#include "cli/log.hpp"
#include "cli/output.hpp"
#include "knowledge/environment_names.hpp"
#include "probe/probe.hpp"
#include "rocmtune/error.hpp"
#include "system/guard.hpp"
#include "system/text_writer.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view example_prefix = "example:";
constexpr std::size_t recording_cap_bytes = std::size_t{64} << 20;

/// Beside the ROCm names: what decides where software is looked for.
constexpr std::string_view recorded_names[] = {
    "CONDA_PREFIX", "HOME", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH", "VIRTUAL_ENV",
    "KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER", "container"};

bool is_recorded_name(std::string_view name) {
    for (auto const known : recorded_names)
        if (name == known) return true;
    return is_relevant_name(name);
}

/// What the readers look at, and no more. Of a secret the name stays, with an empty value: a replay
/// then says, too, that such a variable is set.
std::string recorded_environment(std::string const& block) {
    std::string result;
    for (auto const entry : split(block, '\0')) {
        auto const name = entry.substr(0, entry.find('='));
        if (name.empty() || !is_recorded_name(name)) continue;
        if (is_secret_name(name)) result.append(name).append(1, '=');
        else result.append(entry);
        result.append(1, '\0');
    }
    return result;
}

std::unique_ptr<HostSource> example_source(Arguments const& arguments, std::string const& name) {
    auto const known = example_names();
    std::vector<std::string_view> const names(known.begin(), known.end());
    if (std::find(names.begin(), names.end(), name) == names.end() && !arguments.has("--profiles")) {
        auto const near = meant(name, names);
        throw Error(fmt::format("there is no example '{}'", printable(name)),
                    near ? fmt::format("did you mean 'example:{}'?", *near)
                         : fmt::format("there are {}", fmt::join(known, ", ")));
    }
    return text_source(data_file(arguments, fmt::format("examples/{}.host", name)), "example:" + name);
}

std::unique_ptr<HostSource> recorded_source(Arguments const& arguments, std::string const& replay) {
    if (replay.starts_with(example_prefix)) return example_source(arguments, replay.substr(example_prefix.size()));
    return text_source(user_file(replay, recording_cap_bytes), replay);
}

GuardLimits limits_of(Arguments const& arguments) {
    GuardLimits limits;
    if (auto const seconds = arguments.number("--timeout", 0.001))
        limits.total = std::chrono::milliseconds(static_cast<std::int64_t>(std::min(*seconds, 86400.0) * 1000));
    return limits;
}

void record(Arguments const& arguments, GuardedSource& source) {
    auto const file = arguments.value("--record");
    if (!file) return;
    auto const label = source.label().empty() ? std::string("recorded host") : source.label();
    replace_file(*file, write_host_text(source.log(), recorded_environment(source.environment()), label));
}

}  // namespace

Host read_host(Arguments const& arguments) {
    auto const root = arguments.value("--root");
    auto const replay = arguments.value("--replay");
    if (root && replay) throw Error("--root and --replay exclude each other", "choose one host to read");
    auto const chips = chips_for(arguments);
    ProbeOptions const options{.wake = arguments.has("--wake")};
    auto const limits = limits_of(arguments);
    auto const context_of = [&](std::shared_ptr<HostSource> source) {
        return ProbeContext{HostRoot(std::move(source)), options, &chips};
    };
    // A recording answers from memory; it is still guarded when its queries are to be written.
    auto source = replay ? recorded_source(arguments, *replay) : directory_source(root.value_or("/"));
    if (replay && !arguments.has("--record")) return probe(context_of(std::move(source)));
    auto const walk = [&](HostSource& asked) {
        (void)probe(context_of(std::shared_ptr<HostSource>(&asked, [](HostSource*) {})));
    };
    auto const guarded = std::make_shared<GuardedSource>(std::move(source), walk, limits);
    log_queries(guarded->log());
    record(arguments, *guarded);
    return probe(context_of(guarded));
}

}  // namespace rocmtune
