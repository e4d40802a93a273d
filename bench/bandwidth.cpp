// SPDX-License-Identifier: MIT
// Bandwidth of device memory by seven kernels and the runtime's own copy and fill. Bytes are
// counted as the program moves them: copy reads N and writes N, so it counts 2 N; add and triad 3
// N; dot 2 N.
#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/bandwidth.hpp"
#include "bench/data.hpp"

namespace rocmtune::bench {
namespace {

constexpr BandwidthOperation operations[] = {
    {"copy", 1, 1},  {"mul", 1, 1},         {"add", 2, 1},
    {"triad", 2, 1}, {"dot", 2, 0, true},   {"read", 1, 0, true},
    {"write", 0, 1}, {"device-copy", 1, 1}, {"device-fill", 0, 1},
};

constexpr unsigned usual_block = 256;
/// Block sizes that are tried. On an H200 256 is best for most kernels; elsewhere nobody knows.
constexpr unsigned blocks[] = {256, 128, 512, 1024};
/// Grids of the reducing kernels: so many vectors a thread, or so many blocks a compute unit.
constexpr std::uint64_t vectors_per_thread[] = {4, 8};
constexpr std::uint64_t blocks_per_unit[] = {16, 4, 2};

/// Arrays shared by all steps. Made in the first step that runs, so that a lack of memory is the
/// status of a measurement.
struct Arrays {
    Arrays(Device& device, std::size_t size)
        : a(device, size),
          b(device, size),
          c(device, size),
          partials(device, 8 * most_partials(device, size)) {}

    /// The largest grid of a reducing kernel has 4 vectors a thread and the smallest blocks.
    static std::uint64_t most_partials(Device const& device, std::size_t size) {
        return std::max(size / 16 / 128 / 4 + 1,
                        16 * std::max<std::uint64_t>(device.info().compute_units, 1));
    }

    Buffer a, b, c, partials;
};

struct Context {
    Session& session;
    std::size_t bytes;  ///< of one array, a multiple of 16
    bool doubles;
    std::shared_ptr<Arrays> arrays = {};

    Kernel kernel(std::string_view function) const {
        KernelRequest request{"bandwidth", function};
        if (doubles) request.definitions.emplace_back("RT_DOUBLE");
        return session.device.load(request);
    }
    std::uint64_t vectors() const { return bytes / 16; }
    /// A thread for every `each` vectors.
    Shape exact_grid(unsigned block = usual_block, std::uint64_t each = 1) const {
        auto const of_one = block * each;
        return {(vectors() + of_one - 1) / of_one, block};
    }
    std::vector<Shape> shapes(bool reduces) const;

