// SPDX-License-Identifier: MIT
// vpoc: which rows of prices hold the volume. Every figure counts 8 bytes a tick, read once, and
// contains the clearing of the sums; the sums are compared bit by bit with those of the processors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/benchmarks.hpp"
#include "bench/ticks.hpp"

namespace rocmtune::bench {
namespace {

constexpr unsigned block = 1024;
constexpr double bytes_per_tick = 8;

/// How a kernel uses LDS, which decides what it can be launched with.
enum class Layout { none, all_rows, window, split, floats };

struct Variant {
    std::string_view name;  ///< as the figures call it
    std::string_view function;
    Layout layout;
    int vectors = 1;  ///< of ticks that a thread has at a time
};

/// The exact ones. Which is best depends on rows, data and device: it is found by trying.
constexpr Variant variants[] = {
    {"pairs", "rt_vpoc_pairs", Layout::all_rows, 1},
    {"pairs", "rt_vpoc_pairs", Layout::all_rows, 2},
    {"longs", "rt_vpoc_longs", Layout::all_rows, 1},
    {"window", "rt_vpoc_window", Layout::window, 1},
    {"window", "rt_vpoc_window", Layout::window, 2},
    {"window", "rt_vpoc_window", Layout::window, 4},
    {"split", "rt_vpoc_split", Layout::split, 1},
    {"split", "rt_vpoc_split", Layout::split, 2},
    {"split", "rt_vpoc_split", Layout::split, 4},
    {"global", "rt_vpoc_global", Layout::none, 1},
};

/// Ticks on the device.
struct Input {
    Input(Device& device, Ticks made)
        : ticks(std::move(made)),
          prices(device, 4 * ticks.size()),
          volumes(device, 4 * ticks.size()),
          out(device, std::size_t{8} * ticks.grid.bins),
          expected(ticks.sums()) {
        device.upload(prices.address(), ticks.offsets.data(), 4 * ticks.size());
        device.upload(volumes.address(), ticks.volumes.data(), 4 * ticks.size());
        device.synchronize();
    }

