// SPDX-License-Identifier: MIT
// The explanations of explain.
#include <algorithm>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/text.hpp"
#include "judge/rules/explain.hpp"
#include "judge/rules/settings.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

using Lines = std::vector<Line>;
using Texts = std::vector<std::string>;

/// The label stands before the first.
void add_list(std::string const& label, Texts const& texts, Emphasis emphasis, Lines& out) {
    for (auto const& text : texts)
        out.push_back({&text == &texts.front() ? label : "", text, emphasis});
}

std::string reader_text(ExplainedReader const& reader) {
    auto text = reader.component;
    if (reader.installed == true) {
        text += reader.version ? fmt::format(", {} here", *reader.version) : std::string(", here");
        if (reader.where) text += " in " + *reader.where;
    } else if (reader.installed == false) {
        text += ", not found here";
    }
    if (reader.absent_by) text += fmt::format(", no longer since {}", *reader.absent_by);
    else if (reader.text_date)
        text += fmt::format(" (read in texts up to {}{})", *reader.text_date,
                            old_text_note(*reader.text_date));
    return text;
}

void add_readers(Explanation const& explanation, Lines& out) {
    bool const is_name = explanation.kind == "environment" || explanation.kind == "allocator";
    if (explanation.readers.empty() && is_name) out.push_back({"read by", "nothing"});
    Texts readers;
    for (auto const& reader : explanation.readers) readers.push_back(reader_text(reader));
    bool const is_all = explanation.name == name_of_data;
    add_list(is_name  ? "read by"
             : is_all ? "rests on"
                      : "belongs to",
             readers, Emphasis::none, out);
}

std::string how_known(Explanation const& explanation) {
    if (explanation.validity.kind.empty() || explanation.kind == "finding" || explanation.target)
        return {};
    auto text = validity_text(explanation.validity);
    return explanation.last_verified.empty()
               ? text
               : text + fmt::format("; sources last read {}", explanation.last_verified);
}

void add_value(Explanation const& explanation, Lines& out) {
    if (!explanation.current) return;
    auto text = fmt::format("'{}'", *explanation.current);
    if (!explanation.read_as.empty()) text += ": " + explanation.read_as;
    out.push_back({"set here", text, Emphasis::notable});
}

void add_sources(Explanation const& explanation, bool all, Lines& out) {
    constexpr std::size_t shown = 3;
    Texts texts;
    for (auto const& source : explanation.sources)
        if (all || texts.size() < shown)
            texts.push_back(fmt::format("{}{}{}", source.title,
                                        source.version ? " (" + *source.version + ')' : "",
                                        source.url ? ' ' + *source.url : ""));
    auto const more = explanation.sources.size() - texts.size();
    if (more > 0) texts.push_back(fmt::format("and {} more (-v)", more));
    add_list("sources", texts, Emphasis::quiet, out);
}

/// Something on this host reads it while programs run, so with and without it can differ.
bool can_be_measured(Explanation const& explanation) {
    auto const is_here = [](ExplainedReader const& reader) { return reader.installed == true; };
    return explanation.kind == "environment" && explanation.use == "runtime" &&
           explanation.status == "public" &&
           std::any_of(explanation.readers.begin(), explanation.readers.end(), is_here);
}

// ---- gfx targets --------------------------------------------------------------------------------

template <class T>
void append(Texts& out, std::optional<T> const& value, std::string_view form) {
    if (value) out.push_back(fmt::format(fmt::runtime(form), *value));
}

