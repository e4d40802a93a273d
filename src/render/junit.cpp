// SPDX-License-Identifier: MIT
// JUnit XML as CI servers read it: testsuites, testsuite, testcase with failure, error or skipped.
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "render/check_formats.hpp"

namespace rocmtune {
namespace {

/// XML 1.0 knows no control characters at all, and neither U+FFFE nor U+FFFF.
std::string xml(std::string_view text) {
    std::string out;
    auto const clean = printable(text);
    for (std::size_t i = 0; i < clean.size(); ++i) {
        auto const c = clean[i];
        if (clean.compare(i, 2, "\xEF\xBF") == 0 && i + 2 < clean.size() &&
            static_cast<unsigned char>(clean[i + 2]) >= 0xBE) {
            out += '?';
            i += 2;
        } else if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

std::string body_of(Finding const& finding) {
    std::string text;
    for (auto const& one : finding.evidence) text += xml(one.source + " = " + one.value) + '\n';
    if (!finding.next_step.empty()) text += xml("do: " + finding.next_step) + '\n';
    return text;
}

std::string outcome_of(Finding const& finding) {
    auto const message = xml(finding.message);
    switch (finding.verdict) {
        case Verdict::fail:
            return fmt::format("<failure type=\"fail\" message=\"{}\">{}</failure>", message,
                               body_of(finding));
        case Verdict::unknown:
        case Verdict::timeout:
            return fmt::format("<error type=\"{}\" message=\"{}\">{}</error>",
                               word_of(finding.verdict), message, body_of(finding));
        case Verdict::skip: return fmt::format("<skipped message=\"{}\"/>", message);
        case Verdict::info:
        case Verdict::warn:
        case Verdict::pass: break;
    }
    return fmt::format("<system-out>{}: {}\n{}</system-out>", word_of(finding.verdict), message,
                       body_of(finding));
}

}  // namespace

std::string check_junit(Report const& report, TextStyle const&) {
    auto const& check = *report.check;
    auto const counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                                    report.findings.size(), check.count(Verdict::fail),
                                    check.count(Verdict::unknown) + check.count(Verdict::timeout),
                                    check.count(Verdict::skip));
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
                            xml(name), outcome_of(finding));
    }
    return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace rocmtune
