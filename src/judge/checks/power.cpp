// SPDX-License-Identifier: MIT
// Power, clocks and temperatures of each card, and who uses it.
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// Busy is what the driver measured just now; a process that waits keeps nothing warm.
bool is_idle(Host const& host, Gpu const& gpu) {
    if (gpu.busy_percent.value_or(0) != 0 || !gpu.busy_percent) return false;
    return !is_held(host, gpu);
}

/// A sensor within `margin` of the limit that its driver states.
bool is_near_limit(Temperature const& sensor, double margin) {
    return sensor.celsius && sensor.critical_celsius &&
           *sensor.celsius >= *sensor.critical_celsius - margin;
}

std::string sensor_text(Temperature const& sensor) {
    auto const limit = sensor.critical_celsius
                           ? fmt::format(", limit {} C", *sensor.critical_celsius)
                           : std::string();
    return fmt::format("{} {} C{}", sensor.name, sensor.celsius.value_or(0), limit);
}

/// Closer to the limit than this, heat is a reason to throttle that one can believe.
constexpr double hot_margin_celsius = 10;

/// Reasons that speak of heat or of the supply; power limits under load are everyday.
bool is_thermal(std::string const& reason) {
    return reason.find("TEMP") != reason.npos || reason.find("VRHOT") != reason.npos ||
           reason.find("PROCHOT") != reason.npos;
}

void judge_sensor(Card const& card, Temperature const& sensor,
                  Fact<std::vector<Temperature>> const& fact, bool idle, Verdicts const& verdicts) {
    auto const text = sensor_text(sensor);
    std::vector<Evidence> const found{{source_text(fact.source()) + ':' + sensor.name, text}};
    constexpr double near_degrees = 5;
    constexpr double warm_idle_celsius = 80;
    if (is_near_limit(sensor, 0)) verdicts.fail(text + ": at its limit", found);
    else if (is_near_limit(sensor, near_degrees)) verdicts.warn(text + ": close to it", found);
    else if (idle && sensor.critical_celsius && *sensor.celsius > warm_idle_celsius)
        verdicts.give(card.is_server() ? Verdict::warn : Verdict::info,
                      text + ", though nothing runs", found);
    else verdicts.pass(text, found);
}

ClockDomain const* engine_clock(Gpu const& gpu) {
    if (!gpu.clocks) return nullptr;
    auto const found = std::ranges::find(*gpu.clocks, "sclk", &ClockDomain::name);
    return found == gpu.clocks->end() ? nullptr : &*found;
}

/// Processes that no list showed may hold the memory.
bool list_is_complete(Host const& host) {
    return host.gpu_processes && host.gpu_processes.limit().empty();
}

/// More than an idle card needs for itself: 1 % in a server, 5 % or 1 GiB elsewhere.
bool is_much(Card const& card, std::uint64_t used, std::uint64_t total) {
    if (card.is_server()) return used > total / 100;
    constexpr auto one_gib = std::uint64_t{1} << 30;
    return used > total / 20 || used > one_gib;
}

/// The GPUs of a hive are reset together (Linux amdgpu_device_gpu_recover).
std::string reset_note(CheckContext const& context, Card const& card) {
    auto const& hive = card.gpu->xgmi_hive_id;
    auto const size = std::ranges::count_if(context.cards, [&](Card const& other) {
        return hive && other.gpu->xgmi_hive_id.value() == *hive;
    });
    return size < 2 ? std::string()
                    : fmt::format(", which resets all {} GPUs of its XGMI hive", size);
}

std::string process_text(GpuProcess const& process) {
    auto text = fmt::format("{} ({})", process.name.value_or("?"), process.pid);
    return process.vram_bytes ? text + ' ' + human_bytes(*process.vram_bytes) : text;
}

void judge_power_state(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    if (is_asleep(gpu)) verdicts.skip("asleep: clocks, sensors and counters are not read");
    else if (gpu.runtime_status.value() == "error")
        verdicts.fail("the GPU did not come back from sleep", gpu.runtime_status);
    else if (gpu.power_state.value() == "D3cold" || gpu.power_state.value() == "D3hot")
        verdicts.skip(fmt::format("asleep ({})", *gpu.power_state));
    else if (verdicts.have(gpu.power_state, "power state"))
        verdicts.pass(*gpu.power_state, gpu.power_state);
}

void judge_power_cap(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& cap = card.gpu->power_cap_watts;
    auto const& normal = card.gpu->power_cap_default_watts;
    if (!verdicts.have(cap, "power limit") || !verdicts.have(normal, "power limit as shipped"))
        return;
    auto const message = fmt::format("power limit {} W, as shipped {} W", *cap, *normal);
    bool const less = *cap < *normal;
    // A desktop's limit is its owner's choice, and more than usual may be, too.
    auto const verdict = less && card.is_server() ? Verdict::warn
                         : *cap != *normal        ? Verdict::info
                                                  : Verdict::pass;
    verdicts.give(verdict, message, {evidence(cap), evidence(normal)});
}

