// SPDX-License-Identifier: MIT
#include "judge/verify/screening.hpp"

#include <algorithm>
#include <cmath>

namespace rocmtune::verify {
namespace {

/// Coordinate descent is done when nothing moves any more; with so few effects that is soon.
constexpr int sweeps = 25;
/// Of a normal distribution, to its standard deviation.
constexpr double median_to_deviation = 1.4826;
/// So many differences tell their scatter better than the few runs of the baseline.
constexpr std::size_t telling_pairs = 32;
/// Differences that are further out are pulled in to there.
constexpr double far_out = 4;

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double deviation_of(std::vector<double> const& values) {
    std::vector<double> sizes;
    for (auto const value : values) sizes.push_back(std::abs(value));
    return median_to_deviation * median_of(sizes);
}

class Fit {
  public:
    Fit(std::vector<ScreeningPair> const& pairs, std::size_t candidates, double noise)
        : pairs_(pairs),
          effects_(candidates),
          used_(candidates),
          noise_(pairs.size() < telling_pairs ? noise * std::sqrt(2.0) : 0) {
        for (auto const& pair : pairs) left_.push_back(pair.difference);
        auto const limit = far_out * std::max(deviation_of(left_), noise_);
        for (auto& value : left_) value = std::clamp(value, -limit, limit);
        for (auto const& pair : pairs)
            for (std::size_t j = 0; j < candidates; ++j) used_[j] += pair.signs[j] != 0 ? 1 : 0;
    }

    Screened finish() {
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (std::size_t j = 0; j < effects_.size(); ++j) step(j);
        auto const scatter = std::max(deviation_of(left_), noise_);
        Screened all{.effects = std::vector<ScreenedEffect>(effects_.size()),
                     .noise = scatter / std::sqrt(2.0)};
        for (std::size_t j = 0; j < effects_.size(); ++j) {
            if (used_[j] == 0) continue;
            all.effects[j] = {alone(j), scatter / std::sqrt(used_[j])};
        }
        return all;
    }

  private:
    /// What the others leave of the candidate.
    double alone(std::size_t j) const {
        double sum = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i) sum += pairs_[i].signs[j] * left_[i];
        return effects_[j] + sum / used_[j];
    }

    void step(std::size_t j) {
        if (used_[j] == 0) return;
        auto const scatter = std::max(deviation_of(left_), noise_);
        // The largest of so many that are nothing (Donoho and Johnstone, 1994).
        auto const penalty =
            scatter *
            std::sqrt(2 * std::log(2.0 * static_cast<double>(effects_.size())) / used_[j]);
        // One that stands out counts whole: a shrunk one would leave a part of it to the scatter of
        // all others.
        auto const seen = alone(j);
        auto const next = std::abs(seen) > penalty ? seen : 0.0;
        auto const change = next - effects_[j];
        if (change == 0) return;
        effects_[j] = next;
        for (std::size_t i = 0; i < pairs_.size(); ++i) left_[i] -= pairs_[i].signs[j] * change;
    }

    std::vector<ScreeningPair> const& pairs_;
    std::vector<double> effects_;
    std::vector<double> used_;
    std::vector<double> left_;
    double noise_;
};

}  // namespace

Screened screened_effects(std::vector<ScreeningPair> const& pairs, std::size_t candidates,
                          double noise) {
    return Fit(pairs, candidates, noise).finish();
}

}  // namespace rocmtune::verify
