// SPDX-License-Identifier: MIT
#include "commands/tune_candidates.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/verify_settings.hpp"
#include "knowledge/trials.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using verify::Candidate;

/// More would only be looked at once each.
constexpr std::size_t most_candidates = 500;

class Collector {
  public:
    Collector(TuneCommand const& options, Catalogue const& catalogue)
        : options_(options), catalogue_(catalogue) {}

    void add_setting(std::string const& name, std::string const& value, CandidateOrigin origin) {
        auto const& assumed = options_.measured.assume_read;
        auto const* const now = std::getenv(name.c_str());
        bool const is_same = now != nullptr && value == now;
        if (is_same || !seen_.insert(name + '=' + value).second) return;
        all_.push_back({.candidate = {.name = name,
                                      .value = value,
                                      .changes = {{name, value}},
                                      .readers = verify::readers_of(name, catalogue_),
                                      .assume_read = std::ranges::count(assumed, name) > 0},
                        .origin = origin});
    }

    /// The program itself is started otherwise: nothing has to read it.
    void add_launch(std::string const& words, CandidateOrigin origin) {
        all_.push_back({.candidate = {.name = "launch",
                                      .value = words,
                                      .changes = {{std::string(launch_choice), words}},
                                      .own = true},
                        .origin = origin});
    }

    void leave_out_experiment(std::string const& name, std::string const& value) {
        left_out_.push_back({.settings = {{name, value}},
                             .origin = CandidateOrigin::experiment,
                             .reason = "it does not ease what limits this program"});
    }

    /// @throws Error
    Tunables take() {
        if (all_.empty() && left_out_.empty())
            throw Error(
                "there is nothing to try: what was named is set already, and the rules "
                "recommend nothing for this host",
                "name values: --setting NAME=VALUE,VALUE", Exit::undetermined);
        if (all_.size() > most_candidates)
            throw Error(fmt::format("{} candidates are too many; {} are the most", all_.size(),
                                    most_candidates),
                        "name those that may matter");
        return {std::move(all_), std::move(left_out_)};
    }

  private:
    TuneCommand const& options_;
    Catalogue const& catalogue_;
    std::vector<Tunable> all_;
    std::vector<TunedCandidate> left_out_;
    std::set<std::string> seen_;
};

void add_named(TuneCommand const& options, Collector& all) {
    for (auto const& text : options.measured.settings) {
        auto const parts = split_once(text, '=');
        if (!parts || !is_variable_name(parts->first))
            throw Error(fmt::format("'{}' is no setting", printable(text)),
                        "settings are NAME=VALUE or NAME=VALUE,VALUE");
        for (auto const& value : values_of(parts->second))
            all.add_setting(std::string(parts->first), value, CandidateOrigin::user);
    }
    for (auto const& words : options.launches) all.add_launch(words, CandidateOrigin::user);
}

bool is_in_path(std::string const& name) {
    auto const* const path = std::getenv("PATH");
    for (auto const directory : split(path == nullptr ? "" : path, ':'))
        if (::access(fmt::format("{}/{}", directory, name).c_str(), X_OK) == 0) return true;
    return false;
}

/// Nodes of the GPUs, else all: where a program and its memory may best stay.
std::set<std::int64_t> nodes_of(Host const& host) {
    std::set<std::int64_t> nodes;
    for (auto const& gpu : host.gpus)
        if (gpu.numa_node && *gpu.numa_node >= 0) nodes.insert(*gpu.numa_node);
    if (nodes.empty() && host.numa_nodes)
        for (auto const& node : *host.numa_nodes)
            nodes.insert(static_cast<std::int64_t>(node.node));
    return nodes;
}

void add_launches(Host const& host, Collector& all) {
    if (host.numa_nodes && host.numa_nodes->size() > 1 && is_in_path("numactl"))
        for (auto const node : nodes_of(host))
            all.add_launch(fmt::format("numactl --cpunodebind={} --membind={}", node, node),
                           CandidateOrigin::launch);
}

/// The value of an experiment here; absent if the host does not tell.
std::optional<std::string> value_here(std::string const& value, Host const& host) {
    if (value != "{cores}") return value;
    if (!host.cpu_cores) return std::nullopt;
    return fmt::format("{}", *host.cpu_cores);
}

void add_experiments(std::vector<LimitKind> const& limits, Host const& host, Collector& all) {
    for (auto const& trial : all_trials()) {
        bool const may_matter =
            limits.empty() || std::ranges::any_of(trial.limits, [&](LimitKind kind) {
                return std::ranges::count(limits, kind) > 0;
            });
        for (auto const& stated : trial.values) {
            auto const value = value_here(stated, host);
            if (!value) continue;
            if (!may_matter) all.leave_out_experiment(trial.setting, *value);
            else if (trial.setting != launch_key)
                all.add_setting(trial.setting, *value, CandidateOrigin::experiment);
            else if (is_in_path(std::string(value->substr(0, value->find(' ')))))
                all.add_launch(*value, CandidateOrigin::experiment);
        }
    }
}

}  // namespace

std::vector<std::string> values_of(std::string_view text) {
    std::vector<std::string> values(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const escaped = text[i] == '\\' && text.substr(i + 1).starts_with(',');
        if (escaped) values.back() += text[++i];
        else if (text[i] == ',') values.emplace_back();
        else values.back() += text[i];
    }
    return values;
}

bool names_candidates(TuneCommand const& options) {
    return !options.measured.settings.empty() || !options.launches.empty();
}

Tunables named_tunables(TuneCommand const& options, Catalogue const& catalogue) {
    Collector all(options, catalogue);
    add_named(options, all);
    return all.take();
}

Tunables fitting_tunables(TuneCommand const& options, Catalogue const& catalogue,
                          std::vector<LimitKind> const& limits, Report& report) {
    auto const& measured = options.measured;
    Collector all(options, catalogue);
    report = advised_report(measured.host, measured.advice, catalogue);
    report.settings.reset();
    for (auto const& it : report.advice->recommendations)
        if (it.kind == "environment")
            all.add_setting(it.name, it.value, CandidateOrigin::catalogue);
    report.advice.reset();
    if (measured.measures_command()) {
        add_launches(*report.host, all);
        if (measured.advice.selection.level == Level::aggressive)
            add_experiments(limits, *report.host, all);
    }
    return all.take();
}

}  // namespace rocmtune
