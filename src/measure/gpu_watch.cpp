// SPDX-License-Identifier: MIT
#include "measure/gpu_watch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <thread>

#include <fmt/format.h>

#include <unistd.h>

#include "base/text.hpp"
#include "machine/posix_file.hpp"
#include "probe/parsers.hpp"
#include "probe/pci_address.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view driver_directory = "/sys/bus/pci/drivers/amdgpu";

constexpr std::chrono::milliseconds between_looks{500};

/// Bounds of what one look reads: commands start more processes than compute.
constexpr std::size_t most_processes = 256;
constexpr std::size_t most_files = 1024;

std::optional<std::uint64_t> number_in(HostRoot const& root, std::string const& path) {
    auto const text = root.read(path);
    return text ? to_unsigned(*text, 10) : std::nullopt;
}

/// The process and what it has started (Linux needs CONFIG_PROC_CHILDREN; else it alone).
std::vector<pid_t> processes_of(HostRoot const& root, pid_t command) {
    std::vector<pid_t> all{command};
    for (std::size_t i = 0; i < all.size() && all.size() < most_processes; ++i) {
        auto const tasks = root.list(fmt::format("/proc/{}/task", all[i]));
        for (auto const& task : tasks.value.value_or(std::vector<std::string>())) {
            auto const path = fmt::format("/proc/{}/task/{}/children", all[i], task);
            auto const children = root.read(path).value.value_or("");
            for (auto const word : words(children))
                if (auto const pid = to_unsigned(word, 10); pid && all.size() < most_processes)
                    all.push_back(static_cast<pid_t>(*pid));
        }
    }
    return all;
}

/// The nanoseconds of all engines, "drm-engine-gfx: 123 ns" (drm-usage-stats.rst).
std::uint64_t engine_time(std::string_view fdinfo) {
    std::uint64_t sum = 0;
    for (auto const& [key, value] : key_value_lines(fdinfo, ':'))
        if (key.starts_with("drm-engine-"))
            if (auto const part = words(value); !part.empty())
                sum += to_unsigned(part.front(), 10).value_or(0);
    return sum;
}

GpuLook& look_at(std::vector<GpuLook>& looks, std::string_view address) {
    static thread_local GpuLook nobody;
    auto const found = std::ranges::find(looks, address, &GpuLook::pci_address);
    return found == looks.end() ? nobody : *found;
}

/// Graphics and video, and the memory of every client.
void add_open_files(HostRoot const& root, pid_t pid, std::size_t& files_left,
                    std::vector<GpuLook>& looks) {
    auto const directory = fmt::format("/proc/{}/fdinfo", pid);
    auto const names = root.list(directory);
    std::set<std::string> clients;  // several files may be one client
    for (auto const& name : names.value.value_or(std::vector<std::string>())) {
        if (files_left == 0) return;
        --files_left;
        auto const text = root.read(directory + '/' + name);
        auto const client = text ? parse_fdinfo(*text) : std::nullopt;
        if (!client || !clients.insert(client->pci_address + client->client_id).second) continue;
        auto& look = look_at(looks, client->pci_address);
        look.held = true;
        look.work += engine_time(*text);
    }
}

/// Compute: KFD counts each process's memory, and how many units its waves occupy
/// (Linux kfd_process.c).
void add_kfd(HostRoot const& root, pid_t pid, KfdIds const& gpu_ids, std::vector<GpuLook>& looks) {
    auto const directory = fmt::format("/sys/class/kfd/kfd/proc/{}", pid);
    if (!root.exists(directory)) return;
    for (auto const& [id, address] : gpu_ids) {
        auto& look = look_at(looks, address);
        auto const vram = number_in(root, fmt::format("{}/vram_{}", directory, id));
        if (vram.value_or(0) > 0) look.held = true;
        auto const units = number_in(root, fmt::format("{}/stats_{}/cu_occupancy", directory, id));
        look.work += vram.value_or(0) + units.value_or(0);
    }
}

void take_look(GpuLook const& look, GpuActivity& all) {
    if (!all.vram_start_bytes) all.vram_start_bytes = look.vram_bytes;
    take_most(all.vram_most_bytes, look.vram_bytes);
    take_most(all.busy_most_percent, look.busy_percent);
    all.busy_end_percent = look.busy_percent;
    all.vram_end_bytes = look.vram_bytes;
    all.held |= look.held;
}

}  // namespace

GpuActivity& activity_of(std::vector<GpuActivity>& all, std::string const& address) {
    auto const at = std::ranges::lower_bound(all, address, {}, &GpuActivity::pci_address);
    if (at != all.end() && at->pci_address == address) return *at;
    return *all.insert(at, GpuActivity{.pci_address = address});
}

