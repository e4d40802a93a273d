// SPDX-License-Identifier: MIT
// 32 streams with four kernels each, for bench/self/tuned_settings.py. The kernels occupy one
// multiprocessor each; how many run at a time depends on CUDA_DEVICE_MAX_CONNECTIONS (1 to 32, usually 8):
// streams that share a connection wait for each other.
#include <chrono>
#include <cstdio>

__global__ void wait_for(long long cycles) {
    auto const start = clock64();
    while (clock64() - start < cycles) {
    }
}

int main() {
    constexpr int streams = 32, kernels = 4, rounds = 40;
    cudaStream_t all[streams];
    for (auto& one : all)
        if (cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking) != cudaSuccess) return 1;
    wait_for<<<1, 1>>>(1000);
    cudaDeviceSynchronize();
    auto const start = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
        for (auto& one : all)
            for (int i = 0; i < kernels; ++i) wait_for<<<1, 1, 0, one>>>(200'000);
        cudaDeviceSynchronize();
    }
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    if (cudaGetLastError() != cudaSuccess) return 1;
    std::printf("streams %.1f kernels/s\n", streams * kernels * rounds / seconds.count());
}
