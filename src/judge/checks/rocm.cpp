// SPDX-License-Identifier: MIT
// The ROCm libraries: there, found by the loader, of one release, and answering; in WSL, too.
#include <map>
#include <set>

#include "base/host.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
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
    return std::ranges::find(rocm.found_as, name) != rocm.found_as.end();
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
           std::ranges::any_of(context.cards, [](Card const& card) {
               return card.gpu->render_access && card.gpu->render_access->usable;
           });
}

void judge_answer(CheckContext const& context, Runtime const& runtime, Verdicts const& verdicts) {
    auto const detail = runtime.detail.value_or(runtime.status);
    std::vector<Evidence> found{{"worker " + runtime.name, detail}};
    if (runtime.evidence) found.push_back({"its last words", *runtime.evidence});
    // Programs compute through these; the SMI libraries only tell of the state.
    bool const computes = runtime.name == "hsa" || runtime.name == "hip";
    auto const& status = runtime.status;
    if (status == "ok") verdicts.pass(fmt::format("{} answers", runtime.name));
    else if (status == "absent" || status == "skipped" || status == "suspended")
        verdicts.skip(fmt::format("{}: {}", runtime.name, detail));
    else if (status == "timeout" || status == "unkillable")
        verdicts.give(status == "timeout" ? Verdict::timeout : Verdict::fail,
                      fmt::format("{} did not answer: {}", runtime.name, detail), std::move(found));
    else
        verdicts.give(computes && some_usable(context) ? Verdict::fail : Verdict::warn,
                      fmt::format("{} failed: {}", runtime.name, detail), std::move(found));
}

constexpr std::string_view bridge = "librocdxg";

/// ROCm from here on loads librocdxg (github.com/ROCm/librocdxg); from the second it looks for
/// /dev/dxg unasked.
constexpr std::string_view first_with_bridge = "7.2";
constexpr std::string_view first_unasked = "7.13";

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

void judge_bridge(Host const& host, RocmInstallation const& rocm, Verdicts const& verdicts) {
    auto const version = rocm.version.value_or("of an unknown release");
    std::vector<Evidence> const found{{"rocm", rocm.path}};
    bool const old = is_before(version, first_with_bridge);
    if (old && host.wsl_runtime_package)
        verdicts.pass(fmt::format("ROCm {} with {}", version, *host.wsl_runtime_package), found);
    else if (old)
        verdicts.fail(
            fmt::format("ROCm {} without hsa-runtime-rocr4wsl-amdgpu does not use /dev/dxg",
                        version),
            found, "amdgpu-install -y --usecase=wsl,rocm --no-dkms");
    else if (!has_bridge(host))
        verdicts.fail(fmt::format("ROCm {} has no {}, which uses /dev/dxg", version, bridge),
                      found);
    else if (is_before(version, first_unasked) && !asks_for_dxg(host))
        verdicts.fail(fmt::format("ROCm {} looks for /dev/dxg only if it is asked to", version),
                      found, "export HSA_ENABLE_DXG_DETECTION=1");
    else verdicts.pass(fmt::format("ROCm {} with {}", version, bridge), found);
}

void judge_rocm_installed(CheckContext const& context, Verdicts const& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "ROCm installations")) return;
    // Cards for virtual machines and those of radeon compute nothing here.
    if (context.cards.empty() && context.host.is_wsl.value() == false)
        return verdicts.skip("amdgpu drives no GPU here");
    if (all->empty()) return verdicts.fail("no ROCm libraries are installed");
    std::string list;
    for (auto const& rocm : *all) list += (list.empty() ? "" : "; ") + text_of(rocm);
    verdicts.pass("ROCm " + list);
}

void judge_rocm_selected(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    auto const& all = host.rocm_installations;
    if (!all || std::ranges::all_of(*all, is_wheel))
        return verdicts.skip("no ROCm outside Python environments");
    if (host.hip_runtime_path)
        verdicts.pass("the loader takes " + *host.hip_runtime_path, host.hip_runtime_path);
    else if (host.hip_runtime_path.reason() == Missing::absent) {
        auto const& rocm = *std::ranges::find_if_not(*all, is_wheel);
        auto& finding =
            verdicts.give(Verdict::warn, "ROCm is installed, but the loader finds no HIP runtime",
                          {{"loader", host.hip_runtime_path.detail()}, {"rocm", rocm.path}});
        // Others may keep their libraries elsewhere.
        if (rocm.kind == "opt" || rocm.kind == "core")
            finding.next_step = fmt::format(
                "echo {}/lib | sudo tee /etc/ld.so.conf.d/rocm.conf && sudo ldconfig", rocm.path);
    } else verdicts.have(host.hip_runtime_path, "HIP runtime of the loader");
}

void judge_rocm_several(CheckContext const& context, Verdicts const& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "ROCm installations")) return;
    std::set<std::string> versions;
    for (auto const& rocm : *all)
        if (!is_wheel(rocm)) versions.insert(rocm.version.value_or(rocm.path));
    auto const others = other_than_selected(*all);
    auto const list = fmt::format("{}", fmt::join(versions, ", "));
    if (!others.empty() && context.host.hip_runtime_path)
        verdicts.warn(
            fmt::format("the loader takes {}, but {}", *context.host.hip_runtime_path, others),
            context.host.hip_runtime_path);
    else if (versions.size() > 1) verdicts.info("several ROCm releases are installed: " + list);
    else if (!all.limit().empty())
        verdicts.unknown("what could not be read may hold another ROCm: " + all.limit());
    else verdicts.pass("one ROCm release: " + list);
}

