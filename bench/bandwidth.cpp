// SPDX-License-Identifier: MIT
// Bandwidth of device memory by seven kernels and the runtime's own copy. Bytes are counted as the
// program moves them: copy reads N and writes N, so it counts 2 N; add and triad 3 N; dot 2 N.
#include <algorithm>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/benchmarks.hpp"
#include "bench/data.hpp"
#include "bench/host_threads.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::uint32_t seed_a = 17;
constexpr std::uint32_t seed_b = 4242;
constexpr unsigned usual_block = 256;
/// Block sizes that are tried. On an H200 256 is best for most kernels; elsewhere nobody knows.
constexpr unsigned blocks[] = {256, 128, 512, 1024};
/// Grids of the reducing kernels: so many vectors a thread, or so many blocks a compute unit.
constexpr std::uint64_t vectors_per_thread[] = {4, 8};
constexpr std::uint64_t blocks_per_unit[] = {16, 4, 2};
constexpr std::size_t chunk_bytes = std::size_t{64} << 20;

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
        session.device.launch(random, exact_grid(),
                              Arguments().add(made->a.address()).add(vectors()).add(seed_a));
        session.device.launch(random, exact_grid(),
                              Arguments().add(made->b.address()).add(vectors()).add(seed_b));
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
        for (auto const count : blocks_per_unit) all.push_back({count * info.compute_units, block});
    }
    return all;
}

// ---- what the results must be -------------------------------------------------------------------

/// Compares device memory with T f(index), chunk by chunk. Empty if all are equal.
template <class T, class F>
std::string compare(Session& session, Buffer const& memory, std::size_t bytes, F const& f) {
    std::vector<T> host(std::min(bytes, chunk_bytes) / sizeof(T));
    for (std::size_t offset = 0; offset < bytes; offset += host.size() * sizeof(T)) {
        auto const count = std::min(host.size(), (bytes - offset) / sizeof(T));
        session.device.download(host.data(), memory.address() + offset, count * sizeof(T));
        session.device.synchronize();
        auto const first = offset / sizeof(T);
        std::vector<std::size_t> wrong(processor_count(), SIZE_MAX);
        in_parallel([&](unsigned part, unsigned parts) {
            auto const range = part_of(count, part, parts, 1024);
            for (auto i = range.begin; i < range.end; ++i) {
                T const expected = f(first + i);
                if (std::memcmp(&host[i], &expected, sizeof(T)) == 0) continue;
                wrong[part] = first + i;
                break;
            }
        });
        auto const at = *std::min_element(wrong.begin(), wrong.end());
        if (at != SIZE_MAX) return fmt::format("element {} of {} is wrong", at, bytes / sizeof(T));
    }
    return {};
}

template <class T>
std::string check_elements(Context& context, std::string_view op) {
    auto const& memory = context.arrays->c;
    auto const a = [](std::size_t i) { return element(i, seed_a); };
    auto const b = [](std::size_t i) { return element(i, seed_b); };
    auto const as = [&](auto const& f) {
        return compare<T>(context.session, memory, context.bytes,
                          [&](std::size_t i) { return static_cast<T>(f(i)); });
    };
    if (op == "mul") return as([&](std::size_t i) { return a(i) * factor; });
    if (op == "add") return as([&](std::size_t i) { return a(i) + b(i); });
    if (op == "triad") return as([&](std::size_t i) { return a(i) + factor * b(i); });
    return as(a);
}

template <class T>
std::uint32_t folded(T value) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    auto const bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
    return static_cast<std::uint32_t>(bits ^ (bits >> 32));
}

/// Exclusive or of all words of a, and the sum of a * b, on the host.
template <class T>
std::pair<std::uint32_t, double> reduced(std::size_t count) {
    std::vector<std::uint32_t> words(processor_count());
    std::vector<double> sums(processor_count());
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(count, part, parts, 1024);
        std::uint32_t word = 0;
        double sum = 0;
        for (auto i = range.begin; i < range.end; ++i) {
            word ^= folded(static_cast<T>(element(i, seed_a)));
            sum += element(i, seed_a) * element(i, seed_b);
        }
        words[part] = word, sums[part] = sum;
    });
    std::pair<std::uint32_t, double> all{};
    for (auto const word : words) all.first ^= word;
    for (auto const sum : sums) all.second += sum;
    return all;
}

