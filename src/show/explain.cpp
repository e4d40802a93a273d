// SPDX-License-Identifier: MIT
#include "show/explain.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/rules/validity.hpp"
#include "show/layout.hpp"

namespace rocmtune {
namespace {

constexpr std::size_t label_width = 10;
constexpr std::size_t right_margin = 1;

std::string reader_text(ExplainedReader const& reader) {
    auto text = reader.component;
    if (reader.installed == true) {
        text += reader.version ? fmt::format(", {} here", *reader.version) : std::string(", here");
        if (reader.where) text += " in " + *reader.where;
    } else if (reader.installed == false) {
        text += ", not found here";
    }
    if (reader.absent_by) text += fmt::format(", no longer since {}", *reader.absent_by);
    else if (reader.text_date) text += fmt::format(" (read in texts up to {})", *reader.text_date);
    return text;
}

void add_readers(Explanation const& explanation, LabelledText& out) {
    bool const is_name = explanation.kind == "environment" || explanation.kind == "allocator";
    if (explanation.readers.empty() && is_name) out.add("read by", "nothing");
    std::string_view label = is_name ? "read by" : "belongs to";
    for (auto const& reader : explanation.readers) {
        out.add(label, reader_text(reader));
        label = "";
    }
}

std::string how_known(Explanation const& explanation) {
    if (explanation.validity.kind.empty() || explanation.kind == "finding" || explanation.target)
        return {};
    auto text = validity_text(explanation.validity);
    return explanation.last_verified.empty()
               ? text
               : text + fmt::format("; sources last read {}", explanation.last_verified);
}

void add_value(Explanation const& explanation, LabelledText& out) {
    if (!explanation.current) return;
    auto text = fmt::format("'{}'", *explanation.current);
    if (!explanation.read_as.empty()) text += ": " + explanation.read_as;
    out.add("set here", text, Emphasis::notable);
}

void add_sources(Explanation const& explanation, bool all, LabelledText& out) {
    constexpr std::size_t shown = 3;
    std::string_view label = "sources";
    auto const& sources = explanation.sources;
    auto const count = all ? sources.size() : std::min(shown, sources.size());
    for (auto const& source : std::span(sources).first(count)) {
        auto text = source.title;
        if (source.version) text += fmt::format(" ({})", *source.version);
        if (source.url) text += ' ' + *source.url;
        out.add(label, text, Emphasis::quiet);
        label = "";
    }
    if (count < sources.size())
        out.add("", fmt::format("and {} more (-v)", sources.size() - count), Emphasis::quiet);
}

/// Something on this host reads it while programs run, so with and without it can differ.
bool can_be_measured(Explanation const& explanation) {
    auto const is_here = [](ExplainedReader const& reader) { return reader.installed == true; };
    return explanation.kind == "environment" && explanation.use == "runtime" &&
           explanation.status == "public" &&
           std::any_of(explanation.readers.begin(), explanation.readers.end(), is_here);
}

// ---- gfx targets --------------------------------------------------------------------------------

using Texts = std::vector<std::string>;

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
    auto text = fmt::format("{}", fmt::join(*target.matrix_instructions, ", "));
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
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string xnack_text(ExplainedTarget const& target) {
    if (!target.xnack) return "not known";
    if (*target.xnack == "process") return "each process chooses (HSA_XNACK)";
    if (*target.xnack == "boot") return "an option of the driver (noretry) chooses";
    return "never on";
}

/// Of the vendor's list; no list is no proof that a target does not work.
void add_support(ExplainedTarget const& target, LabelledText& out) {
    std::string_view label = "support";
    if (target.rocm_support.empty()) out.add(label, "no list of AMD for Linux is known to have it");
    for (auto const& range : target.rocm_support) {
        auto text = range.list == "rocm" ? std::string("AMD's main list")
                                         : fmt::format("AMD's list {}", range.list);
        text += " since ROCm " + range.since;
        if (range.until) text += fmt::format(", no longer in {}", *range.until);
        out.add(label, range.note.empty() ? text : text + ". " + range.note);
        label = "";
    }
    if (!target.hipblaslt_supported) return;
    auto text = std::string(*target.hipblaslt_supported ? "has code for it" : "has no code for it");
    if (target.hipblaslt_since) text += " since ROCm " + *target.hipblaslt_since;
    if (!target.hipblaslt_note.empty()) text += ". " + target.hipblaslt_note;
    out.add("hipBLASLt", text);
}

void add_override(ExplainedTarget const& target, LabelledText& out) {
    std::string text;
    if (target.override_version)
        text = fmt::format("HSA_OVERRIDE_GFX_VERSION={}, risk {}", *target.override_version,
                           target.override_risk.value_or("not known"));
    else if (target.override_risk == "none-needed") text = "none is needed";
    if (!target.override_note.empty()) text += (text.empty() ? "" : ". ") + target.override_note;
    out.add("override", text);
    if (!target.overridden_by.empty())
        out.add(text.empty() ? "override" : "",
                fmt::format("people override {} to it", fmt::join(target.overridden_by, ", ")));
}

void add_target(ExplainedTarget const& target, bool all, LabelledText& out) {
    if (target.targets.size() != 1 || !target.family) {
        out.add("targets", fmt::format("{}", fmt::join(target.targets, ", ")));
        out.add("family", target.family.value_or(""));
        return;
    }
    out.add("generic", target.generic_target.value_or(""));
    out.add("wave", wave_text(target));
    out.add("matrix", matrix_text(target));
    out.add("vector", rates_text(target.rates, "vector"));
    out.add("dot", rates_text(target.rates, "dot"));
    out.add("XNACK", xnack_text(target));
    add_support(target, out);
    add_override(target, out);
    std::string_view label = "products";
    for (auto const& product : target.products) {
        out.add(label, product_text(product, all));
        label = "";
    }
}

std::string one(Explanation const& explanation, TextStyle const& style) {
    std::string text;
    for (auto const& line :
         wrapped(for_screen(fmt::format("{}: {}", explanation.name, explanation.summary), style),
                 style.width))
        text += emphasised(line, Emphasis::heading, style) + '\n';
    LabelledText out(style, label_width, right_margin);
    out.add("status", explanation.status == "public" ? "" : explanation.status);
    add_readers(explanation, out);
    if (!explanation.found_in.empty())
        out.add("found in", fmt::format("{}", fmt::join(explanation.found_in, ", ")));
    // Of a finding, in place of values: the check that gives it.
    out.add(explanation.kind == "finding" ? "found by" : "takes", explanation.values);
    out.add("default", explanation.default_value);
    out.add("", fmt::format("{}", fmt::join(explanation.former_defaults, "; ")));
    out.add(explanation.target ? "note" : "effect", explanation.effect);
    if (explanation.target) add_target(*explanation.target, style.verbosity > 0, out);
    add_value(explanation, out);
    out.add("here", explanation.here);
    if (can_be_measured(explanation))
        out.add("measure", fmt::format("rocmtune verify --setting {}=VALUE", explanation.name));
    out.add("harm", explanation.harm);
    out.add("folklore", explanation.folklore);
    out.add("security", explanation.security);
    out.add(explanation.kind == "finding" ? "to do" : "instead", explanation.instead);
    out.add("validity", how_known(explanation));
    add_sources(explanation, style.verbosity > 0, out);
    return text + '\n' + out.take();
}

}  // namespace

std::string explain_text(Report const& report, TextStyle const& style) {
    std::string text;
    for (auto const& explanation : report.explanations)
        text += (text.empty() ? "" : "\n") + one(explanation, style);
    return text;
}

}  // namespace rocmtune
