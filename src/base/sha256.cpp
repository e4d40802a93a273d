// SPDX-License-Identifier: MIT
// The names of variables and functions are those of FIPS 180-4.
#include "base/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rocmtune {
namespace {

using Word = std::uint32_t;

constexpr std::size_t block_bytes = 64, length_bytes = 8, rounds = 64;

/// FIPS 180-4, section 4.2.2.
constexpr std::array<Word, rounds> K{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Section 5.3.3.
using State = std::array<Word, 8>;
constexpr State first_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

Word word_at(char const* bytes) {
    Word word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[i]);
    return word;
}

/// Section 6.2.2, step 1.
std::array<Word, rounds> schedule_of(char const* block) {
    std::array<Word, rounds> W{};
    for (std::size_t t = 0; t < 16; ++t) W[t] = word_at(block + 4 * t);
    for (std::size_t t = 16; t < rounds; ++t) {
        auto const a = W[t - 15], b = W[t - 2];
        auto const sigma0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3;
        auto const sigma1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10;
        W[t] = sigma1 + W[t - 7] + sigma0 + W[t - 16];
    }
    return W;
}

/// Section 6.2.2, steps 2 to 4.
void add_block(char const* block, State& hash) {
    auto const W = schedule_of(block);
    auto [a, b, c, d, e, f, g, h] = hash;
    for (std::size_t t = 0; t < rounds; ++t) {
        auto const sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        auto const sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        auto const T1 = h + sum1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
        auto const T2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + T1;
        d = c, c = b, b = a, a = T1 + T2;
    }
    std::size_t i = 0;
    for (auto const word : {a, b, c, d, e, f, g, h}) hash[i++] += word;
}

/// What does not fill a block, with a one, zeros and the length in bits behind it (section 5.1.1).
std::string last_blocks(std::string_view rest, std::uint64_t all_bytes) {
    std::string text(rest);
    text += '\x80';
    while (text.size() % block_bytes != block_bytes - length_bytes) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8)
        text += static_cast<char>(all_bytes * 8 >> shift & 0xff);
    return text;
}

}  // namespace

std::string sha256(std::string_view bytes) {
    auto hash = first_state;
    auto const whole = bytes.size() / block_bytes * block_bytes;
    for (std::size_t at = 0; at < whole; at += block_bytes) add_block(bytes.data() + at, hash);
    auto const last = last_blocks(bytes.substr(whole), bytes.size());
    for (std::size_t at = 0; at < last.size(); at += block_bytes) add_block(last.data() + at, hash);
    std::string text;
    for (auto const word : hash)
        for (int shift = 28; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[word >> shift & 0xf];
    return text;
}

}  // namespace rocmtune
