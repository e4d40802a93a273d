// SPDX-License-Identifier: MIT
// What a container on this host must be given to compute on the selected GPUs: as a call of docker
// run, and as a fragment of a Kubernetes pod.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "judge/rules/visibility.hpp"
#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

using Gpus = std::vector<Gpu const*>;

/// A limit that programs on GPUs need raised. "unlimited" is a value, too.
struct Limit {
    std::string name;                   ///< memlock or nofile
    std::optional<std::uint64_t> soft;  ///< absent: unlimited
    std::optional<std::uint64_t> hard;
};

/// What a container on this host must be given to compute on the selected GPUs.
struct ContainerNeeds {
    std::vector<std::string> devices;  ///< /dev/kfd and render nodes, in the order of rows
    std::size_t gpus_to_use = 0;       ///< of the GPUs, those that no mask of the settings hides
    std::vector<std::uint64_t> group_ids;  ///< groups that own them, ascending, without root's
    std::uint64_t shm_bytes = 0;           ///< for /dev/shm: as here, or what RT3210 asks for
    std::vector<Limit> limits;
    std::vector<std::string> notes;  ///< what is not known or is left to the reader
};

/// The selected GPUs that a container of this host could compute on.
Gpus gpus_for_container(Report const& report) {
    auto gpus = usable_gpus(*report.host);
    std::erase_if(gpus, [&](Gpu const* gpu) { return !is_among(report.settings->rows, *gpu); });
    return gpus;
}

void note_gpus_left_out(Report const& report, Gpus const& used, ContainerNeeds& needs) {
    std::vector<std::uint64_t> rows;
    for (auto const& gpu : report.host->gpus)
        if (is_among(report.settings->rows, gpu) && std::ranges::find(used, &gpu) == used.end())
            rows.push_back(gpu.row.value_or(0));
    if (!rows.empty())
        needs.notes.push_back(fmt::format("a process here cannot use GPU{} {}: left out",
                                          rows.size() == 1 ? "" : "s", fmt::join(rows, ", ")));
}

/// How many of the GPUs the masks of the settings leave. What a mask leaves cannot be told where no
/// process here can use a GPU, and chosen rows come without one.
std::size_t count_unmasked(Report const& report, Gpus const& gpus) {
    std::map<std::string, std::string> masks;
    for (auto const& setting : report.settings->items)
        if (setting.value && is_device_mask(setting.name)) masks[setting.name] = *setting.value;
    if (masks.empty() || !report.settings->rows.empty()) return gpus.size();
    auto const shown = simulate_visibility(*report.host, masks).hip.devices;
    return shown && !shown->empty() ? shown->size() : gpus.size();
}

void add_node(Fact<DeviceNode> const& node, std::string const& what,
              std::set<std::uint64_t>& groups, ContainerNeeds& needs) {
    if (!node) {
        needs.notes.push_back(fmt::format("{} is not known here ({}): it is left out", what,
                                          missing_name(node.reason())));
        return;
    }
    if (std::find(needs.devices.begin(), needs.devices.end(), node->path) == needs.devices.end())
        needs.devices.push_back(node->path);
    if (!node->group_id)
        needs.notes.push_back(
            fmt::format("the group of {} is not known here: it is left out", node->path));
    else if (*node->group_id != 0) groups.insert(*node->group_id);
}

/// Whether there is such a node, though nobody looked at it, as at that of a sleeping GPU.
bool is_there_unseen(Gpu const& gpu) {
    if (gpu.render_access || !gpu.render_node) return false;
    auto const reason = gpu.render_access.reason();
    return reason != Missing::absent && reason != Missing::invalid;
}

void add_render_node(Gpu const& gpu, std::set<std::uint64_t>& groups, ContainerNeeds& needs) {
    auto const what = fmt::format("the render node of GPU {}", gpu.row.value_or(0));
    if (!is_there_unseen(gpu)) return add_node(gpu.render_access, what, groups, needs);
    auto const path = "/dev/dri/" + *gpu.render_node;
    needs.devices.push_back(path);
    needs.notes.push_back(fmt::format("the group of {} is not known here ({}): it is left out",
                                      path, missing_name(gpu.render_access.reason())));
}

/// The limits of this shell are not what a container needs: RT3208 and RT3209 warn of them.
/// Network adapters and the runtime lock memory; data loaders and RCCL open files and sockets.
constexpr std::uint64_t soft_open_files = 65536;
constexpr std::uint64_t hard_open_files = 1048576;

ContainerNeeds container_needs(Report const& report) {
    ContainerNeeds needs;
    auto const& host = *report.host;
    std::set<std::uint64_t> groups;
    auto const gpus = gpus_for_container(report);
    needs.gpus_to_use = count_unmasked(report, gpus);
    note_gpus_left_out(report, gpus, needs);
    if (!gpus.empty()) add_node(host.kfd_access, "/dev/kfd", groups, needs);
    for (auto const* gpu : gpus) add_render_node(*gpu, groups, needs);
    needs.group_ids.assign(groups.begin(), groups.end());
    needs.shm_bytes = std::max(host.shm_bytes.value_or(0), advised_shm_bytes);
    needs.limits = {{"memlock", std::nullopt, std::nullopt},
                    {"nofile", soft_open_files, hard_open_files}};
    if (host.rdma_devices && !host.rdma_devices->empty())
        needs.notes.push_back(
            fmt::format("RDMA devices are here ({}): jobs on several hosts also need "
                        "/dev/infiniband and the host's network",
                        fmt::join(*host.rdma_devices, ", ")));
    return needs;
}

