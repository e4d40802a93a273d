// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/bandwidth.hpp"
#include "bench/data.hpp"
#include "bench/host_threads.hpp"

namespace rocmtune::bench {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 20;

/// Compares device memory with T f(index), chunk by chunk. Empty if all are equal.
template <class T, class F>
std::string compare(Device& device, Address memory, std::size_t bytes, F const& f) {
    std::vector<T> host(std::min(bytes, chunk_bytes) / sizeof(T));
    for (std::size_t offset = 0; offset < bytes; offset += host.size() * sizeof(T)) {
        auto const count = std::min(host.size(), (bytes - offset) / sizeof(T));
        device.download(host.data(), memory + offset, count * sizeof(T));
        device.synchronize();
        auto const first = offset / sizeof(T);
        std::vector<std::size_t> wrong(processor_count(), SIZE_MAX);
        in_parallel([&](unsigned part, unsigned parts) {
            auto const range = part_of(count, part, parts, 1024);
            for (auto i = range.begin; i < range.end; ++i) {
                T const expected = f(first + i);
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits, not values
                if (std::memcmp(&host[i], &expected, sizeof(T)) == 0) continue;
                wrong[part] = first + i;
                break;
            }
        });
        auto const at = *std::min_element(wrong.begin(), wrong.end());
        if (at != SIZE_MAX) return fmt::format("element {} of {} is wrong", at, bytes / sizeof(T));
    }
    return {};
}

template <class T>
std::string check_elements(BandwidthResult const& it, std::string_view op) {
    auto const a = [](std::size_t i) { return element(i, bandwidth_seed_a); };
    auto const b = [](std::size_t i) { return element(i, bandwidth_seed_b); };
    auto const as = [&](auto const& f) {
        return compare<T>(it.device, it.array, it.bytes,
                          [&](std::size_t i) { return static_cast<T>(f(i)); });
    };
    if (op == "mul") return as([&](std::size_t i) { return a(i) * factor; });
    if (op == "add") return as([&](std::size_t i) { return a(i) + b(i); });
    if (op == "triad") return as([&](std::size_t i) { return a(i) + factor * b(i); });
    return as(a);
}

template <class T>
std::uint32_t folded(T value) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    auto const bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
    return static_cast<std::uint32_t>(bits ^ (bits >> 32));
}

/// Exclusive or of all words of a, and the sum of a * b, on the host.
template <class T>
std::pair<std::uint32_t, double> reduced(std::size_t count) {
    std::vector<std::uint32_t> words(processor_count());
    std::vector<double> sums(processor_count());
    in_parallel([&](unsigned part, unsigned parts) {
        auto const range = part_of(count, part, parts, 1024);
        std::uint32_t word = 0;
        double sum = 0;
        for (auto i = range.begin; i < range.end; ++i) {
            word ^= folded(static_cast<T>(element(i, bandwidth_seed_a)));
            sum += element(i, bandwidth_seed_a) * element(i, bandwidth_seed_b);
        }
        words[part] = word, sums[part] = sum;
    });
    std::pair<std::uint32_t, double> all{};
    for (auto const word : words) all.first ^= word;
    for (auto const sum : sums) all.second += sum;
    return all;
}

template <class T>
std::vector<T> partials_of(BandwidthResult const& it) {
    std::vector<T> host(it.partial_count);
    it.device.download(host.data(), it.partials, host.size() * sizeof(T));
    it.device.synchronize();
    return host;
}

std::string check_reduction(BandwidthResult const& it, std::string_view op) {
    auto const expected = it.doubles ? reduced<double>(it.bytes / 8) : reduced<float>(it.bytes / 4);
    if (op == "read") {
        std::uint32_t word = 0;
        for (auto const one : partials_of<std::uint32_t>(it)) word ^= one;
        return word == expected.first ? ""
                                      : fmt::format("the words' exclusive or is {:08x}, not {:08x}",
                                                    word, expected.first);
    }
    double sum = 0;
    for (auto const one : partials_of<double>(it)) sum += one;
    return sum == expected.second
               ? ""
               : fmt::format("the sum is {:.17g}, not {:.17g}", sum, expected.second);
}

}  // namespace

std::string check_bandwidth(BandwidthResult const& it, std::string_view op) {
    if (op == "read" || op == "dot") return check_reduction(it, op);
    if (op == "write")
        return compare<std::uint32_t>(it.device, it.array, it.bytes, [](std::size_t i) {
            return written_word(static_cast<std::uint32_t>(i));
        });
    if (op == "device-fill")
        return compare<std::uint32_t>(it.device, it.array, it.bytes,
                                      [](std::size_t) { return 0x01010101U * filled_byte; });
    return it.doubles ? check_elements<double>(it, op) : check_elements<float>(it, op);
}

}  // namespace rocmtune::bench
