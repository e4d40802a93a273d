// SPDX-License-Identifier: MIT
// A host that shows what a problem of tests/problems says of it under "facts", and beside them the
// GPU, ROCm and packages that the thread names. Words stand there where the thread gives no value;
// those that have one meaning are read, the others leave the fact unknown. What every process knows
// and the problem does not mention is as it comes: no variable is set, the driver has its defaults.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <re2/re2.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune::test {

using Json = nlohmann::json;

inline Source const composed{"test", "test"};

/// What an expression of one group finds in a text, one after the other.
inline std::vector<std::string> all_found(std::string const& text, char const* expression) {
    std::vector<std::string> found;
    re2::StringPiece rest(text);
    std::string one;
    while (RE2::FindAndConsume(&rest, expression, &one)) found.push_back(one);
    return found;
}

inline bool contains_word(std::string_view list, std::string const& word) {
    auto const all = words(list);
    return std::ranges::find(all, word) != all.end();
}

inline bool has_blank(Json const& value) {
    return value.is_string() && value.get<std::string>().find(' ') != std::string::npos;
}

// ---- a value for a fact of any type -------------------------------------------------------------

inline void fill(Fact<std::string>& fact, Json const& value) {
    if (value.is_null()) fact.miss(Missing::absent);
    else if (value.is_string() && !has_blank(value)) fact.offer(value, composed);
}
inline void fill(Fact<bool>& fact, Json const& value) {
    if (value.is_boolean()) fact.offer(value.get<bool>(), composed);
}
template <class T>
void fill(Fact<T>& fact, Json const& value) requires std::is_arithmetic_v<T> {
    if (value.is_number()) fact.offer(value.get<T>(), composed);
    else if (value.is_null()) fact.miss(Missing::absent);
}
/// "without X": a list that has not X.
inline void fill(Fact<std::vector<std::string>>& fact, Json const& value) {
    std::vector<std::string> texts;
    if (value.is_string() && !value.get<std::string>().starts_with("without "))
        texts = all_found(value, R"((\S+))");
    else if (value.is_array())
        for (auto const& one : value)
            if (one.is_string()) texts.push_back(one);
    fact.offer(std::move(texts), composed);
}
/// "denied (EACCES)", "absent on the host", "open fails with EINVAL", "ok".
inline void fill(Fact<DeviceNode>& fact, Json const& value) {
    if (!value.is_string()) return;
    std::string const text = value;
    if (text.starts_with("absent")) return fact.miss(Missing::absent);
    if (text.starts_with("open allowed")) return;
    DeviceNode node{.path = "/dev/kfd", .usable = text == "ok" || text == "granted"};
    auto const names = all_found(text, R"(\b(E[A-Z]{3,})\b)");
    if (!names.empty()) node.error = names.front();
    else if (text.starts_with("denied")) node.error = "EACCES";
    if (node.usable || node.error) fact.offer(std::move(node), composed);
}
/// "7.2.0", "/opt/rocm-5.0.0", "7.1.1, 7.2.0" of which the last is taken, "before 7.2"; a list that
/// is empty. "nightly ..." says no release.
inline void fill(Fact<std::vector<RocmInstallation>>& fact, Json const& value) {
    if (value.is_array() && value.empty()) return fact.offer({}, composed);
    if (!value.is_string()) return;
    auto releases = all_found(value, R"((?:^|, )(?:/opt/rocm-)?(\d+\.\d+(?:\.\d+)?)\b)");
    auto const before = all_found(value, R"(^before (\d+\.\d+)$)");
    if (!before.empty()) {
        auto const parts = split(before.front(), '.');
        releases = {fmt::format("{}.{}", parts[0], std::stoi(std::string(parts[1])) - 1)};
    }
    std::vector<RocmInstallation> all;
    for (auto const& release : releases) {
        all.push_back({.path = "/opt/rocm-" + release, .kind = "opt"});
        all.back().version.offer(release, composed);
    }
    if (all.empty()) return;
    all.back().selected = true;
    fact.offer(std::move(all), composed);
}
constexpr std::string_view known_packages =
    "amd-aiter bitsandbytes deepspeed horovod jax jaxlib onnxruntime onnxruntime-gpu "
    "onnxruntime-rocm sglang tensorflow tensorflow-rocm torch torchvision triton vllm xformers";

