// SPDX-License-Identifier: MIT
// Programs with a figure that a real setting moves in a known direction, for
// bench/self/tuned_settings.py:
//   arenas   threads that allocate and free: glibc's MALLOC_ARENA_MAX decides how many of them wait
//   places   a parallel sum: OMP_PROC_BIND=master puts all threads on one place
//   planted  work of one thread that PLANTED=1 makes 5 % less, and nothing else changes
// Each prints one line, "NAME FIGURE UNIT".
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int threads = 8;

void allocate(int rounds) {
    std::vector<void*> kept(64);
    unsigned state = 1;
    for (int i = 0; i < rounds; ++i) {
        state = state * 1664525U + 1013904223U;
        auto& one = kept[state >> 26U];
        std::free(one);
        one = std::malloc(2048 + (state >> 20U));  // more than the caches of threads hold
        std::memset(one, i, 64);
    }
    for (auto* one : kept) std::free(one);
}

void arenas() {
    constexpr int rounds = 20'000;
    auto const start = Clock::now();
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) all.emplace_back(allocate, rounds);
    for (auto& one : all) one.join();
    std::printf("arenas %.1f kops/s\n", threads * rounds / since(start) / 1e3);
}

void places() {
    std::vector<double> values(1 << 14, 1.0);
    double sum = 0;
    auto const start = Clock::now();
#pragma omp parallel for num_threads(threads) reduction(+ : sum) schedule(static)
    for (int block = 0; block < 9'600; ++block)
        for (auto const value : values) sum += value * block;
    std::printf("places %.1f blocks/s %.0f\n", 9'600 / since(start), sum);
}

void planted() {
    auto const* const text = std::getenv("PLANTED");
    int const rounds = text != nullptr && std::strcmp(text, "1") == 0 ? 5'700 : 6'000;
    volatile unsigned state = 1;
    auto const start = Clock::now();
    for (int i = 0; i < rounds; ++i)
        for (int k = 0; k < 10'000; ++k) state = state * 1664525U + 1013904223U;
    std::printf("planted %.3f ms\n", 1e3 * since(start));
}

}  // namespace

int main(int count, char** words) {
    auto const is = [&](char const* name) {
        return count == 2 && std::strcmp(words[1], name) == 0;
    };
    if (is("arenas")) arenas();
    else if (is("places")) places();
    else if (is("planted")) planted();
    else return 2;
    return 0;
}