void judge_performance_level(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& level = card.gpu->performance_level;
    if (!verdicts.have(level, "performance level")) return;
    bool const slow =
        *level == "low" || *level == "profile_min_sclk" || *level == "profile_min_mclk";
    auto verdict = Verdict::pass;
    if (slow) verdict = card.is_server() ? Verdict::fail : Verdict::warn;
    else if (*level != "auto" && *level != "perf_determinism")
        verdict = card.is_server() ? Verdict::warn : Verdict::info;
    verdicts.give(verdict, fmt::format("performance level {}", *level), level);
}

void judge_clocks(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& clocks = card.gpu->clocks;
    if (!verdicts.have(clocks, "clock tables")) return;
    auto const* clock = engine_clock(*card.gpu);
    if (clock == nullptr) {
        if (!clocks.limit().empty()) verdicts.unknown("table of engine clocks: " + clocks.limit());
        return;
    }
    if (clock->levels_mhz.empty())
        return verdicts.unknown("the table of engine clocks lists no level");
    auto const top = std::ranges::max(clock->levels_mhz);
    auto const& highest = card.gpu->max_engine_clock_mhz;
    // KFD states what the chip was made for, the table what it is allowed now.
    bool const less = highest && top < static_cast<double>(*highest);
    auto const verdict = !less ? Verdict::pass : card.is_server() ? Verdict::warn : Verdict::info;
    verdicts.give(verdict,
                  less ? fmt::format("the engine clock ends at {} MHz, the chip reaches {} MHz",
                                     top, *highest)
                       : fmt::format("engine clock up to {} MHz", top),
                  {{source_text(clocks.source()), fmt::format("{} MHz", top)}});
}

void judge_temperature(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& fact = card.gpu->temperatures;
    if (!verdicts.have(fact, "temperature sensors")) return;
    bool const idle = is_idle(context.host, *card.gpu);
    for (auto const& sensor : *fact)
        if (sensor.celsius) judge_sensor(card, sensor, fact, idle, verdicts);
    if (!fact.limit().empty()) verdicts.unknown("temperature sensors: " + fact.limit());
}

void judge_clock_floor(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    auto const clock = engine_clock(gpu);
    if (!gpu.busy_percent || !clock || !clock->current_mhz || clock->levels_mhz.size() < 2)
        return verdicts.skip("load and engine clock are not both known");
    auto const floor = clock->levels_mhz.front();
    auto const top = std::ranges::max(clock->levels_mhz);
    auto const now = *clock->current_mhz;
    // Load of nobody is what busy speaks of, heat and supply what throttling does.
    bool const is_work = is_held(context.host, gpu) || !context.host.gpu_processes;
    bool const is_explained = gpu.throttle_reasons && !gpu.throttle_reasons->empty();
    constexpr std::uint64_t full_load = 95;
    // A chosen level is what performance-level speaks of; a narrow table has no floor.
    bool const is_free = gpu.performance_level.value_or("auto") == "auto";
    bool const is_stuck = *gpu.busy_percent >= full_load && now <= floor * 1.05 &&
                          top >= floor * 1.5 && is_free && is_work && !is_explained;
    auto const message =
        fmt::format("{} MHz of {} to {} at a load of {} %", now, floor, top, *gpu.busy_percent);
    if (!is_stuck) return verdicts.pass(message);
    // An APU shares its power with the processor.
    verdicts.give(card.is_apu() ? Verdict::info : Verdict::warn,
                  "the engine clock is at its floor under full load: " + message,
                  {evidence(gpu.busy_percent),
                   {source_text(gpu.clocks.source()) + ":sclk", fmt::format("{} MHz", now)}});
}

void judge_throttling(CheckContext const&, Card const& card, Verdicts const& verdicts) {
    auto const& reasons = card.gpu->throttle_reasons;
    if (!verdicts.have(reasons, "reasons for throttling")) return;
    if (reasons->empty()) return verdicts.pass("nothing holds the clocks down");
    // The bit alone proves little: laptop firmware sets the one of heat at 54 C.
    bool const heat = std::ranges::any_of(*reasons, is_thermal);
    auto const& sensors = card.gpu->temperatures;
    bool const hot =
        heat && !card.is_apu() && sensors && std::ranges::any_of(*sensors, [](auto const& sensor) {
            return is_near_limit(sensor, hot_margin_celsius);
        });
    verdicts.give(hot ? Verdict::warn : Verdict::info,
                  fmt::format("clocks are held down by {}", fact_text(*reasons)), reasons);
}

