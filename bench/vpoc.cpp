// SPDX-License-Identifier: MIT
// vpoc: which rows of prices hold the volume. Every figure counts 8 bytes a tick, read once, and
// contains the clearing of the sums; the sums are compared bit by bit with those of the processors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/benchmarks.hpp"
#include "bench/vpoc_launch.hpp"

namespace rocmtune::bench {
namespace {

constexpr double bytes_per_tick = 8;

template <class T>
std::vector<T> result_of(Device& device, VpocInput const& input) {
    std::vector<T> sums(input.ticks.grid.bins);
    device.download(sums.data(), input.out.address(), sums.size() * sizeof(T));
    device.synchronize();
    return sums;
}

std::string check(Device& device, VpocInput const& input) {
    auto const sums = result_of<std::uint64_t>(device, input);
    for (std::size_t row = 0; row < sums.size(); ++row)
        if (sums[row] != input.expected[row])
            return fmt::format("row {} of {} holds {}, not {}", row, sums.size(), sums[row],
                               input.expected[row]);
    return {};
}

void describe(VpocInput const& input, Measurement& result) {
    result.parameters.bins = input.ticks.grid.bins;
    result.parameters.ticks = input.ticks.size();
    result.parameters.resolution = input.ticks.scale.resolution();
    if (input.ticks.rounded > 0) result.labels.emplace_back("volumes-rounded");
    if (input.ticks.vanished > 0) result.labels.emplace_back("volumes-vanished");
}

void need_room(Session& session, std::uint64_t ticks, std::uint64_t bins) {
    auto const bytes = 8 * (ticks + bins);
    if (bytes > session.budget_bytes())
        throw DeviceError(fmt::format("{} of ticks are more than half of the free {}",
                                      human_bytes(bytes), human_bytes(session.device.free_bytes())),
                          "no-memory");
}

void run(Session& session, VpocInput const& input, Measurement& result) {
    describe(input, result);
    auto const [variant, launch] = best_launch(session, input);
    result.parameters.kernel = fmt::format("{}-{}", variant->name, variant->vectors);
    result.parameters.block = vpoc_block;
    Work work{.queue = queue_of(session.device, input, launch),
              .amount = bytes_per_tick * static_cast<double>(input.ticks.size())};
    work.check = [&] { return check(session.device, input); };
    measure(session, work, result);
    set_memory_efficiency(session, work.amount, result);
}

void run_own(Session& session, Measurement& result) {
    auto const& options = session.options;
    Ticks ticks = read_ticks(options.ticks_file, options.bins.value_or(1000), options.tick_size);
    need_room(session, ticks.size(), ticks.grid.bins);
    VpocInput const input(session.device, std::move(ticks));
    run(session, input, result);
    if (result.status == "ok")
        result.profile = profile_of(input.ticks.grid, input.ticks.scale,
                                    result_of<std::uint64_t>(session.device, input));
}

// ---- what other methods give --------------------------------------------------------------------

/// Largest relative error of a row's sum.
template <class T>
double worst_error(VpocInput const& input, std::vector<T> const& sums) {
    double worst = 0;
    for (std::size_t row = 0; row < sums.size(); ++row) {
        auto const exact =
            static_cast<double>(input.expected[row]) * input.ticks.scale.resolution();
        auto const found = static_cast<double>(sums[row]);
        if (exact > 0) worst = std::max(worst, std::abs(found / exact - 1));
        else if (found != 0) return std::numeric_limits<double>::infinity();
    }
    return worst;
}

/// The error of sums in fp32 is a result of its own: nothing here can be verified as right.
void run_float(Session& session, VpocInput const& input, Measurement& result) {
    describe(input, result);
    VpocVariant const variant{"float", "rt_vpoc_float", VpocLayout::floats};
    auto const launch = launch_of(session, input, variant);
    if (!launch) throw DeviceError("the rows do not fit into LDS", "unsupported");
    queue_of(session.device, input, *launch)();
    session.device.synchronize();
    auto const error = worst_error(input, result_of<float>(session.device, input));
    if (error > 0.9) {  // fp32 loses up to 80 % of 10^9 ticks in one row; more is no rounding
        result.status = "wrong-result";
        result.detail = fmt::format("a sum in fp32 is off by {:.3g}", error);
        return;
    }
    result.samples = {error};
    result.value = error;
    result.verified = true;
    result.status = "ok";
    result.parameters.kernel = "float";
}

/// Baselines on one processor, whose sums are in fp64.
void run_baseline(Session& session, std::string const& function, std::uint64_t ticks,
                  Measurement& result) {
    auto made = make_ticks("uniform", ticks, 1000);
    // The per-tick method takes its edges from the data: they must reach to both ends.
    made.offsets.front() = 0;
    made.offsets.back() = static_cast<float>((made.grid.bins - 1) * made.grid.height);
    VpocInput const input(session.device, std::move(made));
    describe(input, result);
    result.labels.clear();
    VpocLaunch launch;
    launch.kernel = session.device.load({"vpoc", function, {"RT_NEAREST"}});
    Work work{.queue = queue_of(session.device, input, launch),
              .amount = bytes_per_tick * static_cast<double>(ticks)};
    work.check = [&] {
        auto const error = worst_error(input, result_of<double>(session.device, input));
        return error < 1e-6 ? std::string() : fmt::format("a sum is off by {:.3g}", error);
    };
    measure(session, work, result);
}

std::uint64_t tick_count(Session const& session) {
    if (session.options.size) return *session.options.size;
    std::uint64_t const usual = session.device.info().backend == "cpu" ? 20'000'000 : 100'000'000;
    return session.options.quick ? usual / 10 : usual;
}

/// One input at a time is kept: it takes gigabytes, and several steps use it.
struct Shelf {
    std::shared_ptr<VpocInput const> input;
    std::string key;

