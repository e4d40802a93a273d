// SPDX-License-Identifier: MIT
// vpoc: which rows of prices hold the volume. Every figure counts 8 bytes a tick, read once, and
// contains the clearing of the sums; the sums are compared bit by bit with those of the processors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/vpoc.hpp"

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

/// Of the sums, that of the fullest row: others may be 0, as if nothing had been added.
Output sums_of(Device& device, VpocInput const& input) {
    auto const fullest = std::max_element(input.expected.begin(), input.expected.end());
    auto output = device_output(device, input.out.address(), input.out.bytes());
    output.focus = static_cast<std::size_t>(fullest - input.expected.begin()) * 8;
    return output;
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
    work.outputs = {sums_of(session.device, input)};
    work.check = [&] { return check(session.device, input); };
    measure(session, work, result);
    judge_memory_limit(session, work.amount, result);
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
        // A sum that is no number is no smaller than another.
        if (!std::isfinite(found) || (exact <= 0 && found != 0))
            return std::numeric_limits<double>::infinity();
        if (exact > 0) worst = std::max(worst, std::abs(found / exact - 1));
    }
    return worst;
}

/// The largest relative error of a sum of numbers that are not negative: each of them takes part in
/// `additions` additions at most, and each of these changes a partial sum by at most `unit`, half
/// of the last place of 1, of itself (Higham, Accuracy and Stability of Numerical Algorithms,
/// section 4.2: (1 + u)^n - 1, about n u). One more for each of the rounding of a number and of the
/// result.
double largest_error(std::uint64_t additions, double unit) {
    return std::expm1(static_cast<double>(additions + 2) * std::log1p(unit));
}

/// The largest relative error of one volume in the exact sums, which have it in whole units.
double volume_rounding(Ticks const& ticks) {
    if (ticks.rounded == 0) return 0;
    auto const least = *std::min_element(ticks.volumes.begin(), ticks.volumes.end());
    return ticks.scale.resolution() / 2 / static_cast<double>(least);
}

/// Additions that a tick passes through in rt_vpoc_float: those of its block into LDS, which are at
/// most all ticks of the block, and those of all blocks into memory. On processors one adds all.
std::uint64_t float_additions(std::uint64_t ticks, Shape const& shape, bool on_cpu) {
    if (on_cpu) return ticks;
    auto const at_once = shape.grid * shape.block;
    return (ticks + at_once - 1) / at_once * shape.block + shape.grid;
}

/// The error of sums in fp32 is a result of its own: it is verified as one that rounding can make.
void run_float(Session& session, VpocInput const& input, Measurement& result) {
    describe(input, result);
    VpocVariant const variant{"float", "rt_vpoc_float", VpocLayout::floats};
    auto const launch = launch_of(session, input, variant);
    if (!launch) throw DeviceError("the rows do not fit into LDS", "unsupported");
    auto& device = session.device;
    device.fill(input.out.address(), spoiled_byte, input.out.bytes());
    queue_of(device, input, *launch)();
    device.synchronize();
    auto const error = worst_error(input, result_of<float>(device, input));
    auto const additions =
        float_additions(input.ticks.size(), launch->shape, device.info().backend == "cpu");
    auto const most = largest_error(additions, 0x1p-24) + volume_rounding(input.ticks);
    // Rounding never loses all of a sum: there the bound of very many ticks says nothing.
    if (!(error <= most) || !(error < 1))
        return refuse(
            fmt::format("a sum in fp32 is off by {:.3g}, rounding explains {:.3g}", error, most),
            result);
    complete(error, result);
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
    work.outputs = {sums_of(session.device, input)};
    work.check = [&] {
        auto const error = worst_error(input, result_of<double>(session.device, input));
        return error <= largest_error(ticks, 0x1p-53) + volume_rounding(input.ticks)
                   ? std::string()
                   : fmt::format("a sum is off by {:.3g}", error);
    };
    measure(session, work, result);
}

/// On GPUs at least four times the last-level cache, as the arrays of bandwidth are, if an eighth
/// of the free memory has room. What is less by --quick or on processors is labelled in-cache.
std::uint64_t tick_count(Session& session) {
    constexpr std::uint64_t bytes = 8;
    if (session.options.size) return *session.options.size;
    bool const cpu = session.device.info().backend == "cpu";
    std::uint64_t const usual = cpu ? 20'000'000 : 100'000'000;
    if (session.options.quick) return usual / 10;
    auto const beyond_cache = (4 * session.cache_bytes() + bytes - 1) / bytes;
    auto const room = session.device.free_bytes() / 8 / bytes;
    return cpu ? usual : std::max(usual, std::min(beyond_cache, room));
}

/// One input at a time is kept: it takes gigabytes, and several steps use it.
struct KeptInput {
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
    if (!session.options.ticks_file.empty()) {
        return {{draft_of(session, "vpoc", "own-ticks", "GB/s"),
                 [&session](Measurement& result) { run_own(session, result); }}};
    }
    std::vector<Step> steps;
    auto const kept = std::make_shared<KeptInput>();
    std::vector<std::uint32_t> sizes{1000, 65536};
    if (session.options.bins) sizes = {static_cast<std::uint32_t>(*session.options.bins)};
    auto const ticks = tick_count(session);
    for (auto const bins : sizes)
        for (auto const distribution : distributions) {
            auto draft =
                draft_of(session, "vpoc", fmt::format("{}-bins-{}", bins, distribution), "GB/s");
            draft.parameters.distribution = distribution;
            draft.parameters.ticks = ticks;
            draft.parameters.counting = "reads 8 bytes a tick";
            steps.push_back({std::move(draft), [=, &session](Measurement& result) {
                                 run(session, kept->get(session, distribution, ticks, bins),
                                     result);
                             }});
            if (bins != 1000 || distribution != "one-bin") continue;
            auto error = draft_of(session, "vpoc", "float-error", "ratio");
            error.parameters.distribution = distribution;
            steps.push_back({std::move(error), [=, &session](Measurement& result) {
                                 run_float(session, kept->get(session, distribution, ticks, bins),
                                           result);
                             }});
        }
    if (session.device.info().backend == "cpu" && !session.options.bins)
        add_baselines(session, steps);
    return steps;
}

}  // namespace rocmtune::bench
