// SPDX-License-Identifier: MIT
// Matrix products of vendors' libraries: a library is a row of the last table, and what opens it.
// Column-major libraries compute C^T = B^T A^T, which is our row-major C = A B without a copy.
#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "bench/gemm.hpp"
#include "bench/library_functions.hpp"

namespace rocmtune::bench {
namespace {

/// A number of the library's own type for alpha and beta, in memory that outlives the calls.
struct Scalars {
    void const *one, *zero;
};
Scalars scalars_of(std::string_view type) {
    static constexpr double doubles[] = {1, 0};
    static constexpr float floats[] = {1, 0};
    static constexpr std::int32_t integers[] = {1, 0};
    if (type == "fp64") return {doubles, doubles + 1};
    if (type == "int8") return {integers, integers + 1};
    return {floats, floats + 1};
}

/// The library's handle for a device, with the device's queue: making one takes half a second, and
/// one serves no other device (cublasGemmEx then says CUBLAS_STATUS_EXECUTION_FAILED). Callers take
/// turns.
Handle handle_of(DynamicLibrary const& library, Device& device, char const* create,
                 char const* set_stream) {
    static std::map<std::pair<std::string, std::uint64_t>, Handle> handles;
    auto& handle = handles[{library.path(), device.info().index}];
    if (handle == nullptr) check_status(need<int(Handle*)>(library, create)(&handle), create);
    check_status(need<int(Handle, void*)>(library, set_stream)(handle, device.native_queue()),
                 set_stream);
    return handle;
}

// ---- cuBLAS: cublas_api.h, library_types.h of CUDA 13.0 -----------------------------------------

constexpr BlasType cublas_types[] = {
    // cudaDataType_t: R_32F 0, R_64F 1, R_16F 2, R_8I 3, R_32I 10, R_16BF 14.
    // cublasComputeType_t: 32F 68, 64F 70, 32I 72, 32F_FAST_TF32 77.
    {"fp64", 1, 1, 70}, {"fp32", 0, 0, 68},   {"tf32", 0, 0, 77},
    {"fp16", 2, 2, 68}, {"bf16", 14, 14, 68}, {"int8", 3, 10, 72},
};

std::optional<Product> open_cublas(Device& device, BlasType const& type, GemmBuffers const& it) {
    DynamicLibrary const library(cuda_library_candidates("libcublas"));
    if (!library) return std::nullopt;
    using Gemm = int(Handle, int, int, int, int, int, void const*, void const*, int, int,
                     void const*, int, int, void const*, void*, int, int, int, int);
    auto* const handle = handle_of(library, device, "cublasCreate_v2", "cublasSetStream_v2");
    auto* const gemm = need<Gemm>(library, "cublasGemmEx");
    auto const n = static_cast<int>(it.n);
    // int8 wants the first operand transposed: op(X) = X^T of B^T is B read the other way round.
    bool const transposed = type.name == "int8";
    return Product{"cublasGemmEx", library.path(), transposed, [=] {
                       constexpr int default_algorithm = -1;  // CUBLAS_GEMM_DEFAULT
                       auto const [one, zero] = scalars_of(type.name);
                       check_status(
                           gemm(handle, transposed ? 1 : 0, 0, n, n, n, one, pointer(it.b),
                                type.input, n, pointer(it.a), type.input, n, zero, pointer(it.c),
                                type.output, n, type.compute, default_algorithm),
                           "cublasGemmEx");
                   }};
}

// ---- rocBLAS: rocblas-types.h, rocblas-functions.h of ROCm 5.2 to 7.0 ---------------------------

constexpr BlasType rocblas_types[] = {
    // rocblas_datatype: f16_r 150, f32_r 151, f64_r 152, i8_r 160, i32_r 162, bf16_r 168.
    {"fp64", 152, 152, 152}, {"fp32", 151, 151, 151}, {"fp16", 150, 150, 151},
    {"bf16", 168, 168, 151}, {"int8", 160, 162, 162},
};

constexpr std::string_view rocblas_majors[] = {"5", "4", "3", "0"};
constexpr RocmLibrary rocblas{"librocblas", "ROCMTUNE_LIBROCBLAS", rocblas_majors};

std::optional<Product> open_rocblas(Device& device, BlasType const& type, GemmBuffers const& it) {
    DynamicLibrary const library(library_candidates(rocblas));
    if (!library) return std::nullopt;
    using Gemm = int(Handle, int, int, int, int, int, void const*, void const*, int, int,
                     void const*, int, int, void const*, void const*, int, int, void*, int, int,
                     int, int, std::int32_t, std::uint32_t);
    auto* const handle = handle_of(library, device, "rocblas_create_handle", "rocblas_set_stream");
    auto* const gemm = need<Gemm>(library, "rocblas_gemm_ex");
    auto const n = static_cast<int>(it.n);
    return Product{"rocblas_gemm_ex", library.path(), false, [=] {
                       constexpr int none = 111;      // rocblas_operation_none
                       constexpr int standard = 160;  // rocblas_gemm_algo_standard
                       auto const [one, zero] = scalars_of(type.name);
                       auto* const c = pointer(it.c);
                       check_status(
                           gemm(handle, none, none, n, n, n, one, pointer(it.b), type.input, n,
                                pointer(it.a), type.input, n, zero, c, type.output, n, c,
                                type.output, n, type.compute, standard, 0, 0),
                           "rocblas_gemm_ex");
                   }};
}

// ---- hipBLASLt and cuBLASLt: the same interface under two names. The second operand is
// transposed, as fp8 wants it
// ---------------------------------------------------------------------------------

/// What differs between the two.
struct LtNames {
    char const* prefix;              ///< of all functions
    int transpose_a, transpose_b;    ///< ..._MATMUL_DESC_TRANSA, TRANSB
    std::int32_t transposed, plain;  ///< ..._OP_T, OP_N
};

// Data types in both: R_32F 0, R_16F 2, R_8I 3, R_32I 10, R_16BF 14, R_8F_E4M3 28; in HIP
// R_8F_E4M3_FNUZ 1000.
// cublasComputeType_t: 32F 68, 32I 72, 32F_FAST_TF32 77; hipblasComputeType_t: 32F 2,
// 32F_FAST_TF32 6, 32I 9.
constexpr BlasType hipblaslt_types[] = {{"fp32", 0, 0, 2},  {"tf32", 0, 0, 6},
                                        {"fp16", 2, 2, 2},  {"bf16", 14, 14, 2},
                                        {"fp8", 28, 14, 2}, {"int8", 3, 10, 9, 10}};
constexpr BlasType cublaslt_types[] = {{"fp32", 0, 0, 68},  {"tf32", 0, 0, 77},
                                       {"fp16", 2, 2, 68},  {"bf16", 14, 14, 68},
                                       {"fp8", 28, 14, 68}, {"int8", 3, 10, 72, 10}};
constexpr LtNames hipblaslt_names{"hipblasLt", 0, 1, 112, 111};
constexpr LtNames cublaslt_names{"cublasLt", 3, 4, 1, 0};
constexpr int preference_workspace = 1;  // ..._MATMUL_PREF_MAX_WORKSPACE_BYTES in both
constexpr int fnuz = 1000;
constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

/// One matrix product with everything that the library wants to know of it. The descriptions live
/// as long as the process: it is a worker.
class LtProduct {
  public:
    LtProduct(DynamicLibrary opened, LtNames const& names, BlasType const& type, Device& device,
              GemmBuffers const& buffers)
        : library_(std::move(opened)),
          names_(names),
          type_(type),
          device_(device),
          it_(buffers),
          workspace_(device, workspace_bytes) {
        call<int(Handle*)>("Create", &handle_);
        call<int(Handle*, int, int)>("MatmulDescCreate", &operation_, type_.compute, type_.scale);
        set<Handle>("MatmulDescSetAttribute", operation_, names_.transpose_a, names_.transposed);
        set<Handle>("MatmulDescSetAttribute", operation_, names_.transpose_b, names_.plain);
        for (auto* const layout : {&input_, &output_})
            call<int(Handle*, int, std::uint64_t, std::uint64_t, std::int64_t)>(
                "MatrixLayoutCreate", layout, layout == &input_ ? type_.input : type_.output, it_.n,
                it_.n, static_cast<std::int64_t>(it_.n));
        choose();
        matmul_ = need<Matmul>(library_, name("Matmul").c_str());
    }

