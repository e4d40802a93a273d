// SPDX-License-Identifier: MIT
// What two reports say differently: `rocmtune compare`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/fact.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

/// One of the two reports.
struct ComparedReport {
    std::string file = {};
    std::string command = {};
    std::string tool_version = {};
    std::string schema_version = {};
    std::optional<std::string> hostname = {};
    std::uint64_t gpus = 0;
    std::uint64_t measurements = 0;
};

template <SameEntity<ComparedReport> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"file", "file, as it was named"}, it.file);
    v(Field{"command", "subcommand that wrote it"}, it.command);
    v(Field{"tool_version", "version of rocmtune that wrote it"}, it.tool_version);
    v(Field{"schema_version", "version of the document"}, it.schema_version);
    v(Field{"hostname", "host that it describes; null if it does not say"}, it.hostname);
    v(Field{"gpus", "GPUs in it"}, it.gpus);
    v(Field{"measurements", "measurements in it"}, it.measurements);
}

/// A GPU of one report and its counterpart in the other; one side is empty where there is none.
struct GpuPair {
    std::optional<std::string> a = {};
    std::optional<std::string> b = {};
    std::string matched_by = {};  ///< uuid, pci-address, row or none
    std::optional<std::uint64_t> row_a = {};
    std::optional<std::uint64_t> row_b = {};
};

template <SameEntity<GpuPair> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"a", "PCI address, with /PARTITION where there are some; null: only in B"}, it.a);
    v(Field{"b", "the same in B; null: only in A"}, it.b);
    v(Field{"matched_by", "what is equal in both: uuid, pci-address or row; none"}, it.matched_by);
    v(Field{"row_a", "row in A"}, it.row_a);
    v(Field{"row_b", "row in B"}, it.row_b);
}

/// One fact that is not the same, or that only one of the reports knows.
struct Difference {
    std::string subject = {};  ///< "host", or the GPU as A names it (as B does if A has none)
    std::string fact = {};     ///< word of the vocabulary, with .KEY or [NAME] inside a fact
    std::string kind = {};     ///< a word of fact_kind_words
    std::string change = {};   ///< changed, only-a, only-b, unknown-a, unknown-b
    PlainValue a = {};
    PlainValue b = {};
    std::optional<std::string> reason = {};  ///< why one side is unknown
};

template <SameEntity<Difference> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"subject", "host, recommendation, or the GPU as A names it (B, if A has none)"},
      it.subject);
    v(Field{"fact", "fact, with .KEY or [NAME] for a part of it; or name of the recommendation"},
      it.fact);
    v(Field{"kind",
            "hardware, firmware, software, setting, health (error counters), state (of a moment) "
            "or identity (differs rightly)"},
      it.kind);
    v(Field{"change",
            "changed; only-a, only-b: a part that only one of them has; unknown-a, unknown-b: one "
            "could not tell, which is no difference"},
      it.change);
    v(Field{"a", "value in A; null: there is none"}, it.a);
    v(Field{"b", "value in B; null: there is none"}, it.b);
    v(Field{"reason", "why one of them does not know"}, it.reason);
}

/// A finding that only one of the reports has, or with another verdict.
struct FindingChange {
    std::string id = {};
    std::string subject = {};
    std::optional<std::string> verdict_a = {};
    std::optional<std::string> verdict_b = {};
    std::string message = {};
};

template <SameEntity<FindingChange> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"id", "identifier (RT3301)"}, it.id);
    v(Field{"subject", "GPU as the report names it, or host"}, it.subject);
    v(Field{"verdict_a", "verdict in A; null: A has no such finding"}, it.verdict_a);
    v(Field{"verdict_b", "verdict in B; null: B has no such finding"}, it.verdict_b);
    v(Field{"message", "what B says, else what A said"}, it.message);
}