    VpocInput const& get(Session& session, std::string_view distribution, std::uint64_t ticks,
                         std::uint32_t bins) {
        auto wanted = fmt::format("{} {} {}", distribution, ticks, bins);
        if (wanted != key) {
            input.reset();
            key.clear();
            need_room(session, ticks, bins);
            input = std::make_shared<VpocInput const>(session.device,
                                                      make_ticks(distribution, ticks, bins));
            key = std::move(wanted);
        }
        return *input;
    }
};

void add_baselines(Session& session, std::vector<Step>& steps) {
    constexpr std::pair<char const*, std::uint64_t> baselines[] = {{"bincount", 1'000'000},
                                                                   {"per-tick", 300}};
    for (auto const& [name, ticks] : baselines) {
        auto draft = draft_of(session, "vpoc", fmt::format("baseline-{}", name), "GB/s");
        draft.parameters.kernel = name;
        draft.parameters.distribution = "uniform";
        steps.push_back({std::move(draft), [&session, function = std::string(name),
                                            count = ticks](Measurement& result) {
                             run_baseline(session, function, count, result);
                         }});
    }
}

}  // namespace

std::vector<Step> plan_vpoc(Session& session) {
    std::vector<Step> steps;
    if (!session.options.ticks_file.empty()) {
        auto draft = draft_of(session, "vpoc", "own-ticks", "GB/s");
        return {{std::move(draft), [&session](Measurement& result) { run_own(session, result); }}};
    }
    auto const shelf = std::make_shared<Shelf>();
    std::vector<std::uint32_t> sizes{1000, 65536};
    if (session.options.bins) sizes = {static_cast<std::uint32_t>(*session.options.bins)};
    auto const ticks = tick_count(session);
    for (auto const bins : sizes)
        for (auto const distribution : distributions) {
            auto draft =
                draft_of(session, "vpoc", fmt::format("{}-bins-{}", bins, distribution), "GB/s");
            draft.parameters.distribution = distribution;
            draft.parameters.counting = "reads 8 bytes a tick";
            steps.push_back({std::move(draft), [=, &session](Measurement& result) {
                                 run(session, shelf->get(session, distribution, ticks, bins),
                                     result);
                             }});
            if (bins != 1000 || distribution != "one-bin") continue;
            auto error = draft_of(session, "vpoc", "float-error", "ratio");
            error.parameters.distribution = distribution;
            steps.push_back({std::move(error), [=, &session](Measurement& result) {
                                 run_float(session, shelf->get(session, distribution, ticks, bins),
                                           result);
                             }});
        }
    if (session.device.info().backend == "cpu" && !session.options.bins)
        add_baselines(session, steps);
    return steps;
}

}  // namespace rocmtune::bench
