// SPDX-License-Identifier: MIT
// The answers: builds, and where there is none what is left.
#include "judge/builds/builds.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/builds/breaks.hpp"
#include "judge/builds/candidate.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune {
namespace {

std::string sentence(BuildTexts const& parts) {
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Every source of a build, those of its targets first.
BuildTexts sources_of(PublishedBuild const& build) {
    BuildTexts keys;
    if (auto const found = build.sources.find("targets"); found != build.sources.end())
        keys = found->second;
    for (auto const& [field, list] : build.sources)
        keys.insert(keys.end(), list.begin(), list.end());
    return keys;
}

void fill_verdict(BuildsContext const& context, Candidate const& it, Build& build) {
    build.reason = sentence(it.withheld.empty() ? it.against : it.withheld);
    if (!build.reason.empty()) {
        if (it.withheld.empty()) build.runs_here = false;
        return;
    }
    if (context.question.host == nullptr) return;
    if (it.not_known.empty()) build.runs_here = true;
    else build.reason = fmt::format("not known: {}", fmt::join(it.not_known, ", "));
}

/// What the command would break, and what it calls that is not on PATH.
void add_what_is_here(BuildsContext const& context, Candidate const& it, Host const& host,
                      Build& build) {
    auto const& installer = *build.installer;
    bool const is_missing =
        host.programs && installer != "shell" && std::ranges::count(*host.programs, installer) == 0;
    if (is_missing)
        build.notes.push_back(fmt::format(
            "{} is not on PATH here.{}", installer,
            installer == "pip" && contains(*host.programs, "uv") ? " uv is: --with uv." : ""));
    auto const installed = installed_by(context, it);
    if (installed.empty()) return;
    build.breaks = broken_by(installed, host);
    if (auto const unread = unread_packages(host); !unread.empty())
        build.notes.push_back(
            fmt::format("What these packages ask for is not known: {}.", fmt::join(unread, ", ")));
}

Build answer_of(BuildsContext const& context, Candidate const& it,
                std::map<std::string, std::string> set = {}) {
    auto const& from = *it.build;
    Build build{.framework = from.framework, .answer = BuildAnswer::build, .version = from.version};
    build.status = std::string(build_status_words[static_cast<std::size_t>(from.status)]);
    build.channel = it.channel->name;
    build.targets = from.targets;
    build.python = from.python;
    build.rocm = from.rocm;
    build.glibc = from.glibc;
    fill_verdict(context, it, build);
    build.notes = it.notes;
    set.insert(from.environment.begin(), from.environment.end());
    if (it.is_usable()) {
        build.installer = installer_of(context, it);
        build.command = command_for(context, it, set);
    }
    if (it.is_usable() && context.question.host != nullptr)
        add_what_is_here(context, it, *context.question.host, build);
    build.environment = std::move(set);
    if (from.driver) build.notes.push_back(fmt::format("It needs a driver of {}.", *from.driver));
    if (it.channel->kind == ChannelKind::archive && from.bundles_rocm == false && from.rocm)
        build.notes.push_back(fmt::format("ROCm {} must be installed beside it.", *from.rocm));
    if (it.channel->note) build.notes.push_back(*it.channel->note);
    build.seen = from.date;
    build.sources = references(context.data, sources_of(from));
    return build;
}

// ---- what is left -------------------------------------------------------------------------------

/// What the data says of the framework without a build for one of the targets.
std::vector<AbsentBuild const*> absent_rows(BuildsContext const& context,
                                            std::string_view framework) {
    std::vector<AbsentBuild const*> rows;
    for (auto const& row : context.data.absent) {
        auto const is_of = [&](auto const& target) { return contains(row.targets, target); };
        if (row.framework == framework && std::ranges::any_of(context.targets, is_of))
            rows.push_back(&row);
    }
    // What holds everywhere says more than what holds in one place.
    std::ranges::sort(rows, {},
                      [](auto const* row) { return std::pair(row->channel.has_value(), row); });
    return rows;
}

bool is_named_instead(BuildsContext const& context, std::string_view framework,
                      std::string_view word) {
    auto const rows = absent_rows(context, framework);
    return std::ranges::any_of(rows, [&](auto const* row) { return contains(row->instead, word); });
}

/// The target whose code an override lets run on this one; null if none is known.
Chip const* sibling_of(ChipSet const& chips, Chip const& chip) {
    for (auto const& other : chips.all_chips())
        if (other.gfx_target != chip.gfx_target &&
            override_version(other.gfx_target) == chip.facts.gfx_override.value)
            return &other;
    return nullptr;
}

/// Only where the data names it; one override holds for a whole process: all targets must need the
/// same.
void add_override(BuildsContext const& context, std::string const& framework,
                  std::vector<Build>& out) {
    if (!is_named_instead(context, framework, "override")) return;
    std::string value;
    Chip const *first = nullptr, *sibling = nullptr;
    for (auto const& target : context.targets) {
        auto const* const chip = context.chips.find_chip(target);
        if (chip == nullptr || chip->facts.gfx_override.value.empty()) return;
        if (first != nullptr && chip->facts.gfx_override.value != value) return;
        first = chip, value = chip->facts.gfx_override.value;
        sibling = sibling_of(context.chips, *chip);
    }
    if (sibling == nullptr) return;
    auto near = context;
    near.targets = {std::string(sibling->gfx_target)};
    auto const all = candidates(near, framework);
    if (all.empty() || !all.front().withheld.empty()) return;
    auto build = answer_of(near, all.front(), {{"HSA_OVERRIDE_GFX_VERSION", value}});
    build.answer = BuildAnswer::override_;
    auto const& advice = first->facts.gfx_override;
    build.notes.insert(build.notes.begin(),
                       fmt::format("It has code for {}, not for {}. The risk of the override is "
                                   "{}. {}",
                                   sibling->gfx_target, fmt::join(context.targets, ", "),
                                   advice.risk.empty() ? "not known" : advice.risk, advice.note));
    out.push_back(std::move(build));
}

void add_source(BuildsContext const& context, std::string const& framework,
                std::vector<Build>& out) {
    for (auto const& row : context.data.source_builds) {
        if (row.framework != framework || row.command.empty()) continue;
        auto const takes = [&](auto const& target) {
            return row.targets ? contains(*row.targets, target)
                               : is_named_instead(context, framework, "source");
        };
        if (!std::ranges::all_of(context.targets, takes)) continue;
        Build build{.framework = framework, .answer = BuildAnswer::source};
        build.targets = row.targets;
        auto const list =
            fmt::format("{}", fmt::join(context.targets, row.separator.value_or(";")));
        for (auto line : row.command) {
            if (auto const at = line.find("{gfx}"); at != line.npos)
                line.replace(at, 5,
                             list.find(';') == list.npos ? list : fmt::format("\"{}\"", list));
            build.command = build.command ? *build.command + '\n' + line : line;
        }
        build.installer = "shell";
        build.reason = "It is built in a checkout of its source, with ROCm installed.";
        if (row.note) build.notes.push_back(*row.note);
        build.sources = references(context.data, row.sources);
        out.push_back(std::move(build));
    }
}

/// Why nothing can be proposed, or that nobody knows.
Build without(BuildsContext const& context, std::string const& framework) {
    Build build{.framework = framework};
    auto const list = fmt::format("{}", fmt::join(context.targets, " and "));
    BuildTexts why, keys;
    bool is_open = false;
    for (auto const* row : absent_rows(context, framework)) {
        why.push_back(row->why);
        is_open |= row->open;
        keys.insert(keys.end(), row->sources.begin(), row->sources.end());
        if (row->last_version)
            why.push_back(fmt::format("The last one was {}.", *row->last_version));
        if (contains(row->instead, "vulkan"))
            build.notes.emplace_back("Its makers name Vulkan, which needs no ROCm, instead.");
    }
    if (why.empty())
        is_open = std::ranges::any_of(context.data.builds, [&](auto const& one) {
            return one.framework == framework && !one.targets;
        });
    build.answer = is_open ? BuildAnswer::not_recorded : BuildAnswer::none;
    if (why.empty())
        why.push_back(is_open ? fmt::format("Some of its builds do not tell their targets, the "
                                            "others leave out {}.",
                                            list)
                              : fmt::format("No build that was read has code for {}.", list));
    if (context.targets.size() > 1)
        why.push_back("Choose one of the GPUs with --gpu, or one target.");
    build.reason = fmt::format("{}", fmt::join(why, " "));
    build.seen = context.data.data_date;
    build.sources = references(context.data, keys);
    return build;
}

/// Where an installer was asked for, others may have what it has not.
Build without_installer(BuildsContext const& context, std::string const& framework) {
    Build build{.framework = framework};
    build.reason = fmt::format(
        "Nothing that {} installs has code for {}: rocmtune builds {} {} "
        "shows what there is.",
        context.question.installer, fmt::join(context.targets, " and "), framework,
        fmt::join(context.targets, " "));
    build.seen = context.data.data_date;
    return build;
}

void add_answers(BuildsContext const& context, std::string const& framework,
                 std::vector<Build>& out) {
    auto const all = candidates(context, framework);
    for (auto const& candidate : all) out.push_back(answer_of(context, candidate));
    auto const proposable = [](Candidate const& it) { return it.withheld.empty(); };
    if (std::ranges::any_of(all, proposable)) return;
    auto const before = out.size();
    add_override(context, framework, out);
    if (context.question.installer.empty()) add_source(context, framework, out);
    bool const is_found = out.size() > before;
    if (!is_found && !context.question.installer.empty()) {
        auto open = context.question;
        open.installer.clear();
        open.frameworks = {framework};
        auto const others = builds_for(open, context.data, context.chips);
        if (std::ranges::any_of(others, [](Build const& it) { return it.command.has_value(); }))
            return out.push_back(without_installer(context, framework));
    }
    out.push_back(without(context, framework));
}

}  // namespace

std::vector<std::string> targets_of(Host const& host, std::vector<std::uint64_t> const& rows) {
    auto const computes = [&](Gpu const& gpu) {
        return gpu.gfx_target && (rows.empty() ? gpu.kfd_node.has_value() : is_among(rows, gpu));
    };
    auto const is_card = [](Gpu const& gpu) { return !gpu.is_apu.value_or(false); };
    bool const has_card = std::ranges::any_of(
        host.gpus, [&](Gpu const& gpu) { return computes(gpu) && is_card(gpu); });
    BuildTexts targets;
    for (bool const cards : {true, false})
        for (auto const& gpu : host.gpus)
            if (computes(gpu) && is_card(gpu) == cards && !contains(targets, *gpu.gfx_target) &&
                (cards || !rows.empty() || !has_card))
                targets.push_back(*gpu.gfx_target);
    return targets;
}

std::optional<std::string> python_of(Host const& host) {
    if (host.python_version) return *host.python_version;
    constexpr std::string_view stem = "/python3.";
    if (!host.frameworks) return std::nullopt;
    std::string_view const place = host.frameworks.source().where;
    auto const at = place.find(stem);
    if (at == place.npos) return std::nullopt;
    auto const minor = place.substr(at + stem.size());
    auto const digits = minor.substr(0, minor.find_first_not_of("0123456789"));
    if (digits.empty()) return std::nullopt;
    return fmt::format("3.{}", digits);
}

std::vector<Build> builds_for(BuildsQuestion const& question, BuildsData const& data,
                              ChipSet const& chips) {
    BuildsContext context{question, data, chips, question.targets, question.python};
    if (!context.python && question.host != nullptr) context.python = python_of(*question.host);
    std::vector<Build> answers;
    for (auto const& framework : question.frameworks) add_answers(context, framework, answers);
    return answers;
}

std::vector<TargetValue> target_values(std::vector<std::string> const& targets,
                                       BuildsData const& data) {
    std::vector<TargetValue> values;
    for (auto const& row : data.target_variables) {
        auto list = fmt::format("{}", fmt::join(targets, row.separator));
        // A shell would end the command at ';'.
        if (list.find(';') != list.npos) list = fmt::format("\"{}\"", list);
        auto text = row.form;
        text.replace(text.find("{gfx}"), 5, list);
        values.push_back({row.consumer, row.name, std::move(text)});
    }
    return values;
}

bool is_known_target(std::string_view target, BuildsData const& data, ChipSet const& chips) {
    return chips.find_chip(target) != nullptr ||
           std::ranges::any_of(data.builds, [&](PublishedBuild const& build) {
               return build.targets && contains(*build.targets, target);
           });
}

}  // namespace rocmtune
