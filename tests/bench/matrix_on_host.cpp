// SPDX-License-Identifier: MIT
// bench/kernels/gemm_matrix.hip, compiled for the processor with wave.hpp: one tile of 128 x 128
// with whole numbers, so that the result must be exact. Exit code 0: it is; 1: it is not.
#include "wave.hpp"

#include KERNEL

namespace {

constexpr unsigned n = 128;
element a[n * n], b[n * n];
accumulator c[n * n];

int number(unsigned i) {
    return static_cast<int>((i * 2654435761U >> 13) % 9) - 4;
}

element encode(int value) {
#if defined(RT_BF16)
    auto const single = static_cast<float>(value);
    std::uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    return static_cast<element>(bits >> 16);
#elif defined(RT_FP8)
    // The one byte of 256 that is this number.
    for (unsigned byte = 0; byte < 256; ++byte)
        if (byte != 0x80 &&
            wave::fp8_at(static_cast<element>(byte), 0) == static_cast<float>(value))
            return static_cast<element>(byte);
    std::abort();
#else
    return static_cast<element>(value);
#endif
}

}  // namespace

int main() {
    for (unsigned i = 0; i < n * n; ++i)
        a[i] = encode(number(i)), b[i] = encode(number(i + 77777)), c[i] = -12345;
    wave::run_block(256, [] { rt_matrix_gemm(a, b, c, n); });
    for (unsigned i = 0; i < n; ++i)
        for (unsigned j = 0; j < n; ++j) {
            int sum = 0;
            for (unsigned k = 0; k < n; ++k) sum += number(i * n + k) * number(j * n + k + 77777);
            if (c[i * n + j] == static_cast<accumulator>(sum)) continue;
            std::printf("element %u %u is %g, not %d\n", i, j, static_cast<double>(c[i * n + j]),
                        sum);
            return 1;
        }
    return 0;
}
