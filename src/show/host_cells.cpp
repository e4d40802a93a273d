// SPDX-License-Identifier: MIT
#include "show/host_cells.hpp"

#include <algorithm>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/rules/shared_memory.hpp"

namespace rocmtune {
namespace {

/// Whether this process can compute on the GPU: both device nodes must open. Unknown if one of
/// them was not looked at (a directory tree, a sleeping GPU).
std::optional<bool> usable(Host const& host, Gpu const& gpu) {
    if (gpu.hip_index || gpu.rocr_index) return true;  // a runtime that lists it has opened it
    auto const refused = [](Fact<DeviceNode> const& node) {
        return node ? !node->usable : node.reason() == Missing::absent;
    };
    if (refused(host.kfd_access) || refused(gpu.render_access)) return false;
    if (host.kfd_access && gpu.render_access) return true;
    return std::nullopt;
}

std::size_t usable_count(Host const& host) {
    return static_cast<std::size_t>(
        std::count_if(host.gpus.begin(), host.gpus.end(),
                      [&](Gpu const& gpu) { return usable(host, gpu) == true; }));
}

/// A library that did not answer might know a GPU that the kernel does not show, as in WSL.
bool some_library_failed(Host const& host) {
    static constexpr std::string_view failures[] = {"error", "signal", "timeout", "unkillable"};
    return host.runtimes &&
           std::any_of(host.runtimes->begin(), host.runtimes->end(), [](Runtime const& runtime) {
               return std::find(std::begin(failures), std::end(failures), runtime.status) !=
                      std::end(failures);
           });
}

bool some_unusable(Host const& host) {
    return std::any_of(host.gpus.begin(), host.gpus.end(),
                       [&](Gpu const& gpu) { return usable(host, gpu) == false; });
}

std::string usable_text(Host const& host, Gpu const& gpu) {
    auto const answer = usable(host, gpu);
    return !answer ? "-" : *answer ? "yes" : "no";
}

// ---- the lines below the table ------------------------------------------------------------------

std::string host_line(Host const& host) {
    std::vector<std::string> parts;
    if (host.distribution) parts.push_back(*host.distribution);
    if (host.kernel_release) parts.push_back("Linux " + *host.kernel_release);
    if (host.is_wsl.value_or(false)) parts.emplace_back("in WSL");
    if (in_container(host)) parts.push_back("in a container (" + *host.container + ')');
    return joined(parts);
}

std::string processor_line(Host const& host) {
    std::vector<std::string> parts;
    if (host.cpu_model) parts.push_back(*host.cpu_model);
    if (host.cpu_sockets && *host.cpu_sockets > 1)
        parts.push_back(counted(*host.cpu_sockets, "socket"));
    if (host.cpu_cores) parts.push_back(counted(*host.cpu_cores, "core"));
    if (host.cpu_threads) parts.push_back(counted(*host.cpu_threads, "thread"));
    if (host.numa_nodes && host.numa_nodes->size() > 1)
        parts.push_back(counted(host.numa_nodes->size(), "NUMA node"));
    if (host.memory_bytes) parts.push_back(human_bytes(*host.memory_bytes));
    return joined(parts);
}

std::string access_text(Host const& host) {
    if (!host.kfd_access) {
        return host.kfd_access.reason() == Missing::absent ? "there is no /dev/kfd" : std::string();
    }
    if (host.kfd_access->usable) return "/dev/kfd usable";
    if (host.kfd_access->error == "EPERM") return "/dev/kfd refused by the device cgroup (EPERM)";
    return fmt::format("/dev/kfd refused ({}{})", host.kfd_access->error.value_or("unknown error"),
                       host.kfd_access->group ? ", its group is " + *host.kfd_access->group : "");
}

std::string render_text(Host const& host, std::uint64_t left_out) {
    bool const known = std::any_of(host.gpus.begin(), host.gpus.end(), [](Gpu const& gpu) {
        return gpu.render_access || gpu.render_access.reason() == Missing::absent;
    });
    if (!known) return {};
    auto const nodes = std::count_if(host.gpus.begin(), host.gpus.end(), [](Gpu const& gpu) {
        return gpu.render_access && gpu.render_access->usable;
    });
    auto const asleep = std::count_if(host.gpus.begin(), host.gpus.end(), [](Gpu const& gpu) {
        return gpu.render_access.reason() == Missing::suspended;
    });
    auto const text =
        fmt::format("{} of {} {}usable", nodes, counted(host.gpus.size(), "render node"),
                    left_out == 0 ? "" : "of the GPUs shown ");
    return asleep == 0 ? text : fmt::format("{}, {} asleep", text, asleep);
}

std::string driver_line(Host const& host, std::uint64_t left_out) {
    if (!host.amdgpu_state) return {};
    std::vector<std::string> parts;
    std::string driver =
        *host.amdgpu_state == "absent" ? "amdgpu is not loaded" : "amdgpu " + *host.amdgpu_state;
    if (host.amdgpu_version) driver += ", version " + *host.amdgpu_version;
    if (host.amdgpu_origin.value() == "dkms") driver += " (DKMS)";
    parts.push_back(driver);
    if (host.driver_blacklists && !host.driver_blacklists->empty())
        parts.push_back("kept from loading by " + host.driver_blacklists->front());
    for (auto const& text : {access_text(host), render_text(host, left_out)})
        if (!text.empty()) parts.push_back(text);
    return joined(parts, "; ");
}

bool holds_one_of(GpuProcess const& process, std::vector<Gpu> const& gpus) {
    return std::ranges::any_of(gpus, [&](Gpu const& gpu) { return holds(process, gpu); });
}

std::string left_out_line(std::uint64_t left_out) {
    if (left_out == 0) return {};
    return fmt::format("{} of this host, which --gpu did not choose",
                       counted(left_out, "other GPU"));
}

/// Processes that hold a GPU, the greediest first.
std::string processes_line(Host const& host, std::uint64_t left_out) {
    if (!host.gpu_processes) return {};
    auto processes = greediest_first(*host.gpu_processes);
    if (left_out > 0)
        std::erase_if(processes, [&](auto const& one) { return !holds_one_of(one, host.gpus); });
    constexpr std::size_t shown = 3;
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(shown, processes.size()); ++i)
        parts.push_back(process_text(processes[i]));
    if (processes.size() > shown) parts.push_back(fmt::format("{} more", processes.size() - shown));
    return joined(parts);
}

/// Packages of distributions tell the version of HIP, which is close to ROCm's and not the same.
std::string version_text(RocmInstallation const& rocm) {
    if (!rocm.version) return "unknown version";
    return rocm.kind == "distribution" ? "HIP " + *rocm.version : *rocm.version;
}

std::string rocm_line(Host const& host) {
    if (!host.rocm_installations) return {};
    if (host.rocm_installations->empty()) return "none installed";
    auto installations = *host.rocm_installations;
    auto const selected = std::find_if(installations.begin(), installations.end(),
                                       [](auto const& rocm) { return rocm.selected; });
    if (selected != installations.end()) std::rotate(installations.begin(), selected, selected + 1);
    std::vector<std::string> parts;
    for (auto const& rocm : installations)
        parts.push_back(fmt::format("{} in {}{}", version_text(rocm), rocm.path,
                                    rocm.selected ? " (the loader's choice)" : ""));
    if (!host.hip_runtime_path) parts.emplace_back("the loader finds no HIP runtime");
    return joined(parts, "; ");
}

/// How people know the libraries that were asked.
std::string runtime_label(std::string const& name) {
    constexpr std::pair<std::string_view, std::string_view> labels[] = {{"hsa", "ROCr"},
                                                                        {"hip", "HIP"},
                                                                        {"hiprtc", "hipRTC"},
                                                                        {"rocm_smi", "ROCm SMI"},
                                                                        {"amd_smi", "AMD SMI"}};
    for (auto const& [key, label] : labels)
        if (key == name) return std::string(label);
    return name;
}

/// "HIP 6.3.42133 (2 GPUs)" of a good answer, "HIP: timeout" of a bad one.
std::string runtime_text(Runtime const& runtime) {
    auto text = runtime_label(runtime.name);
    if (runtime.status != "ok")
        return fmt::format("{}: {}", text, runtime.detail ? *runtime.detail : runtime.status);
    if (runtime.devices && runtime.version) text += ' ' + *runtime.version;
    if (runtime.devices)
        text += fmt::format(" ({})",
                            *runtime.devices == 0 ? "no GPU" : counted(*runtime.devices, "GPU"));
    return text;
}

/// Libraries that are not installed are no news; that nobody was asked is said once.
std::string runtimes_line(Host const& host) {
    if (!host.runtimes) return {};
    std::vector<std::string> parts;
    for (auto const& runtime : *host.runtimes) {
        if (runtime.status == "suspended")
            return fmt::format("not asked: {} (--wake)", runtime.detail.value_or("a GPU sleeps"));
        if (runtime.status != "absent" && runtime.status != "skipped")
            parts.push_back(runtime_text(runtime));
    }
    return joined(parts);
}

std::string python_line(Host const& host) {
    if (!host.frameworks || host.frameworks->empty()) return {};
    std::vector<std::string> parts;
    for (auto const& framework : *host.frameworks) {
        auto text = framework.name + ' ' + framework.version.value_or("of unknown version");
        if (framework.hip_version) text += " (HIP " + *framework.hip_version + ')';
        parts.push_back(std::move(text));
    }
    return joined(parts) + (host.python_environment ? " in " + *host.python_environment : "");
}

std::string variables_line(Host const& host) {
    if (!host.environment) return {};
    constexpr std::size_t shown = 8;
    std::vector<std::string> parts;
    for (auto const& [name, value] : *host.environment)
        parts.push_back(name + '=' + shorten(value, 40));
    if (host.environment_hidden)
        for (auto const& name : *host.environment_hidden) parts.push_back(name + " (hidden)");
    if (parts.size() <= shown) return joined(parts, " ");
    auto const more = parts.size() - shown;
    parts.resize(shown);
    return fmt::format("{} and {} more", fmt::join(parts, " "), more);
}

std::string text_or_dash(Text const& fact) {
    return fact.value_or("-");
}

/// Of the GPU of a processor: how much of main memory it may take, why, and how much it could.
std::string shared_line(Host const& host) {
    auto const* const gpu = only_shared_gpu(host);
    auto const shared = gpu != nullptr ? shared_memory(host, *gpu) : std::nullopt;
    if (!shared) return {};
    auto text = "the GPU may take " + shared_text(host, *shared);
    if (shared->most)
        text +=
            fmt::format("; {} can be allowed: rocmtune explain RT3206", human_bytes(*shared->most));
    return text;
}

}  // namespace

