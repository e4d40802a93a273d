// SPDX-License-Identifier: MIT
// What lint says of one text, and how it mends it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "judge/lint/lint.hpp"
#include "measure/accepted.hpp"
#include "settings/collect.hpp"

namespace rocmtune {

/// What becomes of the texts.
enum class Mending { none, diff, fix };

/// A part of what came of one input.
struct JudgedText {
    std::vector<Finding> findings = {};
    LintSummary summary = {};
    std::string problem = {};
    std::string passed_over = {};  ///< why nothing is said of a text that was named among others
    std::string diff = {};
};

using PartSink = std::function<void(JudgedText)>;

class TextJudge {
  public:
    /// All but the last outlive it. Milder findings than `least` are none.
    TextJudge(LintContext const& context, AcceptedSettings const& accepted, Verdict least,
              Mending mending)
        : context_(context), accepted_(accepted), least_(least), mending_(mending) {}

    /// A text with very many findings is handed on in parts. One that was changed is judged as it
    /// is then. Threads may judge side by side.
    void judge(InputText const& input, PartSink const& put) const;

    /// The settings of a process.
    void judge(std::vector<Assignment> const& assignments, PartSink const& put) const;

  private:
    LintContext context_for(InputText const& input) const;
    void judge_settings(InputText const& input, std::vector<Assignment> const& assignments,
                        JudgedText part, PartSink const& put) const;
    void mend(InputText const& input, std::string& text, JudgedText& part) const;
    std::vector<Finding> findings_to_mend(InputText const& input,
                                          std::vector<Assignment> const& assignments) const;

    LintContext const& context_;
    AcceptedSettings const& accepted_;
    Verdict least_;
    Mending mending_;
};

}  // namespace rocmtune
