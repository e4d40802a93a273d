// SPDX-License-Identifier: MIT
// The ROCm libraries: there, found by the loader, of one release, and answering; in WSL, too.
#include <map>
#include <set>

#include "base/version.hpp"
#include "host/installed.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

/// Wheels carry libraries for one Python environment, not for the host.
bool is_wheel(RocmInstallation const& rocm) {
    return rocm.kind == "python-wheel";
}

std::string text_of(RocmInstallation const& rocm) {
    return fmt::format("{} in {}", rocm.version.value_or("?"), rocm.path);
}

/// The installation whose directory holds a file; the longest path wins, since /usr holds much.
RocmInstallation const* owner_of(std::vector<RocmInstallation> const& all,
                                 std::string const& file) {
    RocmInstallation const* owner = nullptr;
    for (auto const& rocm : all)
        if (file.starts_with(rocm.path + '/') &&
            (owner == nullptr || rocm.path.size() > owner->path.size()))
            owner = &rocm;
    return owner;
}

bool is_named_by(RocmInstallation const& rocm, std::string_view name) {
    return std::find(rocm.found_as.begin(), rocm.found_as.end(), name) != rocm.found_as.end();
}

/// Where ROCM_PATH or PATH leads, if not to what the loader takes.
std::string other_than_selected(std::vector<RocmInstallation> const& all) {
    std::string text;
    for (auto const& rocm : all)
        for (auto const* name : {"ROCM_PATH", "PATH"})
            if (!rocm.selected && is_named_by(rocm, name))
                text +=
                    fmt::format("{}{} leads to {}", text.empty() ? "" : ", ", name, text_of(rocm));
    return text;
}

/// Whether this host has a GPU that HIP could use from this process.
bool some_usable(CheckContext const& context) {
    return context.host.kfd_access && context.host.kfd_access->usable &&
           std::any_of(context.cards.begin(), context.cards.end(), [](Card const& card) {
               return card.gpu->render_access && card.gpu->render_access->usable;
           });
}

void judge_answer(CheckContext const& context, Runtime const& runtime, Verdicts& verdicts) {
    auto const detail = runtime.detail.value_or(runtime.status);
    std::vector<Evidence> found{{"worker " + runtime.name, detail}};
    if (runtime.evidence) found.push_back({"its last words", *runtime.evidence});
    // Programs compute through these; the SMI libraries only tell of the state.
    bool const computes = runtime.name == "hsa" || runtime.name == "hip";
    if (runtime.status == "ok") {
        verdicts.pass("host", fmt::format("{} answers", runtime.name));
    } else if (runtime.status == "absent" || runtime.status == "skipped" ||
               runtime.status == "suspended") {
        verdicts.skip("host", fmt::format("{}: {}", runtime.name, detail));
    } else if (runtime.status == "timeout" || runtime.status == "unkillable") {
        verdicts
            .give(runtime.status == "timeout" ? Verdict::timeout : Verdict::fail, "host",
                  fmt::format("{} did not answer: {}", runtime.name, detail))
            .evidence = std::move(found);
    } else {
        verdicts
            .give(computes && some_usable(context) ? Verdict::fail : Verdict::warn, "host",
                  fmt::format("{} failed: {}", runtime.name, detail))
            .evidence = std::move(found);
    }
}

constexpr std::string_view bridge = "librocdxg";

/// ROCm from here on loads librocdxg (github.com/ROCm/librocdxg); from the second it looks for
/// /dev/dxg unasked.
constexpr std::string_view first_with_bridge = "7.2";
constexpr std::string_view first_unasked = "7.13";

bool is_before(std::string_view version, std::string_view other) {
    return compare_versions(version, other) == std::strong_ordering::less;
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

void judge_rocm_installed(CheckContext const& context, Verdicts& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "host", "ROCm installations")) return;
    // Cards for virtual machines and those of radeon compute nothing here.
    if (context.cards.empty() && context.host.is_wsl.value() == false)
        return (void)verdicts.skip("host", "amdgpu drives no GPU here");
    if (all->empty()) return (void)verdicts.fail("host", "no ROCm libraries are installed");
    std::string list;
    for (auto const& rocm : *all) list += (list.empty() ? "" : "; ") + text_of(rocm);
    verdicts.pass("host", "ROCm " + list);
}

