// SPDX-License-Identifier: MIT
#include "judge/rules/host_values.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/cpu_list.hpp"
#include "base/text.hpp"
#include "judge/rules/fact_answer.hpp"
#include "judge/rules/thunk.hpp"

namespace rocmtune {
namespace {

using Gpus = std::vector<Gpu const*>;

/// ROCr's own names of these GPUs, in the order of their rows: UUIDs where every GPU has one that
/// no other shares (partitions of a card do, on some kernels), else positions in ROCr's list.
std::optional<std::string> rocr_tokens(Scene const& scene, Gpus const& wanted) {
    auto const thunk = thunk_view(*scene.host);
    if (!thunk.known || wanted.empty()) return std::nullopt;
    std::multiset<std::string> ids;
    for (auto const* gpu : thunk.gpus) ids.insert(device_id(*gpu).unique_id);
    auto const unique = std::ranges::all_of(wanted, [&](Gpu const* gpu) {
        auto const id = device_id(*gpu).unique_id;
        return !id.empty() && ids.count(id) == 1;
    });
    std::vector<std::string> tokens;
    for (auto const* gpu : wanted) {
        auto const place = std::ranges::find(thunk.gpus, gpu);
        if (place == thunk.gpus.end()) return std::nullopt;
        tokens.push_back(unique ? "GPU-" + device_id(*gpu).unique_id
                                : std::to_string(place - thunk.gpus.begin()));
    }
    return fmt::format("{}", fmt::join(tokens, ","));
}

HostValue selected_gpus(Scene const& scene) {
    return {rocr_tokens(scene, scene.gpus)};
}

HostValue discrete_gpus(Scene const& scene) {
    Gpus discrete;
    for (auto const* gpu : scene.gpus) {
        if (!gpu->is_apu) return {};
        if (!*gpu->is_apu) discrete.push_back(gpu);
    }
    return {rocr_tokens(scene, discrete)};
}

/// Lowers a number of cores to what this process may use of them: the CPUs that it is bound to
/// (taskset, cpusets of containers and batch systems) and the time that control groups grant.
/// False if that is not known; the value then holds what is missing.
bool limit_to_this_process(Host const& host, std::uint64_t& cores, HostValue& value) {
    auto const cpus = host.allowed_cpus ? parse_cpu_list(*host.allowed_cpus) : std::nullopt;
    auto const quota = presence(host.cpu_quota_cpus);
    for (auto const& [is_known, field] : {std::pair(cpus && !cpus->empty(), "allowed_cpus"),
                                          std::pair(quota != Truth::unknown, "cpu_quota_cpus")}) {
        if (is_known) continue;
        value = {{}, {{"host", field, std::nullopt}}};
        return false;
    }
    cores = std::min<std::uint64_t>(cores, cpus->size());
    value.because.push_back({"host", "allowed_cpus", *host.allowed_cpus});
    if (quota == Truth::no) return true;
    cores = std::min(cores, static_cast<std::uint64_t>(*host.cpu_quota_cpus));
    value.because.push_back({"host", "cpu_quota_cpus", fmt::format("{}", *host.cpu_quota_cpus)});
    return true;
}

/// Threads of one process of several: its share of the cores.
HostValue cores_per_gpu(Scene const& scene) {
    auto const& host = *scene.host;
    if (!host.cpu_cores) return {{}, {{"host", "cpu_cores", std::nullopt}}};
    auto cores = *host.cpu_cores;
    HostValue value{{}, {{"host", "cpu_cores", std::to_string(cores)}}};
    if (!scene.elsewhere && !limit_to_this_process(host, cores, value)) return value;
    value.text = std::to_string(std::max<std::uint64_t>(1, cores / scene.gpus.size()));
    return value;
}

/// AMD's figure for MI300A: all 128 GiB of every APU, in pages of 4 KiB.
HostValue ttm_pages_limit(Scene const& scene) {
    constexpr std::uint64_t pages_per_apu = (std::uint64_t{128} << 30) / 4096;
    std::set<std::string> modules;
    for (auto const* gpu : scene.gpus) {
        if (!gpu->module) return {};
        modules.insert(*gpu->module);
    }
    if (modules.empty()) return {};
    return {std::to_string(pages_per_apu * modules.size())};
}

struct Value {
    std::string_view word;
    HostValue (*make)(Scene const&);
};

constexpr std::array<Value, value_words.size()> values{{
    {"selected-gpus", selected_gpus},
    {"discrete-gpus", discrete_gpus},
    {"cores-per-gpu", cores_per_gpu},
    {"ttm-pages-limit", ttm_pages_limit},
}};

}  // namespace

HostValue host_value(std::string_view word, Scene const& scene) {
    auto const found = std::ranges::find(values, word, &Value::word);
    return found == values.end() ? HostValue{} : found->make(scene);
}

}  // namespace rocmtune