    Ticks ticks;
    Buffer prices, volumes, out;
    std::vector<std::uint64_t> expected;
};

struct Launch {
    Kernel kernel;
    Shape shape;
    std::uint32_t start = 0;
    std::uint32_t rows = 0;
    std::uint32_t hot = 0;  ///< rows whose high words are in LDS, too
    std::uint32_t hot_rows = 0;
};

/// The first of `rows` rows that hold the most ticks of a sample.
std::uint32_t best_window(Ticks const& ticks, std::uint32_t rows) {
    constexpr std::size_t sampled = 65536;
    std::vector<std::uint32_t> counts(ticks.grid.bins + 1);
    auto const step = std::max<std::size_t>(ticks.size() / sampled, 1);
    for (std::size_t i = 0; i < ticks.size(); i += step)
        ++counts[ticks.grid.row_of(ticks.offsets[i]) + 1];
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    std::uint32_t best = 0;
    std::uint32_t first_full = 0;
    for (std::uint32_t start = 0; start + rows <= ticks.grid.bins; ++start) {
        auto const inside = counts[start + rows] - counts[start];
        if (inside > counts[best + rows] - counts[best]) best = first_full = start;
        // Of equals the middle one: the data may reach further than the sample.
        else if (inside == counts[best + rows] - counts[best]) first_full = start;
    }
    return std::midpoint(best, first_full);
}

/// Which rows' words share LDS; false if too many parts would have to.
bool place_window(Ticks const& ticks, Layout layout, std::uint32_t words, Launch& launch) {
    constexpr std::uint32_t hot_share = 16;
    constexpr std::uint32_t most_parts = 8;  // every part reads all ticks
    auto const bins = ticks.grid.bins;
    launch.hot_rows = std::min(words / hot_share, bins);
    launch.hot = best_window(ticks, launch.hot_rows);
    auto const room = words - launch.hot_rows;
    launch.rows = std::min(room, bins);
    if (layout == Layout::window) {
        launch.start = best_window(ticks, launch.rows);
        return true;
    }
    launch.start = std::max((bins + room - 1) / room, std::uint32_t{2});
    launch.rows = (bins + launch.start - 1) / launch.start;
    return launch.start <= most_parts;
}

/// How to launch a variant; nothing if this device or this number of rows does not allow it.
std::optional<Launch> launch_of(Session& session, Input const& input, Variant const& variant) {
    auto& device = session.device;
    auto const& info = device.info();
    auto const bins = input.ticks.grid.bins;
    // A little LDS stays free: compilers and drivers take some for themselves.
    auto const lds = static_cast<std::uint32_t>(
                         std::min<std::uint64_t>(info.lds_bytes, std::uint64_t{1} << 30)) /
                     1024 * 1024;
    Launch launch;
    std::uint64_t bytes = 0;
    if (variant.layout == Layout::all_rows) bytes = std::uint64_t{8} * bins;
    if (variant.layout == Layout::floats) bytes = std::uint64_t{4} * bins;
    if (variant.layout == Layout::window || variant.layout == Layout::split) {
        if (std::uint64_t{8} * bins <= lds / 2) return std::nullopt;  // all rows fit: no need
        if (!place_window(input.ticks, variant.layout, lds / 4, launch)) return std::nullopt;
        bytes = std::uint64_t{4} * (launch.rows + launch.hot_rows);
    }
    if (bytes > lds) return std::nullopt;
    KernelRequest request{"vpoc", variant.function};
    if (input.ticks.grid.nearest) request.definitions.emplace_back("RT_NEAREST");
    if (variant.vectors > 1)
        request.definitions.push_back(fmt::format("RT_VECTORS={}", variant.vectors));
    launch.kernel = device.load(request);
    auto const held = device.occupancy(launch.kernel, block, static_cast<unsigned>(bytes));
    auto const split = variant.layout == Layout::split ? launch.start : 1;
    auto const blocks =
        std::max<std::uint64_t>(info.compute_units, 1) * std::max(held, 1U) / split * split;
    launch.shape = {std::max<std::uint64_t>(blocks, split), block,
                    static_cast<std::uint32_t>(bytes)};
    return launch;
}

std::function<void()> queue_of(Device& device, Input const& input, Launch const& launch) {
    auto const& grid = input.ticks.grid;
    auto const arguments = Arguments()
                               .add(input.prices.address())
                               .add(input.volumes.address())
                               .add<std::uint64_t>(input.ticks.size())
                               .add(grid.inverse)
                               .add(input.ticks.scale.factor())
                               .add(grid.bins)
                               .add(input.out.address())
                               .add(launch.start)
                               .add(launch.rows)
                               .add(launch.hot)
                               .add(launch.hot_rows);
    return [&device, &out = input.out, launch, arguments] {
        device.fill(out.address(), 0, out.bytes());
        device.launch(launch.kernel, launch.shape, arguments);
    };
}

template <class T>
std::vector<T> result_of(Device& device, Input const& input) {
    std::vector<T> sums(input.ticks.grid.bins);
    device.download(sums.data(), input.out.address(), sums.size() * sizeof(T));
    device.synchronize();
    return sums;
}

std::string check(Device& device, Input const& input) {
    auto const sums = result_of<std::uint64_t>(device, input);
    for (std::size_t row = 0; row < sums.size(); ++row)
        if (sums[row] != input.expected[row])
            return fmt::format("row {} of {} holds {}, not {}", row, sums.size(), sums[row],
                               input.expected[row]);
    return {};
}

/// The quickest launch of all that this device allows.
std::pair<Variant const*, Launch> best_launch(Session& session, Input const& input) {
    std::pair<Variant const*, Launch> best{nullptr, {}};
    double best_time = 0;
    for (auto const& variant : variants) {
        bool const on_cpu = session.device.info().backend == "cpu";
        if (on_cpu && variant.layout != Layout::none) continue;
        // 1024 threads leave 64 registers each on AMD: four vectors do not fit.
        if (session.device.info().backend == "hip" && variant.vectors > 2) continue;
        auto const launch = launch_of(session, input, variant);
        if (!launch) continue;
        auto const time =
            on_cpu ? 0 : quick_time(session.device, queue_of(session.device, input, *launch));
        if (best.first != nullptr && time >= best_time) continue;
        best = {&variant, *launch};
        best_time = time;
    }
    if (best.first == nullptr) throw DeviceError("no kernel can hold so many rows", "unsupported");
    return best;
}

void describe(Input const& input, Measurement& result) {
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

void run(Session& session, Input const& input, Measurement& result) {
    describe(input, result);
    auto const [variant, launch] = best_launch(session, input);
    result.parameters.kernel = fmt::format("{}-{}", variant->name, variant->vectors);
    result.parameters.block = block;
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
    Input const input(session.device, std::move(ticks));
    run(session, input, result);
    if (result.status == "ok")
        result.profile = profile_of(input.ticks.grid, input.ticks.scale,
                                    result_of<std::uint64_t>(session.device, input));
}

// ---- what other methods give --------------------------------------------------------------------

/// Largest relative error of a row's sum.
template <class T>
double worst_error(Input const& input, std::vector<T> const& sums) {
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
void run_float(Session& session, Input const& input, Measurement& result) {
    describe(input, result);
    Variant const variant{"float", "rt_vpoc_float", Layout::floats};
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
    Input const input(session.device, std::move(made));
    describe(input, result);
    result.labels.clear();
    Launch launch;
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
    std::shared_ptr<Input const> input;
    std::string key;

    Input const& get(Session& session, std::string_view distribution, std::uint64_t ticks,
                     std::uint32_t bins) {
        auto wanted = fmt::format("{} {} {}", distribution, ticks, bins);
        if (wanted != key) {
            input.reset();
            key.clear();
            need_room(session, ticks, bins);
            input = std::make_shared<Input const>(session.device,
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