std::string address_text(Gpu const& gpu) {
    return subject_at(text_or_dash(gpu.pci_address), gpu.partition_index.value(),
                      gpu.partition_count.value());
}

std::string memory_text(Gpu const& gpu) {
    if (gpu.is_apu.value_or(false) && gpu.compute_memory_bytes)
        return human_bytes(*gpu.compute_memory_bytes) + " shared";
    return gpu.vram_bytes ? human_bytes(*gpu.vram_bytes) : "-";
}

std::string link_text(Gpu const& gpu) {
    if (!gpu.link_current_gt_per_s || !gpu.link_current_width) return "-";
    auto text = fmt::format("{}", *gpu.link_current_gt_per_s);
    if (gpu.link_max_gt_per_s && *gpu.link_max_gt_per_s > *gpu.link_current_gt_per_s)
        text += fmt::format(" of {}", *gpu.link_max_gt_per_s);
    text += fmt::format(" GT/s x{}", *gpu.link_current_width);
    if (gpu.link_max_width && *gpu.link_max_width > *gpu.link_current_width)
        text += fmt::format(" of x{}", *gpu.link_max_width);
    return text;
}

std::string name_text(Gpu const& gpu) {
    if (gpu.marketing_name) return *gpu.marketing_name;
    return gpu.pci_device_id ? "PCI device 1002:" + gpu.pci_device_id->substr(2) : "-";
}