    void queue() {
        auto const [one, zero] = scalars_of(type_.name);
        auto* const c = pointer(it_.c);
        check(matmul_(handle_, operation_, one, pointer(it_.b), input_, pointer(it_.a), input_,
                      zero, c, output_, c, output_, result_.data(), pointer(workspace_.address()),
                      workspace_bytes, device_.native_queue()),
              "Matmul");
    }

    std::string const& path() const { return library_.path(); }

  private:
    using Matmul = int(Handle, Handle, void const*, void const*, Handle, void const*, Handle,
                       void const*, void const*, Handle, void*, Handle, void const*, void*,
                       std::size_t, void*);
    using Heuristic = int(Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, void*, int*);

    std::string name(char const* function) const {
        return fmt::format("{}{}", names_.prefix, function);
    }
    void check(int status, char const* function) const { check_status(status, name(function)); }

    template <class F, class... Arguments>
    void call(char const* function, Arguments... arguments) {
        check(need<F>(library_, name(function).c_str())(arguments...), function);
    }
    template <class Object, class T>
    void set(char const* function, Object object, int attribute, T value) {
        call<int(Handle, int, void const*, std::size_t)>(
            function, object, attribute, static_cast<void const*>(&value), sizeof value);
    }

    /// The library's first choice, as frameworks take it.
    void choose() {
        Handle preference = nullptr;
        call<int(Handle*)>("MatmulPreferenceCreate", &preference);
        set<Handle>("MatmulPreferenceSetAttribute", preference, preference_workspace,
                    static_cast<std::uint64_t>(workspace_bytes));
        int count = 0;
        auto const status = need<Heuristic>(library_, name("MatmulAlgoGetHeuristic").c_str())(
            handle_, operation_, input_, input_, output_, output_, preference, 1, result_.data(),
            &count);
        if (status != 0 || count == 0)
            throw DeviceError(fmt::format("{} has no kernel for {} on this device (status {})",
                                          names_.prefix, type_.name, status),
                              "unsupported");
    }

