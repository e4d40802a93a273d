// SPDX-License-Identifier: MIT
#include "commands/report_stream.hpp"

#include <utility>

#include "measure/data_directories.hpp"
#include "measure/output.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

/// Texts are still judged for the host of the report as it is.
Report without_secrets(Report report) {
    scrub(report);
    return report;
}

}  // namespace

void WaitingDocument::add(std::vector<Finding> const& findings) {
    for (auto const& finding : findings)
        findings_.add(format_.finding(finding, std::exchange(is_empty_, false), wanted_.style));
}

void WaitingDocument::write(Report const& report) {
    document_.add(format_.head(report, wanted_.style));
    findings_.hand_on([this](std::string_view piece) { document_.add(piece); });
    document_.add(format_.tail(report, wanted_.style));
    if (wanted_.file.empty()) document_.hand_on(print);
    else replace_file(wanted_.file, document_.mapped());
}

void RunningDocument::add(Report const& report, std::vector<Finding> const& findings) {
    std::string text;
    for (auto const& finding : findings) {
        bool const is_first = !std::exchange(is_begun_, true);
        if (is_first) text = format_.head(without_secrets(report), style_);
        text += format_.finding(finding, is_first, style_);
    }
    print(text);
}

void RunningDocument::end(Report const& report) {
    if (!std::exchange(is_begun_, true)) print(format_.head(report, style_));
    print(format_.tail(report, style_));
}

ReportStream::ReportStream(Arguments const& arguments) {
    for (auto& wanted : wanted_documents(arguments)) {
        bool const can_run = wanted.file.empty() && !finding_format(wanted.format).head_comes_last;
        if (can_run) running_.emplace(wanted);
        else waiting_.emplace_back(std::move(wanted));
    }
}

void ReportStream::add(Report const& report, std::vector<Finding>& findings) {
    for (auto& finding : findings) scrub(finding);
    for (auto& document : waiting_) document.add(findings);
    if (running_) running_->add(report, findings);
}

void ReportStream::end(Report& report) {
    for (auto const& [problem, hint] : directories_not_read())
        report.errors.push_back({problem, hint, Exit::undetermined});
    scrub(report);
    try {
        for (auto& document : waiting_) document.write(report);
    } catch (Error const& error) {
        if (!is_begun()) throw;
        tell(error.what(), error.hint());
        report.errors.push_back({error.what(), error.hint(), error.code()});
        report.exit_code = error.code();
    }
    if (running_) running_->end(report);
}

}  // namespace rocmtune
