// SPDX-License-Identifier: MIT
#include "judge/checks/verdicts.hpp"

#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

/// A missing file of a driver or device is how it says that it has no such thing.
Verdict verdict_of(Missing reason) {
    switch (reason) {
        case Missing::not_read:
        case Missing::absent:
        case Missing::unsupported:
        case Missing::suspended: return Verdict::skip;
        case Missing::timeout: return Verdict::timeout;
        case Missing::not_recorded:
        case Missing::invalid:
        case Missing::failed:
        case Missing::denied: break;
    }
    return Verdict::unknown;
}

}  // namespace

Finding& Verdicts::give(Verdict verdict, std::string subject, std::string message) {
    bool const asks = verdict == Verdict::info || verdict == Verdict::warn ||
                      verdict == Verdict::fail || verdict == Verdict::timeout;
    if (asks) {
        findings_.push_back(make_finding(id_, verdict, std::move(subject), std::move(message)));
        // Nobody has to act on what is only worth knowing.
        if (verdict == Verdict::info) findings_.back().action = Action::none;
    } else {
        findings_.push_back({.id = std::string(id_),
                             .verdict = verdict,
                             .subject = std::move(subject),
                             .message = std::move(message)});
    }
    return findings_.back();
}

Finding& Verdicts::pass(std::string subject, std::string message) {
    return give(Verdict::pass, std::move(subject), std::move(message));
}
Finding& Verdicts::skip(std::string subject, std::string message) {
    return give(Verdict::skip, std::move(subject), std::move(message));
}
Finding& Verdicts::info(std::string subject, std::string message) {
    return give(Verdict::info, std::move(subject), std::move(message));
}
Finding& Verdicts::warn(std::string subject, std::string message) {
    return give(Verdict::warn, std::move(subject), std::move(message));
}
Finding& Verdicts::fail(std::string subject, std::string message) {
    return give(Verdict::fail, std::move(subject), std::move(message));
}
Finding& Verdicts::unknown(std::string subject, std::string message) {
    return give(Verdict::unknown, std::move(subject), std::move(message));
}

void Verdicts::miss(Missing reason, std::string const& detail, std::string const& subject,
                    std::string_view what) {
    auto const verdict = verdict_of(reason);
    auto message = fmt::format("{}: {}", what, missing_name(reason));
    if (!detail.empty()) message += fmt::format(" ({})", detail);
    give(verdict, subject, std::move(message));
}

}  // namespace rocmtune
