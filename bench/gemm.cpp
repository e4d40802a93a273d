// SPDX-License-Identifier: MIT
// Matrix products: the libraries', and our own as a floor that needs none. 2 n^3 operations each.
// Burst is what the first tenths of a second give; sustained, what is left when power or heat have
// had three seconds to set limits.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/statistics.hpp"
#include "base/text.hpp"
#include "bench/benchmarks.hpp"
#include "bench/gemm_libraries.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::uint32_t seed_a = 5;
constexpr std::uint32_t seed_b = 6;
constexpr std::uint64_t tile = 256;  ///< our kernels make whole tiles
constexpr double sustained_seconds = 3;

struct Input {
    Input(Device& device, GemmType const& which, std::uint64_t side)
        : type(which),
          n(side),
          a(random_matrix(which, side, seed_a, is_fnuz(device.info().target))),
          b(random_matrix(which, side, seed_b, is_fnuz(device.info().target))),
          device_a(device, a.bytes.size()),
          device_b(device, b.bytes.size()),
          // Our own matrix kernels write accumulators, which are wider than a library's results.
          device_c(device, side * side * std::max<std::size_t>(which.output_bytes, 4)) {
        device.upload(device_a.address(), a.bytes.data(), a.bytes.size());
        device.upload(device_b.address(), b.bytes.data(), b.bytes.size());
        device.synchronize();
    }
    GemmBuffers buffers() const {
        return {device_a.address(), device_b.address(), device_c.address(), n};
    }

    GemmType const& type;
    std::uint64_t n;
    Matrix a, b;
    Buffer device_a, device_b, device_c;
};

/// One type's matrices at a time.
struct Shelf {
    std::shared_ptr<Input> input;
    double burst = 0;  ///< the library's figure of this type, for the gap

    Input& get(Session& session, GemmType const& type, std::uint64_t n) {
        if (input == nullptr || &input->type != &type) {
            input.reset();
            auto const bytes =
                n * n * (2 * type.input_bytes + std::max<std::size_t>(type.output_bytes, 4));
            if (bytes > session.budget_bytes())
                throw DeviceError(
                    fmt::format("three matrices take {}, more than half of the free memory",
                                human_bytes(bytes)),
                    "no-memory");
            input = std::make_shared<Input>(session.device, type, n);
        }
        return *input;
    }
};

// ---- our own kernels ----------------------------------------------------------------------------

/// Whether gemm_matrix.hip has a kernel for this target and type.
bool has_matrix_kernel(std::string_view target, std::string_view type) {
    auto const base = target.substr(0, target.find(':'));
    bool const cdna = base == "gfx908" || base == "gfx90a" || base == "gfx942" || base == "gfx950";
    bool const rdna = base.starts_with("gfx11") || base.starts_with("gfx120");
    if (type == "fp64") return cdna && base != "gfx908";
    return (type == "fp16" || type == "bf16") && (cdna || rdna);
}

/// The type of the results of our kernels is that of the accumulator.
GemmType own_type(GemmType type) {
    if (type.name == "fp16" || type.name == "bf16")
        type.output_bytes = 4, type.output_epsilon = 0x1p-24;
    return type;
}

std::optional<Product> own_product(Session& session, Input& input) {
    auto& device = session.device;
    bool const plain = input.type.name == "fp32";
    if (!plain && !has_matrix_kernel(device.info().target, input.type.name)) return std::nullopt;
    KernelRequest request{plain ? "gemm" : "gemm_matrix", plain ? "rt_sgemm" : "rt_matrix_gemm"};
    if (input.type.name == "fp16") request.definitions = {"RT_FP16"};
    if (input.type.name == "bf16") request.definitions = {"RT_BF16"};
    if (input.type.name == "fp64") request.definitions = {"RT_FP64"};
    auto const kernel = device.load(request);
    // kernels/gemm.hip: 128 x 256 for NVIDIA, 128 x 128 for AMD.
    auto const columns = plain && device.info().backend == "cuda" ? 256U : 128U;
    Shape const shape{(input.n / 128) * (input.n / columns), 256};
    auto const it = input.buffers();
    auto const arguments =
        Arguments().add(it.a).add(it.b).add(it.c).add(static_cast<std::uint32_t>(input.n));
    return Product{std::string(request.function), {}, !plain, [&device, kernel, shape, arguments] {
                       device.launch(kernel, shape, arguments);
                   }};
}

// ---- steps --------------------------------------------------------------------------------------

std::string check(Session& session, Input const& input, Product const& product) {
    auto const type = product.library.empty() ? own_type(input.type) : input.type;
    std::vector<std::uint8_t> c(input.n * input.n * type.output_bytes);
    session.device.download(c.data(), input.device_c.address(), c.size());
    session.device.synchronize();
    return check_product(type, input.n, input.a, input.b, product.b_transposed, c);
}

