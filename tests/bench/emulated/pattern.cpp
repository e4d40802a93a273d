// SPDX-License-Identifier: MIT
// The kernel by which the check liveness tells whether a GPU computes.
#include <vector>

#include <fmt/format.h>

#include "bench/data.hpp"
#include "bench/emulated/checks.hpp"

namespace rocmtune::test {
namespace {

using namespace bench;

std::string wrong_words(EmulatedDevice& device, std::uint32_t count, std::uint32_t seed) {
    std::vector<std::uint32_t> words(count);
    Buffer const memory(device, sizeof words[0] * count);
    device.launch(device.load({"pattern", "rt_pattern"}),
                  {.grid = (count + 255) / 256, .block = 256},
                  Arguments().add(memory.address()).add(count).add(seed));
    device.download(words.data(), memory.address(), memory.bytes());
    for (std::uint32_t i = 0; i < count; ++i)
        if (words[i] != mixed(i * 0x9e3779b9U + seed)) return fmt::format("word {} is wrong", i);
    return {};
}

}  // namespace

std::string wrong_in_pattern(EmulatedDevice& device) {
    for (std::uint32_t const count : {1U, 255U, 16384U})
        if (auto text = wrong_under_any_schedule(
                device, [&] { return wrong_words(device, count, count + 1); });
            !text.empty())
            return text;
    return {};
}

}  // namespace rocmtune::test
