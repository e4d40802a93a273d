// SPDX-License-Identifier: MIT
#include "bench/gemm_product.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace rocmtune::bench {
namespace {

constexpr std::uint32_t seed_a = 5;
constexpr std::uint32_t seed_b = 6;
/// Our own matrix kernels write accumulators, which are wider than a library's results.
constexpr std::size_t accumulator_bytes = 4;

/// What gemm_matrix.hip calls the types that it has kernels for.
constexpr std::pair<std::string_view, char const*> definitions[] = {
    {"fp64", "RT_FP64"}, {"fp16", "RT_FP16"}, {"bf16", "RT_BF16"},
    {"fp8", "RT_FP8"},   {"int8", "RT_INT8"},
};

/// Whether gemm_matrix.hip has a kernel for this target and type.
bool has_matrix_kernel(std::string_view target, std::string_view type) {
    auto const base = target.substr(0, target.find(':'));
    bool const cdna = base == "gfx908" || base == "gfx90a" || base == "gfx942" || base == "gfx950";
    bool const rdna = base.starts_with("gfx11") || base.starts_with("gfx120");
    if (type == "fp64") return cdna && base != "gfx908";
    if (type == "fp8") return base == "gfx942" || base == "gfx950" || base.starts_with("gfx120");
    return (type == "fp16" || type == "bf16" || type == "int8") && (cdna || rdna);
}

/// The type of the results of our kernels is that of the accumulator.
GemmType own_type(GemmType type) {
    if (type.name == "fp16" || type.name == "bf16" || type.name == "fp8")
        type.output_bytes = 4, type.output_epsilon = 0x1p-24;
    return type;
}

std::optional<Product> own_product(Device& device, GemmInput& input) {
    bool const plain = input.type.name == "fp32";
    if (!plain && !has_matrix_kernel(device.info().target, input.type.name)) return std::nullopt;
    KernelRequest request{plain ? "gemm" : "gemm_matrix", plain ? "rt_sgemm" : "rt_matrix_gemm"};
    for (auto const& [name, definition] : definitions)
        if (input.type.name == name) request.definitions = {definition};
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

GemmInput::GemmInput(Device& opened, GemmType const& which, std::uint64_t side, std::uint64_t dies)
    : device(opened),
      type(which),
      n(side),
      compute_dies(dies),
      a(random_matrix(which, side, seed_a, is_fnuz(opened.info().target))),
      b(random_matrix(which, side, seed_b, is_fnuz(opened.info().target))),
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

bool has_own_kernel(std::string_view target, std::string_view type) {
    return type == "fp32" || has_matrix_kernel(target, type);
}

std::string check_of(Device& device, GemmInput const& input, Product const& product) {
    auto const type = product.library.empty() ? own_type(input.type) : input.type;
    std::vector<std::uint8_t> c(input.n * input.n * type.output_bytes);
    device.download(c.data(), input.device_c.address(), c.size());
    device.synchronize();
    return check_product(type, input.n, input.a, input.b, product.b_transposed, c);
}

std::optional<Product> product_of(Device& device, GemmInput& input, std::string_view library) {
    if (library.empty()) return own_product(device, input);
    for (auto const& row : gemm_libraries())
        if (row.name == library) return row.make(device, input.type, input.buffers());
    return std::nullopt;
}

}  // namespace rocmtune::bench