std::optional<Product> product_of(Session& session, Input& input, std::string_view library) {
    if (library.empty()) return own_product(session, input);
    for (auto const& row : gemm_libraries())
        if (row.name == library) return row.make(session.device, input.type, input.buffers());
    return std::nullopt;
}

void run(Session& session, Input& input, std::string_view library, bool sustained,
         Measurement& result) {
    auto const product = product_of(session, input, library);
    if (!product)
        throw DeviceError(library.empty() ? "there is no kernel for this type and target"
                                          : fmt::format("{} is not installed", library),
                          "unsupported");
    result.parameters.kernel = product->kernel;
    if (!product->library.empty()) result.parameters.library = product->library;
    // Left over from another type these would look like results; as fp32 or fp64 they are no
    // number.
    session.device.fill(input.device_c.address(), 0xFF, input.device_c.bytes());
    session.device.synchronize();
    auto const n = static_cast<double>(input.n);
    Work work{.queue = product->queue, .amount = 2 * n * n * n, .scale = 1e-12};
    work.check = [&] { return check(session, input, *product); };
    if (sustained) work.least_seconds = sustained_seconds;
    else work.burst = session.device.info().backend != "cpu";
    measure(session, work, result);
}

/// Of a sustained run the last third counts: the limits have set in by then. All samples are kept.
void keep_the_end(Measurement& result) {
    if (result.status != "ok" || result.samples.size() < 6) return;
    auto const all = result.samples;
    result.samples.assign(all.end() - static_cast<std::ptrdiff_t>(all.size() / 3), all.end());
    std::erase(result.labels, "unsteady");
    summarize_into(result);
    result.samples = all;
}

void run_gap(Shelf const& shelf, double sustained, Measurement& result) {
    if (shelf.burst <= 0 || sustained <= 0)
        throw DeviceError("there is no pair of figures", "unsupported");
    result.value = sustained / shelf.burst;
    result.samples = {*result.value};
    result.verified = true;
    result.status = "ok";
}

std::uint64_t side(Session const& session) {
    bool const cpu = session.device.info().backend == "cpu";
    auto const usual =
        cpu ? (session.options.quick ? 1024U : 2048U) : (session.options.quick ? 4096U : 8192U);
    auto const asked = session.options.size.value_or(usual);
    return std::max<std::uint64_t>((asked + tile - 1) / tile, 1) * tile;
}

/// The steps of one type and one implementation.
void add_steps(Session& session, std::shared_ptr<Shelf> const& shelf, GemmType const& type,
               std::string_view library, std::vector<Step>& steps) {
    auto const n = side(session);
    auto const draft = [&](std::string_view mode, std::string_view unit) {
        auto it =
            draft_of(session, "gemm",
                     fmt::format("{}-{}", type.name, library.empty() ? "own" : library), unit);
        it.parameters.dtype = type.name;
        it.parameters.size = n;
        it.parameters.mode = mode;
        if (unit != "ratio") it.parameters.counting = "2 n^3 operations";
        return it;
    };
    steps.push_back({draft("burst", "TFLOP/s"), [=, &session, &type](Measurement& result) {
                         run(session, shelf->get(session, type, n), library, false, result);
                         shelf->burst = result.value.value_or(0);
                     }});
    bool const long_runs =
        !library.empty() && !session.options.quick && session.device.info().backend != "cpu";
    if (!long_runs) return;
    auto const sustained = std::make_shared<double>(0);
    steps.push_back({draft("sustained", "TFLOP/s"), [=, &session, &type](Measurement& result) {
                         run(session, shelf->get(session, type, n), library, true, result);
                         keep_the_end(result);
                         *sustained = result.value.value_or(0);
                     }});
    steps.push_back({draft("sustained / burst", "ratio"),
                     [=](Measurement& result) { run_gap(*shelf, *sustained, result); }});
}

}  // namespace

std::vector<Step> plan_gemm(Session& session) {
    std::vector<Step> steps;
    auto const shelf = std::make_shared<Shelf>();
    auto const& info = session.device.info();
    for (auto const& type : gemm_types()) {
        if (!session.options.dtype.empty() && session.options.dtype != type.name) continue;
        bool const own = type.name == "fp32" || has_matrix_kernel(info.target, type.name);
        if (own) add_steps(session, shelf, type, "", steps);
        for (auto const& library : gemm_libraries())
            if (library.backend == info.backend && library.has(type.name))
                add_steps(session, shelf, type, library.name, steps);
    }
    return steps;
}

}  // namespace rocmtune::bench
