// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "codec/read_report.hpp"
#include "judge/fleet/group.hpp"

namespace rocmtune {
namespace {

/// Of a counter it matters whether it is 0; how far it went stands beside the name.
PlainValue category_of(FactWord const* word, PlainValue const& value) {
    if (word == nullptr || word->kind != FactKind::health || is_null(value)) return value;
    auto const text = text_of(value);
    return text == "0" || text == "no" ? value : PlainValue(std::string("not 0"));
}

constexpr double bin_ratio = 1.0005;
constexpr std::size_t most_bins = 16384;  ///< a factor of 3,600 between the ends
constexpr std::size_t most_named = 1024;

// B. Iglewicz, D. C. Hoaglin, "How to Detect and Handle Outliers", 1993: the modified z-score and
// its limit; 0.6745 makes the deviation comparable to a standard deviation.
constexpr double z_factor = 0.6745;
constexpr double z_limit = 3.5;
/// What is slower by less is no reason to look at a GPU, however alike the others are.
constexpr double least_effect = 0.05;
/// Fewer figures have no middle to speak of.
constexpr std::uint64_t fewest = 5;
/// Figures as equal as this are equal; a deviation of 0 would make every difference infinite.
constexpr double least_deviation = 0.001;

}  // namespace

ValueCount* ValueCounts::find(PlainValue const& value) {
    auto const tolerance = word_ != nullptr ? word_->tolerance : 0;
    auto const found = std::ranges::find_if(
        values_, [&](ValueCount const& it) { return same_value(it.value, value, tolerance); });
    return found == values_.end() ? nullptr : &*found;
}

void ValueCounts::add(PlainValue const& value, std::uint32_t unit, FleetPools& pools) {
    if (varies_) return;
    ++total_;
    auto const category = category_of(word_, value);
    auto* counted = find(category);
    if (counted == nullptr) {
        if (values_.size() == most_values) {
            varies_ = true;
            values_ = {};
            return;
        }
        counted = &values_.emplace_back(ValueCount{.value = category});
    }
    ++counted->count;
    if (!counted->is_clear && counted->units.size() < most_named) {
        if (category != value) {
            auto it = pools.units[unit];
            it.detail = pools.values.number_of(value);
            unit = pools.units.number_of(it);
        }
        counted->units.push_back(unit);
    }
    forget_clear(*counted);
}

void ValueCounts::add_many(PlainValue const& value, std::uint64_t count,
                           std::vector<std::uint32_t> units) {
    if (count == 0 || varies_) return;
    total_ += count;
    values_.push_back({value, count, std::move(units), false});
    forget_clear(values_.back());
}

/// Nobody asks for the names of a value that this many have, while most have it.
void ValueCounts::forget_clear(ValueCount& counted) const {
    if (counted.is_clear || counted.units.size() < most_named) return;
    if (counted.count * 2 <= total_) return;
    counted.is_clear = true;
    counted.units = {};
}

ValueCount const* ValueCounts::majority() const {
    for (auto const& it : values_)
        if (it.count * 2 > total_) return &it;
    return nullptr;
}

void FigureSketch::add(double figure) {
    least_ = count_ == 0 ? figure : std::min(least_, figure);
    most_ = count_ == 0 ? figure : std::max(most_, figure);
    ++count_;
    if (count_ <= exact_figures) return exact_.push_back(figure);
    for (auto const earlier : exact_) add_to_bin(earlier);
    exact_ = {};
    add_to_bin(figure);
}

void FigureSketch::add_to_bin(double figure) {
    auto const bin = static_cast<std::int32_t>(std::floor(std::log(figure) / std::log(bin_ratio)));
    if (bins_.size() < most_bins || bins_.contains(bin)) {
        ++bins_[bin];
        return;
    }
    // Wider than any benchmark: the nearest bin will do.
    auto const above = bins_.lower_bound(bin);
    ++(above == bins_.end() ? std::prev(above) : above)->second;
}

std::vector<FigureSketch::Weighted> FigureSketch::weighted() const {
    std::vector<Weighted> values;
    for (auto const figure : exact_) values.push_back({figure, 1});
    for (auto const& [bin, weight] : bins_)
        values.push_back({std::pow(bin_ratio, bin + 0.5), weight});
    return values;
}

double FigureSketch::middle(std::vector<Weighted> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values, {}, &Weighted::value);
    std::uint64_t total = 0;
    for (auto const& it : values) total += it.weight;
    auto const at = [&](std::uint64_t rank) {
        std::uint64_t below = 0;
        for (auto const& it : values) {
            below += it.weight;
            if (below > rank) return it.value;
        }
        return values.back().value;
    };
    return (at((total - 1) / 2) + at(total / 2)) / 2;
}

double FigureSketch::median() const {
    return middle(weighted());
}

double FigureSketch::deviation() const {
    auto const center = median();
    auto values = weighted();
    for (auto& it : values) it.value = std::abs(it.value - center);
    return middle(std::move(values));
}

void FigureCounts::add(double figure, FleetUnit const& unit) {
    sketch_.add(figure);
    auto const badness = lower_is_better_ ? figure : -figure;
    auto const less = [](Candidate const& x, Candidate const& y) { return x.badness > y.badness; };
    if (worst_.size() == most_named) {
        if (worst_.front().badness >= badness) return;
        std::ranges::pop_heap(worst_, less);
        worst_.pop_back();
    }
    worst_.push_back({badness, figure, unit});
    std::ranges::push_heap(worst_, less);
}

FleetFigure FigureCounts::summary(std::string group, std::string measured) const {
    return {std::move(group), std::move(measured), unit_,           sketch_.count(),
            sketch_.median(), sketch_.deviation(), sketch_.least(), sketch_.most()};
}

std::vector<FleetOutlier> FigureCounts::slow(std::string const& group,
                                             std::string const& measured) const {
    std::vector<FleetOutlier> outliers;
    if (sketch_.count() < fewest) return outliers;
    auto const median = sketch_.median();
    auto const deviation = std::max(sketch_.deviation(), least_deviation * median);
    auto worst = worst_;
    std::ranges::sort(worst, [](Candidate const& x, Candidate const& y) {
        return x.badness != y.badness
                   ? x.badness > y.badness
                   : std::tie(x.unit.host, x.unit.gpu) < std::tie(y.unit.host, y.unit.gpu);
    });
    for (auto const& it : worst) {
        auto const sign = lower_is_better_ ? -1.0 : 1.0;
        auto const effect = sign * (it.figure - median) / median;
        auto const z = sign * z_factor * (it.figure - median) / deviation;
        if (z > -z_limit || effect > -least_effect) break;
        FleetOutlier outlier{.group = group,
                             .scope = "gpu",
                             .kind = "performance",
                             .fact = measured,
                             .value = it.figure,
                             .usual = median,
                             .count = 1,
                             .usual_count = sketch_.count() - 1,
                             .total = sketch_.count(),
                             .effect = effect,
                             .z_score = z,
                             .units = {it.unit}};
        outlier.units[0].detail = fmt::format("{:.4g} {}", it.figure, unit_);
        outliers.push_back(std::move(outlier));
    }
    return outliers;
}

}  // namespace rocmtune