void judge_rocm_selected(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    auto const& all = host.rocm_installations;
    if (!all || std::all_of(all->begin(), all->end(), is_wheel))
        return (void)verdicts.skip("host", "no ROCm outside Python environments");
    if (host.hip_runtime_path)
        verdicts.pass("host", "the loader takes " + *host.hip_runtime_path).evidence = {
            evidence(host.hip_runtime_path)};
    else if (host.hip_runtime_path.reason() == Missing::absent) {
        auto const& rocm = *std::ranges::find_if_not(*all, is_wheel);
        auto& finding =
            verdicts.warn("host", "ROCm is installed, but the loader finds no HIP runtime");
        finding.evidence = {{"loader", host.hip_runtime_path.detail()}, {"rocm", rocm.path}};
        // Others may keep their libraries elsewhere.
        if (rocm.kind == "opt" || rocm.kind == "core")
            finding.next_step = fmt::format(
                "echo {}/lib | sudo tee /etc/ld.so.conf.d/rocm.conf && sudo ldconfig", rocm.path);
    } else verdicts.have(host.hip_runtime_path, "host", "HIP runtime of the loader");
}

void judge_rocm_several(CheckContext const& context, Verdicts& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "host", "ROCm installations")) return;
    std::set<std::string> versions;
    for (auto const& rocm : *all)
        if (!is_wheel(rocm)) versions.insert(rocm.version.value_or(rocm.path));
    auto const others = other_than_selected(*all);
    auto const list = fmt::format("{}", fmt::join(versions, ", "));
    if (!others.empty() && context.host.hip_runtime_path)
        verdicts
            .warn("host", fmt::format("the loader takes {}, but {}", *context.host.hip_runtime_path,
                                      others))
            .evidence = {evidence(context.host.hip_runtime_path)};
    else if (versions.size() > 1)
        verdicts.info("host", "several ROCm releases are installed: " + list);
    else if (!all.limit().empty())
        verdicts.unknown("host", "what could not be read may hold another ROCm: " + all.limit());
    else verdicts.pass("host", "one ROCm release: " + list);
}

void judge_rocm_mixed(CheckContext const& context, Verdicts& verdicts) {
    auto const& host = context.host;
    if (!host.runtimes || !host.rocm_installations)
        return (void)verdicts.skip("host", "no library was asked");
    // Programs load these three together: of two releases they misread each other's structures.
    std::map<std::string, std::string> trees;  // installation -> libraries
    std::vector<Evidence> found;
    for (auto const& runtime : *host.runtimes) {
        bool const together =
            runtime.name == "hsa" || runtime.name == "hip" || runtime.name == "hiprtc";
        if (!together || runtime.status != "ok" || !runtime.library) continue;
        auto const* owner = owner_of(*host.rocm_installations, *runtime.library);
        if (owner == nullptr) continue;
        trees[owner->path] += (trees[owner->path].empty() ? "" : ", ") + runtime.name;
        found.push_back({"worker " + runtime.name, *runtime.library});
    }
    if (trees.empty()) return (void)verdicts.skip("host", "no library of a known release answered");
    if (trees.size() == 1)
        return (void)verdicts.pass("host", "all libraries are of " + trees.begin()->first);
    std::string list;
    for (auto const& [path, names] : trees)
        list += fmt::format("{}{} from {}", list.empty() ? "" : "; ", names, path);
    verdicts.fail("host", "libraries of two ROCm releases meet: " + list).evidence =
        std::move(found);
}

void judge_libraries(CheckContext const& context, Verdicts& verdicts) {
    auto const& runtimes = context.host.runtimes;
    if (!runtimes) return (void)verdicts.skip("host", "no library was asked");
    for (auto const& runtime : *runtimes) judge_answer(context, runtime, verdicts);
}

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