std::string product_text(TargetProduct const& product, bool with_ids) {
    Texts parts;
    append(parts, product.compute_units, "{} CUs");
    if (product.vram_bytes)
        parts.push_back(human_bytes(*product.vram_bytes) + " " +
                        product.memory_type.value_or("of memory"));
    else append(parts, product.memory_type, "{}");
    if (product.memory_bandwidth_bytes_per_s) {
        constexpr double giga = 1e9;
        parts.push_back(fmt::format(
            "{:.4g} GB/s", static_cast<double>(*product.memory_bandwidth_bytes_per_s) / giga));
    }
    if (product.last_level_cache_bytes)
        parts.push_back(human_bytes(*product.last_level_cache_bytes) + " last-level cache");
    append(parts, product.xcc_count, "{} XCDs");
    append(parts, product.boost_clock_mhz, "up to {} MHz");
    append(parts, product.board_power_watts, "{} W");
    append(parts, product.pci_functions_per_card, "{} of them on one card");
    if (product.virtual_function) parts.emplace_back("a virtual function");
    if (with_ids && !product.pci_ids.empty())
        parts.push_back(fmt::format("PCI {}", fmt::join(product.pci_ids, " ")));
    auto text = parts.empty() ? product.name + ": no figures are known"
                              : fmt::format("{}: {}", product.name, fmt::join(parts, ", "));
    return product.note.empty() ? text : text + ". " + product.note;
}

/// "fp16 2048, bf16 2048" of one kind of unit; what is not known is left out.
std::string rates_text(std::vector<TargetRate> const& rates, std::string_view unit) {
    Texts texts;
    for (auto const& rate : rates)
        if (rate.unit == unit && rate.per_clock_per_cu)
            texts.push_back(fmt::format("{} {}", rate.data_type, *rate.per_clock_per_cu));
    return texts.empty() ? std::string()
                         : fmt::format("{} operations per clock and CU", fmt::join(texts, ", "));
}

std::string matrix_text(ExplainedTarget const& target) {
    if (!target.matrix_instructions) return "not known";
    if (target.matrix_instructions->empty()) return "no matrix instructions";
    auto text = joined(*target.matrix_instructions);
    if (target.fp8_format) text += fmt::format(", fp8 is {}", *target.fp8_format);
    auto const rates = rates_text(target.rates, "matrix");
    return rates.empty() ? text : text + ": " + rates;
}

std::string wave_text(ExplainedTarget const& target) {
    Texts parts;
    append(parts, target.wavefront_size, "{} lanes, where a program does not ask for others");
    if (target.vgpr_bytes_per_cu)
        parts.push_back(human_bytes(*target.vgpr_bytes_per_cu) + " of vector registers a CU");
    if (target.lds_bytes_per_workgroup)
        parts.push_back(human_bytes(*target.lds_bytes_per_workgroup) +
                        " of local memory a workgroup");
    return joined(parts, "; ");
}

std::string xnack_text(ExplainedTarget const& target) {
    if (!target.xnack) return "not known";
    if (*target.xnack == "process") return "each process chooses (HSA_XNACK)";
    if (*target.xnack == "boot") return "an option of the driver (noretry) chooses";
    return "never on";
}

/// Of the vendor's list; no list is no proof that a target does not work.
void add_support(ExplainedTarget const& target, Lines& out) {
    Texts lists;
    for (auto const& range : target.rocm_support)
        lists.push_back(
            fmt::format("{} since ROCm {}{}{}{}",
                        range.list == "rocm" ? "AMD's main list" : "AMD's list " + range.list,
                        range.since, range.until ? ", no longer in " + *range.until : "",
                        range.note.empty() ? "" : ". ", range.note));
    if (lists.empty()) lists.emplace_back("no list of AMD for Linux is known to have it");
    add_list("support", lists, Emphasis::none, out);
    if (!target.hipblaslt_supported) return;
    auto text = std::string(*target.hipblaslt_supported ? "has code for it" : "has no code for it");
    if (target.hipblaslt_since) text += " since ROCm " + *target.hipblaslt_since;
    if (!target.hipblaslt_note.empty()) text += ". " + target.hipblaslt_note;
    out.push_back({"hipBLASLt", text});
}