KfdIds kfd_ids(HostRoot const& root) {
    KfdIds ids;
    std::string const nodes = "/sys/class/kfd/kfd/topology/nodes";
    auto const names = root.list(nodes);
    for (auto const& node : names.value.value_or(std::vector<std::string>())) {
        auto const id = number_in(root, fmt::format("{}/{}/gpu_id", nodes, node));
        if (id.value_or(0) == 0) continue;
        auto const text = root.read(fmt::format("{}/{}/properties", nodes, node));
        auto const properties = parse_kfd_properties(text.value.value_or(""));
        auto const location = kfd_property(properties, "location_id").value_or(0);
        auto const domain = kfd_property(properties, "domain").value_or(0);
        auto const address = decode_location(static_cast<std::uint32_t>(domain), location).card();
        ids.emplace(*id, address.text());
    }
    return ids;
}

bool is_awake(HostRoot const& root, std::string const& device) {
    auto const power = root.read(device + "/power/runtime_status");
    return !power || *power == "active" || *power == "unsupported";
}

std::vector<std::string> driven_gpus(HostRoot const& root) {
    auto names = root.list(driver_directory).value.value_or(std::vector<std::string>());
    std::erase_if(names, [](std::string const& name) { return !parse_pci_address(name); });
    return names;
}

void add_holders(HostRoot const& root, KfdIds const& ids, std::span<pid_t const> processes,
                 std::vector<GpuLook>& looks) {
    std::size_t files_left = most_files;
    for (auto const pid : processes) {
        add_open_files(root, pid, files_left, looks);
        add_kfd(root, pid, ids, looks);
    }
}

std::vector<GpuLook> look_at_gpus(HostRoot const& root, KfdIds const& ids, pid_t command) {
    std::vector<GpuLook> looks;
    for (auto const& name : driven_gpus(root)) {
        auto const device = pci_device(name);
        if (!is_awake(root, device)) continue;
        looks.push_back({.pci_address = name,
                         .busy_percent = number_in(root, device + "/gpu_busy_percent"),
                         .vram_bytes = number_in(root, device + "/mem_info_vram_used")});
    }
    if (!looks.empty()) add_holders(root, ids, processes_of(root, command), looks);
    return looks;
}

std::string line_of(GpuLook const& look) {
    auto const text = [](std::optional<std::uint64_t> number) {
        return number ? std::to_string(*number) : std::string("-");
    };
    return fmt::format("{} {} {} {} {}\n", look.pci_address, text(look.busy_percent),
                       text(look.vram_bytes), look.work, look.held ? 1 : 0);
}

std::optional<GpuLook> look_of(std::string_view line) {
    auto const part = words(line);
    if (part.size() != 5 || !parse_pci_address(part[0])) return std::nullopt;
    auto const work = to_unsigned(part[3], 10);
    if (!work) return std::nullopt;
    return GpuLook{.pci_address = std::string(part[0]),
                   .busy_percent = to_unsigned(part[1], 10),
                   .vram_bytes = to_unsigned(part[2], 10),
                   .work = *work,
                   .held = part[4] == "1"};
}

bool all_rested(std::vector<GpuActivity> const& gpus) {
    return !gpus.empty() && std::ranges::all_of(gpus, [](GpuActivity const& gpu) {
        return !gpu.held && gpu.busy_most_percent == 0U && gpu.vram_start_bytes &&
               gpu.vram_most_bytes == gpu.vram_start_bytes;
    });
}

std::string memory_in_use(std::vector<GpuActivity> const& gpus) {
    constexpr std::uint64_t comes_and_goes = std::uint64_t{256} << 20;
    for (auto const& gpu : gpus) {
        auto const before = gpu.vram_start_bytes.value_or(0);
        auto const now = gpu.vram_end_bytes.value_or(0);
        if (gpu.held && gpu.vram_start_bytes && now > before + comes_and_goes)
            return fmt::format("{} of device memory of {} are still in use",
                               human_bytes(now - before), gpu.pci_address);
    }
    return {};
}

GpuWatch::GpuWatch(pid_t command) {
    if (::access(std::string(driver_directory).c_str(), R_OK) != 0) return;
    auto const look_for_ever = [command](int pipe) {
        HostRoot const root(directory_source("/"));
        auto const ids = kfd_ids(root);
        for (;; std::this_thread::sleep_for(between_looks)) {
            std::string text;
            for (auto const& look : look_at_gpus(root, ids, command)) text += line_of(look);
            if (!text.empty() && write_all(pipe, text) != 0) return;
        }
    };
    looker_.emplace(look_for_ever);
}

bool GpuWatch::take() {
    bool moved = false;
    if (looker_) looker_->take([&](std::string_view line) { moved |= take_line(line); });
    return moved;
}

std::string GpuWatch::wait_for_memory() {
    constexpr int looks = 20;  // at intervals of half a second
    for (int i = 0;; ++i) {
        take();
        auto text = memory_in_use(activity_);
        if (text.empty() || i == looks) return text;
        std::this_thread::sleep_for(between_looks);
    }
}

bool GpuWatch::take_line(std::string_view line) {
    auto const look = look_of(line);
    if (!look) return false;
    take_look(*look, activity_of(activity_, look->pci_address));
    auto const before = std::ranges::find(last_, look->pci_address, &GpuLook::pci_address);
    if (before == last_.end()) return last_.push_back(*look), false;
    // What a GPU does for others says nothing of the command.
    bool const moved = look->held && *before != *look;
    *before = *look;
    return moved;
}

}  // namespace rocmtune