    DynamicLibrary library_;
    LtNames const& names_;
    BlasType type_;
    Device& device_;
    GemmBuffers it_;
    Buffer workspace_;
    Handle handle_ = nullptr, operation_ = nullptr, input_ = nullptr, output_ = nullptr;
    /// A ...HeuristicResult_t, 96 bytes at most so far; its algorithm comes first.
    alignas(16) std::array<char, 1024> result_{};
    Matmul* matmul_ = nullptr;
};

std::optional<Product> open_lt(DynamicLibrary library, LtNames const& names, BlasType const& type,
                               Device& device, GemmBuffers const& buffers) {
    if (!library) return std::nullopt;
    auto const lt = std::make_shared<LtProduct>(std::move(library), names, type, device, buffers);
    return Product{fmt::format("{}Matmul", names.prefix), lt->path(), true, [lt] { lt->queue(); }};
}

constexpr std::string_view hipblaslt_majors[] = {"1", "0"};
constexpr RocmLibrary hipblaslt{"libhipblaslt", "ROCMTUNE_LIBHIPBLASLT", hipblaslt_majors};

std::optional<Product> open_hipblaslt(Device& device, BlasType const& type,
                                      GemmBuffers const& buffers) {
    auto row = type;
    if (type.name == "fp8" && buffers.fnuz) row.input = fnuz;
    return open_lt(DynamicLibrary(library_candidates(hipblaslt)), hipblaslt_names, row, device,
                   buffers);
}

std::optional<Product> open_cublaslt(Device& device, BlasType const& type,
                                     GemmBuffers const& buffers) {
    return open_lt(DynamicLibrary(cuda_library_candidates("libcublasLt")), cublaslt_names, type,
                   device, buffers);
}

// ---- OpenBLAS: cblas.h --------------------------------------------------------------------------

constexpr BlasType openblas_types[] = {{"fp32", 0, 0, 0}, {"fp64", 0, 0, 0}};

template <class T>
Product openblas_product(DynamicLibrary const& library, char const* name, GemmBuffers const& it) {
    using Gemm = void(int, int, int, int, int, int, T, T const*, int, T const*, int, T, T*, int);
    auto* const gemm = need<Gemm>(library, name);
    return {name, library.path(), false, [it, gemm, n = static_cast<int>(it.n)] {
                constexpr int row_major = 101, none = 111;  // CblasRowMajor, CblasNoTrans
                gemm(row_major, none, none, n, n, n, 1, reinterpret_cast<T const*>(it.a), n,
                     reinterpret_cast<T const*>(it.b), n, 0, reinterpret_cast<T*>(it.c), n);
            }};
}

std::optional<Product> open_openblas(Device&, BlasType const& type, GemmBuffers const& it) {
    auto const library = opened("ROCMTUNE_LIBOPENBLAS", {"libopenblas.so.0", "libopenblas.so"});
    if (!library) return std::nullopt;
    if (type.name == "fp32") return openblas_product<float>(library, "cblas_sgemm", it);
    return openblas_product<double>(library, "cblas_dgemm", it);
}

constexpr GemmLibrary libraries[] = {
    {"rocblas", "hip", rocblas_types, open_rocblas},
    {"hipblaslt", "hip", hipblaslt_types, open_hipblaslt},
    {"cublas", "cuda", cublas_types, open_cublas},
    {"cublaslt", "cuda", cublaslt_types, open_cublaslt},
    {"openblas", "cpu", openblas_types, open_openblas},
};

}  // namespace

BlasType const* GemmLibrary::row_of(std::string_view type) const {
    auto const found = std::ranges::find(types, type, &BlasType::name);
    return found == types.end() ? nullptr : &*found;
}

std::span<GemmLibrary const> gemm_libraries() {
    return libraries;
}

}  // namespace rocmtune::bench
