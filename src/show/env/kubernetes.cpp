// SPDX-License-Identifier: MIT
// The parts of a pod that rocmtune has something to say about. The GPUs come from AMD's device
// plugin, which also brings the device nodes.
#include <fmt/format.h>

#include "host/environment.hpp"
#include "show/env/container_needs.hpp"
#include "show/env/env_formats.hpp"
#include "show/env/script.hpp"

namespace rocmtune {
namespace {

/// YAML 1.2 double-quoted; $ begins a reference to another variable of the container and is doubled
/// (https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables).
std::string quoted(std::string_view text) {
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
                            quoted(*setting.value));
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
