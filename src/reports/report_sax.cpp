// SPDX-License-Identifier: MIT
#include "reports/report_sax.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "host/unlimited.hpp"

namespace rocmtune {
namespace {

// Bounds of what one host can have; what is above was not written by us.
constexpr std::size_t deepest = 64;
constexpr std::size_t most_gpus = 4096;
constexpr std::size_t most_entries = 4096;  ///< of one map or list of names
constexpr std::size_t most_findings = 65536;
constexpr std::size_t most_values = 4'000'000;

std::string text_or_empty(PlainValue const& value) {
    auto const* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : std::string();
}

/// Gives a member of a measurement its value, if it has the right type.
struct SetMember {
    std::string_view key;
    PlainValue const& value;

    void operator()(Field const& field, std::string& member) const {
        if (field.key == key) member = text_or_empty(value);
    }
    void operator()(Field const& field, bool& member) const {
        if (field.key != key) return;
        if (auto const* truth = std::get_if<bool>(&value)) member = *truth;
    }
    void operator()(Field const& field, std::optional<std::string>& member) const {
        if (field.key != key) return;
        if (auto const* text = std::get_if<std::string>(&value)) member = *text;
    }
    void operator()(Field const& field, std::optional<double>& member) const {
        if (field.key == key) member = number_of(value);
    }
    void operator()(Field const& field, std::optional<std::uint64_t>& member) const {
        if (field.key != key) return;
        if (auto const* number = std::get_if<std::uint64_t>(&value)) member = *number;
    }
    void operator()(Field const& field, std::optional<std::int64_t>& member) const {
        if (field.key != key) return;
        if (auto const number = number_of(value); number && std::abs(*number) < 1e15)
            member = static_cast<std::int64_t>(*number);
    }
    template <class T>
    void operator()(Field const&, T&) const {}
};

}  // namespace

bool ReportSax::fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
}

bool ReportSax::within(std::size_t count, std::size_t most, std::string_view what) {
    return count <= most || fail(fmt::format("it has more than {} {}", most, what));
}

bool ReportSax::open(bool is_object) {
    if (places_.size() >= deepest)
        return fail(fmt::format("it is nested deeper than {} levels", deepest));
    auto const place =
        places_.empty() ? (is_object ? Place::document : Place::skipped) : place_of(is_object);
    if (places_.empty()) is_object_ = is_object;
    if (place == Place::gpus && std::exchange(seen_gpus_, true))
        return fail("its key 'gpus' stands twice");
    places_.push_back(place);
    enter(place);
    return within(report_.gpus.size(), most_gpus, "GPUs") &&
           within(records_, most_entries, "entries in one fact") &&
           within(report_.findings.size() + report_.measurements.size(), most_findings,
                  "findings and measurements");
}

ReportSax::Place ReportSax::place_of(bool is_object) {
    switch (places_.back()) {
        case Place::document: return place_in_document(is_object);
        case Place::host:
        case Place::gpu: return place_in_facts(is_object);
        case Place::gpus: return is_object ? Place::gpu : Place::skipped;
        case Place::records: return is_object ? Place::record : Place::skipped;
        case Place::record: return is_object ? Place::skipped : Place::record_list;
        case Place::findings: return is_object ? Place::finding : Place::skipped;
        case Place::recommendations: return is_object ? Place::recommendation : Place::skipped;
        case Place::measurements: return is_object ? Place::measurement : Place::skipped;
        case Place::measurement: return place_in_measurement(is_object);
        default: return Place::skipped;
    }
}

ReportSax::Place ReportSax::place_in_document(bool is_object) const {
    if (is_object) {
        if (key_ == "tool") return Place::tool;
        if (key_ == "summary") return Place::summary;
        return key_ == "host" ? Place::host : Place::skipped;
    }
    if (key_ == "findings") return Place::findings;
    if (key_ == "recommendations") return Place::recommendations;
    return key_ == "measurements" ? Place::measurements : Place::skipped;
}

ReportSax::Place ReportSax::place_in_facts(bool is_object) {
    if (is_object && key_ == "_reasons") return Place::reasons;
    if (!in_gpu_ && !is_object && key_ == "gpus") return Place::gpus;
    if (word_ == nullptr || (word_->kind == FactKind::state && !parts_.momentary))
        return Place::skipped;
    switch (word_->shape) {
        case FactShape::map: return is_object ? Place::map : Place::skipped;
        case FactShape::record: return is_object ? Place::record : Place::skipped;
        case FactShape::records: return is_object ? Place::skipped : Place::records;
        case FactShape::names:
        case FactShape::assignments: return is_object ? Place::skipped : Place::names;
        default: return Place::skipped;
    }
}

