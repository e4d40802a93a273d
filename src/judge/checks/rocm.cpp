// SPDX-License-Identifier: MIT
// The ROCm libraries: there, found by the loader, of one release, and answering.
#include <map>
#include <set>

#include "judge/checks/judgements.hpp"

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

}  // namespace rocmtune
