// SPDX-License-Identifier: MIT
#include "knowledge/make_finding.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

std::optional<std::string> unless_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(std::string(text));
}

}  // namespace

Finding make_finding(std::string_view id, Verdict verdict, std::string subject,
                     std::string message) {
    auto const* const kind = find_finding_kind(id);
    if (kind == nullptr) throw std::logic_error("no finding " + std::string(id));
    Finding finding{.id = std::string(id),
                    .verdict = verdict,
                    .action = kind->action,
                    .subject = std::move(subject),
                    .message = std::move(message),
                    .next_step = std::string(kind->next_step)};
    for (auto const& source : kind->sources)
        finding.sources.push_back({.title = std::string(source.title),
                                   .url = unless_empty(source.url),
                                   .version = unless_empty(source.version)});
    return finding;
}

}  // namespace rocmtune