void add_override(ExplainedTarget const& target, Lines& out) {
    std::string text;
    if (target.override_version)
        text = fmt::format("HSA_OVERRIDE_GFX_VERSION={}, risk {}", *target.override_version,
                           target.override_risk.value_or("not known"));
    else if (target.override_risk == "none-needed") text = "none is needed";
    if (!target.override_note.empty()) text += (text.empty() ? "" : ". ") + target.override_note;
    out.push_back({"override", text});
    if (!target.overridden_by.empty())
        out.push_back(
            {text.empty() ? "override" : "",
             fmt::format("people override {} to it", fmt::join(target.overridden_by, ", "))});
}

void add_target(ExplainedTarget const& target, bool all, Lines& out) {
    if (target.targets.size() != 1 || !target.family) {
        out.push_back({"targets", joined(target.targets)});
        out.push_back({"family", target.family.value_or("")});
        return;
    }
    out.push_back({"generic", target.generic_target.value_or("")});
    out.push_back({"wave", wave_text(target)});
    out.push_back({"matrix", matrix_text(target)});
    out.push_back({"vector", rates_text(target.rates, "vector")});
    out.push_back({"dot", rates_text(target.rates, "dot")});
    out.push_back({"XNACK", xnack_text(target)});
    add_support(target, out);
    add_override(target, out);
    Texts products;
    for (auto const& product : target.products) products.push_back(product_text(product, all));
    add_list("products", products, Emphasis::none, out);
}

void show_one(Explanation const& explanation, Printer& printer) {
    Lines out;
    out.push_back({"status", explanation.status == "public" ? "" : explanation.status});
    add_readers(explanation, out);
    if (!explanation.found_in.empty()) out.push_back({"found in", joined(explanation.found_in)});
    // Of a finding, in place of values: the check that gives it.
    out.push_back({explanation.kind == "finding" ? "found by" : "takes", explanation.values});
    out.push_back({"default", explanation.default_value});
    out.push_back({"", joined(explanation.former_defaults, "; ")});
    out.push_back({explanation.target ? "note" : "effect", explanation.effect});
    if (explanation.target) add_target(*explanation.target, printer.is_verbose(), out);
    add_value(explanation, out);
    out.push_back({"here", explanation.here});
    if (can_be_measured(explanation))
        out.push_back(
            {"measure", fmt::format("rocmtune verify --setting {}=VALUE", explanation.name)});
    out.push_back({"harm", explanation.harm});
    out.push_back({"folklore", explanation.folklore});
    out.push_back({"security", explanation.security});
    out.push_back({explanation.kind == "finding" ? "to do" : "instead", explanation.instead});
    out.push_back({"see", joined(explanation.see)});
    out.push_back({"validity", how_known(explanation)});
    add_sources(explanation, printer.is_verbose(), out);
    printer.paragraph(explanation.name + ": " + explanation.summary, Emphasis::heading);
    printer.lines(out, 10, 1);
}

std::string build_text(Build const& build) {
    if (build.answer == BuildAnswer::not_recorded) return build.framework + ": not recorded";
    if (build.answer == BuildAnswer::none) return build.framework + ": none";
    if (build.answer == BuildAnswer::source) return build.framework + ": built from source";
    auto text = fmt::format("{} {}", build.framework, build.version.value_or(""));
    if (build.channel) text += ", " + *build.channel;
    if (build.answer == BuildAnswer::override_) text += ", with an override";
    return build.command ? text : text + ", for which nothing is proposed";
}

/// A line for each framework; the commands have their own screen.
void show_builds_of(BuildsView const& view, Printer& printer) {
    Texts texts;
    for (auto const& build : view.builds) texts.push_back(build_text(build));
    texts.push_back(fmt::format("rocmtune builds {} has the commands and the sources (data of {})",
                                joined(view.targets, " "), view.data_date));
    Lines out;
    add_list("builds", texts, Emphasis::none, out);
    printer.lines(out, 10, 1);
}

}  // namespace

void show_explanations(Report const& report, Printer& out) {
    for (auto const& explanation : report.explanations) show_one(explanation, out);
    if (report.builds) show_builds_of(*report.builds, out);
}

}  // namespace rocmtune
