// SPDX-License-Identifier: MIT
// The Windows Subsystem for Linux: GPUs are behind /dev/dxg, and ROCm needs a library that uses it.
#include "base/version.hpp"
#include "host/installed.hpp"
#include "judge/checks/judgements.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view bridge = "librocdxg";

/// ROCm from here on loads librocdxg (github.com/ROCm/librocdxg); from the second it looks for
/// /dev/dxg unasked.
constexpr std::string_view first_with_bridge = "7.2";
constexpr std::string_view first_unasked = "7.13";

bool is_before(std::string_view version, std::string_view other) {
    return compare_versions(version, other) == std::strong_ordering::less;
}

bool is_wheel(RocmInstallation const& rocm) {
    return rocm.kind == "python-wheel";
}

/// The installation outside Python that the loader takes, else the first; null if there is none.
RocmInstallation const* system_rocm(Host const& host) {
    RocmInstallation const* first = nullptr;
    if (!host.rocm_installations) return nullptr;
    for (auto const& rocm : *host.rocm_installations) {
        if (is_wheel(rocm)) continue;
        if (rocm.selected) return &rocm;
        if (first == nullptr) first = &rocm;
    }
    return first;
}

/// Every WSL without an AMD GPU lacks the device, too: only who installed ROCm misses it.
bool has_rocm(Host const& host) {
    return host.rocm_installations && !host.rocm_installations->empty();
}

bool has_bridge(Host const& host) {
    return host.rocm_installations &&
           std::ranges::any_of(*host.rocm_installations, [](RocmInstallation const& rocm) {
               return rocm.libraries.contains(std::string(bridge));
           });
}

bool asks_for_dxg(Host const& host) {
    if (!host.environment) return true;  // nobody can tell
    auto const found = host.environment->find("HSA_ENABLE_DXG_DETECTION");
    return found != host.environment->end() && found->second == "1";
}

void judge_bridge(Host const& host, RocmInstallation const& rocm, Verdicts& verdicts) {
    auto const version = rocm.version.value_or("of an unknown release");
    std::vector<Evidence> const found{{"rocm", rocm.path}};
    bool const old = is_before(version, first_with_bridge);
    if (old && host.wsl_runtime_package) {
        verdicts.pass("host", fmt::format("ROCm {} with {}", version, *host.wsl_runtime_package))
            .evidence = found;
    } else if (old) {
        auto& finding = verdicts.fail(
            "host", fmt::format("ROCm {} without hsa-runtime-rocr4wsl-amdgpu does not use /dev/dxg",
                                version));
        finding.evidence = found;
        finding.next_step = "amdgpu-install -y --usecase=wsl,rocm --no-dkms";
    } else if (!has_bridge(host)) {
        verdicts
            .fail("host", fmt::format("ROCm {} has no {}, which uses /dev/dxg", version, bridge))
            .evidence = found;
    } else if (is_before(version, first_unasked) && !asks_for_dxg(host)) {
        auto& finding = verdicts.fail(
            "host", fmt::format("ROCm {} looks for /dev/dxg only if it is asked to", version));
        finding.evidence = found;
        finding.next_step = "export HSA_ENABLE_DXG_DETECTION=1";
    } else {
        verdicts.pass("host", fmt::format("ROCm {} with {}", version, bridge)).evidence = found;
    }
}

}  // namespace

void judge_wsl_device(CheckContext const& context, Verdicts& verdicts) {
    auto const& node = context.host.dxg_access;
    if (node && node->usable) {
        verdicts.pass("host", "/dev/dxg can be opened").evidence = {evidence(node)};
    } else if (node) {
        auto& finding = verdicts.fail(
            "host", fmt::format("/dev/dxg cannot be opened ({})", node->error.value_or("refused")));
        finding.evidence = {evidence(node)};
    } else if (node.reason() == Missing::absent && !has_rocm(context.host)) {
        verdicts.skip("host", "no /dev/dxg, and no ROCm that would use it");
    } else if (node.reason() == Missing::absent) {
        auto& finding = verdicts.fail("host", "/dev/dxg does not exist: WSL shows no GPU");
        if (in_container(context.host))
            finding.next_step =
                "docker run --device /dev/dxg -v /usr/lib/wsl/lib:/usr/lib/wsl/lib IMAGE   # start "
                "the container anew with the device";
    } else {
        verdicts.have(node, "host", "/dev/dxg");
    }
}

void judge_wsl_bridge(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have(host.rocm_installations, "host", "ROCm installations")) return;
    auto const* const rocm = system_rocm(host);
    if (rocm == nullptr) return (void)verdicts.skip("host", "no ROCm outside Python environments");
    judge_bridge(host, *rocm, verdicts);
}

void judge_wsl_wheels(CheckContext const& context, Verdicts& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "host", "ROCm installations")) return;
    for (auto const& rocm : *all) {
        if (!is_wheel(rocm) || !rocm.libraries.contains("libhsa-runtime64")) continue;
        auto const version = rocm.version.value_or("");
        auto const file = fmt::format("{}/lib/libhsa-runtime64.so", rocm.path);
        if (!is_before(version, first_with_bridge)) {
            verdicts.pass("host", fmt::format("the runtime of {} knows /dev/dxg", rocm.path));
            continue;
        }
        auto& finding = verdicts.warn(
            "host", fmt::format("{} brings a libhsa-runtime64 of ROCm {} that looks for /dev/kfd",
                                rocm.path, version));
        finding.evidence = {{"rocm", file}};
        finding.next_step = fmt::format(
            "mv {0} {0}.unused   # the program then takes the one of /opt/rocm, as AMD's guide for "
            "WSL asks",
            file);
    }
}

void judge_wsl_distribution(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have(host.distribution_id, "host", "distribution")) return;
    auto const version = host.distribution_version.value_or("");
    bool const supported =
        *host.distribution_id == "ubuntu" && (version == "22.04" || version == "24.04");
    auto const name = host.distribution.value_or(*host.distribution_id);
    auto const text = fmt::format("{}, Linux {}", name, host.kernel_release.value_or("unknown"));
    if (supported) verdicts.pass("host", text);
    else
        verdicts.info("host", text + ": AMD tests ROCm in WSL with Ubuntu 22.04 and 24.04")
            .evidence = {evidence(host.distribution_id)};
}

}  // namespace rocmtune
