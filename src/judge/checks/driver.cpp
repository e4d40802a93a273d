// SPDX-License-Identifier: MIT
// The kernel driver: loaded, of the right build, bound to the GPUs, with sound parameters.

#include "base/host.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// Whether some GPU of AMD waits for amdgpu: others drive old cards or give cards to guests.
bool needs_amdgpu(Host const& host) {
    return std::ranges::any_of(host.gpus, [](Gpu const& gpu) {
        return gpu.sysfs_path && (!gpu.driver || *gpu.driver == "amdgpu");
    });
}

/// "amdgpu/6.14.14-2204008.24.04, 6.14.0-29-generic, x86_64: installed" (dkms(8), status).
struct DkmsBuild {
    std::string_view kernel;
    std::string_view state;
};

DkmsBuild parse_build(std::string_view text) {
    auto const colon = text.rfind(": ");
    auto const parts = split(text.substr(0, colon), ',');
    return {parts.size() > 1 ? trim(parts[1]) : std::string_view(),
            colon == text.npos ? std::string_view() : text.substr(colon + 2)};
}

bool installed_for(Host const& host, std::string_view kernel) {
    return dkms_installed_for(*host.dkms_builds, kernel);
}

/// Saving of waves hangs these chips until Linux 6.18, and AMD asks for cwsr_enable=0 meanwhile
/// (github.com/ROCm/ROCm issues 5590 and 5991).
bool is_asked_to_switch_cwsr_off(CheckContext const& context) {
    auto const order = compare_versions(context.host.kernel_release.value_or(""), "6.18");
    bool const is_old = order == std::strong_ordering::less;
    return is_old && std::ranges::any_of(context.cards, [](Card const& card) {
               auto const target = card.gpu->gfx_target.value_or("");
               return target == "gfx1151" || target == "gfx1103";
           });
}

void judge_driver_loaded(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& state = host.amdgpu_state;
    if (!needs_amdgpu(host)) return verdicts.skip("no GPU here waits for the driver amdgpu");
    if (!verdicts.have(state, "state of the driver")) return;
    if (*state == "live" || *state == "built-in")
        verdicts.pass(fmt::format("amdgpu is {}", *state), state);
    else if (*state == "absent")
        verdicts.fail(
            "the kernel driver amdgpu is not loaded", state,
            in_container(host) ? "sudo modprobe amdgpu   # on the host of this container" : "");
    else
        verdicts.fail(fmt::format("the kernel driver amdgpu is stuck in the state '{}'", *state),
                      state, "sudo dmesg | grep amdgpu   # then reboot");
}

void judge_driver_origin(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& origin = host.amdgpu_origin;
    if (!verdicts.have(origin, "origin of the driver")) return;
    bool const built =
        host.dkms_builds && host.kernel_release && installed_for(host, *host.kernel_release);
    if (*origin == "kernel" && built)
        return verdicts.warn(
            "DKMS has installed amdgpu for this kernel, but the kernel's own driver is loaded",
            {evidence(origin), evidence(host.dkms_builds)});
    auto const version = host.amdgpu_version ? " " + *host.amdgpu_version : std::string();
    verdicts.pass(*origin == "dkms" ? fmt::format("amdgpu{} from DKMS", version)
                                    : std::string("amdgpu of the kernel itself"),
                  origin);
}

void judge_driver_build(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& builds = host.dkms_builds;
    if (!verdicts.have(builds, "DKMS builds of amdgpu") ||
        !verdicts.have(host.kernel_release, "kernel release"))
        return;
    if (builds->empty()) return verdicts.skip("DKMS has no amdgpu");
    auto const& release = *host.kernel_release;
    if (installed_for(host, release))
        return verdicts.pass(fmt::format("DKMS has amdgpu installed for {}", release), builds);
    // With the kernel's own driver in its place the GPUs still work.
    bool const runs = host.amdgpu_state.value() == "live";
    verdicts.give(runs ? Verdict::warn : Verdict::fail,
                  fmt::format("DKMS has no amdgpu installed for the running kernel {}", release),
                  builds);
}

void judge_driver_blacklist(CheckContext const& context, Verdicts const& verdicts) {
    auto const& lists = context.host.driver_blacklists;
    if (!verdicts.have(lists, "blacklists of the driver")) return;
    if (lists->empty()) return verdicts.pass("nothing keeps amdgpu from loading");
    if (context.host.amdgpu_state.value() == "absent")
        return verdicts.fail(fmt::format("amdgpu is kept from loading by {}", lists->front()),
                             lists);
    // AMD documents this for MI300X systems that load the driver later.
    verdicts.info(fmt::format("amdgpu is loaded, though blacklisted by {}", lists->front()), lists);
}

