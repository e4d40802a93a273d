// SPDX-License-Identifier: MIT
// Bandwidth of device memory by seven kernels and the runtime's own copy and fill. Bytes are
// counted as the program moves them: copy reads N and writes N, so it counts 2 N; add and triad 3
// N; dot 2 N.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/bandwidth_check.hpp"
#include "bench/bandwidth_operations.hpp"
#include "bench/benchmarks.hpp"
#include "bench/data.hpp"

namespace rocmtune::bench {
namespace {

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
        if (!reduces) all.push_back(exact_grid(block));
        if (!reduces) continue;
        for (auto const each : vectors_per_thread) all.push_back(exact_grid(block, each));
        for (auto const count : blocks_per_unit)
            if (info.compute_units > 0) all.push_back({count * info.compute_units, block});
    }
    return all;
}

// ---- the steps ----------------------------------------------------------------------------------

Arguments arguments_of(Context const& context, std::string_view op) {
    auto const& memory = *context.arrays;
    Arguments it;
    if (op == "write") return it.add(memory.c.address()).add(context.vectors());
    it.add(memory.a.address());
    if (op == "read") return it.add(context.vectors()).add(memory.partials.address());
    if (op == "add" || op == "triad" || op == "dot") it.add(memory.b.address());
    if (op == "dot") return it.add(context.vectors()).add(memory.partials.address());
    return it.add(memory.c.address()).add(context.vectors());
}

/// The quickest shape of those that this device can launch.
Shape best_shape(Context& context, BandwidthOperation const& op, Kernel const& kernel) {
    auto& device = context.session.device;
    auto const arguments = arguments_of(context, op.name);
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
        work.queue = [&, kernel, it = arguments_of(context, op.name)] {
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

}  // namespace

std::vector<Step> plan_bandwidth(Session& session) {
    auto const& dtype = session.options.dtype;
    if (!dtype.empty() && dtype != "fp32" && dtype != "fp64") return {};
    auto const context =
        std::make_shared<Context>(Context{session, array_bytes(session), dtype == "fp64"});
    std::vector<Step> steps;
    for (auto const& op : bandwidth_operations()) {
        auto draft = draft_of(session, "bandwidth", std::string(op.name), "GB/s");
        draft.parameters.dtype = context->doubles ? "fp64" : "fp32";
        draft.parameters.bytes = context->bytes;
        draft.parameters.counting = op.counting();
        steps.push_back(
            {std::move(draft), [context, &op](Measurement& result) { run(*context, op, result); }});
    }
    for (auto& step : plan_host_copies(session)) steps.push_back(std::move(step));
    for (auto& step : plan_peer_copies(session)) steps.push_back(std::move(step));
    return steps;
}

}  // namespace rocmtune::bench
