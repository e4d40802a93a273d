// SPDX-License-Identifier: MIT
// Many figures in little memory: their median, their median absolute deviation, and the worst.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocmtune/fleet.hpp"

namespace rocmtune {

/// A distribution of positive figures: exact up to `exact_figures`, beyond that in bins of 0.05 %.
class FigureSketch {
  public:
    static constexpr std::size_t exact_figures = 4096;

    void add(double figure);
    std::uint64_t count() const { return count_; }
    double median() const;
    /// Median absolute deviation from the median.
    double deviation() const;
    double least() const { return least_; }
    double most() const { return most_; }

  private:
    struct Weighted {
        double value;
        std::uint64_t weight;
    };

    std::vector<Weighted> weighted() const;
    static double middle(std::vector<Weighted> values);
    void add_to_bin(double figure);

    std::vector<double> exact_;
    std::map<std::int32_t, std::uint64_t> bins_;
    std::uint64_t count_ = 0;
    double least_ = 0;
    double most_ = 0;
};

/// The figures of one measurement over a group, with the names of the worst.
class FigureCounts {
  public:
    FigureCounts(std::string unit, bool lower_is_better)
        : unit_(std::move(unit)), lower_is_better_(lower_is_better) {}

    void add(double figure, FleetUnit const& unit);
    FleetFigure summary(std::string group, std::string measured) const;
    /// One outlier for each GPU that is slow beyond doubt, the slowest first.
    std::vector<FleetOutlier> slow(std::string const& group, std::string const& measured) const;

  private:
    struct Candidate {
        double badness;  ///< larger is worse
        double figure;
        FleetUnit unit;
    };

    std::string unit_;
    bool lower_is_better_;
    FigureSketch sketch_;
    std::vector<Candidate> worst_;  ///< a heap, the least bad of them on top
};

}  // namespace rocmtune
