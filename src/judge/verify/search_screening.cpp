// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "judge/verify/search_runs.hpp"

namespace rocmtune::verify {
namespace {

/// Pairs of runs before candidates leave.
constexpr std::size_t fewest_pairs = 8;
constexpr std::size_t most_pairs = 64;

using Names = std::vector<std::vector<std::size_t>>;

std::size_t arms_of(Names const& names) {
    std::size_t arms = 1;
    for (auto const& values : names) arms *= std::min(values.size() + 1, most_arms + 1);
    return arms - 1;
}

bool can_race(Names const& names) {
    return names.size() <= most_racing && arms_of(names) <= most_arms;
}

class Screening {
  public:
    Screening(SearchRuns& runs, double share) : runs_(runs), share_(share) {}

    void finish() {
        for (auto names = runs_.open_names(); !can_race(names); names = runs_.open_names()) {
            auto const before = pairs_.size();
            run_design(names);
            if (pairs_.size() > before) judge(names);
            if (pairs_.size() == before || names.size() <= most_racing) break;
        }
        keep_best();
    }

  private:
    /// A design of as many pairs as a power of two above the number of names: the rows of a
    /// Hadamard matrix (J. J. Sylvester, 1867) in an order by chance, each name a column of it.
    /// Each value of a name has its turn.
    void run_design(Names const& names) {
        auto const most_values =
            std::ranges::max(names, {}, [](auto const& values) { return values.size(); }).size();
        auto const wanted = std::max(names.size() + 1, fewest_pairs) * most_values;
        auto const size = std::min(std::bit_ceil(wanted), most_pairs);
        auto const order = std::bit_ceil(std::max(names.size() + 1, size));
        auto const columns = shuffled(order, 1);
        auto rows = shuffled(order, 0);
        rows.resize(size);
        std::size_t turn = 0;
        for (auto const row : rows) {
            if (runs_.is_over(share_, 2)) return;
            runs_.tell(fmt::format("{} settings together", names.size()));
            std::vector<std::pair<std::size_t, bool>> halves;
            for (std::size_t j = 0; j < names.size(); ++j) {
                auto const place = names[j][turn % names[j].size()];
                halves.emplace_back(place, std::popcount(row & columns[j]) % 2 == 0);
            }
            run_pair(halves);
            ++turn;
        }
    }

    /// The numbers from `first` to below `end` in an order by chance.
    std::vector<std::size_t> shuffled(std::size_t end, std::size_t first) {
        std::vector<std::size_t> numbers(end - first);
        std::iota(numbers.begin(), numbers.end(), first);
        std::shuffle(numbers.begin(), numbers.end(), runs_.random);
        return numbers;
    }

    /// One run with one half of the candidates, and one with the other; a coin says which is first.
    void run_pair(std::vector<std::pair<std::size_t, bool>> const& of_first) {
        ScreeningPair pair{.signs = std::vector<int>(runs_.result.tried.size(), 0)};
        std::array<Chosen, 2> halves;
        bool const turned = runs_.coin();
        for (auto const& [place, is_first] : of_first) {
            if (!runs_.result.tried[place].open) continue;
            bool const first = is_first != turned;
            halves[first ? 0 : 1].insert(place);
            pair.signs[place] = first ? 1 : -1;
        }
        auto const one = runs_.start(halves[0]);
        if (!one.ok) return blame(halves[0], one);
        auto const other = runs_.start(halves[1]);
        if (!other.ok) return blame(halves[1], other);
        pair.difference = runs_.score(one) - runs_.score(other);
        for (auto const& half : halves)
            for (auto const place : half) runs_.result.tried[place].stage = TuningStage::halves;
        pairs_.push_back(std::move(pair));
    }

    /// Each of them ran alone. Who is in most of the runs that fail is to blame.
    void blame(Chosen const& chosen, Run const& run) {
        if (run.interrupted) return;
        failed_.push_back(chosen);
        if (failed_.size() < failures_that_tell) return;
        std::map<std::size_t, std::size_t> counts;
        for (auto const& one : failed_)
            for (auto const place : one)
                if (runs_.result.tried[place].open) ++counts[place];
        failed_.clear();
        if (counts.empty()) return;
        auto const most =
            std::ranges::max_element(counts, {}, [](auto const& it) { return it.second; });
        runs_.close_failed(most->first, run, "beside others: ");
    }

    /// The worse half of the names leaves, and who is as good as sure to win nothing. In halves of
    /// all others, what helps only beside another shows half of what it wins.
    void judge(Names names) {
        auto const screened = screened_effects(pairs_, runs_.result.tried.size(), runs_.noise);
        auto const& effects = screened.effects;
        // Settings that change each other's effect look like noise here.
        runs_.noise = std::min(runs_.noise, screened.noise);
        for (std::size_t place = 0; place < effects.size(); ++place)
            if (runs_.result.tried[place].open) runs_.note_effect(place, effects[place]);
        auto const promise = [&](std::vector<std::size_t> const& values) {
            double best = -std::numeric_limits<double>::infinity();
            for (auto const place : values)
                if (runs_.result.tried[place].open) best = std::max(best, runs_.promise_of(place));
            return best;
        };
        std::ranges::sort(names, std::greater(), promise);
        runs_.best_so_far = promise(names.front());
        auto const first_without_hope = std::ranges::find_if(
            names, [&](auto const& values) { return promise(values) < least_promise(values); });
        auto const hopeful = static_cast<std::size_t>(first_without_hope - names.begin());
        auto const kept = std::min(names.size() / 2, hopeful);
        for (auto i = std::max(most_racing, kept); i < names.size(); ++i)
            for (auto const place : names[i]) leave(place);
    }

    /// What a name has to promise to stay: so much that its effect may be half the margin.
    double least_promise(std::vector<std::size_t> const& values) const {
        double error = 0;
        for (auto const place : values) error = std::max(error, runs_.error_of(place));
        return std::log1p(runs_.plan.margin) / 2 - z_one_sided * error;
    }

    void leave(std::size_t place) {
        if (runs_.result.tried[place].open) runs_.close(place, CandidateVerdict::not_better, {});
    }

    /// The least promising leave, name or value, until the rest can race.
    void keep_best() {
        for (auto names = runs_.open_names(); !can_race(names); names = runs_.open_names()) {
            std::optional<std::size_t> worst;
            for (auto const& values : names)
                for (auto const place : values)
                    if ((names.size() > most_racing || values.size() > 1) &&
                        (!worst || runs_.promise_of(place) < runs_.promise_of(*worst)))
                        worst = place;
            leave(*worst);
        }
    }

    SearchRuns& runs_;
    double share_;
    std::vector<ScreeningPair> pairs_;
    std::vector<Chosen> failed_;
};

}  // namespace

void screen(SearchRuns& runs, double share) {
    Screening(runs, share).finish();
}

}  // namespace rocmtune::verify
