// SPDX-License-Identifier: MIT
// References: hipblaslt/hipblaslt.h, hipblas-common.h, hip/library_types.h (ROCm 6.0 to 7.0);
// cublasLt.h, cublas_api.h, library_types.h (CUDA 13.0).
#include "bench/gemm_lt.hpp"

#include <array>

#include <fmt/format.h>

#include "bench/cuda_libraries.hpp"
#include "bench/gemm_open.hpp"

namespace rocmtune::bench {
namespace {

using Handle = void*;

struct LtType : BlasType {
    int scale;
};

/// What differs between the two libraries.
struct LtNames {
    char const* prefix;              ///< of all functions
    int transpose_a, transpose_b;    ///< ..._MATMUL_DESC_TRANSA, TRANSB
    std::int32_t transposed, plain;  ///< ..._OP_T, OP_N
};

// Data types in both: R_32F 0, R_16F 2, R_8I 3, R_32I 10, R_16BF 14, R_8F_E4M3 28; in HIP
// R_8F_E4M3_FNUZ 1000.
// cublasComputeType_t: 32F 68, 32I 72, 32F_FAST_TF32 77; hipblasComputeType_t: 32F 2,
// 32F_FAST_TF32 6, 32I 9.
constexpr LtType hip_types[] = {{{"fp32", 0, 0, 2}, 0},  {{"tf32", 0, 0, 6}, 0},
                                {{"fp16", 2, 2, 2}, 0},  {{"bf16", 14, 14, 2}, 0},
                                {{"fp8", 28, 14, 2}, 0}, {{"int8", 3, 10, 9}, 10}};
constexpr LtType cuda_types[] = {{{"fp32", 0, 0, 68}, 0},  {{"tf32", 0, 0, 77}, 0},
                                 {{"fp16", 2, 2, 68}, 0},  {{"bf16", 14, 14, 68}, 0},
                                 {{"fp8", 28, 14, 68}, 0}, {{"int8", 3, 10, 72}, 10}};
constexpr LtNames hip_names{"hipblasLt", 0, 1, 112, 111};
constexpr LtNames cuda_names{"cublasLt", 3, 4, 1, 0};
constexpr int preference_workspace = 1;  // ..._MATMUL_PREF_MAX_WORKSPACE_BYTES in both
constexpr int fnuz = 1000;
constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

/// One matrix product with everything that the library wants to know of it. The descriptions live
/// as long as the process: it is a worker.
class LtProduct {
  public:
    LtProduct(DynamicLibrary opened, LtNames const& names, LtType const& type, Device& device,
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
        std::int32_t const one_int = 1, zero_int = 0;
        float const one = 1, zero = 0;
        bool const integer = type_.name == "int8";
        auto* const c = reinterpret_cast<void*>(it_.c);
        check(matmul_(handle_, operation_, integer ? static_cast<void const*>(&one_int) : &one,
                      reinterpret_cast<void const*>(it_.b), input_,
                      reinterpret_cast<void const*>(it_.a), input_,
                      integer ? static_cast<void const*>(&zero_int) : &zero, c, output_, c, output_,
                      result_.data(), reinterpret_cast<void*>(workspace_.address()),
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

    void check(int status, char const* function) const {
        check_status(status, name(function).c_str());
    }

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
    LtType type_;
    Device& device_;
    GemmBuffers it_;
    Buffer workspace_;
    Handle handle_ = nullptr, operation_ = nullptr, input_ = nullptr, output_ = nullptr;
    /// A ...HeuristicResult_t, 96 bytes at most so far; its algorithm comes first.
    alignas(16) std::array<char, 1024> result_{};
    Matmul* matmul_ = nullptr;
};

std::optional<Product> make(DynamicLibrary library, LtNames const& names, LtType type,
                            Device& device, GemmBuffers const& buffers) {
    if (!library) return std::nullopt;
    auto const lt = std::make_shared<LtProduct>(std::move(library), names, type, device, buffers);
    return Product{fmt::format("{}Matmul", names.prefix), lt->path(), true, [lt] { lt->queue(); }};
}

constexpr std::string_view hipblaslt_majors[] = {"1", "0"};
constexpr RocmLibrary hipblaslt{"libhipblaslt", "ROCMTUNE_LIBHIPBLASLT", hipblaslt_majors};

}  // namespace

bool hipblaslt_has(std::string_view type) {
    return row_of(hip_types, type) != nullptr;
}

bool cublaslt_has(std::string_view type) {
    return row_of(cuda_types, type) != nullptr;
}

std::optional<Product> make_hipblaslt(Device& device, GemmType const& type,
                                      GemmBuffers const& buffers) {
    auto row = *row_of(hip_types, type.name);
    if (type.name == "fp8" && is_fnuz(device.info().target)) row.input = fnuz;
    return make(DynamicLibrary(library_candidates(hipblaslt)), hip_names, row, device, buffers);
}

std::optional<Product> make_cublaslt(Device& device, GemmType const& type,
                                     GemmBuffers const& buffers) {
    return make(DynamicLibrary(cuda_library_candidates("libcublasLt")), cuda_names,
                *row_of(cuda_types, type.name), device, buffers);
}

}  // namespace rocmtune::bench
