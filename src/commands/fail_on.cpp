// SPDX-License-Identifier: MIT
#include "commands/fail_on.hpp"

#include <algorithm>

namespace rocmtune {

Verdict fail_on(Arguments const& arguments) {
    auto const word = arguments.value("--fail-on").value_or("fail");
    return word == "never" ? Verdict::pass : word == "warn" ? Verdict::warn : Verdict::fail;
}

bool fails(std::vector<Finding> const& findings, Arguments const& arguments) {
    return fails(arguments, [&](Verdict verdict) {
        return std::ranges::find(findings, verdict, &Finding::verdict) != findings.end();
    });
}

bool fails(Arguments const& arguments, std::function<bool(Verdict)> const& has) {
    auto const least = fail_on(arguments);
    return least != Verdict::pass &&
           (has(Verdict::fail) || (least == Verdict::warn && has(Verdict::warn)));
}

}  // namespace rocmtune