/// A process that KFD still lists for this GPU though it is no more; null if there is none.
GpuProcess const* ended_process(Host const& host, Gpu const& gpu) {
    if (!host.gpu_processes) return nullptr;
    auto const found = std::ranges::find_if(*host.gpu_processes, [&](GpuProcess const& process) {
        return process.gone.value_or(false) && holds(process, gpu);
    });
    return found == host.gpu_processes->end() ? nullptr : &*found;
}

void judge_memory_used(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& gpu = *card.gpu;
    if (card.is_apu()) return verdicts.skip("an APU shares main memory");
    if (!verdicts.have(gpu.vram_used_bytes, "device memory in use") ||
        !verdicts.have(gpu.vram_bytes, "device memory"))
        return;
    auto const message = fmt::format("{} of {} in use", human_bytes(*gpu.vram_used_bytes),
                                     human_bytes(*gpu.vram_bytes));
    if (auto const* ended = ended_process(context.host, gpu)) {
        auto& finding =
            verdicts.give(Verdict::warn,
                          fmt::format("{}; process {} has ended, and the driver keeps what it held",
                                      message, ended->pid),
                          gpu.vram_used_bytes);
        finding.next_step += reset_note(context, card);
        return;
    }
    bool const much = is_much(card, *gpu.vram_used_bytes, *gpu.vram_bytes);
    bool const explained = gpu.drives_display.value_or(false) || is_held(context.host, *card.gpu);
    if (!much || explained) return verdicts.pass(message);
    // Memory in use is strange only where somebody looked who uses it.
    if (!verdicts.have(context.host.gpu_processes, message + ", processes that hold this GPU"))
        return;
    bool const complete = list_is_complete(context.host);
    auto& finding = verdicts.give(
        complete ? Verdict::warn : Verdict::info,
        fmt::format("{}, and no {}process holds this GPU", message, complete ? "" : "visible "),
        gpu.vram_used_bytes);
    finding.next_step += reset_note(context, card);
}

void judge_processes(CheckContext const& context, Verdicts const& verdicts) {
    auto const& processes = context.host.gpu_processes;
    if (!verdicts.have(processes, "processes that hold a GPU")) return;
    for (auto const& card : context.cards) {
        std::string names;
        for (auto const& process : *processes) {
            if (!holds(process, *card.gpu) || !is_job(process)) continue;
            names += (names.empty() ? "" : ", ") + process_text(process);
        }
        auto const at = verdicts.about(card.subject);
        if (names.empty()) at.pass("no compute process");
        else
            at.give(!context.rules.idle    ? Verdict::info
                    : context.rules.strict ? Verdict::fail
                                           : Verdict::warn,
                    "in use by " + names, {{source_text(processes.source()), names}});
    }
}

void judge_busy(CheckContext const& context, Card const& card, Verdicts const& verdicts) {
    auto const& busy = card.gpu->busy_percent;
    if (!verdicts.have(busy, "load")) return;
    constexpr std::uint64_t idle_percent = 5;
    // A load with a process is that process's; without one, something hangs.
    bool const strange = *busy > idle_percent && !is_held(context.host, *card.gpu) &&
                         list_is_complete(context.host) && card.is_server();
    bool const unwanted = *busy > idle_percent && context.rules.idle && card.is_server();
    auto& finding = verdicts.give(
        strange || unwanted ? Verdict::warn : Verdict::pass,
        fmt::format("busy {} %{}", *busy, strange ? ", and no process holds this GPU" : ""), busy);
    if (strange || unwanted) finding.next_step += reset_note(context, card);
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check power_rows[] = {
    {"RT3401", "power-state", "power", quick, false, driver, judge_power_state},
    {"RT3402", "power-cap", "power", quick, false, driver, judge_power_cap},
    {"RT3403", "performance-level", "power", quick, false, driver, judge_performance_level},
    {"RT3404", "clocks", "power", quick, false, driver, judge_clocks},
    {"RT3405", "temperature", "power", quick, false, driver, judge_temperature},
    {"RT3406", "throttling", "power", quick, false, driver, judge_throttling},
    {"RT3407", "clock-floor", "power", quick, false, driver, judge_clock_floor},
    {"RT3411", "memory-used", "occupancy", quick, false, driver, judge_memory_used},
    {"RT3412", "processes", "occupancy", quick, false, driver, judge_processes},
    {"RT3413", "busy", "occupancy", quick, false, driver, judge_busy},
};
// clang-format on

}  // namespace

bool is_job(GpuProcess const& process) {
    static constexpr std::string_view watchers[]{
        "gpuagent", "rocm-smi-daemon", "amd-smi", "dcgm-exporter", "rdcd", "rocmtune"};
    auto const name = process.name.value_or("");
    if (process.through != "kfd") return false;
    if (std::ranges::find(watchers, name) != std::end(watchers)) return false;
    // Processes of a check are named for what they do: "rocmtune livene".
    return !name.starts_with("rocmtune ") || name.starts_with("rocmtune bench");
}

std::span<Check const> power_checks() {
    return power_rows;
}

}  // namespace rocmtune
