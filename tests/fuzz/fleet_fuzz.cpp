// SPDX-License-Identifier: MIT
// A fleet of a good host and of whatever a stranger sends, several times over: every host that the
// findings name was there, and no count is larger than what was counted.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "judge/fleet/fleet.hpp"
#include "rocmtune/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    Fleet fleet;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    for (char name = 'a'; name < 'd'; ++name) {
        try {
            auto report = read_report(text, std::string(1, name), fleet_parts);
            // Another host each time: names make hosts.
            for (auto& fact : report.host.facts)
                if (fact.path == "hostname") fact.value = std::string(1, name);
            (void)fleet.add(report);
        } catch (Error const&) {
            return 0;
        }
    }
    auto view = fleet.view();
    auto const findings = judge_fleet(view);
    for (auto const& outlier : view.outliers)
        if (outlier.kind != "finding" && outlier.count + outlier.usual_count > outlier.total)
            std::abort();
    return 0;
}
