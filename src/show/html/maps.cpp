// SPDX-License-Identifier: MIT
// Maps and curves of what was measured: copies between GPUs, and how much was traded at which
// price.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "show/host_cells.hpp"
#include "show/html/parts.hpp"
#include "show/measurements.hpp"

namespace rocmtune {
namespace {

// ---- copies between GPUs ------------------------------------------------------------------------

/// Steps of colour; the style sheet has a class for each.
constexpr int steps = 8;
/// A map has the square of them as cells.
constexpr std::size_t most_map_devices = 128;
/// The smaller sizes of a large matrix would only make the page large.
constexpr std::size_t most_gpus_of_all_sizes = 16;

/// One figure from one device to another.
using Matrix = std::map<std::pair<std::string, std::string>, Measurement const*>;

/// How a device is named at both ends: "GPU 1" where the host has it, else its address.
std::string name_of(Report const& report, std::string const& address) {
    if (report.host)
        for (auto const& gpu : report.host->gpus)
            if (gpu.pci_address.value() == address) return "GPU " + number_or_dash(gpu.row);
    return address;
}

std::string here_of(Report const& report, Measurement const& one) {
    if (one.gpu) return fmt::format("GPU {}", *one.gpu);
    return name_of(report, one.parameters.pci_address.value_or(
                               fmt::format("device {}", one.parameters.index.value_or(0))));
}

/// By metric and size, the largest size first.
std::map<std::pair<std::string, std::uint64_t>, Matrix, std::greater<>> matrices_of(
    Report const& report) {
    std::map<std::pair<std::string, std::uint64_t>, Matrix, std::greater<>> matrices;
    for (auto const& one : report.measurements)
        if (one.parameters.peer && one.unit == "GB/s")
            matrices[{one.metric, one.parameters.bytes.value_or(0)}].emplace(
                std::pair(here_of(report, one), name_of(report, *one.parameters.peer)), &one);
    return matrices;
}

std::vector<std::string> devices_of(Matrix const& matrix) {
    std::set<std::string> all;
    for (auto const& [ends, one] : matrix) all.insert({ends.first, ends.second});
    std::vector<std::string> names(all.begin(), all.end());
    std::ranges::sort(names, natural_less);
    if (names.size() > most_map_devices) names.resize(most_map_devices);
    return names;
}

struct ValueRange {
    double least = 0;
    double most = 0;

    /// 0 for the least value, steps - 1 for the largest.
    int step(double value) const {
        if (most <= least) return steps - 1;
        return std::clamp(static_cast<int>((value - least) / (most - least) * steps), 0, steps - 1);
    }
};

/// Differences of a few percent must not look like fast and slow: the scale goes down to 80 % of
/// the largest figure at least.
ValueRange range_of(Matrix const& matrix) {
    ValueRange range{INFINITY, 0};
    for (auto const& [ends, one] : matrix)
        if (one->value) {
            range.least = std::min(range.least, *one->value);
            range.most = std::max(range.most, *one->value);
        }
    range.least = std::min(range.least, 0.8 * range.most);
    return range;
}

std::string figure(double value) {
    return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

void add_cell(Matrix const& matrix, std::string const& from, std::string const& to,
              ValueRange const& range, Html& html) {
    auto found = matrix.find({from, to});
    if (found == matrix.end()) {
        html.element("td", from == to ? "\u00b7" : "", {{"class", "heat none"}});
    } else if (!found->second->value) {
        html.element("td", found->second->status, {{"class", "heat bad"}});
    } else {
        auto const value = *found->second->value;
        html.element("td", figure(value), {{"class", fmt::format("heat h{}", range.step(value))}});
    }
}

Html matrix_map(std::string const& caption, Matrix const& matrix) {
    Html html;
    auto const names = devices_of(matrix);
    auto const range = range_of(matrix);
    html.open(
        "div",
        {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
    html.open("table", {{"class", "heatmap"}}).element("caption", caption);
    html.open("thead").open("tr").element("th", "from \\ to", {{"scope", "col"}});
    for (auto const& name : names) html.element("th", name, {{"scope", "col"}});
    html.close().close().open("tbody");
    for (auto const& from : names) {
        html.open("tr").element("th", from, {{"scope", "row"}});
        for (auto const& to : names) add_cell(matrix, from, to, range, html);
        html.close();
    }
    html.close().close().close();
    if (range.most <= 0) return html;
    html.open("p", {{"class", "scale"}}).text(figure(range.least) + " GB/s ");
    for (int step = 0; step < steps; ++step)
        html.element("span", "", {{"class", fmt::format("swatch h{}", step)}});
    html.text(' ' + figure(range.most) + " GB/s").close();
    return html;
}

std::string_view about(std::string const& metric) {
    return metric == "peer-both-ways" ? "both ways at once, both directions counted" : "one way";
}

// ---- volume profiles ----------------------------------------------------------------------------

/// More bars than this are thinner than a line of the screen.
constexpr std::size_t most_map_bars = 256;
/// One for each device of a host, and those that were measured in other jobs.
constexpr std::size_t most_profiles = 32;

/// Neighbouring rows together, so that there are at most `most_map_bars`. The price is that of the
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
    auto const each = (rows + most_map_bars - 1) / most_map_bars;
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

Table profile_table(VolumeProfile const& it) {
    auto const price = [](double value) { return fmt::format("{:.10g}", value); };
    return {.columns = {{"what"}, {"value"}},
            .rows = {{"point of control", price(it.point_of_control)},
                     {"value area", price(it.value_area_low) + " to " + price(it.value_area_high)},
                     {"total volume", price(it.total_volume)},
                     {"height of a row", price(it.row_height)},
                     {"rows", fmt::format("{}", it.volumes.size())}},
            .caption = "Volume profile"};
}

}  // namespace

void show_peers(Report const& report, Printer& out) {
    std::string last_metric;
    for (auto const& [key, matrix] : matrices_of(report)) {
        auto const& [metric, bytes] = key;
        auto const caption =
            fmt::format("{}, {}, GB/s ({})", metric, human_bytes(bytes), about(metric));
        bool const is_largest = std::exchange(last_metric, metric) != metric;
        if (!is_largest && devices_of(matrix).size() > most_gpus_of_all_sizes) continue;
        if (!is_largest) out.fold(caption);
        out.markup(matrix_map(caption, matrix));
        if (!is_largest) out.end_fold();
    }
}

void show_profiles(Report const& report, Printer& out) {
    std::size_t shown = 0;
    for (auto const& one : report.measurements) {
        if (!one.profile || shown == most_profiles) continue;
        ++shown;
        out.heading(device_text(one));
        if (!one.profile->volumes.empty())
            out.chart(profile_chart(*one.profile),
                      "Volume at each price; the point of control and the value area (70 % of the "
                      "volume) are marked. " +
                          profile_text(*one.profile) + ".");
        out.table(profile_table(*one.profile));
    }
}

}  // namespace rocmtune
