// SPDX-License-Identifier: MIT
// librocblas and libhipblaslt over the fake HIP, whose device memory is the host's. Products of
// fp32 are computed rightly and at once, column-major as both libraries have them; other types are
// refused. wrong=N@rocblas_gemm_ex (or hipblasLtMatmul) spoils element N of the result (nan=N,
// inf=N: makes it no number), idle=1 leaves it as it was. Signatures: rocblas-functions.h of
// ROCm 5.2 to 7.0, hipblaslt.h of 6.0 to 7.0.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "fake.hpp"

namespace {

constexpr int success = 0;
constexpr int not_implemented = 3;  // rocblas_status_not_implemented; HIPBLAS_STATUS_INVALID_VALUE
constexpr int rocblas_f32 = 151, hip_f32 = 0, hipblas_compute_32f = 2;
constexpr int none = 111, transpose = 112;  // in both

/// A column-major operand: element (row, column) as its operation shows it.
struct Operand {
    float const* data;
    std::int64_t leading;
    bool transposed;

    float at(std::int64_t row, std::int64_t column) const {
        return transposed ? data[row * leading + column] : data[column * leading + row];
    }
};

/// The operand as its operation shows it, column after column.
std::vector<float> plain(Operand const& operand, std::int64_t n) {
    std::vector<float> all;
    for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t row = 0; row < n; ++row) all.push_back(operand.at(row, column));
    return all;
}

void multiply(std::int64_t n, float alpha, Operand const& a, Operand const& b, float beta,
              float const* c, float* d, std::int64_t leading) {
    auto const left = plain(a, n), right = plain(b, n);
    std::vector<float> sums(static_cast<std::size_t>(n));
    for (std::int64_t column = 0; column < n; ++column) {
        std::fill(sums.begin(), sums.end(), 0.0F);
        for (std::int64_t k = 0; k < n; ++k) {
            auto const factor = right[static_cast<std::size_t>(column * n + k)];
            auto const* const from = left.data() + k * n;
            for (std::size_t row = 0; row < sums.size(); ++row) sums[row] += from[row] * factor;
        }
        for (std::int64_t row = 0; row < n; ++row) {
            auto const at = column * leading + row;
            d[at] = alpha * sums[static_cast<std::size_t>(row)] + (beta == 0 ? 0 : beta * c[at]);
        }
    }
}

void spoil(char const* function, float* result) {
    if (auto const wrong = fake::ordered("wrong", function)) result[*wrong] += 1;
    for (auto const* const what : {"nan", "inf"})
        if (auto const at = fake::ordered(what, function)) result[*at] = *fake::no_number(function);
}

struct Description {
    int compute = 0;
    int operation_a = none, operation_b = none;
};

struct Layout {
    int type = 0;
    std::uint64_t rows = 0, columns = 0;
    std::int64_t leading = 0;
};

template <class T>
int hand_out(void** handle, T value) {
    *handle = new T(value);
    return success;
}

}  // namespace

FAKE_EXPORT int rocblas_create_handle(void** handle) {
    FAKE_ENTRY();
    return hand_out(handle, 0);
}
FAKE_EXPORT int rocblas_set_stream(void*, void*) {
    FAKE_ENTRY();
    return success;
}
FAKE_EXPORT int rocblas_gemm_ex(void*, int operation_a, int operation_b, int m, int n, int k,
                                void const* alpha, void const* a, int type_a, int leading_a,
                                void const* b, int type_b, int leading_b, void const* beta,
                                void const* c, int type_c, int leading_c, void* d, int type_d,
                                int leading_d, int compute, int, std::int32_t, std::uint32_t) {
    FAKE_ENTRY();
    for (int const type : {type_a, type_b, type_c, type_d, compute})
        if (type != rocblas_f32) return not_implemented;
    if (m != n || n != k || leading_c != leading_d) return not_implemented;
    if (fake::ordered("idle", __func__)) return success;
    multiply(n, *static_cast<float const*>(alpha),
             {static_cast<float const*>(a), leading_a, operation_a == transpose},
             {static_cast<float const*>(b), leading_b, operation_b == transpose},
             *static_cast<float const*>(beta), static_cast<float const*>(c), static_cast<float*>(d),
             leading_d);
    spoil(__func__, static_cast<float*>(d));
    return success;
}

FAKE_EXPORT int hipblasLtCreate(void** handle) {
    FAKE_ENTRY();
    return hand_out(handle, 0);
}
FAKE_EXPORT int hipblasLtMatmulDescCreate(void** description, int compute, int) {
    FAKE_ENTRY();
    return hand_out(description, Description{.compute = compute});
}
FAKE_EXPORT int hipblasLtMatmulDescSetAttribute(void* description, int attribute, void const* value,
                                                std::size_t bytes) {
    FAKE_ENTRY();
    auto& it = *static_cast<Description*>(description);
    if (attribute > 1 || bytes != sizeof it.operation_a) return not_implemented;
    std::memcpy(attribute == 0 ? &it.operation_a : &it.operation_b, value, bytes);
    return success;
}
FAKE_EXPORT int hipblasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows,
                                            std::uint64_t columns, std::int64_t leading) {
    FAKE_ENTRY();
    return hand_out(layout, Layout{type, rows, columns, leading});
}
FAKE_EXPORT int hipblasLtMatmulPreferenceCreate(void** preference) {
    FAKE_ENTRY();
    return hand_out(preference, 0);
}
FAKE_EXPORT int hipblasLtMatmulPreferenceSetAttribute(void*, int, void const*, std::size_t) {
    FAKE_ENTRY();
    return success;
}
/// As the real one, it has nothing for what it cannot do.
FAKE_EXPORT int hipblasLtMatmulAlgoGetHeuristic(void*, void* description, void* a, void* b, void* c,
                                                void* d, void*, int, void*, int* count) {
    FAKE_ENTRY();
    *count = static_cast<Description*>(description)->compute == hipblas_compute_32f ? 1 : 0;
    for (auto const* const layout : {a, b, c, d})
        if (static_cast<Layout const*>(layout)->type != hip_f32) *count = 0;
    return success;
}
FAKE_EXPORT int hipblasLtMatmul(void*, void* description, void const* alpha, void const* a,
                                void* layout_a, void const* b, void* layout_b, void const* beta,
                                void const* c, void*, void* d, void* layout_d, void const*, void*,
                                std::size_t, void*) {
    FAKE_ENTRY();
    auto const& it = *static_cast<Description*>(description);
    auto const& result = *static_cast<Layout*>(layout_d);
    if (fake::ordered("idle", __func__)) return success;
    multiply(static_cast<std::int64_t>(result.rows), *static_cast<float const*>(alpha),
             {static_cast<float const*>(a), static_cast<Layout*>(layout_a)->leading,
              it.operation_a == transpose},
             {static_cast<float const*>(b), static_cast<Layout*>(layout_b)->leading,
              it.operation_b == transpose},
             *static_cast<float const*>(beta), static_cast<float const*>(c), static_cast<float*>(d),
             result.leading);
    spoil(__func__, static_cast<float*>(d));
    return success;
}
