// SPDX-License-Identifier: MIT
// Names: dead, renamed, misspelt, without a reader on this host.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/lint/judgement.hpp"
#include "knowledge/environment_names.hpp"

namespace rocmtune {
namespace {

bool is_dead(Variable const& variable) {
    return variable.status == "dead" || variable.status == "never-existed";
}

std::string use_instead(LintSubject const& subject, std::string_view name) {
    if (!subject.has_value() || is_secret(subject.assignment)) return fmt::format("use {}", name);
    return fmt::format("{}={}", name, subject.value());
}

void add_dead(LintSubject const& subject, LintFindings& findings) {
    auto const& variable = *subject.variable;
    std::string message =
        variable.status == "dead" ? "nothing reads it any more" : "nothing ever read it";
    if (!variable.replaced_by.empty())
        message += fmt::format("; the name was changed to {}", variable.replaced_by);
    findings
        .add(dead_name, Certainty::certain, subject, std::move(message), removal(subject.name()))
        .evidence = {{"catalogue", std::string(variable.effect)}};
}

void add_deprecated(LintSubject const& subject, LintFindings& findings) {
    auto const& variable = *subject.variable;
    if (!variable.replaced_by.empty()) {
        findings.add(renamed, Certainty::certain, subject,
                     fmt::format("its name is {} now", variable.replaced_by),
                     use_instead(subject, variable.replaced_by));
    } else if (!variable.until.empty()) {
        findings.add(dead_name, Certainty::note, subject,
                     fmt::format("versions from {} on no longer read it", variable.until),
                     removal(subject.name()));
    }
}

/// NCCL_BLOCKING_WAIT, which became TORCH_NCCL_BLOCKING_WAIT. Other aliases are no older names.
bool is_shorter_alias(LintSubject const& subject) {
    auto const name = subject.variable->name;
    return name.size() > subject.name().size() && name.ends_with(subject.name());
}

/// What Kubernetes sets for every service: HIP_SERVICE_HOST, HIP_PORT_80_TCP_ADDR.
bool is_service_name(std::string_view name) {
    return name.ends_with("_SERVICE_HOST") || name.find("_SERVICE_PORT") != name.npos ||
           name.find("_PORT_") != name.npos || name.ends_with("_PORT");
}

/// Names that probe shows, of projects whose names the index does not have in full.
bool is_foreign(std::string_view name) {
    constexpr std::array<std::string_view, 8> prefixes{"GOMP_", "KMP_",      "MKL_", "MPICH_GPU_",
                                                       "OMP_",  "OPENBLAS_", "RAY_", "TF_"};
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

void add_unknown(LintSubject const& subject, LintFindings& findings) {
    auto const& catalogue = subject.context.catalogue;
    if (auto const near = subject.context.near_names.nearest_to(subject.name())) {
        findings.add(
            unknown_name, Certainty::certain, subject,
            fmt::format("no known component reads this name; {} is one letter or two away", *near),
            use_instead(subject, *near));
        return;
    }
    findings.add(unknown_name, Certainty::note, subject,
                 fmt::format("no text read up to {} speaks of this name", catalogue.date()), "");
}

/// A name that only the index of names knows.
void judge_indexed(LintSubject const& subject, std::vector<KnownName> const& readers,
                   LintFindings& findings) {
    auto const gone = [](KnownName const& reader) { return !reader.absent_by.empty(); };
    if (!std::ranges::all_of(readers, gone)) return;
    auto const last = std::ranges::max(readers, {}, &KnownName::absent_by);
    findings.add(dead_name, Certainty::note, subject,
                 fmt::format("{} read it once; a text of {} no longer does", last.component->title,
                             last.absent_by),
                 removal(subject.name()));
}

std::vector<std::string_view> reader_ids(LintSubject const& subject) {
    std::vector<std::string_view> ids;
    if (subject.variable != nullptr)
        for (auto const* reader : subject.variable->readers) ids.push_back(reader->id);
    for (auto const& reader : subject.context.catalogue.readers(subject.name()))
        if (std::ranges::find(ids, reader.component->id) == ids.end() && reader.absent_by.empty())
            ids.push_back(reader.component->id);
    return ids;
}

/// Whether everything that may read the name was looked at: else it may have a reader unseen.
bool all_scanned(std::vector<std::string_view> const& ids, ReaderIndex const& index) {
    return !ids.empty() && std::ranges::all_of(ids, [&](std::string_view id) {
        return std::ranges::binary_search(index.components, id);
    });
}

}  // namespace

void judge_name(LintSubject const& subject, LintFindings& findings) {
    if (subject.variable != nullptr) {
        if (is_dead(*subject.variable)) return add_dead(subject, findings);
        if (subject.variable->status == "deprecated") return add_deprecated(subject, findings);
        if (is_shorter_alias(subject))
            findings.add(renamed, Certainty::note, subject,
                         fmt::format("an older name of {}", subject.variable->name),
                         use_instead(subject, subject.variable->name));
        return;
    }
    auto const& names = subject.context.catalogue.names();
    auto const name = subject.name();
    if (!is_relevant_name(name) || name.starts_with("ROCMTUNE_")) return;
    auto const readers = names.readers(name);
    if (!readers.empty()) return judge_indexed(subject, readers, findings);
    bool const is_known = is_listed_name(name) || names.family(name) != nullptr;
    if (!is_known && !is_service_name(name) && !is_foreign(name)) add_unknown(subject, findings);
}

void judge_readers(LintSubject const& subject, LintFindings& findings) {
    auto const* index = subject.context.readers;
    if (index == nullptr || !is_relevant_name(subject.name())) return;
    if (subject.variable != nullptr && is_dead(*subject.variable)) return;
    // Names that are made up at run time stand nowhere, and PATH or RANK everywhere.
    bool const is_family = subject.variable != nullptr && subject.variable->name.ends_with('>');
    if (is_family || subject.context.catalogue.names().family(subject.name()) != nullptr) return;
    if (subject.name().find('_') == subject.name().npos) return;
    if (std::ranges::binary_search(index->names, subject.name())) return;
    auto const ids = reader_ids(subject);
    if (!all_scanned(ids, *index)) return;
    findings.add(no_reader_here, Certainty::note, subject,
                 fmt::format("no reader found on this host; looked in {}", fmt::join(ids, ", ")),
                 "");
}

}  // namespace rocmtune
