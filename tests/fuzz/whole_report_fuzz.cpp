// SPDX-License-Identifier: MIT
// Reports come from other machines: any bytes are read or refused, and what was read can be shown
// in every form, on a page without a tag that is not ours.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "codec/read_report.hpp"
#include "rocmtune/error.hpp"
#include "show/formats.hpp"

namespace {

/// A page has three of its own: data, charts, and what makes it work.
int scripts_in(std::string const& page) {
    int count = 0;
    for (auto at = page.find("<script"); at != page.npos; at = page.find("<script", at + 1))
        ++count;
    return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    try {
        std::vector<Report> reports;
        reports.push_back(
            read_whole_report({reinterpret_cast<char const*>(data), size}, "fuzzed.json"));
        auto report = joined(std::move(reports));
        report.command = "report";
        for (auto const* format : formats_of("report")) {
            auto const text = format->render(report, {});
            if (format->name == "html" && scripts_in(text) > 3) std::abort();
        }
    } catch (Error const&) {
        // Refused, with a reason.
    }
    return 0;
}
