// SPDX-License-Identifier: MIT
// What was seen of a program that was watched.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "rocmtune/observation.hpp"
#include "show/documents.hpp"

namespace rocmtune {
namespace {

using Lines = std::vector<Line>;

/// Rows of a screen that phases may take: a program that changes all the time has no phases.
constexpr std::size_t most_phases = 12;

std::string as_percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string as_size(double value) {
    return human_bytes(static_cast<std::uint64_t>(std::max(value, 0.0)));
}

std::string as_figure(double value) {
    return figure_text(value);
}

template <class Text>
std::string course_text(std::optional<Course> const& course, Text const& text) {
    if (!course) return {};
    auto const mean = text(course->mean);
    auto const peak = text(course->peak);
    return mean == peak ? mean : fmt::format("{}, at most {}", mean, peak);
}

std::string with_unit(std::string text, std::string_view unit) {
    return text.empty() ? text : text.append(unit);
}

/// Parts that are known, after each other.
std::string known_parts(std::vector<std::string> parts) {
    std::erase(parts, std::string());
    return joined(parts, "; ");
}

std::string with_label(std::string_view label, std::string const& text) {
    return text.empty() ? text : fmt::format("{} {}", label, text);
}

// ---- limits ------------------------------------------------------------------------------------

void show_limits(Observation const& it, Printer& out) {
    Lines lines;
    std::size_t width = 0;
    for (auto const& limit : it.limits) {
        auto const word = std::string(word_of(limit.kind));
        width = std::max(width, word.size());
        lines.push_back({word,
                         fmt::format("{} of the time: {}", as_percent(limit.share), limit.says),
                         lines.empty() ? Emphasis::notable : Emphasis::none});
        if (!limit.doubt.empty()) lines.push_back({"", "but: " + limit.doubt, Emphasis::quiet});
    }
    out.section("limits", fmt::format("What limits it, by {} in {:.1f} s",
                                      counted(it.samples, "look"), it.seconds));
    out.lines(lines, width);
}

// ---- figures -----------------------------------------------------------------------------------

std::string processors_text(Observation const& it) {
    auto const all = it.processors ? fmt::format(" of {:.3g}", *it.processors) : std::string();
    return known_parts(
        {with_unit(course_text(it.processors_share, as_percent), all),
         with_label("busiest thread", course_text(it.busiest_thread_share, as_percent)),
         it.kernel_share ? "in the kernel " + as_percent(*it.kernel_share) : "",
         with_label("used by others", course_text(it.others_share, as_percent))});
}

std::string tasks_text(Observation const& it) {
    auto const started = it.started_per_second && it.started_per_second->peak > 0
                             ? course_text(it.started_per_second, as_figure)
                             : std::string();
    return known_parts(
        {it.processes ? fmt::format("{} process{}", *it.processes, *it.processes == 1 ? "" : "es")
                      : std::string(),
         with_label("threads", course_text(it.threads, as_figure)),
         with_label("started a second", started),
         with_label("run queue a processor", course_text(it.run_queue, as_figure))});
}

std::string watched_memory_text(Observation const& it) {
    auto const major = it.major_faults_per_second && it.major_faults_per_second->peak > 0
                           ? course_text(it.major_faults_per_second, as_figure)
                           : std::string();
    return known_parts(
        {course_text(it.resident_bytes, as_size),
         it.available_least_bytes
             ? fmt::format("at least {} available", as_size(*it.available_least_bytes))
             : "",
         with_label("page faults a second", course_text(it.minor_faults_per_second, as_figure)),
         with_label("with reading", major),
         it.numa_miss_share ? "from another node " + as_percent(*it.numa_miss_share) : "",
         it.memory_pressure_share && *it.memory_pressure_share > 0
             ? "tasks waited " + as_percent(*it.memory_pressure_share)
             : ""});
}

std::string watched_disk_text(Observation const& it) {
    return known_parts(
        {with_label("read a second", course_text(it.read_bytes_per_second, as_size)),
         with_label("written", course_text(it.written_bytes_per_second, as_size)),
         it.blocked_share ? "blocked " + as_percent(it.blocked_share->mean) : "",
         it.disk_pressure_share ? "tasks waited " + as_percent(*it.disk_pressure_share) : ""});
}

std::string of_most(std::string text, std::optional<double> most, std::string const& most_text) {
    return text.empty() || !most ? text : fmt::format("{} of {}", text, most_text);
}

std::string watched_gpu_text(ObservedGpu const& gpu) {
    auto const watts = [](double value) { return fmt::format("{:.0f} W", value); };
    auto const celsius = [](double value) { return fmt::format("{:.0f} C", value); };
    auto const clock = [](double value) { return fmt::format("{:.0f} MHz", value); };
    auto const plain = [](double value) { return fmt::format("{:.0f}", value); };
    return known_parts(
        {with_label("busy", course_text(gpu.busy_share, as_percent)),
         with_label("its memory", course_text(gpu.memory_busy_share, as_percent)),
         of_most(course_text(gpu.vram_bytes, as_size), gpu.vram_total_bytes,
                 as_size(gpu.vram_total_bytes.value_or(0))),
         of_most(course_text(gpu.power_watts, watts), gpu.power_cap_watts,
                 watts(gpu.power_cap_watts.value_or(0))),
         course_text(gpu.clock_mhz, clock), course_text(gpu.temperature_celsius, celsius),
         gpu.throttle_reasons.empty() ? "" : "throttled: " + joined(gpu.throttle_reasons),
         of_most(with_label("link", course_text(gpu.pcie_bytes_per_second, as_size)),
                 gpu.pcie_most_bytes_per_second,
                 as_size(gpu.pcie_most_bytes_per_second.value_or(0)) + " a second"),
         with_label("copies", course_text(gpu.copy_engines_share, as_percent)),
         with_label("of the program", course_text(gpu.program_vram_bytes, as_size)),
         with_label("queues", course_text(gpu.queues, plain)),
         gpu.held_share.value_or(1) > 0 ? "" : "not held by the program",
         gpu.others_share.value_or(0) > 0 ? "others computed " + as_percent(*gpu.others_share)
                                          : ""});
}

void show_watched_figures(Observation const& it, Printer& out) {
    Lines lines{{"processors", processors_text(it)},
                {"tasks", tasks_text(it)},
                {"memory", watched_memory_text(it)},
                {"disks", watched_disk_text(it)}};
    std::size_t width = usual_label_width;
    for (auto const& gpu : it.gpus) {
        lines.push_back({gpu.pci_address, watched_gpu_text(gpu)});
        width = std::max(width, gpu.pci_address.size());
    }
    if (it.watch_seconds && it.seconds > 0 && out.is_verbose())
        lines.push_back({"watching", fmt::format("took {:.2f} % of one processor",
                                                 100 * *it.watch_seconds / it.seconds)});
    out.section("seen", "What was seen");
    out.lines(lines, width);
}

// ---- time --------------------------------------------------------------------------------------

void show_phases(Observation const& it, Printer& out) {
    if (it.phases.size() < 2) return;
    Table table{.columns = {{"from s", true}, {"to s", true}, {"limit"}},
                .caption = "Phases",
                .noun = "phases"};
    for (auto const& phase : it.phases) {
        if (table.rows.size() == most_phases && !out.is_page() && !out.is_verbose()) break;
        table.rows.push_back({fmt::format("{:.1f}", phase.start_seconds),
                              fmt::format("{:.1f}", phase.end_seconds),
                              std::string(word_of(phase.limit))});
    }
    auto const left = it.phases.size() - table.rows.size();
    out.table(std::move(table));
    if (left > 0) out.note(fmt::format("and {} more phases (-v)", left), Emphasis::quiet);
}

void show_regions(Observation const& it, Printer& out) {
    Table table{.columns = {{"region"}, {"times", true}, {"seconds", true}, {"limits"}},
                .caption = "Regions",
                .noun = "regions"};
    for (auto const& region : it.regions) {
        std::vector<std::string> limits;
        for (auto const kind : region.limits) limits.emplace_back(word_of(kind));
        table.rows.push_back({region.name, std::to_string(region.times),
                              fmt::format("{:.1f}", region.seconds), joined(limits)});
    }
    out.table(std::move(table));
}

/// A character whose height is the share; '?' where it is not known.
std::string_view bar_of(std::optional<double> share, bool utf8) {
    constexpr std::array<std::string_view, 9> blocks{
        " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
    constexpr std::array<std::string_view, 9> plain_heights{" ", ".", ":", "-", "=",
                                                            "+", "*", "%", "#"};
    if (!share) return "?";
    auto const step = static_cast<std::size_t>(std::lround(8 * std::clamp(*share, 0.0, 1.0)));
    return utf8 ? blocks[step] : plain_heights[step];
}

std::string chart_row(std::string_view label, Observation const& it,
                      std::optional<double> ObservedLoad::*share, bool utf8) {
    auto text = fmt::format(" {:<{}} |", label, usual_label_width);
    bool is_known = false;
    for (auto const& point : it.load) {
        text += bar_of(point.*share, utf8);
        is_known |= (point.*share).has_value();
    }
    return is_known ? text + "|\n" : std::string();
}

std::string chart_text(Observation const& it, bool utf8) {
    auto text = chart_row("processors", it, &ObservedLoad::processors_share, utf8) +
                chart_row("GPU", it, &ObservedLoad::gpu_share, utf8);
    if (!text.empty())
        text +=
            fmt::format(" {:<{}} |0 to {:.1f} s, full height is 100 %{}\n", "", usual_label_width,
                        it.seconds, text.find('?') == text.npos ? "" : ", ? is not known");
    return text;
}

nlohmann::ordered_json load_chart(Observation const& it) {
    using Json = nlohmann::ordered_json;
    Json chart{{"kind", "load"},
               {"seconds", Json::array()},
               {"processors", Json::array()},
               {"gpu", Json::array()}};
    auto const percent_or_null = [](std::optional<double> share) {
        return share ? Json(100 * *share) : Json(nullptr);
    };
    for (auto const& point : it.load) {
        chart["seconds"].push_back(point.end_seconds);
        chart["processors"].push_back(percent_or_null(point.processors_share));
        chart["gpu"].push_back(percent_or_null(point.gpu_share));
    }
    return chart;
}

void show_load(Observation const& it, Printer& out) {
    if (it.load.size() < 2) return;
    out.section("load", "Over time");
    if (out.is_page())
        return out.chart(load_chart(it),
                         "Share of its processors that the program used, and of the time in which "
                         "the busiest GPU worked.");
    auto const text = chart_text(it, out.style().utf8);
    if (out.is_text()) out.verbatim(text);
    else out.code(text);
}

}  // namespace

void show_observation(Observation const& observation, Printer& out) {
    show_limits(observation, out);
    show_watched_figures(observation, out);
    show_load(observation, out);
    show_phases(observation, out);
    show_regions(observation, out);
}

}  // namespace rocmtune
