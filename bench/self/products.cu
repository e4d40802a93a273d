// SPDX-License-Identifier: MIT
// Products of fp32 matrices by cuBLAS, for bench/self/tuned_settings.py: TF32 makes them several times
// quicker and their numbers others. Writes a row of the result to products.txt.
#include <chrono>
#include <cstdio>
#include <vector>

#include <cublas_v2.h>

int main() {
    constexpr int n = 4096, rounds = 20;
    constexpr std::size_t bytes = sizeof(float) * n * n;
    std::vector<float> host(n * n);
    unsigned state = 1;
    for (auto& one : host) one = static_cast<float>((state = state * 1664525U + 1013904223U) >> 8U) / (1U << 24U);
    float *a = nullptr, *c = nullptr;
    cublasHandle_t handle = nullptr;
    if (cudaMalloc(&a, bytes) != cudaSuccess || cudaMalloc(&c, bytes) != cudaSuccess ||
        cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return 1;
    cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
    float const one = 1, zero = 0;
    auto const multiply = [&] {
        return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n);
    };
    if (multiply() != CUBLAS_STATUS_SUCCESS) return 1;
    cudaDeviceSynchronize();
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) multiply();
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    std::printf("products %.2f products/s\n", rounds / seconds.count());
    float row[8];
    cudaMemcpy(row, c, sizeof row, cudaMemcpyDeviceToHost);
    auto* const file = std::fopen("products.txt", "w");
    for (auto const value : row) std::fprintf(file, "%.9e\n", value);
    std::fclose(file);
}
