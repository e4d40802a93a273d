// SPDX-License-Identifier: MIT
// Feeds arbitrary masks to the visibility simulation: ROCr's, HIP's and CUDA's, NUL between them;
// the first byte says how many GPUs there are and which masks are set.
#include <cstddef>
#include <cstdint>
#include <set>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/rules/visibility.hpp"
#include "support/visible_host.hpp"

namespace {

using namespace rocmtune;

void check(std::optional<std::vector<VisibleDevice>> const& devices, std::size_t at_most) {
    if (!devices) __builtin_trap();
    std::set<std::uint64_t> nodes;
    for (auto const& device : *devices) nodes.insert(device.kfd_node.value());
    if (devices->size() > at_most || nodes.size() != devices->size()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    std::size_t const count = data[0] % 9;
    auto const masks = split({reinterpret_cast<char const*>(data + 1), size - 1}, '\0');
    std::map<std::string, std::string> variables;
    for (std::size_t i = 0; i < 3 && i < masks.size(); ++i)
        if ((data[0] >> (5 + i) & 1) == 0) variables.emplace(mask_names[i], masks[i]);
    auto const seen = simulate_visibility(test::host_of(count), variables);
    check(seen.rocr.devices, count);
    check(seen.hip.devices, seen.rocr.devices->size());
    return 0;
}
