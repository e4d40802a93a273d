// SPDX-License-Identifier: MIT
// Report: the one versioned document that every command fills a part of and every renderer prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocmtune/assignment.hpp"
#include "rocmtune/build.hpp"
#include "rocmtune/comparison.hpp"
#include "rocmtune/diagnosis.hpp"
#include "rocmtune/error.hpp"
#include "rocmtune/explanation.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/fleet.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/measurement.hpp"
#include "rocmtune/plan.hpp"
#include "rocmtune/recommendation.hpp"
#include "rocmtune/tuning.hpp"
#include "rocmtune/visibility.hpp"

namespace rocmtune {

/// Version of the JSON document: a minor step only adds keys, and readers ignore keys they do not
/// know; a major step may change or remove some.
inline constexpr std::string_view schema_version = "1.0";

/// Something that went wrong for the user, as a document can carry it.
struct ReportError {
    std::string message;
    std::string hint;  ///< what to do next; may be empty
    Exit code = Exit::usage;
};

template <SameEntity<ReportError> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"message", "what went wrong"}, it.message);
    v(Field{"exit_code", "exit code it stands for"}, it.code);
    v(Field{"hint", "what to do next"}.only_if(!it.hint.empty()), it.hint);
}

/// A document that a report was put together from.
struct ReportInput {
    std::string name = {};          ///< of the file, as it was given
    std::string command = {};       ///< that wrote it
    std::string tool_version = {};  ///< of the rocmtune that wrote it
    std::string data_date = {};     ///< of the data that its judgements rest on
};

template <SameEntity<ReportInput> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "file, as it was named"}, it.name);
    v(Field{"command", "command that wrote it"}, it.command);
    v(Field{"tool_version", "version of the tool that wrote it"}, it.tool_version);
    v(Field{"data_date", "date of the newest text that its judgements rest on"}, it.data_date);
}

struct Report {
    Report();
    Report(Report const&);
    Report(Report&&) noexcept;
    Report& operator=(Report const&);
    Report& operator=(Report&&) noexcept;
    ~Report();

    std::string command;                   ///< the subcommand; empty if none was understood
    std::optional<Host> host;              ///< absent in commands that read no host
    std::uint64_t gpus_left_out = 0;       ///< of the host, since --gpu of probe chose others
    std::optional<Visibility> visibility;  ///< what a process sees; absent where nothing masks
    std::optional<Advice> advice;          ///< what the rules say; absent if nobody asked
    std::optional<Settings> settings;      ///< what a process is to run with
    std::vector<Explanation> explanations;
    std::vector<Finding> findings;          ///< in the order of ids, then of rows
    std::vector<Measurement> measurements;  ///< of bench
    std::optional<CacheReport> cache;       ///< of cache
    std::optional<CheckSummary>
        check;                        ///< what the findings say together; absent if nobody checked
    std::optional<LintSummary> lint;  ///< of lint
    std::optional<std::vector<ReaderFile>> readers;  ///< of this host; absent if nobody asked
    std::optional<VerifySummary> verify;             ///< of verify: how it was measured
    std::optional<Tuning> tuning;                    ///< of tune
    std::optional<ReportComparison> comparison;      ///< of compare
    std::optional<FleetView> fleet;                  ///< of fleet
    std::vector<std::string> parts;                  ///< of report: probe, env, lint, check, bench
    std::vector<ReportInput> inputs;                 ///< of report, where it looked at files
    std::optional<Plan> plan;                        ///< of plan
    std::vector<Plan> plans;             ///< of plan with several models, in place of it
    std::optional<Diagnosis> diagnosis;  ///< of diagnose
    std::optional<BuildsView> builds;    ///< of builds
    std::vector<ReportError> errors;
    Exit exit_code = Exit::ok;

    /// Whether the document has findings, be there none. Advice is given without a judgement of the
    /// host: an empty list would say that it is in order.
    bool has_findings() const {
        return (host && !advice) || lint || comparison || fleet || plan || !plans.empty() ||
               !parts.empty() || !findings.empty();
    }
    bool has_summary() const {
        return host || gpus_left_out > 0 || lint || check || verify || !parts.empty();
    }
    bool has_measurements() const {
        return command == "bench" || command == "verify" || !measurements.empty();
    }
};

/// What stands under "summary": counts that a dashboard wants without walking the document.
template <SameEntity<Report> Self>
struct ReportSummary {
    Self& report;
};

/// The document behind "schema", "schema_version" and "tool". A command leaves out what it does not
/// fill.
template <SameEntity<Report> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    auto const part = [](std::string_view key, auto const& member) {
        if constexpr (requires { member.has_value(); })
            return Field{key, ""}.only_if(member.has_value());
        else return Field{key, ""}.only_if(!member.empty());
    };
    ReportSummary<Self> summary{it};
    v(Field{"command", "subcommand that wrote the document"}, it.command);
    v(part("host", it.host), it.host);
    v(Inlined{"recommendations"}, it.advice);
    v(part("settings", it.settings), it.settings);
    v(part("explanations", it.explanations), it.explanations);
    v(Field{"findings", ""}.only_if(it.has_findings()), it.findings);
    v(Field{"summary", ""}.only_if(it.has_summary()), summary);
    v(part("visibility", it.visibility), it.visibility);
    v(Field{"measurements", ""}.only_if(it.has_measurements()), it.measurements);
    v(part("cache", it.cache), it.cache);
    v(part("tuning", it.tuning), it.tuning);
    v(part("comparison", it.comparison), it.comparison);
    v(part("fleet", it.fleet), it.fleet);
    v(part("plan", it.plan), it.plan);
    v(part("plans", it.plans), it.plans);
    v(part("diagnosis", it.diagnosis), it.diagnosis);
    v(Inlined{"builds"}, it.builds);
    v(part("readers", it.readers), it.readers);
    v(part("parts", it.parts), it.parts);
    v(Field{"inputs", ""}.only_if(!it.parts.empty()), it.inputs);
    v(Field{"errors", ""}, it.errors);
    v(Field{"exit_code", ""}, it.exit_code);
}

}  // namespace rocmtune
