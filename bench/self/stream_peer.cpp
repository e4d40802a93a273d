// SPDX-License-Identifier: MIT
// A plain program beside `rocmtune bench bandwidth --backend cpu`: OpenMP loops with streaming
// stores, medians of 21, GB/s counted as rocmtune counts. Prints JSON.
//     g++ -O3 -march=native -fopenmp bench/self/stream_peer.cpp -o stream_peer; ./stream_peer MIB
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <emmintrin.h>

namespace {

/// GB/s of a loop that moves `arrays` arrays of `count` vectors.
template <class F>
double rate(long count, int arrays, F const& loop) {
    double seconds[21];
    for (auto& one : seconds) {
        auto const start = std::chrono::steady_clock::now();
        loop();
        one = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(std::begin(seconds), std::end(seconds));
    return 16e-9 * arrays * static_cast<double>(count) / seconds[10];
}

}  // namespace

int main(int, char** arguments) {
    auto const count = std::strtol(arguments[1], nullptr, 10) << 16;
    auto const make = [&] {
        auto* const memory =
            static_cast<float*>(std::aligned_alloc(1 << 21, static_cast<std::size_t>(count) * 16));
#pragma omp parallel for
        for (long i = 0; i < count; ++i) _mm_store_ps(memory + 4 * i, _mm_set1_ps(1.5F));
        return memory;
    };
    auto *const a = make(), *const b = make(), *const c = make();
    auto const half = _mm_set1_ps(0.5F);
    auto const write = rate(count, 1, [&] {
#pragma omp parallel for
        for (long i = 0; i < count; ++i) _mm_stream_ps(c + 4 * i, half);
    });
    auto const copy = rate(count, 2, [&] {
#pragma omp parallel for
        for (long i = 0; i < count; ++i) _mm_stream_ps(c + 4 * i, _mm_load_ps(a + 4 * i));
    });
    auto const triad = rate(count, 3, [&] {
#pragma omp parallel for
        for (long i = 0; i < count; ++i)
            _mm_stream_ps(c + 4 * i, _mm_add_ps(_mm_load_ps(a + 4 * i),
                                                _mm_mul_ps(half, _mm_load_ps(b + 4 * i))));
    });
    std::printf("{\"write\": %.3f, \"copy\": %.3f, \"triad\": %.3f}\n", write, copy, triad);
}