ReportSax::Place ReportSax::place_in_measurement(bool is_object) {
    if (is_object) return key_ == "parameters" ? Place::parameters : Place::skipped;
    if (key_ == "labels") return Place::labels;
    return key_ == "samples" && parts_.samples ? Place::samples : Place::skipped;
}

void ReportSax::enter(Place place) {
    switch (place) {
        case Place::host:
            report_.has_host = true;
            report_.host.known.assign(words_of_facts(FactScope::host).size(), false);
            seen_host_ = report_.host.known;
            break;
        case Place::gpu:
            in_gpu_ = true;
            report_.gpus.emplace_back().known.assign(words_of_facts(FactScope::gpu).size(), false);
            seen_gpu_ = report_.gpus.back().known;
            break;
        case Place::map:
        case Place::names:
        case Place::records:
            records_ = 0;
            facts().known[word_->place] = true;
            first_entry_ = facts().facts.size();
            break;
        case Place::record:
            facts().known[word_->place] = true;
            record_.clear();
            ++records_;
            break;
        case Place::record_list: list_values_ = 0; break;
        case Place::finding: report_.findings.emplace_back(); break;
        case Place::recommendation: report_.recommendations.emplace_back(); break;
        case Place::measurement: report_.measurements.emplace_back().status.clear(); break;
        default: break;
    }
}

bool ReportSax::close() {
    if (places_.back() == Place::record) finish_record();
    if (places_.back() == Place::gpu || places_.back() == Place::host) finish_facts();
    if (places_.back() == Place::gpu) in_gpu_ = false;
    places_.pop_back();
    return true;
}

bool ReportSax::key(std::string& name) {
    if (places_.back() == Place::skipped) return true;
    key_ = name;
    switch (places_.back()) {
        case Place::document: return take_document_key(key_);
        case Place::host:
        case Place::gpu: return take_fact_key(key_);
        case Place::map: return take_map_key(key_);
        default: return true;
    }
}

bool ReportSax::take_document_key(std::string const& name) {
    if (!within(seen_document_.size(), most_entries, "top-level keys")) return false;
    return seen_document_.insert(name).second ||
           fail(fmt::format("its key '{}' stands twice", printable(name)));
}

bool ReportSax::take_fact_key(std::string const& name) {
    word_ = find_fact_word(in_gpu_ ? FactScope::gpu : FactScope::host, name);
    if (word_ == nullptr) return true;  // of a newer minor version, or our _sources
    auto& seen = in_gpu_ ? seen_gpu_ : seen_host_;
    if (seen[word_->place]) return fail(fmt::format("its fact '{}' stands twice", name));
    seen[word_->place] = true;
    return true;
}

bool ReportSax::take_map_key(std::string const& name) {
    auto const& all = facts().facts;
    if (!within(all.size() - first_entry_, most_entries, "entries in one fact")) return false;
    auto const start = word_->key.size() + 1;
    for (auto i = first_entry_; i < all.size(); ++i)
        if (std::string_view(all[i].path).substr(start) == name)
            return fail(
                fmt::format("its entry '{}' of '{}' stands twice", printable(name), word_->key));
    return true;
}

/// Whether the value that comes is looked at by nobody.
bool ReportSax::is_left_out() const {
    if (places_.empty()) return true;
    switch (places_.back()) {
        case Place::skipped: return true;
        case Place::finding: return !parts_.texts_of_findings && key_ != "id" && key_ != "verdict";
        case Place::host:
        case Place::gpu: return word_ == nullptr;
        default: return false;
    }
}

bool ReportSax::value(PlainValue value) {
    if (!within(++values_, most_values, "values")) return false;
    if (places_.empty()) return true;
    switch (places_.back()) {
        case Place::document:
            if (key_ == "schema") schema_ = text_or_empty(value);
            else if (key_ == "schema_version") report_.schema_version = text_or_empty(value);
            else if (key_ == "command") report_.command = text_or_empty(value);
            break;
        case Place::tool:
            if (key_ == "version") report_.tool_version = text_or_empty(value);
            break;
        case Place::summary:
            if (key_ == "gpus_left_out") report_.is_partial = number_of(value).value_or(0) > 0;
            break;
        case Place::host:
        case Place::gpu: take_in_facts(std::move(value)); break;
        case Place::reasons: take_reason(text_or_empty(value)); break;
        case Place::map: add(fmt::format("{}.{}", word_->key, key_), std::move(value)); break;
        case Place::names:
            if (!within(facts().facts.size() - first_entry_, most_entries, "entries in one fact"))
                return false;
            take_name(value);
            break;
        case Place::record: return take_in_record(std::move(value));
        case Place::record_list: return take_in_list(value);
        case Place::finding: take_in_finding(value); break;
        case Place::recommendation:
            if (key_ == "name") report_.recommendations.back().name = text_or_empty(value);
            else if (key_ == "value") report_.recommendations.back().value = std::move(value);
            break;
        case Place::measurement:
        case Place::parameters:
        case Place::samples:
        case Place::labels: take_in_measurement(value); break;
        default: break;
    }
    return true;
}

