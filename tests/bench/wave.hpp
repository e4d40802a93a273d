// SPDX-License-Identifier: MIT
// Runs a kernel of bench/kernels on the processor, a thread of the block at a time, with the matrix
// instructions of AMD GPUs as functions. Each takes the operands of all lanes of a wave and gives
// each lane its part of the result, as the published operand layouts say
// (https://github.com/ROCm/amd_matrix_instruction_calculator; "RDNA3" and "RDNA4 Instruction Set
// Architecture", section WMMA). WRONG_LAYOUT 1 swaps rows and columns of the result, 2 shifts them
// by one lane: a test that then still passes tests nothing.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <ucontext.h>

#ifndef WRONG_LAYOUT
#define WRONG_LAYOUT 0
#endif

namespace wave {

/// One thread of the block.
struct Lane {
    ucontext_t context;
    std::vector<char> stack;
    bool over = false;
};

inline std::vector<std::unique_ptr<Lane>> lanes;
inline ucontext_t scheduler;
inline unsigned current = 0;
inline unsigned block_index = 0;
inline void (*body)() = nullptr;

inline void yield() {
    swapcontext(&lanes[current]->context, &scheduler);
}

/// Waits until all of a group have come here.
struct Barrier {
    unsigned arrived = 0;
    unsigned generation = 0;
    void wait(unsigned size) {
        auto const mine = generation;
        if (++arrived == size) {
            arrived = 0;
            ++generation;
            return;
        }
        while (generation == mine) yield();
    }
};

inline Barrier block_barrier;
inline std::vector<Barrier> wave_barriers(64);

inline void entry() {
    body();
    lanes[current]->over = true;
    swapcontext(&lanes[current]->context, &scheduler);
}

inline void run_block(unsigned threads, void (*kernel)()) {
    body = kernel;
    lanes.clear();
    for (unsigned i = 0; i < threads; ++i) {
        auto lane = std::make_unique<Lane>();
        lane->stack.resize(256 << 10);
        getcontext(&lane->context);
        lane->context.uc_stack.ss_sp = lane->stack.data();
        lane->context.uc_stack.ss_size = lane->stack.size();
        makecontext(&lane->context, entry, 0);
        lanes.push_back(std::move(lane));
    }
    for (bool more = true; more;) {
        more = false;
        for (current = 0; current < threads; ++current) {
            if (lanes[current]->over) continue;
            more = true;
            swapcontext(&scheduler, &lanes[current]->context);
        }
    }
}

/// What every lane of a wave has brought.
template <class T>
std::vector<T> gather(T const& mine, unsigned size) {
    static std::vector<T> all(1024);
    all[current] = mine;
    wave_barriers[current / size].wait(size);
    auto const first = all.begin() + current / size * size;
    std::vector<T> copy(first, first + size);
    wave_barriers[current / size].wait(size);  // only now may the next instruction bring its own
    return copy;
}

/// D = A B + C with `edge` rows and columns and depth `depth`. `at(k)` says which lane group and
/// element hold k; `place(i)` which lane group and register hold row i of the result.
struct Place {
    unsigned group, element;
};
template <class Fragment, class Sums, class Value, class AtK, class AtRow>
Sums multiply(Fragment a, Fragment b, Sums c, unsigned size, unsigned edge, unsigned depth,
              unsigned registers, Value value, AtK at_k, AtRow at_row) {
    struct Operands {
        Fragment a, b;
    };
    auto const operands = gather(Operands{a, b}, size);
    auto const lane = current % size;
    Sums d = c;
    for (unsigned i = 0; i < edge; ++i) {
        auto const place = at_row(i);
        for (unsigned j = 0; j < edge; ++j) {
            if ((j + place.group * edge + (WRONG_LAYOUT == 2)) % size != lane ||
                place.element >= registers)
                continue;
            unsigned const row = WRONG_LAYOUT == 1 ? j : i, column = WRONG_LAYOUT == 1 ? i : j;
            auto sum = c[place.element];
            for (unsigned k = 0; k < depth; ++k) {
                auto const from = at_k(k);
                sum += value(operands[row + from.group * edge].a, from.element) *
                       value(operands[column + from.group * edge].b, from.element);
            }
            d[place.element] = sum;
        }
    }
    return d;
}

template <class Fragment>
float half_at(Fragment const& fragment, unsigned i) {
    return static_cast<float>(fragment[i]);
}
template <class Fragment>
float bf16_at(Fragment const& fragment, unsigned i) {
    std::uint32_t const bits = static_cast<std::uint32_t>(static_cast<std::uint16_t>(fragment[i]))
                               << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
inline double double_at(double fragment, unsigned) {
    return fragment;
}
template <class Fragment>
std::uint8_t byte_at(Fragment const& fragment, unsigned i) {
    std::uint8_t bytes[sizeof fragment];
    std::memcpy(bytes, &fragment, sizeof fragment);
    return bytes[i];
}
/// A signed or unsigned byte.
template <class Fragment>
int integer_at(Fragment const& fragment, unsigned i, bool is_signed) {
    auto const byte = byte_at(fragment, i);
    return is_signed ? static_cast<std::int8_t>(byte) : byte;
}
/// e4m3 without its special values: exponents have the bias 8 on gfx942 (FNUZ), else 7 (OCP).
template <class Fragment>
float fp8_at(Fragment const& fragment, unsigned i) {
#if defined(__gfx942__)
    constexpr int bias = 8;
#else
    constexpr int bias = 7;
#endif
    auto const byte = byte_at(fragment, i);
    int const exponent = byte >> 3 & 15, mantissa = byte & 7;
    auto const size = exponent == 0 ? std::ldexp(mantissa, -2 - bias)
                                    : std::ldexp(8 + mantissa, exponent - 3 - bias);
    return static_cast<float>(byte >> 7 != 0 ? -size : size);
}

/// MFMA 32 x 32: k runs over the elements of a lane, then over the two halves of the wave; rows
/// over four registers, the halves, four more registers.
template <class Fragment, class Sums, class Value>
Sums mfma_32x32(Fragment a, Fragment b, Sums c, unsigned depth, Value value) {
    auto const each = depth / 2;
    return multiply(
        a, b, c, 64, 32, depth, 16, value,
        [=](unsigned k) {
            return Place{k / each, k % each};
        },
        [](unsigned i) {
            return Place{i / 4 % 2, i / 8 * 4 + i % 4};
        });
}

template <class Sums>
Sums mfma_16x16x4_f64(double a, double b, Sums c) {
    return multiply(
        a, b, c, 64, 16, 4, 4, double_at,
        [](unsigned k) {
            return Place{k, 0};
        },
        [](unsigned i) {
            return Place{i % 4, i / 4};
        });
}

/// WMMA of gfx11: both halves hold the whole operand; even rows in the lower half.
template <class Fragment, class Sums, class Value>
Sums wmma_gfx11(Fragment a, Fragment b, Sums c, Value value) {
    return multiply(
        a, b, c, 32, 16, 16, 8, value,
        [](unsigned k) {
            return Place{0, k};
        },
        [](unsigned i) {
            return Place{i % 2, i / 2};
        });
}

/// WMMA of gfx12: each half holds eight of k, and eight rows.
template <class Fragment, class Sums, class Value>
Sums wmma_gfx12(Fragment a, Fragment b, Sums c, Value value) {
    return multiply(
        a, b, c, 32, 16, 16, 8, value,
        [](unsigned k) {
            return Place{k / 8, k % 8};
        },
        [](unsigned i) {
            return Place{i / 8, i % 8};
        });
}

struct Index {
    struct X {
        operator unsigned() const { return wave::current; }
    } x;
};

}  // namespace wave

#define __global__
#define __device__
#define __shared__ static
#define __launch_bounds__(...)
#define threadIdx (wave::Index{})
static struct { unsigned x; } blockIdx;
inline void __syncthreads() {
    wave::block_barrier.wait(static_cast<unsigned>(wave::lanes.size()));
}

#define __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, ...) \
    wave::mfma_32x32(a, b, c, 8, [](auto const& f, unsigned i) { return wave::half_at(f, i); })
#define __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, ...) \
    wave::mfma_32x32(a, b, c, 8, [](auto const& f, unsigned i) { return wave::bf16_at(f, i); })
#define __builtin_amdgcn_mfma_f32_32x32x4bf16(a, b, c, ...) \
    wave::mfma_32x32(a, b, c, 4, [](auto const& f, unsigned i) { return wave::bf16_at(f, i); })
#define __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, ...) wave::mfma_16x16x4_f64(a, b, c)
#define __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c) \
    wave::wmma_gfx11(a, b, c, [](auto const& f, unsigned i) { return wave::half_at(f, i); })
#define __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c) \
    wave::wmma_gfx11(a, b, c, [](auto const& f, unsigned i) { return wave::bf16_at(f, i); })
#define __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c) \
    wave::wmma_gfx12(a, b, c, [](auto const& f, unsigned i) { return wave::half_at(f, i); })
#define __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c) \
    wave::wmma_gfx12(a, b, c, [](auto const& f, unsigned i) { return wave::bf16_at(f, i); })
#define __builtin_amdgcn_mfma_i32_32x32x8i8(a, b, c, ...) \
    wave::mfma_32x32(a, b, c, 8,                          \
                     [](auto const& f, unsigned i) { return wave::integer_at(f, i, true); })
#define __builtin_amdgcn_mfma_i32_32x32x16_i8(a, b, c, ...) \
    wave::mfma_32x32(a, b, c, 16,                           \
                     [](auto const& f, unsigned i) { return wave::integer_at(f, i, true); })
#define __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, c, ...) \
    wave::mfma_32x32(a, b, c, 16, [](auto const& f, unsigned i) { return wave::fp8_at(f, i); })
// One sign for both operands: the kernels use no other.
#define __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(a_signed, a, b_signed, b, c, clamp) \
    wave::wmma_gfx11(a, b, c, [](auto const& f, unsigned i) {                          \
        return wave::integer_at(f, i, a_signed && b_signed);                           \
    })
#define __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(a_signed, a, b_signed, b, c, clamp) \
    wave::wmma_gfx12(a, b, c, [](auto const& f, unsigned i) {                                \
        return wave::integer_at(f, i, a_signed && b_signed);                                 \
    })
#define __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(a, b, c) \
    wave::wmma_gfx12(a, b, c, [](auto const& f, unsigned i) { return wave::fp8_at(f, i); })
