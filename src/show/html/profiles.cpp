// SPDX-License-Identifier: MIT
// Volume profiles: how much was traded at which price.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "show/html/measured.hpp"
#include "show/html/page.hpp"
#include "show/measurements.hpp"

namespace rocmtune {
namespace {

/// More bars than this are thinner than a line of the screen.
constexpr std::size_t most_bars = 256;
/// One for each device of a host, and those that were measured in other jobs.
constexpr std::size_t most_profiles = 32;

/// Neighbouring rows together, so that there are at most `most_bars`. The price is that of the
/// lowest row of a bar.
Charts profile_chart(VolumeProfile const& profile) {
    Charts chart{{"kind", "profile"},
                 {"prices", Charts::array()},
                 {"volumes", Charts::array()},
                 {"price", profile.point_of_control},
                 {"control", nullptr},
                 {"low", nullptr},
                 {"high", nullptr}};
    auto const rows = profile.volumes.size();
    auto const each = (rows + most_bars - 1) / most_bars;
    for (std::size_t row = 0; row < rows; row += each) {
        auto const end = std::min(row + each, rows);
        auto const bar = chart["volumes"].size();
        chart["prices"].push_back(profile.low + static_cast<double>(row) * profile.row_height);
        chart["volumes"].push_back(
            std::accumulate(profile.volumes.begin() + static_cast<std::ptrdiff_t>(row),
                            profile.volumes.begin() + static_cast<std::ptrdiff_t>(end), 0.0));
        auto const past = profile.low + (static_cast<double>(end) - 0.25) * profile.row_height;
        auto const note = [&](char const* key, double price) {
            if (chart[key].is_null() && price < past) chart[key] = bar;
        };
        note("control", profile.point_of_control);
        note("low", profile.value_area_low);
        note("high", profile.value_area_high);
    }
    return chart;
}

TextTable profile_table(VolumeProfile const& it) {
    auto const price = [](double value) { return fmt::format("{:.10g}", value); };
    return {.headings = {"what", "value"},
            .rows = {{"point of control", price(it.point_of_control)},
                     {"value area", price(it.value_area_low) + " to " + price(it.value_area_high)},
                     {"total volume", price(it.total_volume)},
                     {"height of a row", price(it.row_height)},
                     {"rows", fmt::format("{}", it.volumes.size())}}};
}

}  // namespace

Html profiles_html(Report const& report, Charts& charts) {
    Html html;
    std::size_t shown = 0;
    for (auto const& one : report.measurements) {
        if (!one.profile || shown == most_profiles) continue;
        ++shown;
        html.element("h3", device_text(one));
        if (!one.profile->volumes.empty()) {
            html.part(chart_html(charts.size(),
                                 "Volume at each price; the point of control and the value area "
                                 "(70 % of the volume) are marked. " +
                                     profile_text(*one.profile) + "."));
            charts.push_back(profile_chart(*one.profile));
        }
        html.part(table_html("Volume profile", profile_table(*one.profile), {}));
    }
    return html;
}

}  // namespace rocmtune
