// SPDX-License-Identifier: MIT
// Takes arbitrary bytes as one host (rocmtune-host(5)) and lets the whole program look at it:
// probe, JSON, details, summary, and the way through a recording.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/reader.hpp"
#include "rocmtune/error.hpp"
#include "show/formats.hpp"
#include "show/layout.hpp"

namespace {

using namespace rocmtune;

/// Text for a screen: whole characters, nothing that steers it.
void expect_clean(std::string const& text) {
    for (auto const line : lines(text))
        if (printable(line) != line) __builtin_trap();
}

void expect_fits(std::string const& text, std::size_t width) {
    for (auto const line : lines(text))
        if (display_width(line) > width) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size > 64 * 1024) return 0;  // larger hosts say nothing new and take long
    Report report;
    report.command = "probe";
    try {
        auto const text =
            "rocmtune-host 1\n" + std::string(reinterpret_cast<char const*>(data), size);
        report.host = probe({HostRoot(std::shared_ptr<HostSource>(text_source(text, "fuzz")))});
    } catch (Error const&) {
        return 0;
    }
    TextStyle style;
    for (auto const* format : formats_of("probe")) expect_clean(format->render(report, style));
    style.width = 80;
    auto const summary = as_text(report, style);
    expect_clean(summary);
    expect_fits(summary, 80);
    style.utf8 = false;
    style.verbosity = 2;
    expect_clean(as_text(report, style));
    return 0;
}
