// SPDX-License-Identifier: MIT
// Verdicts: how one check states what it found, so that every result has the same shape and a fact
// that could not be read never turns into a pass.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "judge/checks/evidence.hpp"
#include "rocmtune/finding.hpp"

namespace rocmtune {

/// Collects the results of one check. The findings that the calls return live until the next call.
class Verdicts {
  public:
    Verdicts(std::string_view id, std::vector<Finding>& findings) : id_(id), findings_(findings) {}

    Finding& pass(std::string subject, std::string message);
    Finding& skip(std::string subject, std::string message);
    Finding& info(std::string subject, std::string message);
    Finding& warn(std::string subject, std::string message);
    Finding& fail(std::string subject, std::string message);
    Finding& unknown(std::string subject, std::string message);
    Finding& give(Verdict verdict, std::string subject, std::string message);

    /// True if the fact has a value. If not, says why the check has no answer about the subject:
    /// skip for what this GPU or host does not have and for a GPU that sleeps, timeout for a
    /// kernel that did not answer, unknown for everything that could not be read.
    template <class T>
    bool have(Fact<T> const& fact, std::string const& subject, std::string_view what) {
        if (fact) return true;
        miss(fact.reason(), fact.detail(), subject, what);
        return false;
    }

    /// The same for what most hosts do not have, and what snapshots that were made before it was
    /// asked for do not hold: of those the check says `otherwise`, as skip.
    template <class T>
    bool have_or_skip(Fact<T> const& fact, std::string_view what, std::string_view otherwise) {
        bool const gone =
            fact.reason() == Missing::absent || fact.reason() == Missing::not_recorded;
        if (fact || !gone) return have(fact, "host", what);
        skip("host", std::string(otherwise));
        return false;
    }

  private:
    void miss(Missing reason, std::string const& detail, std::string const& subject,
              std::string_view what);

    std::string_view id_;
    std::vector<Finding>& findings_;
};

}  // namespace rocmtune
