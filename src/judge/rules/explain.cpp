// SPDX-License-Identifier: MIT
#include "judge/rules/explain.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/host.hpp"
#include "base/rocm_libraries.hpp"
#include "base/text.hpp"
#include "judge/rules/settings.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/environment_names.hpp"
#include "knowledge/terms.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

using NameList = std::vector<std::string>;

/// The version is that of the first place; a later one with another says so behind its path.
void add_place(ExplainedReader& reader, std::string const& path, Fact<std::string> const& version) {
    reader.installed = true;
    if (!reader.where) {
        reader.version = version.value();
        reader.where = path;
        return;
    }
    *reader.where += " and " + path;
    if (version.value() != reader.version)
        *reader.where += fmt::format(" ({})", version.value_or("version not known"));
}

/// Every installation that has the library; the one that the loader takes first. Nobody looks for
/// libraries that are not ROCm's: whether they are here is not known.
void find_library(Host const& host, std::string const& library, ExplainedReader& reader) {
    if (!host.rocm_installations || !is_known_rocm_library(library)) return;
    reader.installed = false;
    for (bool const selected : {true, false})
        for (auto const& rocm : *host.rocm_installations)
            if (rocm.selected == selected && rocm.libraries.contains(library))
                add_place(reader, rocm.path, rocm.version);
}

void find_package(Host const& host, Component const& component, ExplainedReader& reader) {
    if (!host.frameworks) return;
    reader.installed = false;
    for (auto const& framework : *host.frameworks)
        if (is_distribution_of(component, framework.name))
            add_place(reader, framework.path, framework.version);
}

ExplainedReader reader_of(Component const& component, Host const& host) {
    ExplainedReader reader{.component = std::string(component.title)};
    if (!component.newest.empty()) reader.text_date = component.newest;
    if (component.package.starts_with("lib"))
        find_library(host, std::string(component.package), reader);
    else if (!component.package.empty() && component.package != "hipcc")
        find_package(host, component, reader);
    return reader;
}

ExplainedReader reader_of(KnownName const& known, Host const& host) {
    auto reader = reader_of(*known.component, host);
    reader.text_date.reset();
    if (!known.text_date.empty()) reader.text_date = known.text_date;
    if (!known.absent_by.empty()) reader.absent_by = known.absent_by;
    if (known.scope != "runtime") reader.component += fmt::format(" ({})", known.scope);
    return reader;
}

/// The owner first, then whoever else a scan of sources found; what comes in one package counts
/// once.
void add_readers(std::string_view name, Variable const* variable, Catalogue const& catalogue,
                 Host const& host, Explanation& result) {
    std::vector<Component const*> seen;
    auto const is_new = [&](Component const* component) {
        auto const same = [&](Component const* other) {
            return other->id == component->id ||
                   (!component->package.empty() && other->package == component->package);
        };
        bool const known = std::ranges::any_of(seen, same);
        seen.push_back(component);
        return !known;
    };
    if (variable != nullptr)
        for (auto const* component : variable->readers)
            if (is_new(component)) result.readers.push_back(reader_of(*component, host));
    for (auto const& known : catalogue.readers(name))
        if (is_new(known.component)) result.readers.push_back(reader_of(known, host));
}

std::string default_text(Variable const& variable) {
    if (!variable.default_value) return std::string(variable.default_text);
    if (variable.default_text.empty()) return std::string(*variable.default_value);
    return fmt::format("{} ({})", *variable.default_value, variable.default_text);
}

/// What the use of a variable means, behind its owner.
std::string_view use_text(Variable const& variable) {
    constexpr std::pair<std::string_view, std::string_view> texts[] = {
        {"build", ", which is read only where something is compiled"},
        {"launcher", ", which the launcher of a job owns"},
        {"code-loading", ", which brings code into programs"},
        {"cosmetic", ", which changes what is shown, not what is done"}};
    for (auto const& [use, text] : texts)
        if (use == variable.use) return text;
    return {};
}

