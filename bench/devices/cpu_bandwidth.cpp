// SPDX-License-Identifier: MIT
// kernels/bandwidth.hip for processors. Compiled with optimisation in every build type. Stores go
// past the caches where the processor can: an ordinary one reads the line first, and a copy would
// move 3 N bytes for the 2 N that are counted.
#include <array>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "bench/data.hpp"
#include "bench/devices/cpu_kernels.hpp"
#include "bench/host_threads.hpp"

namespace rocmtune::bench {
namespace {

/// What one instruction loads, computes and stores. Never made of parts in memory: a load of 16
/// bytes that were stored in parts waits until all of them are in the cache.
template <class T>
using Vector [[gnu::vector_size(16)]] = T;
template <class T>
constexpr std::size_t width = 16 / sizeof(T);

/// Elements that are summed side by side: a cache line of floats or two of doubles.
constexpr std::size_t line = 16;

/// Writes a vector past the caches.
template <class V>
void store(V* to, V value) {
#if defined(__SSE2__)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), std::bit_cast<__m128i>(value));
#else
    *to = value;
#endif
}

void finish_stores() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/// c[i] = f(i) for this part's vectors.
template <class V, class F>
void write_vectors(V* c, std::size_t count, unsigned part, unsigned parts, F const& f) {
    auto const range = part_of(count, part, parts, 4096 / sizeof(V));
#pragma GCC unroll 4
    for (auto i = range.begin; i < range.end; ++i) store(c + i, f(i));
    finish_stores();
}

template <class T>
void run_random(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    auto const seed = it.get<std::uint32_t>(2);
    write_vectors(it.get<Vector<T>*>(0), it.get<std::uint64_t>(1), part, parts, [&](std::size_t i) {
        Vector<T> values{};
        for (std::size_t k = 0; k < width<T>; ++k)
            values[k] = static_cast<T>(element(i * width<T> + k, seed));
        return values;
    });
}

template <class T>
void run_copy(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    auto const* const a = it.get<Vector<T> const*>(0);
    write_vectors(it.get<Vector<T>*>(1), it.get<std::uint64_t>(2), part, parts,
                  [a](std::size_t i) { return a[i]; });
}

template <class T>
void run_mul(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    auto const* const a = it.get<Vector<T> const*>(0);
    write_vectors(it.get<Vector<T>*>(1), it.get<std::uint64_t>(2), part, parts,
                  [a](std::size_t i) { return a[i] * static_cast<T>(factor); });
}

template <class T>
void run_add(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    auto const* const a = it.get<Vector<T> const*>(0);
    auto const* const b = it.get<Vector<T> const*>(1);
    write_vectors(it.get<Vector<T>*>(2), it.get<std::uint64_t>(3), part, parts,
                  [a, b](std::size_t i) { return a[i] + b[i]; });
}

template <class T>
void run_triad(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    auto const* const a = it.get<Vector<T> const*>(0);
    auto const* const b = it.get<Vector<T> const*>(1);
    write_vectors(it.get<Vector<T>*>(2), it.get<std::uint64_t>(3), part, parts,
                  [a, b](std::size_t i) { return a[i] + static_cast<T>(factor) * b[i]; });
}

void run_write(Arguments const& it, Shape const&, unsigned part, unsigned parts) {
    using Words = Vector<std::uint32_t>;
    write_vectors(it.get<Words*>(0), it.get<std::uint64_t>(1), part, parts, [](std::size_t i) {
        return written_word(static_cast<std::uint32_t>(4 * i) + Words{0, 1, 2, 3});
    });
}

/// Partials: one word a part; the others are cleared, since a grid may be larger.
void run_read(Arguments const& it, Shape const& shape, unsigned part, unsigned parts) {
    auto const* const a = it.get<std::uint32_t const*>(0);
    auto const range = part_of(it.get<std::uint64_t>(1) * 4, part, parts, 1024);
    std::array<std::uint32_t, 4 * line> sums{};
    auto i = range.begin;
    for (; i + sums.size() <= range.end; i += sums.size())
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] ^= a[i + k];
    std::uint32_t sum = 0;
    for (; i < range.end; ++i) sum ^= a[i];
    for (auto const one : sums) sum ^= one;
    auto* const partials = it.get<std::uint32_t*>(2);
    for (std::size_t at = part; at < shape.grid; at += parts) partials[at] = at == part ? sum : 0;
}

template <class T>
void run_dot(Arguments const& it, Shape const& shape, unsigned part, unsigned parts) {
    auto const* const a = it.get<T const*>(0);
    auto const* const b = it.get<T const*>(1);
    auto const range = part_of(it.get<std::uint64_t>(2) * width<T>, part, parts, 1024);
    std::array<double, 2 * line> sums{};
    auto i = range.begin;
    for (; i + sums.size() <= range.end; i += sums.size())
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += static_cast<double>(a[i + k] * b[i + k]);
    double sum = 0;
    for (; i < range.end; ++i) sum += static_cast<double>(a[i] * b[i]);
    for (auto const one : sums) sum += one;
    auto* const partials = it.get<double*>(3);
    for (std::size_t at = part; at < shape.grid; at += parts) partials[at] = at == part ? sum : 0;
}

template <class T>
constexpr CpuKernelRow kernels[] = {
    {"bandwidth", "rt_random", run_random<T>}, {"bandwidth", "rt_copy", run_copy<T>},
    {"bandwidth", "rt_mul", run_mul<T>},       {"bandwidth", "rt_add", run_add<T>},
    {"bandwidth", "rt_triad", run_triad<T>},   {"bandwidth", "rt_write", run_write},
    {"bandwidth", "rt_read", run_read},        {"bandwidth", "rt_dot", run_dot<T>},
};

}  // namespace

std::span<CpuKernelRow const> cpu_bandwidth_kernels(bool doubles) {
    if (doubles) return kernels<double>;
    return kernels<float>;
}

}  // namespace rocmtune::bench
