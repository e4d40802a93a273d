// SPDX-License-Identifier: MIT
// The kernels of bandwidth on arrays of odd sizes.
#include "bench/bandwidth.hpp"

#include <fmt/format.h>

#include "bench/emulated/checks.hpp"

namespace rocmtune::test {
namespace {

using namespace bench;

struct Arrays {
    Arrays(EmulatedDevice& device, std::uint64_t vectors)
        : count(vectors),
          a(device, 16 * vectors),
          b(device, 16 * vectors),
          c(device, 16 * vectors) {}
    std::uint64_t count;
    Buffer a, b, c;
};

struct Launcher {
    EmulatedDevice& device;
    bool doubles;

    void launch(std::string_view function, Shape const& shape, Arguments const& arguments) const {
        KernelRequest request{"bandwidth", function};
        if (doubles) request.definitions.emplace_back("RT_DOUBLE");
        device.launch(device.load(request), shape, arguments);
    }

    void fill(Arrays const& arrays, Shape const& shape) const {
        launch("rt_random", shape,
               Arguments().add(arrays.a.address()).add(arrays.count).add(bandwidth_seed_a));
        launch("rt_random", shape,
               Arguments().add(arrays.b.address()).add(arrays.count).add(bandwidth_seed_b));
    }

    /// What is wrong with an operation's result.
    std::string check(BandwidthOperation const& op, Arrays const& arrays,
                      Shape const& shape) const {
        Buffer const partials(device, 8 * shape.grid);
        device.fill(arrays.c.address(), 0xA5, arrays.c.bytes());
        Arguments arguments;
        if (op.reads > 0) arguments.add(arrays.a.address());
        if (op.reads > 1) arguments.add(arrays.b.address());
        if (op.writes > 0) arguments.add(arrays.c.address());
        arguments.add(arrays.count);
        if (op.reduces) arguments.add(partials.address());
        launch(fmt::format("rt_{}", op.name), shape, arguments);
        return check_bandwidth(
            {device, arrays.c.bytes(), doubles, arrays.c.address(), partials.address(), shape.grid},
            op.name);
    }
};

/// Two shapes of each operation that has a kernel.
std::string wrong_operation(Launcher const& launcher, std::uint64_t vectors) {
    Arrays const arrays(launcher.device, vectors);
    auto const exact = [&](unsigned block) { return Shape{(vectors + block - 1) / block, block}; };
    launcher.fill(arrays, exact(256));
    for (auto const& op : bandwidth_operations()) {
        if (op.name.starts_with("device-")) continue;
        for (auto const& shape : {exact(128), op.reduces ? Shape{3, 256} : exact(1024)})
            if (auto text = launcher.check(op, arrays, shape); !text.empty())
                return fmt::format("{}, {} vectors: {}", op.name, vectors, text);
    }
    return {};
}

}  // namespace

std::string wrong_in_bandwidth(EmulatedDevice& device) {
    for (bool const doubles : {false, true})
        for (std::uint64_t const vectors : {1U, 63U, 1025U, 4097U}) {
            auto text = wrong_under_any_schedule(device, [&] {
                return wrong_operation({device, doubles}, vectors);
            });
            if (!text.empty()) return text;
        }
    return {};
}

}  // namespace rocmtune::test
