// SPDX-License-Identifier: MIT
#include "judge/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "base/text.hpp"

namespace rocmtune {
namespace {

/// Of fewer samples not even the smallest and the largest enclose the median with 95 %: of five
/// they do with 1 - 2^-4, of six with 1 - 2^-5.
constexpr std::size_t fewest_samples = 6;

bool is_positive(std::optional<double> const& number) {
    return number && std::isfinite(*number) && *number > 0;
}

// ---- which measurement of A is which of B -------------------------------------------------------

/// How much may differ between two measurements that are laid beside each other.
struct Likeness {
    bool by_place;  ///< the devices are matched GPUs; else the n-th device of each report
    std::string_view ignored;  ///< parameters that may differ
};

/// What describes the device and its surroundings; it never tells measurements apart.
constexpr std::string_view about_device =
    " device index pci_address target numa_node peer_numa_node link resolution ";

constexpr Likeness likenesses[] = {
    {true, ""},
    {true, "backend library kernel block"},
    {true, "backend library kernel block bytes size ticks"},
    {false, "backend library kernel block"},
    {false, "backend library kernel block bytes size ticks"},
};

bool names(std::string_view list, std::string_view word) {
    return fmt::format(" {} ", list).find(fmt::format(" {} ", word)) != std::string::npos;
}

/// Each parameter that has a value, as text.
struct Parameters {
    std::map<std::string_view, std::string> values = {};

    void operator()(Field const& field, std::optional<std::string> const& it) {
        if (it) values[field.key] = *it;
    }
    template <class T>
    void operator()(Field const& field, std::optional<T> const& it) {
        if (it) values[field.key] = fmt::format("{}", *it);
    }
};

std::map<std::string_view, std::string> parameters_of(Measurement const& it) {
    Parameters parameters;
    visit_fields(it.parameters, parameters);
    std::erase_if(parameters.values,
                  [](auto const& one) { return names(about_device, one.first); });
    parameters.values["backend"] = it.backend;
    return std::move(parameters.values);
}

/// The devices of one report: which pair of GPUs each measurement belongs to, and the position of
/// its device among all.
class Devices {
  public:
    Devices(ReadReport const& report, std::vector<MatchedGpus> const& pairs, bool is_a)
        : report_(report) {
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if (auto const place = is_a ? pairs[i].a : pairs[i].b) {
                pair_of_row_[report.gpus[*place].text("row")] = i;
                place_of_row_[report.gpus[*place].text("row")] = *place;
            }
        for (auto const& it : report.measurements)
            if (kind_of(it) == "gpu") ordinals_.emplace(name_of(it), ordinals_.size());
    }

    std::string key_of(Measurement const& it, bool by_place) const {
        if (kind_of(it) == "cpu") return name_of(it);
        if (!by_place) return fmt::format("gpu {}", ordinals_.at(name_of(it)));
        auto const pair =
            it.gpu ? pair_of_row_.find(fmt::format("{}", *it.gpu)) : pair_of_row_.end();
        return pair != pair_of_row_.end() ? fmt::format("pair {}", pair->second) : name_of(it);
    }

    /// The GPU's subject, else "cuda:1".
    std::string name_of(Measurement const& it) const {
        auto const place =
            it.gpu ? place_of_row_.find(fmt::format("{}", *it.gpu)) : place_of_row_.end();
        if (place != place_of_row_.end()) return subject_of(report_.gpus[place->second]);
        return fmt::format("{}:{}", it.backend, it.parameters.index.value_or(0));
    }

  private:
    static std::string_view kind_of(Measurement const& it) {
        return it.backend == "cpu" ? "cpu" : "gpu";
    }