void judge_rocm_mixed(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!host.runtimes || !host.rocm_installations) return verdicts.skip("no library was asked");
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
    if (trees.empty()) return verdicts.skip("no library of a known release answered");
    if (trees.size() == 1) return verdicts.pass("all libraries are of " + trees.begin()->first);
    std::string list;
    for (auto const& [path, names] : trees)
        list += fmt::format("{}{} from {}", list.empty() ? "" : "; ", names, path);
    verdicts.fail("libraries of two ROCm releases meet: " + list, std::move(found));
}

void judge_libraries(CheckContext const& context, Verdicts const& verdicts) {
    auto const& runtimes = context.host.runtimes;
    if (!runtimes) return verdicts.skip("no library was asked");
    for (auto const& runtime : *runtimes) judge_answer(context, runtime, verdicts);
}

void judge_smi_locks(CheckContext const& context, Verdicts const& verdicts) {
    auto const& locks = context.host.smi_locks;
    if (!verdicts.have_or_skip(locks, "locks of ROCm SMI", "ROCm SMI has left no locks")) return;
    auto const* const smi = runtime_of(context.host, "rocm_smi");
    static constexpr std::string_view harmless[] = {"ok", "absent", "suspended", "skipped"};
    bool const fails =
        smi != nullptr && std::ranges::find(harmless, smi->status) == std::end(harmless);
    // The files stay after every use; only one that a dead process holds does harm.
    verdicts.give(fails ? Verdict::warn : Verdict::pass,
                  fmt::format("{} of ROCm SMI{}", counted(locks->size(), "lock"),
                              fails ? ", and it fails: a dead process may hold one" : ""),
                  locks);
}

void judge_wsl_device(CheckContext const& context, Verdicts const& verdicts) {
    auto const& node = context.host.dxg_access;
    if (node && node->usable) verdicts.pass("/dev/dxg can be opened", node);
    else if (node)
        verdicts.fail(
            fmt::format("/dev/dxg cannot be opened ({})", node->error.value_or("refused")), node);
    else if (node.reason() != Missing::absent) verdicts.have(node, "/dev/dxg");
    else if (!has_rocm(context.host)) verdicts.skip("no /dev/dxg, and no ROCm that would use it");
    else
        verdicts.fail("/dev/dxg does not exist: WSL shows no GPU", {},
                      in_container(context.host)
                          ? "docker run --device /dev/dxg -v /usr/lib/wsl/lib:/usr/lib/wsl/lib "
                            "IMAGE   # start the container anew with the device"
                          : "");
}

void judge_wsl_bridge(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have(host.rocm_installations, "ROCm installations")) return;
    auto const* const rocm = system_rocm(host);
    if (rocm == nullptr) return verdicts.skip("no ROCm outside Python environments");
    judge_bridge(host, *rocm, verdicts);
}

void judge_wsl_wheels(CheckContext const& context, Verdicts const& verdicts) {
    auto const& all = context.host.rocm_installations;
    if (!verdicts.have(all, "ROCm installations")) return;
    for (auto const& rocm : *all) {
        if (!is_wheel(rocm) || !rocm.libraries.contains("libhsa-runtime64")) continue;
        auto const version = rocm.version.value_or("");
        auto const file = fmt::format("{}/lib/libhsa-runtime64.so", rocm.path);
        if (!is_before(version, first_with_bridge)) {
            verdicts.pass(fmt::format("the runtime of {} knows /dev/dxg", rocm.path));
            continue;
        }
        verdicts.warn(fmt::format("{} brings a libhsa-runtime64 of ROCm {} that looks for /dev/kfd",
                                  rocm.path, version),
                      {{"rocm", file}},
                      fmt::format("mv {0} {0}.unused   # the program then takes the one of "
                                  "/opt/rocm, as AMD's guide for WSL asks",
                                  file));
    }
}

void judge_wsl_distribution(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    if (!verdicts.have(host.distribution_id, "distribution")) return;
    auto const version = host.distribution_version.value_or("");
    bool const supported =
        *host.distribution_id == "ubuntu" && (version == "22.04" || version == "24.04");
    auto const name = host.distribution.value_or(*host.distribution_id);
    auto const text = fmt::format("{}, Linux {}", name, host.kernel_release.value_or("unknown"));
    if (supported) verdicts.pass(text);
    else
        verdicts.info(text + ": AMD tests ROCm in WSL with Ubuntu 22.04 and 24.04",
                      host.distribution_id);
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check rocm_rows[] = {
    {"RT3701", "rocm-installed", "rocm", quick, false, anywhere, judge_rocm_installed},
    {"RT3702", "rocm-selected", "rocm", quick, false, anywhere, judge_rocm_selected},
    {"RT3703", "rocm-several", "rocm", quick, false, anywhere, judge_rocm_several},
    {"RT3704", "rocm-mixed", "rocm", quick, false, anywhere, judge_rocm_mixed},
    {"RT3705", "libraries", "rocm", quick, false, anywhere, judge_libraries},
    {"RT3706", "smi-locks", "rocm", quick, false, anywhere, judge_smi_locks},
};

constexpr Check checks_of_wsl[] = {
    {"RT3741", "wsl-device", "wsl", quick, true, in_wsl, judge_wsl_device},
    {"RT3742", "wsl-bridge", "wsl", quick, false, in_wsl, judge_wsl_bridge},
    {"RT3743", "wsl-wheels", "wsl", quick, false, in_wsl, judge_wsl_wheels},
    {"RT3744", "wsl-distribution", "wsl", quick, false, in_wsl, judge_wsl_distribution},
};
// clang-format on

}  // namespace

std::span<Check const> rocm_checks() {
    return rocm_rows;
}

std::span<Check const> wsl_checks() {
    return checks_of_wsl;
}

}  // namespace rocmtune
