// SPDX-License-Identifier: MIT
#include "bench/worker.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <set>

#include <unistd.h>

#include <fmt/format.h>

#include "bench/plausible.hpp"
#include "bench/session.hpp"
#include "bench/time_budget.hpp"
#include "codec/record_json.hpp"
#include "machine/processes.hpp"

namespace rocmtune::bench {
namespace {

using Json = nlohmann::ordered_json;

void send(WorkerChannel& channel, char const* kind, Json value) {
    channel.send(
        Json{{kind, std::move(value)}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void run_devices(WorkerChannel& channel, std::span<std::string const> arguments) {
    auto const* const backend = arguments.empty() ? nullptr : find_backend(arguments[0]);
    if (backend == nullptr) return channel.fail(WorkerStatus::error, "no such backend");
    for (auto const& device : backend->list()) send(channel, "device", json_of(device));
}

/// What stands where no figure does.
void refuse(Measurement& result, std::string_view status, std::string const& detail) {
    result.samples.clear();
    result.value.reset();
    result.verified = false;
    result.status = status;
    result.detail = detail;
}

/// The one place where a failed device call becomes a status.
void run_step(Step const& step, Measurement& result) {
    try {
        step.run(result);
    } catch (DeviceError const& error) {
        refuse(result, error.status(), error.what());
    } catch (std::bad_alloc const&) {
        refuse(result, "no-memory", "the host has no memory left");
    }
}

std::size_t that_do_not_give_way(std::span<Step const> steps) {
    return static_cast<std::size_t>(std::ranges::count(steps, false, &Step::gives_way));
}

double seconds_of_clock() {
    auto const now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

void run_steps(WorkerChannel& channel, std::vector<Step> const& steps, TimeBudget& time) {
    auto plan = Json::array();
    for (auto const& step : steps) plan.push_back(json_of(step.draft));
    send(channel, "plan", std::move(plan));
    bool lost = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        send(channel, "begin", i);
        auto result = steps[i].draft;
        bool const long_one = steps[i].gives_way;
        auto const to_come = that_do_not_give_way(std::span(steps).subspan(i + 1));
        if (lost) refuse(result, "lost", "the device was lost before");
        else if (!time.has_time(long_one, to_come))
            refuse(result, "unfinished", not_in_time("not begun", result.benchmark));
        else time.run(long_one, [&] { run_step(steps[i], result); });
        lost = result.status == "lost";
        send(channel, "measurement", json_of(result));
    }
}

/// For `rocmtune verify`, which must know who reads a setting: which libraries this process has
/// really run.
void send_libraries(WorkerChannel& channel) {
    std::set<std::string> files;
    add_mapped_files(::getpid(), files);
    send(channel, "libraries", std::vector<std::string>(files.begin(), files.end()));
}

/// The first step of a metric is what others are made from: the burst of a product, not its
/// sustained run.
std::vector<Step> chosen(std::vector<Step> steps, std::string const& metric) {
    if (metric.empty()) return steps;
    auto const found = std::find_if(steps.begin(), steps.end(),
                                    [&](Step const& step) { return step.draft.metric == metric; });
    if (found == steps.end())
        throw DeviceError(fmt::format("there is no metric {}", metric), "unsupported");
    return {*found};
}

void run_bench(WorkerChannel& channel, std::span<std::string const> arguments) {
    Options options;
    auto const asked = arguments.empty() ? nullptr : parse_line(arguments[0]);
    if (!asked) return channel.fail(WorkerStatus::error, "no options");
    RecordReader("options").read(JsonNode(*asked), options);
    auto const* const backend = find_backend(options.backend);
    auto const* const benchmark =
        options.benchmarks.empty() ? nullptr : find_benchmark(options.benchmarks.front());
    if (backend == nullptr || benchmark == nullptr)
        return channel.fail(WorkerStatus::error, "no such backend or benchmark");
    TimeBudget time(options.time_seconds, seconds_of_clock);
    try {
        auto const device = backend->open(options.device);
        keep_plausible(options, device->info());
        Session session{*device, options};
        run_steps(channel, chosen(benchmark->plan(session), options.metric), time);
        send_libraries(channel);
    } catch (DeviceError const& error) {
        send(channel, "refused", {{"status", error.status()}, {"detail", error.what()}});
    }
}

constexpr Worker workers[] = {
    {"bench-devices", run_devices}, {"bench", run_bench}, {"liveness", run_liveness_worker}};

}  // namespace

Worker const* find_worker(std::string_view name) {
    for (auto const& worker : workers)
        if (worker.name == name) return &worker;
    return nullptr;
}

}  // namespace rocmtune::bench