    ReadReport const& report_;
    std::map<std::string, std::size_t> pair_of_row_;
    std::map<std::string, std::size_t> place_of_row_;
    std::map<std::string, std::size_t> ordinals_;
};

std::string key_of(Measurement const& it, Devices const& devices, Likeness const& likeness) {
    auto key = fmt::format("{}\n{}\n{}\n{}", devices.key_of(it, likeness.by_place), it.benchmark,
                           it.metric, it.unit);
    for (auto const& [name, value] : parameters_of(it))
        if (!names(likeness.ignored, name)) key += fmt::format("\n{}={}", name, value);
    return key;
}

struct Pair {
    std::size_t a = 0;
    std::size_t b = 0;
};

/// Pairs as alike as there are; each measurement is in one pair at most.
std::vector<Pair> pairs_of(ReadReport const& a, ReadReport const& b, Devices const& devices_a,
                           Devices const& devices_b) {
    std::vector<bool> taken_a(a.measurements.size());
    std::vector<bool> taken_b(b.measurements.size());
    std::vector<Pair> pairs;
    for (auto const& likeness : likenesses) {
        std::multimap<std::string, std::size_t> free_b;
        for (std::size_t j = 0; j < taken_b.size(); ++j)
            if (!taken_b[j]) free_b.emplace(key_of(b.measurements[j], devices_b, likeness), j);
        if (free_b.empty()) break;
        for (std::size_t i = 0; i < taken_a.size(); ++i) {
            if (taken_a[i]) continue;
            auto const found = free_b.find(key_of(a.measurements[i], devices_a, likeness));
            if (found == free_b.end()) continue;
            pairs.push_back({i, found->second});
            taken_a[i] = taken_b[found->second] = true;
            free_b.erase(found);
        }
    }
    std::ranges::sort(pairs, {}, &Pair::a);
    return pairs;
}

// ---- what a pair says ---------------------------------------------------------------------------

MeasuredChange change_without_figures(Measurement const& a, Measurement const& b) {
    auto const failed = [](Measurement const& it) {
        return it.status != "ok" && it.status != "unsupported";
    };
    if (a.status == "ok" && failed(b)) return MeasuredChange::broken;
    if (b.status == "ok" && failed(a)) return MeasuredChange::repaired;
    return MeasuredChange::not_comparable;
}

/// The figure of a measurement with the interval that it states, else one from its samples; absent
/// if it has none, or if there are too few samples for any interval of 95 %.
std::optional<Estimate> estimate_of(Measurement const& it) {
    if (!is_positive(it.value)) return std::nullopt;
    if (!it.samples.empty() && it.samples.size() < fewest_samples) return std::nullopt;
    bool const states = is_positive(it.low) && is_positive(it.high) && *it.low <= *it.value &&
                        *it.value <= *it.high;
    if (states) return Estimate{*it.value, *it.low, *it.high};
    bool const usable = !it.samples.empty() && std::ranges::all_of(it.samples, [](double sample) {
        return std::isfinite(sample) && sample > 0;
    });
    if (!usable) return std::nullopt;
    auto const summary = summarize(it.samples);
    return Estimate{summary.median, summary.low, summary.high};
}

/// What the interval of an effect means.
MeasuredChange change_of(Estimate const& effect, double margin) {
    if (effect.high < -margin) return MeasuredChange::slower;
    if (effect.low > margin) return MeasuredChange::faster;
    if (effect.low >= -margin && effect.high <= margin) return MeasuredChange::same;
    return MeasuredChange::undecided;
}

void judge(Measurement const& a, Measurement const& b, double margin, ComparedMeasurement& into) {
    if (!is_positive(into.a) || !is_positive(into.b)) {
        into.change = change_without_figures(a, b);
        return;
    }
    bool const lower = is_time_unit(a.unit);
    into.effect = effect_of({*into.a, *into.a, *into.a}, {*into.b, *into.b, *into.b}, lower).value;
    auto const of_a = estimate_of(a);
    auto const of_b = estimate_of(b);
    if (!of_a || !of_b) {
        into.change = MeasuredChange::not_comparable;
        return;
    }
    auto const effect = effect_of(*of_a, *of_b, lower);
    into.low = effect.low;
    into.high = effect.high;
    into.change = change_of(effect, margin);
}

void describe(Measurement const& a, Measurement const& b, ComparedMeasurement& into) {
    auto const of_a = parameters_of(a);
    auto const of_b = parameters_of(b);
    auto keys = of_a;
    keys.insert(of_b.begin(), of_b.end());
    for (auto const& [key, unused] : keys) {
        auto const x = of_a.find(key);
        auto const y = of_b.find(key);
        if (x != of_a.end() && y != of_b.end() && x->second == y->second) {
            if (key != "counting" && key != "backend")
                into.how += fmt::format("{}{} {}", into.how.empty() ? "" : ", ", key, x->second);
        } else {
            into.differs.push_back(fmt::format("{}: {} -> {}", key,
                                               x == of_a.end() ? "none" : x->second,
                                               y == of_b.end() ? "none" : y->second));
        }
    }
    std::set<std::string> labels(a.labels.begin(), a.labels.end());
    labels.insert(b.labels.begin(), b.labels.end());
    into.labels.assign(labels.begin(), labels.end());
}

std::string title_of(Measurement const& it, Devices const& devices) {
    auto const size = it.parameters.bytes ? " of " + human_bytes(*it.parameters.bytes) : "";
    return fmt::format("{} {}{} on {}", it.benchmark, it.metric, size, devices.name_of(it));
}

}  // namespace

/// Root of the sum of squares. Not std::hypot: glibc has a version of it since 2.35, which the
/// program would then need, and logarithms do not overflow.
double joined(double a, double b) {
    return std::sqrt(a * a + b * b);
}

/// The interval of a ratio from the intervals of its parts, on logarithms: the method of variance
/// estimates recovery (G. Y. Zou, A. Donner, "Construction of confidence limits about effect
/// measures", Statistics in Medicine 27, 2008). It keeps asymmetric intervals asymmetric.
Estimate effect_of(Estimate const& a, Estimate const& b, bool lower_is_better) {
    auto const& better = lower_is_better ? a : b;
    auto const& worse = lower_is_better ? b : a;
    auto const ratio = std::log(better.value / worse.value);
    auto const below =
        joined(std::log(better.value / better.low), std::log(worse.high / worse.value));
    auto const above =
        joined(std::log(better.high / better.value), std::log(worse.value / worse.low));
    return {std::expm1(ratio), std::expm1(ratio - below), std::expm1(ratio + above)};
}

void compare_measurements(ReadReport const& a, ReadReport const& b,
                          std::vector<MatchedGpus> const& pairs, ReportComparison& comparison) {
    Devices const devices_a(a, pairs, true);
    Devices const devices_b(b, pairs, false);
    std::set<std::size_t> only_a;
    std::set<std::size_t> only_b;
    for (std::size_t i = 0; i < a.measurements.size(); ++i) only_a.insert(i);
    for (std::size_t i = 0; i < b.measurements.size(); ++i) only_b.insert(i);
    for (auto const& pair : pairs_of(a, b, devices_a, devices_b)) {
        auto const& of_a = a.measurements[pair.a];
        auto const& of_b = b.measurements[pair.b];
        ComparedMeasurement it{.benchmark = of_a.benchmark,
                               .metric = of_a.metric,
                               .unit = of_a.unit,
                               .device = devices_a.name_of(of_a)};
        if (of_a.status == "ok") it.a = of_a.value;
        if (of_b.status == "ok") it.b = of_b.value;
        describe(of_a, of_b, it);
        judge(of_a, of_b, comparison.margin, it);
        comparison.measurements.push_back(std::move(it));
        only_a.erase(pair.a);
        only_b.erase(pair.b);
    }
    for (auto const i : only_a)
        comparison.measurements_only_a.push_back(title_of(a.measurements[i], devices_a));
    for (auto const i : only_b)
        comparison.measurements_only_b.push_back(title_of(b.measurements[i], devices_b));
}

}  // namespace rocmtune