/// What two measurements of the same thing show. The words are part of the JSON contract.
enum class MeasuredChange : std::uint8_t {
    slower,          ///< the whole interval is worse than the margin
    faster,          ///< the whole interval is better than the margin
    same,            ///< the whole interval lies within the margin
    undecided,       ///< the interval holds an end of the margin
    broken,          ///< A has a figure, B failed
    repaired,        ///< B has a figure, A failed
    not_comparable,  ///< no figures, or without samples and interval
};

inline constexpr std::array<std::string_view, 7> measured_change_words{
    "slower", "faster", "same", "undecided", "broken", "repaired", "not-comparable"};

constexpr std::span<std::string_view const> words_of(MeasuredChange) {
    return measured_change_words;
}

/// Two measurements of the same thing.
struct ComparedMeasurement {
    std::string benchmark = {};
    std::string metric = {};
    std::string unit = {};
    std::string how = {};  ///< what both have of dtype, kernel, mode and sizes
    std::string device = {};
    std::optional<double> a = {};
    std::optional<double> b = {};
    std::optional<double> effect = {};
    std::optional<double> low = {};
    std::optional<double> high = {};
    MeasuredChange change = MeasuredChange::not_comparable;
    std::vector<std::string> differs = {};
    std::vector<std::string> labels = {};
};

template <SameEntity<ComparedMeasurement> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"device", "GPU as A names it, else backend and number"}, it.device);
    v(Field{"benchmark", "row of the benchmark table"}, it.benchmark);
    v(Field{"metric", "what of it"}, it.metric);
    v(Field{"how", "data type, kernel, mode and sizes that both have"}, it.how);
    v(Field{"unit", "unit of a and b"}, it.unit);
    v(Field{"a", "median in A; null if there is none"}, it.a);
    v(Field{"b", "median in B; null if there is none"}, it.b);
    v(Field{"effect", "how much better B is (0.05: 5 %), below 0 worse"}, it.effect);
    v(Field{"low", "lower end of the effect's 95 % interval"}, it.low);
    v(Field{"high", "upper end of it"}, it.high);
    v(Field{"change", "what that means with the margin"}, it.change);
    v(Field{"differs", "what was not the same when they were taken: backend, library, sizes"},
      it.differs);
    v(Field{"labels", "labels of either measurement (throttled, shared, few-samples, ...)"},
      it.labels);
}

/// Everything that two reports say differently.
struct ReportComparison {
    ComparedReport a = {};
    ComparedReport b = {};
    bool same_host = false;   ///< equal name, or a GPU of equal identity
    double margin = 0;        ///< a ratio: smaller changes of measurements do not matter
    std::uint64_t facts = 0;  ///< compared
    std::uint64_t equal = 0;  ///< of those, equal
    std::vector<GpuPair> gpus = {};
    std::vector<Difference> differences = {};
    std::vector<FindingChange> findings = {};
    std::vector<ComparedMeasurement> measurements = {};
    std::vector<std::string> measurements_only_a = {};
    std::vector<std::string> measurements_only_b = {};
    std::vector<std::string> notes = {};
};

template <SameEntity<ReportComparison> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"a", "the first report"}, it.a);
    v(Field{"b", "the second report"}, it.b);
    v(Field{"same_host", "both describe one host: by its name, or by a GPU"}, it.same_host);
    v(Field{"margin", "changes of measurements up to this ratio do not matter"}, it.margin);
    v(Field{"facts", "facts and parts of facts that were laid beside each other"}, it.facts);
    v(Field{"equal", "of those, how many are equal"}, it.equal);
    v(Field{"gpus", "which GPU of A was laid beside which of B"}, it.gpus);
    v(Field{"differences", "facts that differ or that only one report knows"}, it.differences);
    v(Field{"findings", "findings that came, went or changed their verdict"}, it.findings);
    v(Field{"measurements", "measurements that both have"}, it.measurements);
    v(Field{"measurements_only_a", "measurements that B lacks"}, it.measurements_only_a);
    v(Field{"measurements_only_b", "measurements that A lacks"}, it.measurements_only_b);
    v(Field{"notes", "what to keep in mind"}, it.notes);
}

}  // namespace rocmtune
