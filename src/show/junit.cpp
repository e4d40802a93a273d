// SPDX-License-Identifier: MIT
// JUnit XML as CI servers read it: testsuites, testsuite, testcase with failure, error or skipped.
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "show/machine_formats.hpp"

namespace rocmtune {
namespace {

/// XML 1.0 knows no control characters at all, and neither U+FFFE nor U+FFFF.
std::string xml(std::string_view text) {
    auto clean = printable(text);
    for (std::string_view const unknown : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        for (auto at = clean.find(unknown); at != clean.npos; at = clean.find(unknown))
            clean.replace(at, unknown.size(), "?");
    return replaced(clean, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string body_of(Finding const& finding) {
    std::string text;
    for (auto const& one : finding.evidence) text += xml(one.source + " = " + one.value) + '\n';
    if (!finding.next_step.empty()) text += xml("do: " + finding.next_step) + '\n';
    return text;
}

std::string failure(Finding const& finding) {
    return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", word_of(finding.verdict),
                       xml(finding.message), body_of(finding));
}

std::string outcome_of(Finding const& finding, bool warnings_fail) {
    auto const message = xml(finding.message);
    switch (finding.verdict) {
        case Verdict::fail: return failure(finding);
        case Verdict::timeout:
            return fmt::format("<error type=\"{}\" message=\"{}\">{}</error>",
                               word_of(finding.verdict), message, body_of(finding));
        case Verdict::skip: return fmt::format("<skipped message=\"{}\"/>", message);
        case Verdict::unknown: return fmt::format("<skipped message=\"unknown: {}\"/>", message);
        case Verdict::warn:
            if (warnings_fail) return failure(finding);
            break;
        case Verdict::info:
        case Verdict::pass: break;
    }
    return fmt::format("<system-out>{}: {}\n{}</system-out>", word_of(finding.verdict), message,
                       body_of(finding));
}

/// Why the run as a whole is no success though no result may say so; empty if it is one. A CI
/// server looks at the cases only.
std::string trouble_of(Report const& report) {
    if (report.exit_code == Exit::ok || report.exit_code == Exit::findings) return {};
    if (report.exit_code == Exit::no_device) return "no AMD GPU to check";
    if (report.exit_code == Exit::undetermined)
        return "could not be determined: " + report.check->undetermined;
    return report.errors.empty() ? "ended early" : report.errors.front().message;
}

}  // namespace

std::string check_junit(Report const& report, TextStyle const&) {
    auto const& check = *report.check;
    auto const trouble = trouble_of(report);
    auto const own = trouble.empty() ? 0U : 1U;
    bool const warnings_fail = check.fail_on == Verdict::warn;
    auto const failures =
        check.count(Verdict::fail) + (warnings_fail ? check.count(Verdict::warn) : 0);
    auto const counts =
        fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                    report.findings.size() + own, failures, check.count(Verdict::timeout) + own,
                    check.count(Verdict::skip) + check.count(Verdict::unknown));
    auto const host = report.host && report.host->hostname ? *report.host->hostname : "";
    auto text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
        "<testsuite name=\"rocmtune check\" hostname=\"{1}\" {0}>\n",
        counts, xml(host));
    // CI servers follow a case by its name: results of one kind and subject are numbered.
    std::map<std::string, int> seen;
    for (auto const& finding : report.findings) {
        auto name = finding.id + ' ' + finding.subject;
        auto const number = ++seen[name];
        if (number > 1) name += fmt::format(" ({})", number);
        text += fmt::format("<testcase classname=\"rocmtune.check\" name=\"{}\">{}</testcase>\n",
                            xml(name), outcome_of(finding, warnings_fail));
    }
    if (own > 0)
        text += fmt::format(
            "<testcase classname=\"rocmtune.check\" name=\"the run as a whole\">"
            "<error type=\"exit-code\" message=\"exit code {}: {}\"/></testcase>\n",
            static_cast<int>(report.exit_code), xml(trouble));
    return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace rocmtune
