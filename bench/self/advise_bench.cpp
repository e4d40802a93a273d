// SPDX-License-Identifier: MIT
// Cost of the rules engine alone, and how it grows: advise() over hosts of 1 to 64 GPUs, and over
// the embedded rules taken several times. Prints the fitted complexity; build the target
// advise_bench and run it.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "judge/rules/advise.hpp"
#include "knowledge/chip_builder.hpp"
#include "machine/host_source.hpp"
#include "probe/reader.hpp"

namespace {

using namespace rocmtune;

constexpr Selection everything{Level::aggressive, Workload::llm_training};

Host eight_gpus() {
    std::ifstream in(ROCMTUNE_SOURCE_DIR "/tests/hosts/mi300x-x8/host", std::ios::binary);
    std::string const text(std::istreambuf_iterator<char>(in), {});
    return probe({HostRoot(std::shared_ptr<HostSource>(text_source(text, "mi300x-x8")))});
}

/// The eight GPUs repeated, or the first of them; positions and addresses stay distinct.
Host host_of(std::size_t gpus) {
    static Host const model = eight_gpus();
    auto host = model;
    host.gpus.clear();
    host.kfd_nodes = {};
    std::vector<KfdNode> nodes;
    for (std::size_t i = 0; i < gpus; ++i) {
        auto gpu = model.gpus[i % model.gpus.size()];
        gpu.row = {};
        gpu.row.offer(i, {"bench", "bench"});
        gpu.kfd_node = {};
        gpu.kfd_node.offer(i, {"bench", "bench"});
        gpu.pci_address = {};
        gpu.pci_address.offer(fmt::format("{:04x}:05:00.0", i), {"bench", "bench"});
        host.gpus.push_back(std::move(gpu));
        nodes.push_back({.node = i, .kind = "gpu"});
    }
    host.kfd_nodes.offer(std::move(nodes), {"bench", "bench"});
    return host;
}

/// The embedded profiles and `copies` - 1 more of each of their rules, under other ids and names.
ChipSet chips_with_copies(std::size_t copies) {
    std::vector<std::string> texts;
    for (auto const& view : embedded_chips().profiles()) {
        auto document = nlohmann::json::parse(view.text);
        auto rules = document.value("recommendations", nlohmann::json::array());
        auto all = rules;
        for (std::size_t copy = 1; copy < copies; ++copy) {
            for (auto rule : rules) {
                rule["id"] = fmt::format("{}-{}", rule["id"].get<std::string>(), copy);
                all.push_back(std::move(rule));
            }
        }
        document["recommendations"] = std::move(all);
        texts.push_back(document.dump());
    }
    std::vector<ProfileView> views;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        views.push_back({embedded_chips().profiles()[i].name, texts[i]});
    }
    auto const tables = join_profiles(views);
    return ChipSet{tables};
}

void by_gpus(benchmark::State& state) {
    auto const host = host_of(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(advise(host, embedded_chips(), embedded_catalogue(), everything));
    }
    state.SetComplexityN(state.range(0));
}
BENCHMARK(by_gpus)->RangeMultiplier(2)->Range(1, 64)->Complexity();

void by_rules(benchmark::State& state) {
    auto const host = host_of(8);
    auto const chips = chips_with_copies(static_cast<std::size_t>(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(advise(host, chips, embedded_catalogue(), everything));
    }
    state.SetComplexityN(state.range(0));
}
BENCHMARK(by_rules)->RangeMultiplier(2)->Range(1, 16)->Complexity();

}  // namespace

BENCHMARK_MAIN();
