// SPDX-License-Identifier: MIT
#include "measure/bench_devices.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "bench/runner.hpp"
#include "measure/gpu_selector.hpp"
#include "measure/host_input.hpp"
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

bool is_meant(GpuSelector const& selector, ChosenDevice const& device) {
    using Kind = GpuSelector::Kind;
    auto const& [info, gpu] = device;
    if (selector.kind == Kind::hip || selector.kind == Kind::cuda)
        return info.backend == (selector.kind == Kind::hip ? "hip" : "cuda") &&
               info.index == selector.number;
    if (selector.kind == Kind::uuid && lower(info.uuid) == selector.uuid) return true;
    if (gpu != nullptr) return selector.names(*gpu);
    return selector.kind == Kind::address && !selector.partition &&
           parse_pci_address(info.pci_address) == selector.address;
}

/// What to do about a --gpu that none of these devices is.
std::string way_out(std::string const& asked, std::vector<ChosenDevice> const& all) {
    auto const& backend = all.front().info.backend;
    if (backend == "cpu")
        return asked == "cpu" ? "the processors are one device: leave out --gpu, or --backend cpu"
                              : "no runtime lists a GPU here: rocmtune check says why; without "
                                "--gpu the processors are measured";
    std::string names;
    for (auto const& device : all)
        names += fmt::format("{}{}:{}", names.empty() ? "" : ", ", backend, device.info.index);
    return fmt::format("choose from {}; rocmtune probe shows which GPU is which", names);
}

/// The first that is meant: of the partitions of a card the runtime's first.
ChosenDevice const& device_for(GpuSelector const& selector, std::string const& asked,
                               std::vector<ChosenDevice> const& all) {
    for (auto const& device : all)
        if (is_meant(selector, device)) return device;
    throw Error(fmt::format("--gpu {} names no device of the backend {}", selector.text,
                            all.front().info.backend),
                way_out(asked, all));
}

}  // namespace

std::vector<ChosenDevice> choose_devices(Arguments const& arguments, Host const& host) {
    auto backend = arguments.value("--backend").value_or("auto");
    auto const selectors = parse_gpu_selectors(arguments.values("--gpu"));
    for (auto const& selector : selectors)
        if (backend == "auto" && selector.kind == GpuSelector::Kind::cuda) backend = "cuda";
    std::vector<ChosenDevice> all;
    for (auto& info : all_devices(backend)) {
        auto const* const gpu = row_of(host, info);
        all.push_back({std::move(info), gpu});
    }
    if (selectors.empty()) return all;
    std::vector<ChosenDevice> chosen;
    for (auto const& selector : selectors) chosen.push_back(device_for(selector, backend, all));
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
