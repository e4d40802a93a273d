// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "judge/verify/statistics.hpp"

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
    std::ranges::sort(means);
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

/// Of the interval.
constexpr double level = 0.05;
/// A setting that does nothing may be called better or worse once in 125 times, however noisy the
/// host: beside the interval the test against "no effect at all" must say so.
constexpr double false_verdicts = 0.008;
/// Two-sided 95 % of the normal distribution; 95 % one-sided.
constexpr double z_interval = 1.96;
constexpr double z_power = 1.645;
/// The rank test needs so much more than the best test of normal noise (Hodges and Lehmann, 1956).
constexpr double rank_test_cost = 3.141592653589793 / 3;
constexpr std::size_t fewest = 10;
constexpr std::size_t most_planned = 200;
constexpr double most_sensible = 1e6;

/// The decisions that are open for one setting. At most one of `beyond` and `inside` is small.
struct Tests {
    double better = 1;  ///< two-sided p of "not better than the margin"
    double worse = 1;
    double inside = 1;  ///< of "outside the margin": two one-sided tests (Schuirmann, 1987)
    double none = 1;    ///< of "no effect at all"

    double decisive() const { return std::min({better, worse, inside}); }
};

Tests tests_of(std::vector<double> const& d, double margin) {
    auto const two_sided = [](double p) { return std::min(1.0, 2 * p); };
    Tests tests;
    tests.better = two_sided(p_above(d, margin));
    tests.worse = two_sided(p_below(d, -margin));
    tests.inside = two_sided(std::max(p_above(d, -margin), p_below(d, margin)));
    tests.none = p_of_none(d);
    return tests;
}

/// S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scand. J. Stat. 6 (1979)
/// 65-70: p values that may be compared with the level as if there were one.
std::vector<double> holm(std::vector<double> const& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](auto a, auto b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double largest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        largest = std::max(largest, p[order[i]] * static_cast<double>(order.size() - i));
        adjusted[order[i]] = std::min(1.0, largest);
    }
    return adjusted;
}

SettingVerdict verdict_of(Tests const& tests, double p, double p_none) {
    if (p > level) return SettingVerdict::inconclusive;
    if (tests.inside <= std::min(tests.better, tests.worse)) return SettingVerdict::no_effect;
    if (p_none > false_verdicts) return SettingVerdict::inconclusive;
    return tests.better < tests.worse ? SettingVerdict::confirmed : SettingVerdict::harmful;
}

/// The interval shrinks with the root of the number of blocks, until it is clear of both ends of
/// the margin.
std::optional<std::size_t> needed(Shift const& shift, double margin, std::size_t blocks,
                                  std::size_t settings) {
    auto const least = least_blocks(settings);
    if (!shift.low || blocks < least) return std::max(least, fewest);
    auto const room = std::abs(std::abs(shift.estimate) - margin);
    auto const half = (*shift.high - *shift.low) / 2;
    // Half again as many, because the estimate moves, too.
    auto const factor = 1.5 * std::pow(half / std::max(room, 1e-12), 2);
    auto const count = std::ceil(static_cast<double>(blocks) * std::max(factor, 1.25));
    if (count > most_sensible) return std::nullopt;
    return static_cast<std::size_t>(count);
}

std::string reason_for(Shift const& shift, double margin, std::size_t blocks,
                       std::size_t settings) {
    if (blocks < least_blocks(settings))
        return fmt::format("{} of at least {} blocks were measured", blocks,
                           least_blocks(settings));
    bool const above = *shift.high > margin;
    bool const below = *shift.low < -margin;
    if (above && below) return "the noise hides effects of the size of the margin";
    if (above || below) return "the interval holds an end of the margin";
    return "the interval is beyond the margin, but with so many settings that may be chance";
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

double difference_of(Block const& block) {
    std::array<double, 4> logs{};
    std::transform(block.values.begin(), block.values.end(), logs.begin(),
                   [](double value) { return std::log(value); });
    auto const inner_over_outer = (logs[1] + logs[2] - logs[0] - logs[3]) / 2;
    return block.candidate_first ? -inner_over_outer : inner_over_outer;
}

std::size_t least_blocks(std::size_t settings) {
    // All differences on one side: the two-sided p value is 2 / 2^n.
    auto const m = static_cast<double>(std::max<std::size_t>(settings, 1));
    return static_cast<std::size_t>(std::ceil(std::log2(2 * m / false_verdicts)));
}

std::size_t blocks_for(double noise, double margin, std::size_t settings) {
    auto const half = margin / 2;
    auto const count = rank_test_cost * std::pow(z_interval * noise / half, 2);
    return std::clamp(static_cast<std::size_t>(std::min(std::ceil(count), most_sensible)),
                      std::max(least_blocks(settings), fewest), most_planned);
}

std::optional<double> smallest_effect(Shift const& shift, double margin) {
    if (!shift.low) return std::nullopt;
    auto const error = (*shift.high - *shift.low) / 2 / z_interval;
    return std::expm1(std::log1p(margin) + (z_interval + z_power) * error);
}

double scatter_of(std::span<double const> logs) {
    if (logs.size() < 2) return 0;
    std::vector<double> steps;
    for (std::size_t i = 1; i < logs.size(); ++i) steps.push_back(std::abs(logs[i] - logs[i - 1]));
    std::ranges::sort(steps);
    // A step is the difference of two values (root of 2); the median of |normal| is 0.6745.
    return steps[steps.size() / 2] / 0.6745 / std::sqrt(2.0);
}

std::vector<Judgement> judge(std::span<std::vector<double> const> differences, double margin) {
    auto const limit = std::log1p(margin);
    std::vector<Tests> tests;
    std::vector<double> decisive;
    std::vector<double> none;
    for (auto const& d : differences) {
        tests.push_back(tests_of(d, limit));
        decisive.push_back(tests.back().decisive());
        none.push_back(tests.back().none);
    }
    decisive = holm(decisive);
    none = holm(none);
    std::vector<Judgement> all;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        Judgement it;
        it.shift = shift_of(differences[i]);
        it.p = decisive[i];
        it.verdict = verdict_of(tests[i], decisive[i], none[i]);
        if (it.verdict == SettingVerdict::inconclusive) {
            it.reason = reason_for(it.shift, limit, differences[i].size(), tests.size());
            it.blocks_needed = needed(it.shift, limit, differences[i].size(), tests.size());
        }
        all.push_back(std::move(it));
    }
    return all;
}

}  // namespace rocmtune::verify