void judge_driver_bound(CheckContext const& context, Verdicts const& verdicts) {
    auto const& gpus = context.host.gpus;
    auto const on_bus = std::ranges::count_if(gpus, [](Gpu const& gpu) {
        return gpu.sysfs_path && gpu.partition_index.value_or(0) == 0;
    });
    for (auto const& gpu : gpus) {
        if (!gpu.sysfs_path || gpu.partition_index.value_or(0) != 0) continue;
        auto const at = verdicts.about(gpu.pci_address.value_or("host"));
        auto const& bound = gpu.driver;
        if (!bound && bound.reason() == Missing::absent) {
            // One that has none beside equal ones that have one is not left out on purpose.
            bool const odd = std::ranges::any_of(gpus, [&](Gpu const& other) {
                return gpu.pci_device_id && other.driver.value() == "amdgpu" &&
                       other.pci_device_id.value() == gpu.pci_device_id.value();
            });
            at.give(on_bus == 1 || odd ? Verdict::fail : Verdict::warn,
                    "no kernel driver is bound to this GPU");
        } else if (at.have(bound, "driver")) {
            // radeon drives cards before gfx8, which no ROCm supports: as it should be.
            bool const old = *bound == "radeon" && !gpu.gfx_target;
            if (*bound == "amdgpu") at.pass("amdgpu is bound", bound);
            else if (*bound == "vfio-pci")
                at.info("vfio-pci is bound: the GPU is given to virtual machines", bound);
            else
                at.give(old ? Verdict::info : Verdict::warn,
                        fmt::format("{} is bound, not amdgpu", *bound), bound);
        }
    }
}

void judge_driver_parameters(CheckContext const& context, Verdicts const& verdicts) {
    // The log names parameters that this release of the driver does not have, too.
    bool sound =
        judge_module_options(context, verdicts) && !tell_from_log(context, "host", verdicts);
    auto const& parameters = context.host.amdgpu_parameters;
    if (!sound && !parameters) return;
    if (!verdicts.have(parameters, "parameters of the driver")) return;
    struct Row {
        std::string_view name;
        std::string_view effect;
        bool server_only;
    };
    // Linux amdgpu_drv.c: ras_enable and gpu_recovery are -1 (auto), cwsr_enable is 1 by default.
    static constexpr Row rows[] = {
        {"ras_enable", "hardware errors are neither counted nor handled", true},
        {"cwsr_enable", "a compute process cannot be preempted: one can block all others", false},
        {"gpu_recovery", "a hung GPU is not reset", false}};
    for (auto const& row : rows) {
        auto const found = parameters->find(std::string(row.name));
        if (found == parameters->end() || found->second != "0") continue;
        if (row.server_only && !context.has_server()) continue;
        sound = false;
        bool const asked_for = row.name == "cwsr_enable" && is_asked_to_switch_cwsr_off(context);
        auto& finding = verdicts.give(
            asked_for ? Verdict::info : Verdict::warn,
            fmt::format("amdgpu.{}=0: {}", row.name, row.effect),
            {{fmt::format("{}/{}", source_text(parameters.source()), row.name), found->second}});
        if (!asked_for) continue;
        finding.message += "; on this GPU and before Linux 6.18 AMD asks for it";
        finding.next_step = "uname -r   # from Linux 6.18 on take amdgpu.cwsr_enable=0 out again";
    }
    if (sound) verdicts.pass("no parameter of amdgpu is harmful");
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check driver_rows[] = {
    {"RT3001", "driver-loaded", "driver", quick, true, driver, judge_driver_loaded},
    {"RT3002", "driver-origin", "driver", quick, false, host_only, judge_driver_origin},
    {"RT3003", "driver-build", "driver", quick, false, host_only, judge_driver_build},
    {"RT3004", "driver-blacklist", "driver", quick, false, host_only, judge_driver_blacklist},
    {"RT3005", "driver-bound", "driver", quick, false, driver, judge_driver_bound},
    {"RT3006", "driver-parameters", "driver", quick, false, driver, judge_driver_parameters},
};
// clang-format on

}  // namespace

bool dkms_installed_for(std::vector<std::string> const& builds, std::string_view kernel) {
    return std::ranges::any_of(builds, [&](auto const& text) {
        auto const build = parse_build(text);
        return build.kernel == kernel && build.state == "installed";
    });
}

std::span<Check const> driver_checks() {
    return driver_rows;
}

}  // namespace rocmtune
