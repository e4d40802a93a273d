// SPDX-License-Identifier: MIT
#include "judge/compare/gpu_pairs.hpp"

#include <algorithm>
#include <deque>
#include <map>

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

}  // namespace rocmtune
