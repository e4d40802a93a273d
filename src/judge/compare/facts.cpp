// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

#include "judge/compare/compare.hpp"

namespace rocmtune {
namespace {

using KeyOf = std::string (*)(ReadFacts const&);

/// The chip; partitions of one chip share its identity. "GPU-XX" is what cards without one report.
std::string identity_key(ReadFacts const& gpu) {
    auto chip = gpu.text("unique_id");
    if (chip.empty()) chip = gpu.text("uuid");
    if (chip.empty() || chip == "GPU-XX" || chip.find_first_not_of("0x") == chip.npos) return {};
    return chip + '/' + gpu.text("partition_index");
}

std::string place_key(ReadFacts const& gpu) {
    return gpu.text("pci_address").empty() ? "" : subject_of(gpu);
}

std::string model_key(ReadFacts const& gpu) {
    auto const id = gpu.text("pci_device_id");
    return id.empty() ? gpu.text("marketing_name") : id;
}

std::string any_key(ReadFacts const&) {
    return "any";
}

class Matcher {
  public:
    Matcher(std::vector<ReadFacts> const& a, std::vector<ReadFacts> const& b)
        : a_(a), b_(b), of_a_(a.size()), taken_b_(b.size(), false) {}

    /// Pairs what has the same key: one that is unique on both sides, or in their order.
    void match(KeyOf key_of, std::string_view by, bool in_order) {
        auto const keys_a = keys(a_, key_of);
        auto const keys_b = keys(b_, key_of);
        auto free_b = free_places(keys_b);
        auto const counts_a = counts(keys_a);
        auto const counts_b = counts(keys_b);
        for (std::size_t i = 0; i < a_.size(); ++i) {
            auto const found = of_a_[i].b ? free_b.end() : free_b.find(keys_a[i]);
            if (found == free_b.end() || found->second.empty()) continue;
            if (!in_order && (counts_a.at(keys_a[i]) != 1 || counts_b.at(keys_a[i]) != 1)) continue;
            of_a_[i] = {i, found->second.front(), std::string(by)};
            taken_b_[found->second.front()] = true;
            found->second.pop_front();
        }
    }

    std::vector<MatchedGpus> take() {
        for (std::size_t i = 0; i < a_.size(); ++i) of_a_[i].a = i;
        for (std::size_t j = 0; j < b_.size(); ++j)
            if (!taken_b_[j]) of_a_.push_back({{}, j});
        return std::move(of_a_);
    }

  private:
    static std::vector<std::string> keys(std::vector<ReadFacts> const& all, KeyOf key_of) {
        std::vector<std::string> result;
        for (auto const& gpu : all) result.push_back(key_of(gpu));
        return result;
    }

    static std::map<std::string, int> counts(std::vector<std::string> const& all) {
        std::map<std::string, int> result;
        for (auto const& key : all) ++result[key];
        return result;
    }

    std::map<std::string, std::deque<std::size_t>> free_places(
        std::vector<std::string> const& of_b) const {
        std::map<std::string, std::deque<std::size_t>> places;
        for (std::size_t j = 0; j < of_b.size(); ++j)
            if (!taken_b_[j] && !of_b[j].empty()) places[of_b[j]].push_back(j);
        return places;
    }

    std::vector<ReadFacts> const& a_;
    std::vector<ReadFacts> const& b_;
    std::vector<MatchedGpus> of_a_;
    std::vector<bool> taken_b_;
};

using Index = std::unordered_map<std::string_view, PlainValue const*>;

Index index_of(ReadFacts const& facts) {
    Index index;
    for (auto const& fact : facts.facts) index.emplace(fact.path, &fact.value);
    return index;
}

std::string reason_of(ReadFacts const& facts, FactWord const& word, bool is_stated) {
    auto const found = facts.reasons.find(word.key);
    if (found != facts.reasons.end()) return found->second;
    return is_stated ? "" : "the report has no such fact: another version wrote it";
}

/// Lays the facts of one entity beside those of another.
class Comparer {
  public:
    Comparer(FactScope scope, std::string subject, ReadFacts const& a, ReadFacts const& b,
             ReportComparison& into)
        : scope_(scope), subject_(std::move(subject)), a_(a), b_(b), into_(into) {}

    void run() {
        auto const in_a = index_of(a_);
        auto const in_b = index_of(b_);
        static PlainValue const none;
        for (auto const& fact : a_.facts) {
            // A list may hold the same twice; the first counts.
            if (in_a.at(fact.path) != &fact.value) continue;
            auto const found = in_b.find(fact.path);
            compare(fact.path, fact.value, found == in_b.end() ? none : *found->second,
                    found != in_b.end());
        }
        for (auto const& fact : b_.facts)
            if (in_b.at(fact.path) == &fact.value && !in_a.contains(fact.path))
                compare_absent(fact.path, none, fact.value, a_, false);
    }

