// SPDX-License-Identifier: MIT
// What many reports say together, and which host says something else: `rocmtune fleet`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocmtune/fact.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

/// Hosts of the same product with the same model of GPU.
struct FleetGroup {
    std::string name = {};  ///< "Board, 8x AMD Instinct MI300X"
    std::optional<std::string> product = {};
    std::string gpu_model = {};
    std::uint64_t hosts = 0;
    std::uint64_t gpus = 0;
    std::optional<std::uint64_t> usual_gpus = {};
    std::uint64_t facts = 0;    ///< compared, parts of lists counted singly
    std::uint64_t uniform = 0;  ///< of those, equal everywhere
};

template <SameEntity<FleetGroup> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "product, usual number and model of GPUs"}, it.name);
    v(Field{"product", "product name in the firmware; null if it is not known"}, it.product);
    v(Field{"gpu_model", "models of its GPUs; none for hosts without"}, it.gpu_model);
    v(Field{"hosts", "hosts in it"}, it.hosts);
    v(Field{"gpus", "GPUs (rows of probe) of all of them"}, it.gpus);
    v(Field{"usual_gpus", "GPUs that most of them have; null if there is no majority"},
      it.usual_gpus);
    v(Field{"facts", "facts that were compared, parts of lists and maps singly"}, it.facts);
    v(Field{"uniform", "of those, equal on all that know them"}, it.uniform);
}

/// A host or a GPU of it.
struct FleetUnit {
    std::string host = {};
    std::optional<std::string> gpu = {};
    std::optional<std::string> detail = {};  ///< the counter, or the figure
};

template <SameEntity<FleetUnit> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"host", "name of the host, or of the file if the report has none"}, it.host);
    v(Field{"gpu", "PCI address, with /PARTITION where there are some; null: the host"}, it.gpu);
    v(Field{"detail", "the value itself, where several are counted as one"}, it.detail);
}

/// A value that few have where most of the group have another.
struct FleetOutlier {
    std::string group = {};
    std::string scope = {};  ///< host or gpu
    std::string kind = {};   ///< a word of fact_kind_words, or performance, finding
    std::string fact = {};
    PlainValue value = {};
    PlainValue usual = {};
    std::uint64_t count = 0;
    std::uint64_t usual_count = 0;
    std::uint64_t total = 0;
    std::optional<double> effect = {};
    std::optional<double> z_score = {};
    std::vector<FleetUnit> units = {};
    std::uint64_t more = 0;
};

template <SameEntity<FleetOutlier> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"group", "name of the group"}, it.group);
    v(Field{"scope", "what is counted: host or gpu"}, it.scope);
    v(Field{"kind",
            "hardware, firmware, software, setting, health, performance (a slow GPU) or finding "
            "(of the host's own checks)"},
      it.kind);
    v(Field{"fact", "fact, with .KEY or [NAME] for a part of it; measurement; or id of a finding"},
      it.fact);
    v(Field{"value", "what these have; null: they lack this part"}, it.value);
    v(Field{"usual", "what most have, or the median; null: most lack this part"}, it.usual);
    v(Field{"count", "how many have this value"}, it.count);
    v(Field{"usual_count", "how many have the usual one"}, it.usual_count);
    v(Field{"total", "how many know"}, it.total);
    v(Field{"effect", "performance: difference from the median (-0.1: 10 % worse)"}, it.effect);
    v(Field{"z_score", "performance: robust z-score, below 0 worse"}, it.z_score);
    v(Field{"units", "which they are"}, it.units);
    v(Field{"more", "how many of them are not named"}, it.more);
}

/// A fact without majority.
struct FleetSplit {
    std::string group = {};
    std::string fact = {};
    std::vector<std::string> values = {};  ///< the most frequent: "6.4.1-83 (12)"
    std::uint64_t total = 0;
};

template <SameEntity<FleetSplit> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"group", "name of the group"}, it.group);
    v(Field{"fact", "fact, with .KEY or [NAME] for a part of it"}, it.fact);
    v(Field{"values", "its most frequent values, each with its count"}, it.values);
    v(Field{"total", "how many know"}, it.total);
}

/// One figure over all GPUs of a group.
struct FleetFigure {
    std::string group = {};
    std::string measured = {};
    std::string unit = {};
    std::uint64_t count = 0;
    double median = 0;
    double deviation = 0;
    double least = 0;
    double most = 0;
};

template <SameEntity<FleetFigure> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"group", "name of the group"}, it.group);
    v(Field{"measured", "benchmark, metric and parameters"}, it.measured);
    v(Field{"unit", "unit of the figures"}, it.unit);
    v(Field{"count", "GPUs that were measured"}, it.count);
    v(Field{"median", "their median"}, it.median);
    v(Field{"deviation", "median absolute deviation"}, it.deviation);
    v(Field{"least", "smallest figure"}, it.least);
    v(Field{"most", "largest figure"}, it.most);
}

/// A host with at least one finding of its own.
struct OddHost {
    std::string host = {};
    Verdict verdict = Verdict::info;
    std::vector<std::string> ids = {};
};

template <SameEntity<OddHost> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"host", "name of the host"}, it.host);
    v(Field{"verdict", "the worst of its findings"}, it.verdict);
    v(Field{"ids", "identifiers of its findings"}, it.ids);
}

struct FleetView {
    std::uint64_t reports = 0;     ///< read
    std::uint64_t skipped = 0;     ///< that could not be read
    std::uint64_t duplicates = 0;  ///< of hosts that were counted already
    std::uint64_t hosts = 0;
    std::uint64_t gpus = 0;
    std::vector<FleetGroup> groups = {};
    std::vector<FleetOutlier> outliers = {};
    std::vector<FleetSplit> splits = {};
    std::vector<FleetFigure> figures = {};
    std::vector<OddHost> odd_hosts = {};
    Verdict fail_on = Verdict::fail;  ///< the mildest verdict that counts; pass: none does
    std::vector<std::string> notes = {};
};

/// Whether jobs are to keep away from a host.
inline bool is_excluded(FleetView const& view, OddHost const& host) {
    return view.fail_on != Verdict::pass && host.verdict >= view.fail_on;
}

template <SameEntity<FleetView> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"reports", "reports that were read"}, it.reports);
    v(Field{"skipped", "reports that could not be read; errors has which"}, it.skipped);
    v(Field{"duplicates", "reports of hosts that were counted before; errors has which"},
      it.duplicates);
    v(Field{"hosts", "hosts"}, it.hosts);
    v(Field{"gpus", "GPUs (rows of probe)"}, it.gpus);
    v(Field{"groups", "hosts of the same product with the same model of GPU"}, it.groups);
    v(Field{"outliers", "values that few have where most of the group have another"}, it.outliers);
    v(Field{"splits", "facts of which no value has a majority"}, it.splits);
    v(Field{"figures", "measurements over all GPUs of a group"}, it.figures);
    v(Field{"odd_hosts", "hosts with a finding, by name"}, it.odd_hosts);
    v(Field{"notes", "what to keep in mind"}, it.notes);
}

}  // namespace rocmtune
