// SPDX-License-Identifier: MIT
// Readers `surroundings`: container, WSL, limits and restrictions of this process; and
// `environment`: its variables that concern the GPU stack.
#include <algorithm>

#include <fmt/format.h>

#include "base/filesystem.hpp"
#include "knowledge/environment_names.hpp"
#include "probe/container.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "rocmtune/fact.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view surroundings_reader = "surroundings";

// ---- WSL ----------------------------------------------------------------------------------------

/// Kernels of WSL say "microsoft" in their release. One built by the user may not; then the
/// paravirtual GPU together with WSL's own directory tells. /dev/dxg alone also exists in guests
/// of Hyper-V.
void read_wsl(HostRoot const& root, Host& host) {
    auto const& release = host.kernel_release;
    bool const microsoft = release && lower(*release).find("microsoft") != std::string::npos;
    if (microsoft) return host.is_wsl.offer(true, {surroundings_reader, release.source().where});
    if (root.exists("/dev/dxg")) {
        if (root.exists("/run/WSL"))
            return host.is_wsl.offer(true, {surroundings_reader, "/run/WSL"});
        return host.is_wsl.miss(Missing::invalid, "/dev/dxg, but no other sign of WSL");
    }
    if (release) return host.is_wsl.offer(false, {surroundings_reader, release.source().where});
    host.is_wsl.miss(release.reason(), release.detail());
}

/// AMD's runtime for WSL before ROCm 7.2; later ones load librocdxg.
void read_wsl_package(HostRoot const& root, Host& host) {
    std::string const package = "hsa-runtime-rocr4wsl-amdgpu";
    auto const path = "/var/lib/dpkg/info/" + package + ".list";
    auto const status = root.status(path);
    if (status) host.wsl_runtime_package.offer(package, {surroundings_reader, path});
    else miss(host.wsl_runtime_package, status);
}

// ---- this process -------------------------------------------------------------------------------

/// NSpid (proc_pid_status(5)) has several numbers only where /proc is that of an outer namespace,
/// so one number proves nothing; the number of the namespace itself does.
void read_pid_namespace(HostRoot const& root, Answer<std::string> const& status, Host& host) {
    std::string const path = "/proc/self/ns/pid";
    auto const link = root.link(path);
    if (link && link->starts_with("pid:["))
        return host.pid_namespace.offer(*link != first_pid_namespace, {surroundings_reader, path});
    auto const pids = status ? status_value(*status, "NSpid") : std::nullopt;
    if (pids && words(*pids).size() > 1)
        return host.pid_namespace.offer(true, {surroundings_reader, "/proc/self/status:NSpid"});
    if (link) return host.pid_namespace.miss(Missing::invalid, path + ": unexpected text");
    miss(host.pid_namespace, link);
}

template <class T, class Parse>
void offer_status(Answer<std::string> const& status, std::string_view key, Fact<T>& fact,
                  Parse&& parse) {
    if (!status) return miss(fact, status);
    auto const where = "/proc/self/status:" + std::string(key);
    auto const text = status_value(*status, key);
    if (!text) return fact.miss(Missing::absent, where);
    if (auto value = parse(*text)) fact.offer(T(std::move(*value)), {surroundings_reader, where});
    else fact.miss(Missing::invalid, where + ": unexpected text");
}

void read_process_status(HostRoot const& root, Host& host) {
    auto const status = root.read("/proc/self/status");
    read_pid_namespace(root, status, host);
    // include/uapi/linux/seccomp.h: 0 off, 1 strict, 2 filter.
    offer_status(status, "Seccomp", host.seccomp_filter,
                 [](std::string_view text) -> std::optional<bool> {
                     auto const mode = to_unsigned(text, 10);
                     if (!mode || *mode > 2) return std::nullopt;
                     return *mode == 2;
                 });
    offer_status(status, "Cpus_allowed_list", host.allowed_cpus,
                 [](std::string_view text) -> std::optional<std::string> {
                     auto const cpus = parse_cpu_list(text);
                     if (!cpus || cpus->empty()) return std::nullopt;
                     return std::string(text);
                 });
}

void offer_limit(std::string_view key, std::string_view word, Number& fact) {
    if (word == unlimited) return miss_as_unlimited(fact);
    if (auto const number = to_unsigned(word, 10))
        fact.offer(*number, {surroundings_reader, std::string(key)});
    else fact.miss(Missing::invalid, std::string(key) + ": unexpected text");
}

/// "SOFT HARD", each a number or `unlimited`.
void read_limit(HostRoot const& root, std::string_view key, Number& soft, Number& hard) {
    auto const text = root.call(key);
    if (!text) {
        miss(soft, text);
        return miss(hard, text);
    }
    auto const part = words(*text);
    offer_limit(key, part.size() == 2 ? part[0] : "", soft);
    offer_limit(key, part.size() == 2 ? part[1] : "", hard);
}

/// "QUOTA PERIOD" or "max".
void read_cpu_quota(HostRoot const& root, Host& host) {
    constexpr std::string_view key = "cgroup.cpu";
    auto const text = root.call(key);
    if (!text) return miss(host.cpu_quota_cpus, text);
    auto const part = words(*text);
    if (part.size() == 1 && part[0] == "max") return miss_as_unlimited(host.cpu_quota_cpus);
    auto const quota = part.size() == 2 ? to_unsigned(part[0], 10) : std::nullopt;
    auto const period = part.size() == 2 ? to_unsigned(part[1], 10) : std::nullopt;
    if (!quota || !period || *quota == 0 || *period == 0)
        return host.cpu_quota_cpus.miss(Missing::invalid, std::string(key) + ": unexpected text");
    host.cpu_quota_cpus.offer(static_cast<double>(*quota) / static_cast<double>(*period),
                              {surroundings_reader, std::string(key)});
}

