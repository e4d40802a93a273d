// SPDX-License-Identifier: MIT
// The runs of a tuning that was interrupted. A search asks for the same runs in the same order if
// it has the same seed and gets the same figures: --resume gives it those that are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/verify/experiment.hpp"
#include "machine/written_file.hpp"
#include "rocmtune/observation.hpp"

namespace rocmtune {

class TuneJournal {
  public:
    /// @param subject  all that the runs depend on: another one has a journal of its own
    /// @param resume   whether the runs that are known count
    TuneJournal(std::string const& subject, bool resume, std::uint64_t seed);

    /// Of the search, as the first one chose it.
    std::uint64_t seed() const { return seed_; }
    /// What limited the program when the first one chose its candidates; absent if none has.
    std::optional<std::vector<LimitKind>> const& limits() const { return limits_; }
    void set_limits(std::vector<LimitKind> limits) { limits_ = std::move(limits); }
    /// Runs that the next search need not make.
    std::size_t known() const { return runs_.size(); }
    /// Why nothing can be kept; empty: it is.
    std::string const& problem() const { return directory_.problem(); }

    /// Gives known runs while they are those that are asked for, and keeps the others.
    verify::Runner over(verify::Runner runner);

    /// There is an answer: nothing is to be resumed.
    void end() const;

  private:
    void read(std::string const& text);
    void read_head(std::string_view line);
    void keep(std::string const& changes, verify::Run const& run);
    std::string head() const;

    std::string name_;
    PrivateDirectory directory_;
    std::uint64_t seed_;
    std::optional<std::vector<LimitKind>> limits_ = {};
    std::vector<std::pair<std::string, verify::Run>> runs_ = {};  ///< by the text of their changes
    std::size_t next_ = 0;
    std::string text_ = {};  ///< a line for each run
};

}  // namespace rocmtune
