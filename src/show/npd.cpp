// SPDX-License-Identifier: MIT
// Output of a custom plugin of the Kubernetes node problem detector. It cuts messages at 80 bytes
// unless told otherwise (max_output_length), so the line says the worst finding first.
#include <fmt/format.h>

#include "base/text.hpp"
#include "show/check_formats.hpp"

namespace rocmtune {
namespace {

/// At most `limit` bytes, never a part of a character.
std::string cut(std::string text, std::size_t limit) {
    if (text.size() <= limit) return text;
    auto end = limit - 2;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end) + "..";
}

}  // namespace

int npd_code(Report const& report) {
    if (report.exit_code == Exit::ok) return 0;
    return report.exit_code == Exit::findings ? 1 : 2;
}

std::string check_npd(Report const& report, TextStyle const&) {
    constexpr std::size_t limit = 80;
    auto const& check = *report.check;
    auto const found = complaints_of(report);
    bool const unsure = report.exit_code == Exit::undetermined && !check.undetermined.empty();
    auto const text = unsure ? check.undetermined
                      : found.empty() || report.exit_code == Exit::ok
                          ? fmt::format("{}, {} warn, {} unknown", gpu_counts_text(check),
                                        check.count(Verdict::warn), check.count(Verdict::unknown))
                          : fmt::format("{} {}: {}", found.front()->id, found.front()->subject,
                                        found.front()->message);
    return cut(printable(text), limit) + '\n';
}

}  // namespace rocmtune