Table gpu_table(Host const& host, Printer const& out) {
    using enum CellKind;
    Table table{.columns = {{"GPU", true, false, false, number},
                            {"PCI address", false, false, false, code},
                            {"name", false, false, true, line},
                            {.heading = "target", .kind = code},
                            {"CUs", true, false, false, number},
                            {"memory", true, false, false, number}},
                .caption = "GPUs as each part of the system names them"};
    auto& columns = table.columns;
    bool const with_use = some_unusable(host);
    if (with_use) columns.push_back({"usable"});
    columns.insert(columns.end(), {{"link", false, true, false, line},
                                   {"NUMA", true, true, false, number},
                                   {"driver", false, true}});
    if (!out.is_text())
        columns.insert(columns.end(), {{"HIP", true, false, false, number},
                                       {.heading = "render node", .kind = code}});
    for (auto const& gpu : host.gpus) {
        auto& row = table.rows.emplace_back(std::vector<std::string>{
            number_or_dash(gpu.row), address_text(gpu), name_text(gpu),
            text_or_dash(gpu.gfx_target), number_or_dash(gpu.compute_units), memory_text(gpu)});
        if (with_use) row.push_back(usable_text(host, gpu));
        row.insert(row.end(),
                   {link_text(gpu), number_or_dash(gpu.numa_node), text_or_dash(gpu.driver),
                    number_or_dash(gpu.hip_index), text_or_dash(gpu.render_node)});
        row.resize(columns.size());
    }
    return table;
}