/// "vLLM, torch 2.10.0+rocm7.1", "torch without ROCm", "torch 2.8.0 for CUDA".
inline void fill(Fact<std::vector<Framework>>& fact, Json const& value) {
    if (!value.is_string()) return;
    std::vector<Framework> packages;
    for (auto const& part : all_found(value, R"(([^,]+))")) {
        auto const names = all_found(part, R"(^ *([A-Za-z][\w-]*[a-z]))");
        if (names.empty() || !contains_word(known_packages, lower(names.front()))) continue;
        Framework package{.name = lower(names.front())};
        auto const versions = all_found(part, R"((\d+\.\d+[\w.+]*))");
        package.version.offer(versions.empty() ? std::string() : versions.front(), composed);
        auto const hip = all_found(part, R"((?:\+| )rocm ?(\d+\.\d+))");
        bool const none =
            RE2::PartialMatch(part, R"(without ROCm|for CUDA|\+cpu|\+cu\d|CUDA wheel)");
        if (!hip.empty()) package.hip_version.offer(hip.front(), composed);
        else if (none && package.name == "torch")
            package.hip_version.miss(Missing::unsupported, "this build of torch is not for ROCm");
        packages.push_back(std::move(package));
    }
    fact.offer(std::move(packages), composed);
}
template <class T>
void fill(Fact<T>&, Json const&) {}
template <class T>
void fill(T&, Json const&) {}

template <class Entity>
void set(Entity& entity, std::string_view key, Json const& value) {
    visit_fields(entity, [&](Field const& field, auto& fact) {
        if (field.key == key) fill(fact, value);
    });
}

// ---- the host -----------------------------------------------------------------------------------

/// The facts, and what the thread says of its GPU, ROCm and packages where they have nothing of it.
inline Json facts_of(Json const& problem) {
    auto facts = problem.at("facts");
    auto const add = [&](char const* key, Json const& value) {
        if (!facts.contains(key) && !value.is_null()) facts[key] = value;
    };
    auto const software = problem.value("software", Json::object());
    auto const gpu = problem.value("gpu", Json::object());
    if (!facts.contains("gpus") && !facts.contains("pci_functions"))
        add("gpus.gfx_target", gpu.value("gfx_target", Json()));
    auto const rocm = software.value("rocm", std::string());
    if (RE2::FullMatch(rocm, R"(\d+\.\d+(\.\d+)?)")) add("rocm_installations", rocm);
    add("frameworks", software.value("framework", Json()));
    return facts;
}

/// Numbers of firmware are decimal in the fact.
inline std::string entry_text(Json const& value) {
    std::string const text = value.is_string() ? value.get<std::string>() : value.dump();
    return text.starts_with("0x") ? std::to_string(std::stoul(text, nullptr, 16)) : text;
}

/// The members of "amdgpu_parameters.cwsr_enable" and the like, without their first part.
inline std::map<std::string, std::string> entries_of(Json const& facts, std::string const& prefix) {
    std::map<std::string, std::string> entries;
    for (auto const& [key, value] : facts.items())
        if (key.starts_with(prefix) && !has_blank(value))
            entries[key.substr(prefix.size())] = entry_text(value);
    return entries;
}

inline Gpu gpu_of(Json const& facts, std::string const& target, std::uint64_t row) {
    Gpu gpu;
    gpu.pci_address.offer(fmt::format("0000:{:02x}:00.0", row + 3), composed);
    gpu.row.offer(row, composed);
    gpu.vendor.offer("amd", composed);
    if (!target.empty()) gpu.gfx_target.offer(target, composed);
    for (auto const& [key, value] : facts.items())
        if (key.starts_with("gpus.") && key != "gpus.gfx_target") set(gpu, key.substr(5), value);
    if (facts.contains("render_access")) set(gpu, "render_access", facts.at("render_access"));
    auto firmware = entries_of(facts, "gpus.firmware.");
    if (facts.contains("gpus.mes_fw_version"))
        firmware["mes"] = entry_text(facts.at("gpus.mes_fw_version"));
    if (!firmware.empty()) gpu.firmware.offer(std::move(firmware), composed);
    auto const* chip = chips_for({}).find_chip(target);
    bool const old_apu = target == "gfx902" || target == "gfx909";  // these have no profile
    if (!gpu.is_apu)
        gpu.is_apu.offer(chip != nullptr ? chip->is_apu.value_or(false) : old_apu, composed);
    return gpu;
}

