// SPDX-License-Identifier: MIT
#include "cli/bench_devices.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/runner.hpp"
#include "cli/device_selector.hpp"
#include "cli/host_input.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

using bench::DeviceInfo;

Gpu const* row_of(Host const& host, DeviceInfo const& info) {
    if (info.backend != "hip") return nullptr;
    for (auto const& gpu : host.gpus)
        if (gpu.hip_index && *gpu.hip_index == info.index) return &gpu;
    for (auto const& gpu : host.gpus)
        if (!gpu.hip_index && gpu.pci_address.value() == info.pci_address) return &gpu;
    return nullptr;
}

/// The devices of a backend, or why they are not known.
std::vector<DeviceInfo> devices_of(std::string const& backend, bool demanded) {
    auto const list = bench::list_devices(backend);
    if (!list.problem.empty() && list.devices.empty() && demanded)
        throw Error(fmt::format("the {} devices could not be listed: {}", backend, list.problem),
                    {}, Exit::undetermined);
    if (list.devices.empty() && demanded)
        throw Error(fmt::format("there is no {} device", backend),
                    "rocmtune probe shows what is here", Exit::no_device);
    return list.devices;
}

std::vector<DeviceInfo> all_devices(std::string const& backend) {
    if (backend != "auto") return devices_of(backend, true);
    for (auto const* const name : {"hip", "cuda"})
        if (auto devices = devices_of(name, false); !devices.empty()) return devices;
    return devices_of("cpu", true);
}

}  // namespace

std::vector<ChosenDevice> choose_devices(Arguments const& arguments, Host const& host) {
    auto backend = arguments.value("--backend").value_or("auto");
    auto const selectors = arguments.values("--gpu");
    for (auto const& selector : selectors)
        if (backend == "auto" && selector.starts_with("cuda:")) backend = "cuda";
    std::vector<ChosenDevice> all;
    for (auto& info : all_devices(backend)) {
        auto const* const gpu = row_of(host, info);
        all.push_back({std::move(info), gpu});
    }
    if (selectors.empty()) return all;
    std::vector<ChosenDevice> chosen;
    for (auto const& text : selectors) {
        auto const selector = parse_device_selector(text);
        auto const found = std::find_if(all.begin(), all.end(), [&](ChosenDevice const& one) {
            return selector.matches(
                {one.info.backend, one.info.index, one.info.pci_address, one.info.uuid, one.gpu});
        });
        if (found == all.end())
            throw Error(fmt::format("--gpu {} names no device of the backend {}", printable(text),
                                    all.front().info.backend),
                        fmt::format("it has {} of them", all.size()));
        chosen.push_back(*found);
    }
    return chosen;
}

std::vector<bench::OtherDevice> others_of(std::vector<ChosenDevice> const& all,
                                          ChosenDevice const& one) {
    std::vector<bench::OtherDevice> others;
    for (auto const& [info, gpu] : all)
        if (info.index != one.info.index) others.push_back({info.index, info.pci_address});
    return others;
}

Host host_for_bench(Arguments const& arguments) {
    Arguments reading;
    if (arguments.value("--backend") == "cpu") reading.add("--sources", "sysfs");
    if (auto const directory = arguments.value("--profiles")) reading.add("--profiles", *directory);
    return read_host(reading);
}

}  // namespace rocmtune