std::string host_title(Host const& host, std::uint64_t left_out) {
    auto const cards = [&] {
        std::vector<std::string> modules;
        for (auto const& gpu : host.gpus) modules.push_back(gpu.module.value_or(address_text(gpu)));
        std::sort(modules.begin(), modules.end());
        modules.erase(std::unique(modules.begin(), modules.end()), modules.end());
        return modules.size();
    }();
    auto const name = host.hostname ? " on " + *host.hostname : std::string();
    if (host.gpus.empty())
        return (host.pci_functions && !some_library_failed(host) ? "No AMD GPU"
                                                                 : "No AMD GPU seen") +
               name;
    auto const shown = host.gpus.size();
    auto text = left_out == 0 ? counted(shown, "AMD GPU")
                              : fmt::format("{} of {} AMD GPUs", shown, shown + left_out);
    if (cards != host.gpus.size()) text += fmt::format(" ({})", counted(cards, "card"));
    text += name;
    return some_unusable(host) ? fmt::format("{}, {} usable here", text, usable_count(host)) : text;
}

std::string process_text(GpuProcess const& process) {
    return fmt::format("{} ({}){}", process.name.value_or("?"), process.pid,
                       process.vram_bytes ? " " + human_bytes(*process.vram_bytes) : "");
}

std::vector<GpuProcess> greediest_first(std::vector<GpuProcess> processes) {
    std::sort(processes.begin(), processes.end(), [](auto const& a, auto const& b) {
        return std::pair(b.vram_bytes.value_or(0), a.pid) <
               std::pair(a.vram_bytes.value_or(0), b.pid);
    });
    return processes;
}

std::vector<std::pair<std::string_view, std::string>> host_lines(Host const& host,
                                                                 std::uint64_t left_out) {
    return {{"left out", left_out_line(left_out)},
            {"host", host_line(host)},
            {"processor", processor_line(host)},
            {"memory", shared_line(host)},
            {"driver", driver_line(host, left_out)},
            {"used by", processes_line(host, left_out)},
            {"ROCm", rocm_line(host)},
            {"libraries", runtimes_line(host)},
            {"Python", python_line(host)},
            {"variables", variables_line(host)}};
}

}  // namespace rocmtune
