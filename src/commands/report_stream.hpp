// SPDX-License-Identifier: MIT
// The outputs of lint: findings are written as they come, and are not kept.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "commands/report_output.hpp"
#include "machine/spool.hpp"
#include "show/lint.hpp"

namespace rocmtune {

/// What goes to a file waits in a temporary one, so that the file is replaced in one step; the same
/// for a document that begins with what is known last.
class WaitingDocument {
  public:
    explicit WaitingDocument(WantedDocument wanted)
        : wanted_(std::move(wanted)), format_(finding_format(wanted_.format)) {}

    void add(std::vector<Finding> const& findings);

    /// Writes the document: to its file; without one to standard output.
    /// @throws Error if that fails.
    void write(Report const& report);

  private:
    WantedDocument wanted_;
    FindingFormat const& format_;
    // Both are opened at once: later this process may have no right to open a file.
    Spool findings_ = {};
    Spool document_ = {};
    bool is_empty_ = true;
};

/// A document on standard output, begun with the first finding.
class RunningDocument {
  public:
    explicit RunningDocument(WantedDocument const& wanted)
        : format_(finding_format(wanted.format)), style_(wanted.style) {}

    /// `report`: what is known before the findings.
    void add(Report const& report, std::vector<Finding> const& findings);
    void end(Report const& report);
    bool is_begun() const { return is_begun_; }

  private:
    FindingFormat const& format_;
    TextStyle style_;
    bool is_begun_ = false;
};

/// All outputs that the arguments ask for. They are opened before anything is judged.
class ReportStream {
  public:
    /// @throws Error if there is no place for what has to wait.
    explicit ReportStream(Arguments const& arguments);

    /// `report`: what is known before the findings, which lose their secrets.
    /// @throws Error if they cannot be written.
    void add(Report const& report, std::vector<Finding>& findings);

    /// Ends the documents; the report loses its secrets. What cannot be written is an error of the
    /// report, if a document that says so was begun. @throws Error otherwise.
    void end(Report& report);

    /// Whether standard output has the beginning of a document: it must not get another one.
    bool is_begun() const { return running_ && running_->is_begun(); }

  private:
    std::list<WaitingDocument> waiting_ = {};  ///< --also, then --output
    std::optional<RunningDocument> running_ = {};
};

}  // namespace rocmtune
