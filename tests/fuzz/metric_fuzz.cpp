// SPDX-License-Identifier: MIT
// Reads numbers out of whatever a command prints: by a JSON pointer, by expressions, and by an
// expression that is fuzzed itself (the first line).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "judge/verify/input.hpp"
#include "rocmtune/error.hpp"

namespace {

void expect_sound(rocmtune::verify::Reading const& reading) {
    if (reading.value.has_value() != reading.problem.empty()) __builtin_trap();
    if (reading.value && !(std::isfinite(*reading.value) && *reading.value > 0)) __builtin_trap();
    if (rocmtune::printable(reading.unit) != reading.unit) __builtin_trap();
}

/// std::regex takes exponential time for some expressions; those are their author's own.
bool is_harmless(std::string_view expression) {
    return expression.size() <= 24 && expression.find_first_of("*+{?(\\") == expression.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    using verify::MetricReader;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    static MetricReader const readers[] = {MetricReader("/a/0/rate"), MetricReader("rate"),
                                           MetricReader("rate: ([^ ]*)"), MetricReader("")};
    for (auto const& reader : readers) expect_sound(reader.read(text));
    auto const end = std::min(text.find('\n'), text.size());
    auto const metric = text.substr(0, end);
    if (!metric.starts_with('/') && !is_harmless(metric)) return 0;
    try {
        expect_sound(MetricReader(std::string(metric)).read(text.substr(end)));
    } catch (Error const&) {
        // Refused, with a reason.
    }
    return 0;
}