// ---- docker and podman --------------------------------------------------------------------------

std::string limit_text(std::optional<std::uint64_t> const& limit) {
    return limit ? fmt::format("{}", *limit) : std::string("-1");
}

std::vector<std::string> options_for(ContainerNeeds const& needs) {
    std::vector<std::string> options;
    for (auto const& device : needs.devices) options.push_back("--device=" + posix_quoted(device));
    for (auto const id : needs.group_ids) options.push_back(fmt::format("--group-add={}", id));
    options.push_back(fmt::format("--shm-size={}", needs.shm_bytes));
    for (auto const& limit : needs.limits)
        options.push_back(fmt::format("--ulimit={}={}:{}", limit.name, limit_text(limit.soft),
                                      limit_text(limit.hard)));
    return options;
}

// ---- Kubernetes ---------------------------------------------------------------------------------
// The GPUs come from AMD's device plugin, which also brings the device nodes.

/// YAML 1.2 double-quoted; $ begins a reference to another variable of the container and is doubled
/// (https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables).
std::string yaml_quoted(std::string_view text) {
    std::string result = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const byte = static_cast<unsigned char>(text[i]);
        auto const next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        if (text[i] == '"' || text[i] == '\\') result += std::string("\\") + text[i];
        else if (text[i] == '$') result += "$$";
        else if (byte < 0x20 || byte == 0x7F) result += fmt::format("\\x{:02x}", byte);
        else if (byte == 0xC2 && next < 0xA0)
            result += fmt::format("\\x{:02x}", next), ++i;  // C1 controls
        else result += text[i];
    }
    return result + '"';
}

/// The device plugin chooses GPUs; a mask made here would hide those of another node.
bool is_for_the_plugin(Setting const& setting) {
    return setting.value && is_device_mask(setting.name);
}

std::string environment(Settings const& settings) {
    std::string text;
    for (auto const& setting : settings.items) {
        if (!setting.value || is_for_the_plugin(setting)) continue;
        text += reason(setting, "        # ");
        text += fmt::format("        - name: {}\n          value: {}\n", setting.name,
                            yaml_quoted(*setting.value));
    }
    return (text.empty() ? "      env: []\n" : "      env:\n") + text;
}

std::string masks_left_out(Settings const& settings) {
    std::string text;
    for (auto const& setting : settings.items)
        if (is_for_the_plugin(setting))
            text += comment(fmt::format(
                "Note: {} is left out: it is the device plugin that chooses the GPUs of "
                "a pod, and it may choose others",
                setting.name));
    return text;
}

std::string groups(ContainerNeeds const& needs) {
    if (needs.group_ids.empty()) return {};
    return fmt::format("  securityContext:\n    supplementalGroups: [{}]\n",
                       fmt::join(needs.group_ids, ", "));
}

}  // namespace

/// A shell script that calls docker run; image and command are its arguments. podman takes the same
/// options.
std::string docker_command(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "docker", Carries::bytes);
    auto const needs = container_needs(report);
    auto text =
        "#!/bin/sh\n" + header(report, "Use: sh THIS_FILE [docker options] IMAGE [COMMAND...]");
    auto options = options_for(needs);
    for (auto const& setting : settings.items) {
        if (!setting.value) continue;  // a container starts without the variables of its host
        // The devices are the choice, and the only ones that a mask could number.
        if (!settings.rows.empty() && is_device_mask(setting.name)) continue;
        text += reason(setting);
        options.push_back("--env=" + posix_quoted(setting.name + '=' + *setting.value));
    }
    for (auto const& note : needs.notes) text += comment("Note: " + note);
    text += comment(
        "Note: an engine without root's rights cannot raise limits: there, take --ulimit out");
    text += remarks(report) + "exec docker run --rm \\\n";
    for (auto const& option : options) text += fmt::format("    {} \\\n", option);
    return text + "    \"$@\"\n";
}

/// The parts of a pod that rocmtune has something to say about.
std::string kubernetes_fragment(Report const& report, TextStyle const&) {
    auto const& settings = checked_settings(report, "k8s", Carries::text);
    auto const needs = container_needs(report);
    auto text = header(report,
                       "Use: lay it over a pod whose container is called main. The GPUs need AMD's "
                       "device plugin.");
    for (auto const& note : needs.notes) text += comment("Note: " + note);
    text += masks_left_out(settings);
    text += comment(
        "The limits memlock and nofile of containers come from the container runtime: a pod cannot "
        "state them. Programs on GPUs need memlock unlimited and nofile 65536 or more.");
    text += "spec:\n" + groups(needs) + "  containers:\n    - name: main\n" + environment(settings);
    if (needs.gpus_to_use > 0)
        text += fmt::format("      resources:\n        limits:\n          amd.com/gpu: {}\n",
                            needs.gpus_to_use);
    text += fmt::format(
        "      volumeMounts:\n        - name: shared-memory\n          mountPath: /dev/shm\n"
        "  volumes:\n    - name: shared-memory\n      emptyDir:\n        medium: Memory\n      "
        "  sizeLimit: \"{}\"\n",
        needs.shm_bytes);
    return text + remarks(report);
}

}  // namespace rocmtune
