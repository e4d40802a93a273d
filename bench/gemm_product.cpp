// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/gemm.hpp"
#include "knowledge/chips.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::uint32_t seed_a = 5;
constexpr std::uint32_t seed_b = 6;
constexpr std::uint64_t tile = 256;  ///< our kernels make whole tiles
/// Our own matrix kernels write accumulators, which are wider than a library's results.
constexpr std::size_t accumulator_bytes = 4;

/// The type of the results of our kernels is that of the accumulator.
GemmType own_type(GemmType type) {
    if (type.name == "fp16" || type.name == "bf16" || type.name == "fp8")
        type.output_bytes = 4, type.output_epsilon = 0x1p-24;
    return type;
}

std::optional<Product> own_product(Device& device, GemmInput& input) {
    bool const plain = input.type.name == "fp32";
    if (!has_own_kernel(input.units, input.type.name)) return std::nullopt;
    KernelRequest request{plain ? "gemm" : "gemm_matrix", plain ? "rt_sgemm" : "rt_matrix_gemm"};
    if (!plain) request.definitions = {"RT_" + upper(input.units.instruction(input.type.name))};
    if (input.compute_dies > 1)
        request.definitions.push_back(fmt::format("RT_DIES={}", input.compute_dies));
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

}  // namespace

std::string_view MatrixUnits::instruction(std::string_view type) const {
    auto const found = std::ranges::find(kernels, type, &GemmKernel::dtype);
    return found == kernels.end() ? std::string_view() : found->instruction;
}

MatrixUnits matrix_units_of(ChipSet const& chips, std::string_view target) {
    auto const base = target.substr(0, target.find(':'));
    auto const* chip = chips.find_chip(base);
    if (chip == nullptr) chip = chips.find_family(base);
    if (chip == nullptr) return {};
    MatrixUnits units{std::string(chip->facts.fp8_format)};
    for (auto const& [type, instruction] : chip->facts.matrix_kernels)
        units.kernels.push_back({std::string(type), std::string(instruction)});
    return units;
}

GemmInput::GemmInput(Device& opened, GemmType const& which, std::uint64_t side,
                     MatrixUnits const& of_target, std::uint64_t dies)
    : device(opened),
      type(which),
      n(side),
      units(of_target),
      compute_dies(dies),
      a(random_matrix(which, side, seed_a, units.fp8_is_fnuz())),
      b(random_matrix(which, side, seed_b, units.fp8_is_fnuz())),
      device_a(opened, a.bytes.size()),
      device_b(opened, b.bytes.size()),
      device_c(opened, side * side * std::max(which.output_bytes, accumulator_bytes)) {
    device.upload(device_a.address(), a.bytes.data(), a.bytes.size());
    device.upload(device_b.address(), b.bytes.data(), b.bytes.size());
    device.synchronize();
}

std::uint64_t GemmInput::bytes_of(GemmType const& type, std::uint64_t side) {
    // More rows than any memory holds: their square would not fit into the number.
    constexpr std::uint64_t most_side = std::uint64_t{1} << 28;
    if (side > most_side) return std::numeric_limits<std::uint64_t>::max();
    return side * side * (2 * type.input_bytes + std::max(type.output_bytes, accumulator_bytes));
}

bool has_own_kernel(MatrixUnits const& units, std::string_view type) {
    return type == "fp32" || !units.instruction(type).empty();
}

std::optional<Product> product_of(Device& device, GemmInput& input, std::string_view library) {
    if (library.empty()) return own_product(device, input);
    for (auto const& one : gemm_libraries()) {
        auto const* const row = one.name == library ? one.row_of(input.type.name) : nullptr;
        if (row != nullptr) return one.open(device, *row, input.buffers());
    }
    return std::nullopt;
}

Output output_of(GemmInput const& input, Product const& product) {
    return device_output(input.device, input.device_c.address(),
                         product.library.empty() ? input.device_c.bytes()
                                                 : input.n * input.n * input.type.output_bytes);
}

std::string check_of(Device& device, GemmInput const& input, Product const& product) {
    auto const type = product.library.empty() ? own_type(input.type) : input.type;
    std::vector<std::uint8_t> c(input.n * input.n * type.output_bytes);
    device.download(c.data(), input.device_c.address(), c.size());
    device.synchronize();
    return check_product(type, input.n, input.a, input.b, product.b_transposed, c);
}

std::uint64_t gemm_side(Session const& session) {
    auto const& options = session.options;
    bool const cpu = session.device.info().backend == "cpu";
    auto const usual = cpu ? (options.quick ? 1024U : 2048U) : (options.quick ? 4096U : 8192U);
    auto const asked = options.size.value_or(usual);
    return std::max<std::uint64_t>((asked + tile - 1) / tile, 1) * tile;
}

}  // namespace rocmtune::bench