template <class T>
std::vector<T> partials_of(Context& context, std::uint64_t count) {
    std::vector<T> host(count);
    context.session.device.download(host.data(), context.arrays->partials.address(),
                                    host.size() * sizeof(T));
    context.session.device.synchronize();
    return host;
}

std::string check_reduction(Context& context, std::string_view op, std::uint64_t partials) {
    auto const expected =
        context.doubles ? reduced<double>(context.bytes / 8) : reduced<float>(context.bytes / 4);
    if (op == "read") {
        std::uint32_t word = 0;
        for (auto const one : partials_of<std::uint32_t>(context, partials)) word ^= one;
        return word == expected.first ? ""
                                      : fmt::format("the words' exclusive or is {:08x}, not {:08x}",
                                                    word, expected.first);
    }
    double sum = 0;
    for (auto const one : partials_of<double>(context, partials)) sum += one;
    return sum == expected.second
               ? ""
               : fmt::format("the sum is {:.17g}, not {:.17g}", sum, expected.second);
}

std::string check(Context& context, std::string_view op, std::uint64_t partials) {
    if (op == "read" || op == "dot") return check_reduction(context, op, partials);
    if (op == "write")
        return compare<std::uint32_t>(context.session, context.arrays->c, context.bytes,
                                      written_word);
    return context.doubles ? check_elements<double>(context, op)
                           : check_elements<float>(context, op);
}

// ---- the steps ----------------------------------------------------------------------------------

struct Operation {
    std::string_view name;
    unsigned arrays;  ///< whose bytes it moves
    std::string_view counting;
    bool reduces = false;  ///< the result is a partial of each block
};

constexpr Operation operations[] = {
    {"copy", 2, "reads N and writes N bytes"},
    {"mul", 2, "reads N and writes N bytes"},
    {"add", 3, "reads 2 N and writes N bytes"},
    {"triad", 3, "reads 2 N and writes N bytes"},
    {"dot", 2, "reads 2 N bytes", true},
    {"read", 1, "reads N bytes", true},
    {"write", 1, "writes N bytes"},
    {"device-copy", 2, "reads N and writes N bytes"},
};

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
Shape best_shape(Context& context, Operation const& op, Kernel const& kernel) {
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

void run(Context& context, Operation const& op, Measurement& result) {
    context.make();
    auto& device = context.session.device;
    auto const& memory = *context.arrays;
    Work work{.queue = {},
              .amount = static_cast<double>(op.arrays) * static_cast<double>(context.bytes)};
    Shape shape;
    if (op.name == "device-copy") {
        work.queue = [&] { device.copy(memory.c.address(), memory.a.address(), context.bytes); };
    } else {
        auto const kernel = context.kernel(fmt::format("rt_{}", op.name));
        shape = best_shape(context, op, kernel);
        result.parameters.block = shape.block;
        work.queue = [&, kernel, it = arguments_of(context, op.name)] {
            device.launch(kernel, shape, it);
        };
    }
    // What an earlier step left there would hide that nothing was written.
    device.fill(memory.c.address(), 0xA5, context.bytes);
    device.fill(memory.partials.address(), 0xA5, memory.partials.bytes());
    work.check = [&] { return check(context, op.name, shape.grid); };
    measure(context.session, work, result);
    set_memory_efficiency(context.session, static_cast<double>(context.bytes), result);
}

/// At least four times the last-level cache and 1 GiB on GPUs, at most an eighth of what is free;
/// with --quick a quarter of a GiB.
std::size_t array_bytes(Session& session) {
    auto const& info = session.device.info();
    auto const cache = 4 * info.cache_bytes;
    auto const usual = info.backend == "cpu" ? std::uint64_t{256} << 20 : std::uint64_t{1} << 30;
    auto const most = std::uint64_t{4} << 30;
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
    for (auto const& op : operations) {
        auto draft = draft_of(session, "bandwidth", std::string(op.name), "GB/s");
        draft.parameters.dtype = context->doubles ? "fp64" : "fp32";
        draft.parameters.bytes = context->bytes;
        draft.parameters.counting = op.counting;
        steps.push_back(
            {std::move(draft), [context, &op](Measurement& result) { run(*context, op, result); }});
    }
    for (auto& step : plan_host_copies(session)) steps.push_back(std::move(step));
    return steps;
}

}  // namespace rocmtune::bench
