// SPDX-License-Identifier: MIT
// Column-major libraries compute C^T = B^T A^T, which is our row-major C = A B without a copy.
#include "bench/gemm_libraries.hpp"

#include <map>

#include "bench/cuda_libraries.hpp"
#include "bench/gemm_lt.hpp"
#include "bench/gemm_open.hpp"

namespace rocmtune::bench {
namespace {

using Handle = void*;

/// A number of the library's own type for alpha and beta, in memory that outlives the calls.
struct Scalars {
    double one_double = 1, zero_double = 0;
    float one_float = 1, zero_float = 0;
    std::int32_t one_int = 1, zero_int = 0;

    std::pair<void const*, void const*> of(std::string_view type) const {
        if (type == "fp64") return {&one_double, &zero_double};
        if (type == "int8") return {&one_int, &zero_int};
        return {&one_float, &zero_float};
    }
};

/// The library's handle for a device: making one takes half a second, and one serves no other
/// device (cublasGemmEx then says CUBLAS_STATUS_EXECUTION_FAILED). Callers take turns.
Handle& handle_of(DynamicLibrary const& library, Device const& device) {
    static std::map<std::pair<std::string, std::uint64_t>, Handle> handles;
    return handles[{library.path(), device.info().index}];
}

// ---- cuBLAS: cublas_api.h, library_types.h of CUDA 13.0 -----------------------------------------

constexpr BlasType cublas_types[] = {
    // cudaDataType_t: R_32F 0, R_64F 1, R_16F 2, R_8I 3, R_32I 10, R_16BF 14.
    // cublasComputeType_t: 32F 68, 64F 70, 32I 72, 32F_FAST_TF32 77.
    {"fp64", 1, 1, 70}, {"fp32", 0, 0, 68},   {"tf32", 0, 0, 77},
    {"fp16", 2, 2, 68}, {"bf16", 14, 14, 68}, {"int8", 3, 10, 72},
};

std::optional<Product> make_cublas(Device& device, GemmType const& type, GemmBuffers const& it) {
    auto const* const row = row_of(cublas_types, type.name);
    if (row == nullptr) return std::nullopt;
    DynamicLibrary const library(cuda_library_candidates("libcublas"));
    if (!library) return std::nullopt;
    using Gemm = int(Handle, int, int, int, int, int, void const*, void const*, int, int,
                     void const*, int, int, void const*, void*, int, int, int, int);
    auto& handle = handle_of(library, device);
    if (handle == nullptr)
        check_status(need<int(Handle*)>(library, "cublasCreate_v2")(&handle), "cublasCreate");
    check_status(
        need<int(Handle, void*)>(library, "cublasSetStream_v2")(handle, device.native_queue()),
        "cublasSetStream");
    auto const n = static_cast<int>(it.n);
    auto const scalars = std::make_shared<Scalars>();
    // int8 wants the first operand transposed: op(X) = X^T of B^T is B read the other way round.
    bool const transposed = type.name == "int8";
    auto* const gemm = need<Gemm>(library, "cublasGemmEx");
    Product product{"cublasGemmEx", library.path(), transposed, {}};
    product.queue = [=, row = *row, handle = handle] {
        auto const [one, zero] = scalars->of(row.name);
        constexpr int default_algorithm = -1;  // CUBLAS_GEMM_DEFAULT
        check_status(
            gemm(handle, transposed ? 1 : 0, 0, n, n, n, one, reinterpret_cast<void const*>(it.b),
                 row.input, n, reinterpret_cast<void const*>(it.a), row.input, n, zero,
                 reinterpret_cast<void*>(it.c), row.output, n, row.compute, default_algorithm),
            "cublasGemmEx");
    };
    return product;
}

// ---- rocBLAS: rocblas-types.h, rocblas-functions.h of ROCm 5.2 to 7.0 ---------------------------

constexpr BlasType rocblas_types[] = {
    // rocblas_datatype: f16_r 150, f32_r 151, f64_r 152, i8_r 160, i32_r 162, bf16_r 168.
    {"fp64", 152, 152, 152}, {"fp32", 151, 151, 151}, {"fp16", 150, 150, 151},
    {"bf16", 168, 168, 151}, {"int8", 160, 162, 162},
};

constexpr std::string_view rocblas_majors[] = {"5", "4", "3", "0"};
constexpr RocmLibrary rocblas{"librocblas", "ROCMTUNE_LIBROCBLAS", rocblas_majors};

std::optional<Product> make_rocblas(Device& device, GemmType const& type, GemmBuffers const& it) {
    auto const* const row = row_of(rocblas_types, type.name);
    if (row == nullptr) return std::nullopt;
    DynamicLibrary const library(library_candidates(rocblas));
    if (!library) return std::nullopt;
    using Gemm = int(Handle, int, int, int, int, int, void const*, void const*, int, int,
                     void const*, int, int, void const*, void const*, int, int, void*, int, int,
                     int, int, std::int32_t, std::uint32_t);
    auto& handle = handle_of(library, device);
    if (handle == nullptr)
        check_status(need<int(Handle*)>(library, "rocblas_create_handle")(&handle),
                     "rocblas_create_handle");
    check_status(
        need<int(Handle, void*)>(library, "rocblas_set_stream")(handle, device.native_queue()),
        "rocblas_set_stream");
    auto* const gemm = need<Gemm>(library, "rocblas_gemm_ex");
    auto const n = static_cast<int>(it.n);
    auto const scalars = std::make_shared<Scalars>();
    Product product{"rocblas_gemm_ex", library.path(), false, {}};
    product.queue = [=, row = *row, handle = handle] {
        constexpr int none = 111;      // rocblas_operation_none
        constexpr int standard = 160;  // rocblas_gemm_algo_standard
        auto const [one, zero] = scalars->of(row.name);
        auto* const c = reinterpret_cast<void*>(it.c);
        check_status(gemm(handle, none, none, n, n, n, one, reinterpret_cast<void const*>(it.b),
                          row.input, n, reinterpret_cast<void const*>(it.a), row.input, n, zero, c,
                          row.output, n, c, row.output, n, row.compute, standard, 0, 0),
                     "rocblas_gemm_ex");
    };
    return product;
}

// ---- OpenBLAS: cblas.h --------------------------------------------------------------------------

std::optional<Product> make_openblas(Device&, GemmType const& type, GemmBuffers const& it) {
    auto const only = secure_variable("ROCMTUNE_LIBOPENBLAS");
    std::vector<std::string> names{only};
    if (only.empty()) names = {"libopenblas.so.0", "libopenblas.so"};
    DynamicLibrary const library(names);
    if (!library) return std::nullopt;
    constexpr int row_major = 101, none = 111;  // CblasRowMajor, CblasNoTrans
    auto const n = static_cast<int>(it.n);
    Product product{type.name == "fp32" ? "cblas_sgemm" : "cblas_dgemm", library.path(), false, {}};
    if (type.name == "fp32") {
        using Gemm = void(int, int, int, int, int, int, float, float const*, int, float const*, int,
                          float, float*, int);
        auto* const gemm = need<Gemm>(library, "cblas_sgemm");
        product.queue = [=] {
            gemm(row_major, none, none, n, n, n, 1, reinterpret_cast<float const*>(it.a), n,
                 reinterpret_cast<float const*>(it.b), n, 0, reinterpret_cast<float*>(it.c), n);
        };
    } else {
        using Gemm = void(int, int, int, int, int, int, double, double const*, int, double const*,
                          int, double, double*, int);
        auto* const gemm = need<Gemm>(library, "cblas_dgemm");
        product.queue = [=] {
            gemm(row_major, none, none, n, n, n, 1, reinterpret_cast<double const*>(it.a), n,
                 reinterpret_cast<double const*>(it.b), n, 0, reinterpret_cast<double*>(it.c), n);
        };
    }
    return product;
}

constexpr GemmLibrary libraries[] = {
    {"rocblas", "hip", [](std::string_view type) { return row_of(rocblas_types, type) != nullptr; },
     make_rocblas},
    {"hipblaslt", "hip", hipblaslt_has, make_hipblaslt},
    {"cublas", "cuda", [](std::string_view type) { return row_of(cublas_types, type) != nullptr; },
     make_cublas},
    {"cublaslt", "cuda", cublaslt_has, make_cublaslt},
    {"openblas", "cpu", [](std::string_view type) { return type == "fp32" || type == "fp64"; },
     make_openblas},
};

}  // namespace

std::span<GemmLibrary const> gemm_libraries() {
    return libraries;
}

}  // namespace rocmtune::bench