std::string status_text(Variable const& variable) {
    if (variable.status == "never-existed") return "nothing ever read this name";
    if (variable.status == "dead") return "nothing reads this name any more";
    std::string what(variable.kind == "environment" ? "a variable" : variable.kind);
    if (variable.use == "debug") what = "a debug switch";
    if (!variable.readers.empty()) what += fmt::format(" of {}", variable.readers.front()->title);
    return what.append(use_text(variable));
}

/// What becomes of the value that is set here.
std::string read_as(Variable const& variable, std::string_view value) {
    if (variable.readers.empty()) return "nothing reads it";
    auto const read = read_value(variable, value);
    auto const note = read.note.empty() ? std::string() : ": " + read.note;
    auto const is_default = means_default(variable, value) ? ", which is the default" : "";
    switch (read.reading) {
        case Reading::valid:
            return read.meaning == value ? fmt::format("taken as it is{}", is_default)
                                         : fmt::format("taken as {}{}", read.meaning, is_default);
        case Reading::misread:
            return fmt::format("misread as {}{}{}", read.meaning, is_default, note);
        case Reading::ignored: return fmt::format("ignored{}", note);
        case Reading::rejected: return fmt::format("rejected by its reader{}", note);
    }
    return {};
}

std::string advice_text(Recommendation const& item) {
    auto const how_known = validity_text(item.validity);
    if (item.kind == "environment" || item.kind == "allocator")
        return fmt::format("rocmtune env sets it to {} at level {} ({}): {}", item.value,
                           item.level, how_known, item.why);
    auto const gpus =
        item.gpus.empty() ? std::string() : fmt::format(" for {}", fmt::join(item.gpus, ", "));
    return fmt::format("Advice{} at level {} ({}): {}. {}", gpus, item.level, how_known, item.value,
                       item.why);
}

/// What differs between GPUs is said of each.
std::string advice_text(std::string_view name, Advice const& advice) {
    NameList texts;
    for (auto const& item : advice.recommendations)
        if (item.name == name) texts.push_back(advice_text(item));
    if (!texts.empty()) return fmt::format("{}", fmt::join(texts, " "));
    for (auto const& open : advice.undecided)
        if (open.name == name)
            return fmt::format("rocmtune env does not set it ({}): {}.", open.reason, open.detail);
    return {};
}

std::string here_text(Variable const& variable, Explanation const& explanation,
                      Advice const& advice) {
    auto text = advice_text(variable.name, advice);
    auto const objection =
        explanation.current ? objection_to(variable, *explanation.current) : std::string();
    if (!objection.empty() && !variable.readers.empty())
        text += (text.empty() ? "" : " ") +
                std::string("A debug switch that was left on: rocmtune env --unset clears it.");
    auto const missing = [](ExplainedReader const& reader) { return reader.installed == false; };
    auto const& readers = explanation.readers;
    if (variable.readers.empty() && variable.kind == "environment")
        return "It does nothing, whatever it is set to.";
    if (!readers.empty() && std::ranges::all_of(readers, missing))
        return (text.empty() ? "" : text + ' ') + "Nothing that reads it was found on this host.";
    return text.empty() ? "No rule for this host and selection sets it." : text;
}

void fill(Variable const& variable, Explanation& result) {
    result.kind = variable.kind;
    result.status = variable.status;
    result.use = variable.use;
    result.summary = status_text(variable);
    result.values = accepted_values(variable);
    result.default_value = default_text(variable);
    for (auto const& former : variable.former_defaults)
        result.former_defaults.push_back(fmt::format("{} until {}", former.value, former.until));
    result.effect = variable.effect;
    result.harm = variable.harm;
    result.folklore = variable.folklore;
    result.security = variable.security;
    result.instead = variable.replaced_by;
    result.validity = validity_of(variable);
    for (auto const* source : variable.sources) result.sources.push_back(reference_of(*source));
    result.last_verified = variable.last_verified;
}

/// Lower case with one blank between words, before the first and behind the last.
std::string name_words(std::string_view name) {
    std::string plain = lower(name);
    for (auto& c : plain)
        if (c == '.' || c == '_' || c == '-') c = ' ';
    std::string result = " ";
    for (auto const word : words(plain)) result += std::string(word) + ' ';
    return result;
}