void read_shared_memory(HostRoot const& root, Host& host) {
    constexpr std::string_view key = "filesystem./dev/shm";
    auto const text = root.call(key);
    if (!text) return miss(host.shm_bytes, text);
    auto const size = to_unsigned(trim(*text), 10);
    if (!size) host.shm_bytes.miss(Missing::invalid, std::string(key));
    // A tmpfs without a size limit counts no blocks (mm/shmem.c, shmem_statfs).
    else if (*size == 0) miss_as_unlimited(host.shm_bytes);
    else host.shm_bytes.offer(*size, {surroundings_reader, std::string(key)});
}

/// A kind without a name here stays the number that it is.
void read_home_filesystem(HostRoot const& root, Host& host) {
    constexpr std::string_view key = "home.filesystem";
    auto const text = root.call(key);
    if (!text) return miss(host.home_filesystem, text);
    auto kind = filesystem_kind(trim(*text));
    if (!kind) return host.home_filesystem.miss(Missing::invalid, std::string(key));
    host.home_filesystem.offer(*std::move(kind), {surroundings_reader, std::string(key)});
}

void read_rdma(HostRoot const& root, Host& host) {
    std::string const path = "/sys/class/infiniband";
    auto names = root.list(path);
    if (!names) return miss(host.rdma_devices, names);
    host.rdma_devices.offer(std::move(*names.value), {surroundings_reader, path});
}

/// Those of the network namespace of this process.
void read_interfaces(HostRoot const& root, Host& host) {
    std::string const path = "/sys/class/net";
    auto names = root.list(path);
    if (!names) return miss(host.network_interfaces, names);
    std::erase(*names.value, "bonding_masters");  // a switch of the bonding driver
    host.network_interfaces.offer(std::move(*names.value), {surroundings_reader, path});
}

/// The file is there while SELinux is compiled in and on (Linux security/selinux/selinuxfs.c).
void read_selinux(HostRoot const& root, Host& host) {
    std::string const path = "/sys/fs/selinux/enforce";
    auto const text = root.read(path);
    if (!text) return miss(host.selinux_enforcing, text);
    auto const mode = to_unsigned(trim(*text), 10);
    if (mode && *mode <= 1) host.selinux_enforcing.offer(*mode == 1, {surroundings_reader, path});
    else host.selinux_enforcing.miss(Missing::invalid, path + ": unexpected text");
}

/// One lock for each card, as ROCm SMI 5.2 was seen to make them. They are asked for by name: what
/// other programs keep in that directory is nobody's business.
void read_smi_locks(HostRoot const& root, Host& host) {
    constexpr std::size_t most_cards = 64;
    std::vector<std::string> found;
    for (std::size_t i = 0; i < std::min(host.gpus.size(), most_cards); ++i)
        if (auto path = fmt::format("/dev/shm/rocm_smi_card{}", i); root.exists(path))
            found.push_back(std::move(path));
    if (found.empty()) host.smi_locks.miss(Missing::absent, "/dev/shm/rocm_smi_card*");
    else host.smi_locks.offer(std::move(found), {surroundings_reader, "/dev/shm"});
}

void read_idle_states(HostRoot const& root, Host& host) {
    std::string const path = "/sys/devices/system/cpu/cpu0/cpuidle";
    auto const states = root.list(path);
    if (!states) return miss(host.cpu_idle_states, states);
    std::vector<std::string> enabled;
    for (auto const& state : *states) {
        auto const name = root.read(fmt::format("{}/{}/name", path, state));
        auto const disabled = root.read(fmt::format("{}/{}/disable", path, state));
        if (name && disabled && trim(*disabled) == "0") enabled.emplace_back(trim(*name));
    }
    host.cpu_idle_states.offer(std::move(enabled), {surroundings_reader, path});
}

}  // namespace

std::optional<std::string_view> status_value(std::string_view text, std::string_view key) {
    for (auto const line : lines(text))
        if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ':')
            return trim(line.substr(key.size() + 1));
    return std::nullopt;
}

void read_surroundings(ProbeContext const& context, Host& host) {
    auto const& root = context.root;
    find_container(root, surroundings_reader, host.container);
    read_wsl(root, host);
    read_wsl_package(root, host);
    read_process_status(root, host);
    read_limit(root, "limit.memlock", host.memlock_soft_bytes, host.memlock_hard_bytes);
    read_limit(root, "limit.nofile", host.open_files_soft, host.open_files_hard);
    read_cpu_quota(root, host);
    read_shared_memory(root, host);
    read_home_filesystem(root, host);
    read_rdma(root, host);
    read_interfaces(root, host);
    read_selinux(root, host);
    read_smi_locks(root, host);
    read_idle_states(root, host);
}

/// Values are kept as they are; of a name that promises a secret nothing but the name is kept.
void read_environment(ProbeContext const& context, Host& host) {
    if (!context.root.knows_environment()) {
        host.environment.miss(Missing::not_recorded, "no environment came with the tree");
        host.environment_hidden.miss(Missing::not_recorded, "no environment came with the tree");
        return;
    }
    std::map<std::string, std::string> shown;
    std::vector<std::string> hidden;
    for (auto const& [name, value] : context.root.environment()) {
        if (!is_relevant_name(name)) continue;
        if (is_secret_name(name)) hidden.push_back(name);
        else shown.emplace(name, value);  // of a name given twice getenv(3) takes the first
    }
    host.environment.offer(std::move(shown), {"environment", "environment"});
    host.environment_hidden.offer(std::move(hidden), {"environment", "environment"});
}

}  // namespace rocmtune
