// SPDX-License-Identifier: MIT
#include "render/explain.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "render/layout.hpp"
#include "rules/validity.hpp"

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
    if (explanation.validity.kind.empty() || explanation.kind == "finding") return {};
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
    out.add("effect", explanation.effect);
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