/// Whether the words of one name stand side by side in another: "cudnn.benchmark".
bool is_part(std::string_view part, std::string_view name) {
    return !words(part).empty() && name_words(name).find(name_words(part)) != std::string::npos;
}

Variable const* find_anyhow(std::string_view name, Catalogue const& catalogue) {
    if (auto const* variable = catalogue.find(name)) return variable;
    for (auto const& variable : catalogue.all())
        if (lower(variable.name) == lower(name)) return &variable;
    return nullptr;
}

/// The only entry beside variables that the words are part of. Names of variables share too many.
Variable const* find_part(std::string_view name, Catalogue const& catalogue) {
    Variable const* found = nullptr;
    for (auto const& variable : catalogue.all()) {
        if (variable.kind == "environment" || !is_part(name, variable.name)) continue;
        if (found != nullptr) return nullptr;
        found = &variable;
    }
    return found;
}

/// Rules of one name: the one that was asked for, or the only one that the words are part of.
std::vector<Rule const*> rules_of(std::string_view name, std::span<Rule const> rules) {
    std::vector<Rule const*> same, near;
    for (auto const& rule : rules) {
        if (name_words(rule.name) == name_words(name)) same.push_back(&rule);
        else if (is_part(name, rule.name)) near.push_back(&rule);
    }
    if (!same.empty()) return same;
    auto const other = [&](Rule const* rule) { return rule->name != near.front()->name; };
    if (!near.empty() && std::ranges::any_of(near, other)) near.clear();
    return near;
}

/// What the profiles advise under a name that is neither a variable nor in the catalogue.
std::optional<Explanation> explain_rules(std::vector<Rule const*> const& rules,
                                         Advice const& advice) {
    if (rules.empty()) return std::nullopt;
    auto const& first = *rules.front();
    Explanation result{.name = std::string(first.name),
                       .kind = std::string(word_of(first.kind)),
                       .status = "public"};
    result.summary = "advice of the profiles, which no variable carries";
    NameList effects, titles;
    for (auto const* rule : rules) {
        auto text = fmt::format(
            "{}: {}", rule->value_from.empty() ? rule->value : "a value of this host", rule->why);
        if (std::ranges::find(effects, text) == effects.end()) effects.push_back(std::move(text));
        for (auto const* source : rule->sources) {
            if (std::ranges::find(titles, source->title) != titles.end()) continue;
            titles.emplace_back(source->title);
            result.sources.push_back(reference_of(*source));
        }
    }
    result.effect = fmt::format("{}", fmt::join(effects, " "));
    result.validity = validity_of(first.validity);
    result.here = advice_text(first.name, advice);
    if (result.here.empty()) result.here = "No rule for this host and selection advises it.";
    return result;
}

std::optional<Explanation> explain_name_only(std::string_view name, Catalogue const& catalogue,
                                             Host const& host) {
    Explanation result{.name = std::string(name), .kind = "environment", .status = "name-only"};
    add_readers(name, nullptr, catalogue, host, result);
    result.summary = "a name that source code reads; nothing more is known of it";
    if (auto const* family = catalogue.names().family(name);
        result.readers.empty() && family != nullptr) {
        result.readers.push_back(reader_of(*family->component, host));
        result.summary = fmt::format("a name that is made up at run time: {}", family->rule);
    }
    auto const reason = reason_of_listed_name(name);
    if (result.readers.empty() && reason.empty()) return std::nullopt;
    result.here = "rocmtune never sets a name of which it knows no more.";
    result.current = variable_of(host, result.name);
    if (result.readers.empty()) {
        result.summary = fmt::format("a name that probe shows where it is set: {}", reason);
        return result;
    }
    auto const gone = [](ExplainedReader const& reader) { return reader.absent_by.has_value(); };
    if (std::ranges::all_of(result.readers, gone))
        result.summary = "a name that was read once; the newest texts no longer have it";
    return result;
}

}  // namespace