/// What a GPU has where the driver runs it.
inline void add_driver_of(Json const& facts, Gpu& gpu) {
    gpu.sysfs_path.offer("/sys/bus/pci/devices/" + *gpu.pci_address, composed);
    bool const runs = facts.value("amdgpu_state", Json("live")) != "not loaded";
    if (runs) gpu.driver.offer("amdgpu", composed);
    else gpu.driver.miss(Missing::absent);
    if (runs && !facts.contains("gpus.kfd_node")) gpu.kfd_node.offer(*gpu.row + 1, composed);
}

inline void add_gpus(Json const& facts, Host& host) {
    std::vector<std::string> targets;
    if (facts.contains("gpus.gfx_target"))
        targets = all_found(facts.at("gpus.gfx_target").dump(), R"(\b(gfx[0-9a-f]{3,4})\b)");
    // A chip of this family that has code only by the override is not gfx1030.
    if (facts.value("gpus.gfx_target", Json()) == "of the gfx103x family") targets = {"gfx1031"};
    bool some = false;
    for (auto const& [key, value] : facts.items()) some = some || key.starts_with("gpus.");
    if (targets.empty() && some) targets.emplace_back();
    for (auto const& target : targets) {
        host.gpus.push_back(gpu_of(facts, target, host.gpus.size()));
        if (!host.is_wsl.value_or(false)) add_driver_of(facts, host.gpus.back());
    }
    if (!host.gpus.empty() && !host.amdgpu_parameters)
        host.amdgpu_parameters.offer({{"cwsr_enable", "1"}}, composed);
    // No GPU of AMD on a bus that has other things.
    auto const bus = facts.find("pci_functions");
    if (bus != facts.end() && host.gpus.empty() && RE2::PartialMatch(bus->dump(), R"(\bno\b)")) {
        host.pci_functions.offer(20, composed);
        host.is_wsl.offer(false, composed);
    }
}

/// AMD packages its driver for the kernels of some distributions only; its version stands in the
/// name of the package.
inline void add_driver(Json const& facts, Host& host) {
    auto const packages = facts.value("installed_packages", std::string());
    auto const versions = all_found(packages, R"(amdgpu-dkms (\d[\w.]+))");
    if (!versions.empty() && !host.amdgpu_version)
        host.amdgpu_version.offer(versions.front(), composed);
    bool const packaged = RE2::PartialMatch(host.kernel_release.value_or("generic"),
                                            R"(generic|oem|\.el\d|deb\d|WSL)");
    bool const dkms = facts.dump().find("dkms") != std::string::npos;
    if (!host.amdgpu_origin && !packaged && !dkms) host.amdgpu_origin.offer("kernel", composed);
}

/// A wheel of torch may bring an HSA runtime of its own.
inline void add_wheel(Json const& facts, Host& host) {
    if (facts.value("frameworks", Json("")).dump().find("libhsa-runtime64") == std::string::npos)
        return;
    auto all = host.rocm_installations.value_or({});
    RocmInstallation wheel{.path = "/venv/lib/python3/site-packages/torch", .kind = "python-wheel"};
    wheel.version.offer("6.2", composed);
    wheel.libraries["libhsa-runtime64"] = "libhsa-runtime64.so";
    all.push_back(std::move(wheel));
    host.rocm_installations = {};
    host.rocm_installations.offer(std::move(all), composed);
}

inline Host host_of(Json const& problem) {
    Host host;
    auto const facts = facts_of(problem);
    std::map<std::string, std::string> variables;
    for (auto const& [key, value] : facts.items()) {
        if (key.starts_with("gpus.") || key.starts_with("amdgpu_parameters.")) continue;
        if (key.starts_with("environment.")) {
            bool const said = value.is_string() && !has_blank(value);
            if (said && !contains_word("depends longer set", value))
                variables[key.substr(12)] = value;
        } else if (key == "amdgpu_state") {
            bool const loaded =
                value.is_string() && contains_word("failed live loaded running", value);
            host.amdgpu_state.offer(loaded ? "live" : "absent", composed);
        } else if (key == "container") {
            auto const kinds = all_found(value, R"(^(docker|podman|kubernetes|apptainer|lxc)\b)");
            if (value != "none")
                host.container.offer(kinds.empty() ? "docker" : kinds[0], composed);
        } else {
            set(host, key, value);
        }
    }
    auto parameters = entries_of(facts, "amdgpu_parameters.");
    if (!parameters.empty()) host.amdgpu_parameters.offer(std::move(parameters), composed);
    host.environment.offer(std::move(variables), composed);
    add_gpus(facts, host);
    add_driver(facts, host);
    add_wheel(facts, host);
    return host;
}

}  // namespace rocmtune::test