    void make() {
        if (arrays) return;
        if (3 * bytes > session.budget_bytes())
            throw DeviceError(
                fmt::format("three arrays of {} are more than half of the free {}",
                            human_bytes(bytes), human_bytes(session.device.free_bytes())),
                "no-memory");
        auto made = std::make_shared<Arrays>(session.device, bytes);
        auto const random = kernel("rt_random");
        session.device.launch(
            random, exact_grid(),
            Arguments().add(made->a.address()).add(vectors()).add(bandwidth_seed_a));
        session.device.launch(
            random, exact_grid(),
            Arguments().add(made->b.address()).add(vectors()).add(bandwidth_seed_b));
        session.device.synchronize();
        arrays = std::move(made);
    }
};

std::vector<Shape> Context::shapes(bool reduces) const {
    auto const& info = session.device.info();
    if (info.backend == "cpu") return {{std::max<std::uint64_t>(info.compute_units, 1), 1}};
    std::vector<Shape> all;
    for (auto const block : blocks) {
        if (!reduces) {
            all.push_back(exact_grid(block));
            continue;
        }
        for (auto const each : vectors_per_thread) all.push_back(exact_grid(block, each));
        for (auto const count : blocks_per_unit)
            if (info.compute_units > 0) all.push_back({count * info.compute_units, block});
    }
    return all;
}

// ---- the steps ----------------------------------------------------------------------------------

Arguments arguments_of(Context const& context, BandwidthOperation const& op) {
    auto const& memory = *context.arrays;
    Arguments it;
    if (op.reads > 0) it.add(memory.a.address());
    if (op.reads > 1) it.add(memory.b.address());
    if (op.writes > 0) it.add(memory.c.address());
    it.add(context.vectors());
    if (op.reduces) it.add(memory.partials.address());
    return it;
}

/// The quickest shape of those that this device can launch.
Shape best_shape(Context& context, BandwidthOperation const& op, Kernel const& kernel) {
    auto& device = context.session.device;
    auto const arguments = arguments_of(context, op);
    auto const all = context.shapes(op.reduces);
    if (all.size() == 1) return all.front();
    Shape best = all.front();
    double best_time = 0;
    for (auto const& shape : all) {
        auto const time = quick_time(device, [&] { device.launch(kernel, shape, arguments); });
        if (best_time != 0 && time >= best_time) continue;
        best = shape;
        best_time = time;
    }
    return best;
}

void run(Context& context, BandwidthOperation const& op, Measurement& result) {
    context.make();
    auto& device = context.session.device;
    auto const& memory = *context.arrays;
    Work work{.queue = {}, .amount = op.arrays() * static_cast<double>(context.bytes)};
    Shape shape;
    if (op.name == "device-copy") {
        work.queue = [&] { device.copy(memory.c.address(), memory.a.address(), context.bytes); };
    } else if (op.name == "device-fill") {
        work.queue = [&] { device.fill(memory.c.address(), filled_byte, context.bytes); };
    } else {
        auto const kernel = context.kernel(fmt::format("rt_{}", op.name));
        shape = best_shape(context, op, kernel);
        result.parameters.block = shape.block;
        work.queue = [&, kernel, it = arguments_of(context, op)] {
            device.launch(kernel, shape, it);
        };
    }
    auto const partial_bytes = shape.grid * (op.name == "dot" ? sizeof(double) : 4);
    work.outputs = {op.reduces ? device_output(device, memory.partials.address(), partial_bytes)
                               : device_output(device, memory.c.address(), context.bytes)};
    work.check = [&] {
        return check_bandwidth({device, context.bytes, context.doubles, memory.c.address(),
                                memory.partials.address(), shape.grid},
                               op.name);
    };
    measure(context.session, work, result);
    judge_memory_limit(context.session, work.amount, result);
    set_memory_efficiency(context.session, static_cast<double>(context.bytes), result);
}

/// At least four times the last-level cache and 1 GiB on GPUs, at most an eighth of what is free;
/// with --quick a quarter of a GiB.
std::size_t array_bytes(Session& session) {
    auto const& info = session.device.info();
    auto const cache = 4 * session.cache_bytes();
    auto const usual = info.backend == "cpu" ? std::uint64_t{256} << 20 : std::uint64_t{1} << 30;
    auto const most = std::uint64_t{2} << 30;
    auto const room = session.device.free_bytes() / 8;
    auto wanted = session.options.quick ? std::max(cache, usual / 4) : std::max(cache, usual);
    if (info.backend != "cpu" && !session.options.quick)
        wanted = std::max(wanted, std::min(most, room / 4));
    wanted = session.options.size.value_or(std::min(wanted, room));
    return std::max<std::size_t>(wanted / 4096 * 4096, 4096);
}

// ---- figures beside each other ------------------------------------------------------------------

/// Kernels and runtimes of healthy devices are up to 10 % apart (bench/self/README.md).
constexpr double most_slower = 1.25;

/// Seconds for arrays of 10^9 bytes, at the ends of the figure's interval.
struct Time {
    BandwidthOperation const& operation;
    double least;
    double most;
};

std::optional<Time> time_of(Measurement const& it) {
    auto const* const op = std::ranges::find(operations, it.metric, &BandwidthOperation::name);
    auto const low = it.low.value_or(0), high = it.high.value_or(0);
    bool const in_cache = std::ranges::find(it.labels, "in-cache") != it.labels.end();
    if (it.benchmark != "bandwidth" || op == std::end(operations) || it.status != "ok" ||
        in_cache || low <= 0 || high <= 0)
        return std::nullopt;
    return Time{*op, op->arrays() / high, op->arrays() / low};
}

bool stand_side_by_side(Measurement const& one, Measurement const& other) {
    return one.backend == other.backend && one.parameters.index == other.parameters.index &&
           one.parameters.bytes == other.parameters.bytes;
}

/// The quickest of those that this one should not be slower than; empty if there is none.
std::string_view beaten_by(Measurement const& it, std::vector<Measurement> const& measurements) {
    auto const time = time_of(it);
    std::string_view quickest;
    auto least = time ? time->least / most_slower : 0;
    for (auto const& other : measurements) {
        auto const of_other = time_of(other);
        if (!time || !of_other || !stand_side_by_side(it, other)) continue;
        if (!time->operation.is_part_of(of_other->operation) || of_other->most >= least) continue;
        least = of_other->most;
        quickest = of_other->operation.name;
    }
    return quickest;
}

std::string times_n(unsigned arrays) {
    return arrays == 1 ? "N" : fmt::format("{} N", arrays);
}

}  // namespace

std::vector<Step> plan_bandwidth(Session& session) {
    if (!has_bandwidth_type(session)) return {};
    auto const context = std::make_shared<Context>(
        Context{session, array_bytes(session), session.options.dtype == "fp64"});
    std::vector<Step> steps;
    for (auto const& op : bandwidth_operations()) {
        auto draft = draft_of(session, "bandwidth", std::string(op.name), "GB/s");
        draft.parameters.dtype = context->doubles ? "fp64" : "fp32";
        draft.parameters.bytes = context->bytes;
        draft.parameters.counting = op.counting();
        steps.push_back(
            {std::move(draft), [context, &op](Measurement& result) { run(*context, op, result); }});
    }
    return steps;
}

std::string BandwidthOperation::counting() const {
    if (writes == 0) return fmt::format("reads {} bytes", times_n(reads));
    if (reads == 0) return fmt::format("writes {} bytes", times_n(writes));
    return fmt::format("reads {} and writes {} bytes", times_n(reads), times_n(writes));
}

std::span<BandwidthOperation const> bandwidth_operations() {
    return operations;
}

void label_slower_than_others(std::vector<Measurement>& measurements) {
    for (auto& it : measurements)
        if (auto const other = beaten_by(it, measurements); !other.empty())
            it.labels.push_back(fmt::format("slower-than-{}", other));
}

}  // namespace rocmtune::bench