void ReportSax::take_in_facts(PlainValue value) {
    if (word_ == nullptr || word_->shape == FactShape::left_out) return;
    if (word_->kind == FactKind::state && !parts_.momentary) return;
    // A value of another shape than ours tells nothing that could be compared.
    if (word_->shape != FactShape::value && !is_null(value)) return;
    if (!is_null(value)) facts().known[word_->place] = true;
    add(std::string(word_->key), std::move(value));
}

/// A limit that is not set has no number, and is known all the same.
void ReportSax::take_reason(std::string reason) {
    static auto const no_limit =
        fmt::format("{}: {}", missing_name(Missing::unsupported), unlimited);
    if (reason == no_limit) {
        auto const* const word = find_fact_word(in_gpu_ ? FactScope::gpu : FactScope::host, key_);
        auto& words = unlimited_words();
        if (word != nullptr && std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
    if (parts_.reasons) facts().reasons[key_] = std::move(reason);
}

/// Reasons may stand before the facts that they are of, or behind them.
void ReportSax::finish_facts() {
    for (auto const* const word : std::exchange(unlimited_words(), {}))
        for (auto& fact : facts().facts)
            if (fact.path == word->key && is_null(fact.value)) {
                fact.value = std::string(unlimited);
                facts().known[word->place] = true;
            }
}

/// "iommu=pt" is the setting "iommu" with the value "pt"; a plain name is one that is there.
void ReportSax::take_name(PlainValue const& value) {
    auto const name = text_or_empty(value);
    auto const equals = word_->shape == FactShape::assignments ? name.find('=') : name.npos;
    auto path = fmt::format("{}[{}]", word_->key, name.substr(0, equals));
    if (equals == name.npos) add(std::move(path), true);
    else add(std::move(path), name.substr(equals + 1));
}

bool ReportSax::take_in_record(PlainValue value) {
    record_.push_back({key_, std::move(value)});
    return within(record_.size(), most_entries, "members of one entry");
}

/// A list is one value of its record: its elements with commas between them.
bool ReportSax::take_in_list(PlainValue const& value) {
    if (!within(++list_values_, most_entries, "values in one list")) return false;
    if (record_.empty() || record_.back().path != key_) return take_in_record(text_of(value));
    auto& whole = record_.back().value;
    if (!std::holds_alternative<std::string>(whole)) whole = text_of(whole);
    std::get<std::string>(whole).append(", ").append(text_of(value));
    return true;
}

void ReportSax::finish_record() {
    auto const find = [&](std::string_view member) {
        return std::find_if(record_.begin(), record_.end(),
                            [&](ReadFact const& it) { return it.path == member; });
    };
    auto prefix = std::string(word_->key);
    if (!word_->record_key.empty()) {
        auto const key = find(word_->record_key);
        if (key == record_.end()) return;
        prefix += fmt::format("[{}]", text_of(key->value));
    }
    for (auto const member : words(word_->members))
        if (auto const found = find(member); found != record_.end())
            add(fmt::format("{}.{}", prefix, member), found->value);
}

void ReportSax::take_in_finding(PlainValue const& value) {
    auto& finding = report_.findings.back();
    if (key_ == "id") finding.id = text_or_empty(value);
    else if (key_ == "verdict") finding.verdict = text_or_empty(value);
    else if (key_ == "subject") finding.subject = text_or_empty(value);
    else if (key_ == "message") finding.message = text_or_empty(value);
}

void ReportSax::take_in_measurement(PlainValue const& value) {
    auto& it = report_.measurements.back();
    switch (places_.back()) {
        case Place::samples:
            if (auto const number = number_of(value)) it.samples.push_back(*number);
            break;
        case Place::labels: it.labels.push_back(text_or_empty(value)); break;
        case Place::parameters: visit_fields(it.parameters, SetMember{key_, value}); break;
        default: visit_fields(it, SetMember{key_, value}); break;
    }
}

}  // namespace rocmtune