std::optional<Explanation> explain(std::string_view name, Catalogue const& catalogue,
                                   Host const& host, Advice const& advice,
                                   std::span<Rule const> rules) {
    auto const* variable = find_anyhow(name, catalogue);
    if (variable == nullptr) {
        if (auto only = explain_name_only(name, catalogue, host)) return only;
        if (auto advised = explain_rules(rules_of(name, rules), advice)) return advised;
        variable = find_part(name, catalogue);
    }
    if (variable == nullptr) return std::nullopt;
    // An alias and a member of a family keep their own name.
    bool const is_itself = lower(variable->name) == lower(name);
    Explanation result{.name = std::string(is_itself ? variable->name : name)};
    fill(*variable, result);
    if (!is_itself) result.summary += fmt::format(", also known as {}", variable->name);
    add_readers(result.name, variable, catalogue, host, result);
    result.current = variable_of(host, result.name);
    if (result.current) result.read_as = read_as(*variable, *result.current);
    result.here = here_text(*variable, result, advice);
    return result;
}

std::optional<Explanation> explain_term(std::string_view name, Host const& host) {
    auto const* const term = find_term(name);
    if (term == nullptr) return std::nullopt;
    Explanation result{.name = term->name, .kind = term->kind, .status = term->status};
    result.summary = term->summary;
    result.values = term->values;
    result.default_value = term->default_value;
    result.effect = term->effect;
    result.harm = term->harm;
    result.folklore = term->folklore;
    result.instead = term->instead;
    result.see = term->see;
    result.sources = references_of(term->sources);
    if (term->since) result.former_defaults.push_back("there since " + *term->since);
    if (term->until) result.former_defaults.push_back("no longer in " + *term->until);
    constexpr std::string_view prefix = "amdgpu.";
    if (term->kind == "module-parameter" && term->name.starts_with(prefix) &&
        host.amdgpu_parameters) {
        auto const found = host.amdgpu_parameters->find(term->name.substr(prefix.size()));
        if (found != host.amdgpu_parameters->end()) result.current = found->second;
    }
    return result;
}

namespace {

/// Both tables may have a component; the newer text counts.
std::map<std::string_view, Component> all_components(Catalogue const& catalogue) {
    std::map<std::string_view, Component> all;
    for (auto const components : {catalogue.components(), catalogue.names().components()})
        for (auto const& component : components) {
            auto& known = all.emplace(component.id, component).first->second;
            known.newest = std::max(known.newest, component.newest);
        }
    return all;
}

}  // namespace

Explanation explain_data(Catalogue const& catalogue, Host const& host, std::string_view folder) {
    Explanation result{.name = std::string(name_of_data), .kind = "word", .status = "public"};
    result.summary = "what rocmtune knows, and how old it is";
    result.effect = fmt::format("Data of {}, {}.", data_date(),
                                folder.empty() ? "built in" : fmt::format("from {}", folder));
    for (auto const& [id, component] : all_components(catalogue))
        result.readers.push_back(reader_of(component, host));
    std::ranges::sort(result.readers, {},
                      [](auto const& it) { return std::pair(it.text_date, it.component); });
    auto const old = std::ranges::count_if(result.readers, [](auto const& reader) {
        return reader.text_date && is_old_text(*reader.text_date);
    });
    result.here = fmt::format(
        "Of {} components {} were last read over a year before that; what is said of them may be "
        "true no longer.",
        result.readers.size(), old);
    return result;
}

std::vector<std::string> near_names(std::string_view name, Catalogue const& catalogue) {
    constexpr std::size_t most = 5;
    NameList result;
    auto const add = [&](std::string_view found) {
        if (result.size() < most && std::ranges::find(result, found) == result.end())
            result.emplace_back(found);
    };
    std::vector<std::string_view> all;
    for (auto const& variable : catalogue.all()) all.push_back(variable.name);
    for (auto const known : catalogue.names().all()) all.push_back(known);
    for (auto const& term : all_terms()) all.push_back(term.name);
    if (auto const near = nearest(name, all)) add(*near);
    if (auto const near = nearest(upper(name), all)) add(*near);
    constexpr std::size_t telling = 4;  // shorter parts occur in hundreds of names
    if (name.size() >= telling)
        for (auto const candidate : all)
            if (lower(candidate).find(lower(name)) != std::string::npos) add(candidate);
    return result;
}

}  // namespace rocmtune
