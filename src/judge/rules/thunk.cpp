// SPDX-License-Identifier: MIT
// Follows libhsakmt topology.c (rocm-systems 04c92c1e), topology_sysfs_check_node_supported:
// a node that answers EPERM and one whose render node gives ENOENT or EPERM are left out; any
// other failure ends the whole start.
#include "judge/rules/thunk.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.hpp"

namespace rocmtune {
namespace {

std::string gpu_name(Gpu const& gpu) {
    return gpu.row ? fmt::format("GPU {}", *gpu.row) : "a GPU";
}

/// Ends with a known answer: ROCr shows nothing.
ThunkView& nothing(ThunkView& view, std::string const& note) {
    view.gpus.clear();
    view.notes.assign(1, note);
    view.complete = false;
    return view;
}

ThunkView& not_known(ThunkView& view, std::string const& note) {
    view.known = false;
    return nothing(view, note);
}

std::string missing_text(Missing reason) {
    return std::string(missing_name(reason));
}

/// True if /dev/kfd is known to be closed to this process.
bool kfd_refused(Host const& host, ThunkView& view) {
    auto const& access = host.kfd_access;
    if (access && access->usable) return false;
    if (access)
        nothing(view,
                fmt::format("ROCr cannot open /dev/kfd ({})", access->error.value_or("refused")));
    else if (access.reason() == Missing::absent) nothing(view, "there is no /dev/kfd");
    else if (access.reason() == Missing::invalid)
        nothing(view, "/dev/kfd is not the device of KFD");
    else
        view.notes.push_back(
            fmt::format("assumes that /dev/kfd opens ({})", missing_text(access.reason())));
    return !access ? access.reason() == Missing::absent || access.reason() == Missing::invalid
                   : true;
}

/// True if the topology cannot be judged; notes nodes that the device cgroup hides.
bool bad_nodes(Host const& host, ThunkView& view) {
    std::size_t hidden = 0;
    for (auto const& node : *host.kfd_nodes) {
        if (!node.problem) continue;
        if (node.kind != "gpu") {
            not_known(view,
                      fmt::format("KFD node {} could not be read ({})", node.node, *node.problem));
            return true;
        }
        ++hidden;
    }
    if (hidden == 0) return false;
    view.complete = false;
    view.notes.push_back(fmt::format("{} KFD node{} hidden from this process (device cgroup)",
                                     hidden, hidden == 1 ? " is" : "s are"));
    return false;
}

enum class Opens { yes, left_out, ends_the_start };

Opens render_opens(Gpu const& gpu, ThunkView& view) {
    auto const& access = gpu.render_access;
    if (access && access->usable) return Opens::yes;
    if (!access && access.reason() != Missing::absent) {
        view.notes.push_back(fmt::format("assumes that the render node of {} opens ({})",
                                         gpu_name(gpu), missing_text(access.reason())));
        return Opens::yes;
    }
    auto const error = access ? access->error.value_or("refused") : "ENOENT";
    bool const skipped = error == "ENOENT" || error == "EPERM";
    auto const note = fmt::format("its render node gives {}", error);
    if (!skipped) nothing(view, fmt::format("ROCr fails to start: {}, {}", gpu_name(gpu), note));
    else view.notes.push_back(fmt::format("ROCr leaves {} out: {}", gpu_name(gpu), note));
    return skipped ? Opens::left_out : Opens::ends_the_start;
}

std::vector<Gpu const*> gpus_by_node(Host const& host) {
    std::vector<Gpu const*> gpus;
    for (auto const& gpu : host.gpus)
        if (gpu.kfd_node) gpus.push_back(&gpu);
    std::sort(gpus.begin(), gpus.end(),
              [](Gpu const* a, Gpu const* b) { return *a->kfd_node < *b->kfd_node; });
    return gpus;
}

/// True if the topology is there; otherwise the view says what that means.
bool has_topology(Host const& host, ThunkView& view) {
    if (host.kfd_nodes) return true;
    if (host.is_wsl.value_or(false))
        not_known(view, "WSL shows GPUs through /dev/dxg, which is not simulated");
    else if (host.kfd_nodes.reason() == Missing::absent)
        nothing(view, "the kernel has no KFD topology");
    else
        not_known(view, fmt::format("the KFD topology is not known ({})",
                                    missing_text(host.kfd_nodes.reason())));
    return false;
}

bool is_hexadecimal_id(std::string_view text) {
    return text.size() == 16 && is_lower_hexadecimal(text);
}

}  // namespace

ThunkView thunk_view(Host const& host) {
    ThunkView view;
    if (!has_topology(host, view) || kfd_refused(host, view) || bad_nodes(host, view)) return view;
    for (auto const* gpu : gpus_by_node(host)) {
        auto const opens = render_opens(*gpu, view);
        if (opens == Opens::ends_the_start) return view;
        if (opens == Opens::yes) view.gpus.push_back(gpu);
        else view.complete = false;
    }
    return view;
}

/// ROCr prints KFD's unique_id as GPU-%016lx, and GPU-XX where that is 0 or missing.
DeviceId device_id(Gpu const& gpu) {
    if (gpu.uuid && gpu.uuid->starts_with("GPU-") && is_hexadecimal_id(gpu.uuid->substr(4)))
        return {.unique_id = gpu.uuid->substr(4)};
    if (gpu.unique_id && is_hexadecimal_id(*gpu.unique_id)) return {.unique_id = *gpu.unique_id};
    bool const none = !gpu.unique_id && (gpu.unique_id.reason() == Missing::absent ||
                                         gpu.unique_id.reason() == Missing::unsupported);
    return {.known = none};
}

}  // namespace rocmtune
