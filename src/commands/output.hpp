// SPDX-License-Identifier: MIT
// A report in the asked formats to the asked places, what exit code it stands for, and the rights
// that are given up before files of others are read.
#pragma once

#include <array>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/spool.hpp"
#include "measure/host_input.hpp"
#include "rocmtune/report.hpp"
#include "show/formats.hpp"
#include "show/lint.hpp"

namespace rocmtune {

/// A file that an option names to be written.
struct WrittenFile {
    std::string_view option;
    std::string name;
};

/// A document beside the main one.
struct SideDocument {
    Format const* format;
    std::string file;
};

/// Where a command prints, and how.
struct Output {
    Format const* format = nullptr;
    std::optional<std::string> file = {};  ///< "-": standard output, which gets what files get
    std::vector<SideDocument> also = {};
    std::vector<WrittenFile> written = {};  ///< all files that options of the command name
    bool is_quiet = false;                  ///< standard output gets nothing
    bool allows_color = true;
    int verbosity = 0;

    bool prints() const { return file.value_or("-") == "-"; }
};

/// The format of this name that a command has, or null.
Format const* format_of(std::string_view command, std::string_view name);

/// The formats that a command has, in the order of their table.
std::vector<Format const*> formats_for(std::string_view command);

/// FORMAT:FILE of --also. @throws Error for what is none.
SideDocument parse_also(std::string_view command, std::string const& text);

/// The last output would silently replace the others. @throws Error
void refuse_shared_files(std::vector<WrittenFile> const& files);

/// Whether standard output is a terminal that knows colours and a cursor.
bool obeys_escapes();

/// How text looks on standard output: colour only on a terminal that wants it (NO_COLOR,
/// CLICOLOR_FORCE, TERM), width from the terminal or COLUMNS, else 100; UTF-8 by locale. What goes
/// to a file has no colour, and the usual width.
TextStyle style_of(Output const& output);

/// Writes a text to the file, else to standard output.
void write_text(Output const& output, std::string_view text);

/// Takes the secrets out of the report, and writes it to standard output or its file, and to every
/// side document.
void write_report(Report& report, Output const& output);

/// The same where formats show different reports, which are scrubbed already and outlive the call.
using ReportFor = std::function<Report const&(Format const&)>;
void write_report(ReportFor const& report_for, Output const& output);

// ---- what is written while it is found ----------------------------------------------------------

/// A document of findings that are written as they come, and not kept. One on standard output is
/// begun with the first finding; what goes to a file waits in a temporary one, so that the file is
/// replaced in one step, and so does a document that begins with what is known last, or with the
/// worst findings.
class FindingDocument {
  public:
    /// @param file  empty: standard output
    FindingDocument(Format const& format, std::string file, TextStyle const& style);
    void add(Report const& report, std::vector<Finding> const& findings);
    void end(Report const& report);
    bool is_begun() const { return is_begun_; }
    bool waits() const { return waiting_.has_value(); }

  private:
    struct Waiting {
        std::array<Spool, lint_verdicts.size()> findings;  ///< the first of them, or by verdict
        Spool document;
    };

    Spool& place_of(Finding const& finding);

    FindingFormat const& format_;
    std::string file_;
    TextStyle style_;
    // Both are opened at once: later this process may have no right to open a file.
    std::optional<Waiting> waiting_ = {};
    bool is_begun_ = false;
};

/// All outputs that lint is asked for. They are opened before anything is judged.
class FindingStream {
  public:
    /// @throws Error if there is no place for what has to wait.
    explicit FindingStream(Output const& output);
    /// `report`: what is known before the findings, which lose their secrets.
    /// @throws Error if they cannot be written.
    void add(Report const& report, std::vector<Finding>& findings);
    /// Ends the documents; the report loses its secrets. What cannot be written is an error of the
    /// report, if a document that says so was begun. @throws Error otherwise.
    void end(Report& report);
    /// Whether standard output has the beginning of a document: it must not get another one.
    bool is_begun() const;

  private:
    std::list<FindingDocument> documents_ = {};  ///< --also, then the main one
};

// ---- exit codes ---------------------------------------------------------------------------------

/// Whether a finding stands at or above `least`, which is fail, warn, or pass for never.
bool fails(std::vector<Finding> const& findings, Verdict least);
/// The same where the findings were not kept: `has` tells whether there was one of a verdict.
bool fails(Verdict least, std::function<bool(Verdict)> const& has);

/// Notes the signal in the document, with the exit code 128+n, and says so on standard error.
/// Nothing without a signal. `meaning`: what that means for the results.
void note_signal(std::optional<int> signal, std::string_view meaning, Report& report);

/// The same for a signal that waits (HeldSignals), which from now on leaves this program a short
/// time to write. False without one.
bool note_end_by_signal(std::string_view meaning, Report& report);

// ---- rights -------------------------------------------------------------------------------------

/// Gives up all rights but to read and compute; the files of the output are written by a process of
/// their own then (measure/output_process.hpp). For commands that have nothing left to do but to
/// read what others wrote. `names`: what they read; a container is often looked at through
/// /proc/PID/root.
void give_up_rights(Output const& output, std::vector<std::string> const& names);

/// The same for a command that reads nothing but a host; nothing if that is this one.
void give_up_rights(Output const& output, HostChoice const& host);

/// What giving up all of them came to here, for --version -v. They are gone.
std::string rights_text();

}  // namespace rocmtune
