// SPDX-License-Identifier: MIT
// Any bytes as a condition of a profile: refused with a ProfileError, or a well-formed array whose
// evaluation over a host ends.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "judge/rules/condition.hpp"
#include "knowledge/chip_builder.hpp"
#include "knowledge/condition_parser.hpp"

namespace {

using namespace rocmtune;

/// Subtrees lie inside their parents, and negations have one child.
bool well_formed(std::span<Condition const> nodes) {
    if (nodes.empty() || nodes.front().size == 0 || nodes.front().size > nodes.size()) return false;
    auto const own = nodes.first(nodes.front().size);
    std::size_t children = 0;
    std::size_t at = 1;
    for (; at < own.size(); at += own[at].size, ++children) {
        if (!well_formed(own.subspan(at))) return false;
    }
    return at == own.size() && (own.front().kind != ConditionKind::negation || children == 1);
}

Host small_host() {
    Host host;
    Source const source{"fuzz", "fuzz"};
    for (int i = 0; i < 2; ++i) {
        auto& gpu = host.gpus.emplace_back();
        gpu.gfx_target.offer(i == 0 ? "gfx942" : "gfx1100", source);
        gpu.firmware.offer({{"mec", "0xa3"}}, source);
    }
    host.kernel_arguments.offer({"iommu=pt"}, source);
    host.rdma_devices.miss(Missing::absent);
    return host;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static Host const host = small_host();
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const document = parse_data_file("fuzz.json", text);
        StringPool pool;
        auto const nodes = parse_condition(JsonNode(*document), pool);
        if (!well_formed(nodes) || nodes.front().size != nodes.size()) std::abort();
        SelectedHost const scene{.host = &host, .gpus = {&host.gpus[0], &host.gpus[1]}};
        Evaluator evaluate(scene);
        for (auto const* gpu : scene.gpus) evaluate(nodes, gpu);
        evaluate(nodes, nullptr);
    } catch (ProfileError const&) {
    }
    return 0;
}
