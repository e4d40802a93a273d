// SPDX-License-Identifier: MIT
#include "judge/verify/signed_rank.hpp"

#include <algorithm>
#include <vector>

namespace rocmtune::verify {
namespace {

std::span<double const> first_of(std::span<double const> differences) {
    return differences.first(std::min(differences.size(), most_differences));
}

/// P(W <= w) for each w, W being the sum of those ranks 1 to n whose coin shows heads.
std::vector<double> cumulative(std::size_t n) {
    std::vector<double> probability(n * (n + 1) / 2 + 1, 0.0);
    probability[0] = 1;
    std::size_t largest = 0;
    for (std::size_t rank = 1; rank <= n; ++rank) {
        largest += rank;
        for (std::size_t w = largest + 1; w-- > 0;)
            probability[w] = (probability[w] + (w >= rank ? probability[w - rank] : 0)) / 2;
    }
    for (std::size_t w = 1; w < probability.size(); ++w) probability[w] += probability[w - 1];
    return probability;
}

/// The means of all pairs, each difference with itself included (Walsh averages), sorted.
std::vector<double> walsh_averages(std::span<double const> differences) {
    std::vector<double> means;
    means.reserve(differences.size() * (differences.size() + 1) / 2);
    for (std::size_t i = 0; i < differences.size(); ++i)
        for (std::size_t j = i; j < differences.size(); ++j)
            means.push_back((differences[i] + differences[j]) / 2);
    std::sort(means.begin(), means.end());
    return means;
}

/// P(W >= count) among n.
double upper_tail(std::size_t n, std::size_t count) {
    if (n == 0 || count == 0) return 1;
    // W is symmetric about its middle, and a lower tail loses nothing to the 1 it is taken from.
    return cumulative(n)[n * (n + 1) / 2 - count];
}

/// How many values at each end of the sorted means the 95 % interval leaves out; 0: there is none.
std::size_t left_out(std::size_t n) {
    constexpr double tail = 0.025;
    auto const probability = cumulative(n);
    auto const beyond = std::upper_bound(probability.begin(), probability.end(), tail);
    return static_cast<std::size_t>(beyond - probability.begin());
}

double middle_of(std::vector<double> const& sorted) {
    auto const half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

Shift shift_of(std::span<double const> differences) {
    differences = first_of(differences);
    if (differences.empty()) return {};
    auto const means = walsh_averages(differences);
    Shift shift{.estimate = middle_of(means)};
    if (auto const out = left_out(differences.size()); out > 0) {
        shift.low = means[out - 1];
        shift.high = means[means.size() - out];
    }
    return shift;
}

double p_above(std::span<double const> differences, double bound) {
    differences = first_of(differences);
    auto const means = walsh_averages(differences);
    auto const above = means.end() - std::upper_bound(means.begin(), means.end(), bound);
    return upper_tail(differences.size(), static_cast<std::size_t>(above));
}

double p_below(std::span<double const> differences, double bound) {
    differences = first_of(differences);
    auto const means = walsh_averages(differences);
    auto const below = std::lower_bound(means.begin(), means.end(), bound) - means.begin();
    return upper_tail(differences.size(), static_cast<std::size_t>(below));
}

double p_of_none(std::span<double const> differences) {
    return std::min(1.0, 2 * std::min(p_above(differences, 0), p_below(differences, 0)));
}

}  // namespace rocmtune::verify