  private:
    void compare(std::string const& path, PlainValue const& a, PlainValue const& b, bool b_has) {
        if (!b_has) return compare_absent(path, a, b, b_, true);
        auto const& word = *fact_of_path(scope_, path);
        if (is_null(a) && is_null(b)) return;
        if (is_null(a)) return add(word, path, "unknown-a", a, b, reason_of(a_, word, true));
        if (is_null(b)) return add(word, path, "unknown-b", a, b, reason_of(b_, word, true));
        count(word);
        if (same_value(a, b, word.tolerance)) return count_equal(word);
        add(word, path, "changed", a, b);
    }

    /// A path that one side does not have: a part that is not there, if the side knows the fact.
    void compare_absent(std::string const& path, PlainValue const& a, PlainValue const& b,
                        ReadFacts const& lacks, bool b_lacks) {
        auto const& word = *fact_of_path(scope_, path);
        if (is_null(a) && is_null(b)) return;
        bool const is_part = path.size() > word.key.size();
        if (is_part && word.place < lacks.known.size() && lacks.known[word.place]) {
            count(word);
            return add(word, path, b_lacks ? "only-a" : "only-b", a, b);
        }
        // The fact as a whole is said to be unknown once, by its other side or here.
        auto const reason = reason_of(lacks, word, lacks.reasons.contains(word.key));
        add(word, path, b_lacks ? "unknown-b" : "unknown-a", a, b, reason);
    }

    static bool is_lasting(FactWord const& word) {
        return word.kind != FactKind::state && word.kind != FactKind::identity;
    }
    void count(FactWord const& word) { into_.facts += is_lasting(word) ? 1 : 0; }
    void count_equal(FactWord const& word) { into_.equal += is_lasting(word) ? 1 : 0; }

    void add(FactWord const& word, std::string const& path, std::string change, PlainValue const& a,
             PlainValue const& b, std::string const& reason = {}) {
        Difference difference{.subject = subject_,
                              .fact = path,
                              .kind = std::string(word_of(word.kind)),
                              .change = std::move(change),
                              .a = a,
                              .b = b};
        if (!reason.empty()) difference.reason = reason;
        into_.differences.push_back(std::move(difference));
    }

    FactScope scope_;
    std::string subject_;
    ReadFacts const& a_;
    ReadFacts const& b_;
    ReportComparison& into_;
};

ReadFacts facts_of(std::vector<ReadSetting> const& settings) {
    ReadFacts facts;
    for (auto const& setting : settings) facts.facts.push_back({setting.name, setting.value});
    return facts;
}

void add_recommendation(std::string const& name, std::string change, PlainValue const& a,
                        PlainValue const& b, ReportComparison& comparison) {
    comparison.differences.push_back({.subject = "recommendation",
                                      .fact = name,
                                      .kind = "setting",
                                      .change = std::move(change),
                                      .a = a,
                                      .b = b});
}

void compare_recommendations(ReadReport const& a, ReadReport const& b,
                             ReportComparison& comparison) {
    if (a.recommendations.empty() || b.recommendations.empty()) return;
    auto const of_a = facts_of(a.recommendations);
    auto const of_b = facts_of(b.recommendations);
    auto const in_a = index_of(of_a);
    auto const in_b = index_of(of_b);
    static PlainValue const none;
    for (auto const& [name, value] : of_a.facts) {
        auto const found = in_b.find(name);
        if (found == in_b.end()) add_recommendation(name, "only-a", value, none, comparison);
        else if (text_of(value) != text_of(*found->second))
            add_recommendation(name, "changed", value, *found->second, comparison);
    }
    for (auto const& [name, value] : of_b.facts)
        if (!in_a.contains(name)) add_recommendation(name, "only-b", none, value, comparison);
}

}  // namespace

std::vector<MatchedGpus> match_gpus(std::vector<ReadFacts> const& a,
                                    std::vector<ReadFacts> const& b) {
    Matcher matcher(a, b);
    matcher.match(identity_key, "uuid", false);
    matcher.match(place_key, "pci-address", false);
    matcher.match(model_key, "row", true);
    matcher.match(any_key, "row", true);
    return matcher.take();
}

bool share_a_gpu(std::vector<MatchedGpus> const& pairs) {
    return std::ranges::find(pairs, "uuid", &MatchedGpus::by) != pairs.end();
}

void compare_facts(ReadReport const& a, ReadReport const& b, std::vector<MatchedGpus> const& pairs,
                   ReportComparison& comparison) {
    if (a.has_host && b.has_host)
        Comparer(FactScope::host, "host", a.host, b.host, comparison).run();
    for (auto const& pair : pairs)
        if (pair.a && pair.b)
            Comparer(FactScope::gpu, subject_of(a.gpus[*pair.a]), a.gpus[*pair.a], b.gpus[*pair.b],
                     comparison)
                .run();
    compare_recommendations(a, b, comparison);
}

}  // namespace rocmtune
