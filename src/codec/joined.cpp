// SPDX-License-Identifier: MIT
// Several reports of one host as one.
#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.hpp"
#include "codec/read_report.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

std::string const& name_of(Report const& report) {
    return report.inputs.front().name;
}

[[noreturn]] void refuse_strangers(Report const& a, Report const& b, std::string const& why) {
    throw Error(fmt::format("{} and {} are reports of different hosts: {}", printable(name_of(a)),
                            printable(name_of(b)), printable(why)),
                "report shows one host; rocmtune fleet takes many");
}

/// The chip in a slot, where both reports know it.
void check_chips(Report const& a, Report const& b) {
    for (auto const& gpu : a.host->gpus)
        for (auto const& other : b.host->gpus) {
            bool const same_place = gpu.pci_address &&
                                    gpu.pci_address.value() == other.pci_address.value() &&
                                    gpu.partition_index.value() == other.partition_index.value();
            if (same_place && gpu.unique_id && other.unique_id &&
                *gpu.unique_id != *other.unique_id)
                refuse_strangers(a, b,
                                 fmt::format("at {} they have the chips {} and {}",
                                             *gpu.pci_address, *gpu.unique_id, *other.unique_id));
        }
}

void check_same_host(Report const& a, Report const& b) {
    auto const& name = a.host->hostname;
    auto const& other = b.host->hostname;
    if (name && other && *name != *other)
        refuse_strangers(a, b, fmt::format("{} and {}", *name, *other));
    check_chips(a, b);
}

/// What a result is about: two of them about the same would contradict each other.
using Topic = std::tuple<std::string, std::string, std::string, std::string, std::size_t>;

Topic topic_of(Finding const& finding) {
    auto const& place = finding.setting;
    auto const name = place ? place->name : finding.verified ? finding.verified->name : "";
    return {finding.id, finding.subject, name, place ? place->file : "", place ? place->line : 0};
}

void add_findings(Report& whole, std::vector<Finding>& more) {
    std::set<Topic> known;
    for (auto const& finding : whole.findings) known.insert(topic_of(finding));
    for (auto& finding : more)
        if (!known.contains(topic_of(finding))) whole.findings.push_back(std::move(finding));
}

/// What stopped one command of a host has often stopped the next one, too.
void add_errors(std::vector<ReportError>& errors, std::vector<ReportError>& more) {
    for (auto& error : more)
        if (std::ranges::find(errors, error.message, &ReportError::message) == errors.end())
            errors.push_back(std::move(error));
}

/// Rows are those of the report that was measured with; the address says which GPU it was.
void follow_address(Host const& host, Measurement& one) {
    auto const& address = one.parameters.pci_address;
    if (!one.gpu || !address) return;
    auto const is_it = [&](Gpu const& gpu) { return gpu.pci_address.value() == address; };
    auto const at_row = std::ranges::find_if(
        host.gpus, [&](Gpu const& gpu) { return gpu.row.value() == one.gpu && is_it(gpu); });
    if (at_row != host.gpus.end()) return;
    auto const found = std::ranges::find_if(host.gpus, is_it);
    one.gpu = found == host.gpus.end() ? std::nullopt : found->row.value();
}

template <class T>
void take_if_lacking(std::optional<T>& whole, std::optional<T>& part) {
    if (!whole) whole = std::move(part);
}

/// Of two reports of one host that which has left fewer GPUs out.
void take_fuller_host(Report& whole, Report& part) {
    if (!part.host || (whole.host && whole.gpus_left_out <= part.gpus_left_out)) return;
    whole.host = std::move(part.host);
    whole.gpus_left_out = part.gpus_left_out;
}

void add(Report& whole, Report& part) {
    if (whole.host && part.host) check_same_host(whole, part);
    take_fuller_host(whole, part);
    if (!whole.advice) whole.settings = std::move(part.settings);
    take_if_lacking(whole.advice, part.advice);
    take_if_lacking(whole.lint, part.lint);
    take_if_lacking(whole.check, part.check);
    take_if_lacking(whole.verify, part.verify);
    take_if_lacking(whole.tuning, part.tuning);
    take_if_lacking(whole.diagnosis, part.diagnosis);
    take_if_lacking(whole.builds, part.builds);
    add_findings(whole, part.findings);
    std::ranges::move(part.measurements, std::back_inserter(whole.measurements));
    std::ranges::move(part.parts, std::back_inserter(whole.parts));
    add_errors(whole.errors, part.errors);
    std::ranges::move(part.inputs, std::back_inserter(whole.inputs));
}

/// What there is, and what reports of several parts say that they looked at.
std::vector<std::string> parts_of(Report const& whole) {
    std::pair<std::string_view, bool> const all[] = {{"probe", whole.host.has_value()},
                                                     {"env", whole.advice.has_value()},
                                                     {"lint", whole.lint.has_value()},
                                                     {"check", whole.check.has_value()},
                                                     {"bench", !whole.measurements.empty()}};
    std::vector<std::string> parts;
    for (auto const& [word, is_there] : all)
        if (is_there || std::ranges::find(whole.parts, word) != whole.parts.end())
            parts.emplace_back(word);
    return parts;
}

/// The counts of a check are those of its own results.
void recount(Report& report) {
    if (!report.check) return;
    report.check->counts = {};
    for (auto const& finding : report.findings)
        if (!finding.setting && !finding.verified)
            ++report.check->counts[static_cast<std::size_t>(finding.verdict)];
}

}  // namespace

Report joined(std::vector<Report> reports) {
    auto whole = std::move(reports.front());
    for (auto part = reports.begin() + 1; part != reports.end(); ++part) add(whole, *part);
    if (!whole.host && whole.measurements.empty())
        throw Error(
            fmt::format("{}: it has neither a host nor measurements", printable(name_of(whole))),
            "write one with rocmtune check --json or rocmtune bench --json");
    if (whole.host)
        for (auto& one : whole.measurements) follow_address(*whole.host, one);
    recount(whole);
    whole.parts = parts_of(whole);
    return whole;
}

}  // namespace rocmtune
