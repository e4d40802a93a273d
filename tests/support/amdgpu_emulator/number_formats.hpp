// SPDX-License-Identifier: MIT
// Numbers as registers hold them, and the short floating-point formats.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace rocmtune::emulator {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// Bit 0 becomes bit 31.
constexpr u32 reversed(u32 bits) {
    u32 result = 0;
    for (unsigned i = 0; i < 32; ++i) result |= (bits >> i & 1) << (31 - i);
    return result;
}

/// IEEE 754 binary16.
struct Half {
    u16 bits;
};

/// A number of `exponent` and `mantissa` bits below a sign. Infinities and NaN are the caller's.
inline float small_float(u32 bits, int exponent_bits, int mantissa_bits, int bias) {
    auto const mantissa = static_cast<int>(bits & ((1U << mantissa_bits) - 1));
    auto const exponent = static_cast<int>(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
    bool const normal = exponent != 0;
    auto const value =
        std::ldexp(static_cast<float>(normal ? mantissa + (1 << mantissa_bits) : mantissa),
                   (normal ? exponent : 1) - bias - mantissa_bits);
    return (bits >> (exponent_bits + mantissa_bits) & 1) != 0 ? -value : value;
}

inline float to_float(Half half) {
    // As an fp32 with the same exponent and mantissa it is too small by 2^112, the difference of
    // the biases; infinity and NaN keep the highest exponent.
    bool const special = (half.bits & 0x7C00) == 0x7C00;
    auto const size = (half.bits & 0x7FFFU) << 13;
    auto const bits =
        special ? size | 0x7F800000U : std::bit_cast<u32>(std::bit_cast<float>(size) * 0x1p112F);
    return std::bit_cast<float>((half.bits & 0x8000U) << 16 | bits);
}

/// Rounded to the nearest, ties to even.
inline Half to_half(float value) {
    auto const sign = static_cast<u16>(std::signbit(value) ? 0x8000 : 0);
    if (std::isnan(value)) return {static_cast<u16>(sign | 0x7E00)};
    auto const size = std::fabs(value);
    if (size >= 65520.0F) return {static_cast<u16>(sign | 0x7C00)};
    // The distance of two neighbours is 2^-24 below 2^-14, and 2^-10 of the power of two above.
    int const exponent = size < 0x1p-14F ? -14 : std::ilogb(size);
    auto const units = static_cast<u32>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    return {static_cast<u16>(sign | (static_cast<u32>(exponent + 14) * 1024 + units))};
}

inline float from_bfloat(u32 bits) {
    return std::bit_cast<float>(bits << 16);
}

/// fp8 with four bits of exponent, e4m3. FNUZ (gfx940 to gfx942): bias 8, one NaN, 0x80; OCP
/// (gfx950, gfx12): bias 7, NaN where all bits below the sign are set.
inline float from_fp8(u32 bits, bool fnuz) {
    if (fnuz ? bits == 0x80 : (bits & 0x7F) == 0x7F) return std::numeric_limits<float>::quiet_NaN();
    return small_float(bits, 4, 3, fnuz ? 8 : 7);
}

/// As the conversions of GPUs do it: towards 0, what is out of range becomes the nearest, NaN 0.
template <class T>
T to_integer(double value) {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<double>(std::numeric_limits<T>::min()))
        return std::numeric_limits<T>::min();
    if (value >= static_cast<double>(std::numeric_limits<T>::max()))
        return std::numeric_limits<T>::max();
    return static_cast<T>(value);
}

}  // namespace rocmtune::emulator
