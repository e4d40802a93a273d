// SPDX-License-Identifier: MIT
// Host: what is known of the machine, its GPUs and the links between them.
#pragma once

#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// The machine as one process sees it. Readers of src/probe fill it, settle() closes it, and all
/// judgement and rendering take it as a plain value.
struct Host {
    // The machine.
    Text hostname, kernel_release, architecture, distribution, distribution_id;
    Text distribution_version, system_product, bios_version, bios_date;
    Text cpu_model;
    Number cpu_sockets, cpu_cores, cpu_threads;
    Flag smt_active;
    Text cpu_governor;
    Number memory_bytes, memory_available_bytes, huge_pages_total;
    Number numa_balancing;
    Text transparent_hugepages;
    Number compaction_proactiveness, compact_unevictable_allowed;
    Names kernel_arguments, iommu_units;
    Fact<std::vector<NumaNode>> numa_nodes;
    // The driver.
    Text amdgpu_state, amdgpu_origin, amdgpu_version;
    Fact<std::map<std::string, std::string>> amdgpu_parameters;
    Number pci_functions;
    Names dkms_builds, driver_blacklists, driver_conflicts;
    Number ttm_limit_bytes, ttm_pool_bytes;
    Fact<DeviceNode> kfd_access;
    Number kfd_generation;
    Fact<std::vector<KfdNode>> kfd_nodes;
    Fact<std::vector<GpuProcess>> gpu_processes;
    Fact<std::vector<KernelMessage>> kernel_messages;
    Real kernel_log_start_seconds;
    // This process and its surroundings.
    Number user_id;
    Names groups;
    Text container;
    Flag is_wsl, pid_namespace, seccomp_filter;
    Fact<DeviceNode> dxg_access;
    Text wsl_runtime_package;
    Text allowed_cpus;
    Real cpu_quota_cpus;
    Number memlock_soft_bytes, memlock_hard_bytes, open_files_soft, open_files_hard;
    Number shm_bytes;
    Text home_filesystem;
    Names rdma_devices;
    Flag selinux_enforcing;
    Names smi_locks;
    Names cpu_idle_states;
    // Software.
    Fact<std::vector<RocmInstallation>> rocm_installations;
    Text hip_runtime_path, hip_runtime_reason;
    Names hip_runtime_majors;
    Fact<std::vector<Runtime>> runtimes;
    Text hip_runtime_loaded;
    Text python_environment;
    Fact<std::vector<Framework>> frameworks;
    Fact<std::vector<Cache>> caches;
    Fact<std::map<std::string, std::string>> environment;
    Names environment_hidden;
    Text recorded;

    std::vector<Gpu> gpus;
    std::vector<Link> links;
};

template <SameEntity<Host> Self, class Visitor>
void visit_fields(Self& host, Visitor&& v) {  // NOLINT(readability-function-size): one line a field
    v(Field{"hostname", "name of the machine"}, host.hostname);
    v(Field{"kernel_release", "Linux release (uname -r)"}, host.kernel_release);
    v(Field{"architecture", "processor architecture (uname -m)"}, host.architecture);
    v(Field{"distribution", "distribution with its version"}, host.distribution);
    v(Field{"distribution_id", "distribution (debian, ubuntu, rhel, ...)"}, host.distribution_id);
    v(Field{"distribution_version", "version of the distribution"}, host.distribution_version);
    v(Field{"system_product", "product name in the firmware"}, host.system_product);
    v(Field{"bios_version", "firmware version"}, host.bios_version);
    v(Field{"bios_date", "firmware date"}, host.bios_date);
    v(Field{"cpu_model", "processor"}, host.cpu_model);
    v(Field{"cpu_sockets", "processor packages"}, host.cpu_sockets);
    v(Field{"cpu_cores", "processor cores"}, host.cpu_cores);
    v(Field{"cpu_threads", "logical CPUs online"}, host.cpu_threads);
    v(Field{"smt_active", "several threads run on one core"}, host.smt_active);
    v(Field{"cpu_governor", "frequency governor of CPU 0"}, host.cpu_governor);
    v(Field{"memory_bytes", "main memory that the kernel manages"}, host.memory_bytes);
    v(Field{"memory_available_bytes", "main memory available to programs"},
      host.memory_available_bytes);
    v(Field{"huge_pages_total", "huge pages reserved"}, host.huge_pages_total);
    v(Field{"numa_balancing", "automatic NUMA balancing: a bit mask, 0 is off"},
      host.numa_balancing);
    v(Field{"transparent_hugepages", "mode of transparent huge pages"}, host.transparent_hugepages);
    v(Field{"compaction_proactiveness", "proactive memory compaction, 0 is off"},
      host.compaction_proactiveness);
    v(Field{"compact_unevictable_allowed", "compaction may move locked pages"},
      host.compact_unevictable_allowed);
    v(Field{"kernel_arguments", "kernel command line, one word each"}, host.kernel_arguments);
    v(Field{"iommu_units", "IOMMU units that are active"}, host.iommu_units);
    v(Field{"numa_nodes", "NUMA nodes with their CPUs and memory"}, host.numa_nodes);

    v(Field{"pci_functions", "functions on the PCI bus, of all makers"}, host.pci_functions);
    v(Field{"amdgpu_state", "state of the kernel driver (live, coming, going, built-in, absent)"},
      host.amdgpu_state);
    v(Field{"amdgpu_origin", "where the driver comes from (dkms or kernel)"}, host.amdgpu_origin);
    v(Field{"amdgpu_version", "version of a DKMS driver; the kernel's own states none"},
      host.amdgpu_version);
    v(Field{"amdgpu_parameters", "module parameters of the driver"}, host.amdgpu_parameters);
    v(Field{"dkms_builds", "amdgpu builds that DKMS has: version, kernel, state"},
      host.dkms_builds);
    v(Field{"driver_blacklists", "files and kernel arguments that keep amdgpu from loading"},
      host.driver_blacklists);
    v(Field{"driver_conflicts", "loaded modules known to disturb amdgpu"}, host.driver_conflicts);
    v(Field{"ttm_limit_bytes", "host memory that GPUs may pin (ttm pages_limit)"},
      host.ttm_limit_bytes);
    v(Field{"ttm_pool_bytes", "host memory kept in the page pool (ttm page_pool_size)"},
      host.ttm_pool_bytes);
    v(Field{"kfd_access", "/dev/kfd, and whether this process may use it"}, host.kfd_access);
    v(Field{"kfd_generation", "how often the KFD topology changed since boot"},
      host.kfd_generation);
    v(Field{"kfd_nodes", "nodes of the KFD topology"}, host.kfd_nodes);
    v(Field{"gpu_processes", "processes that hold a GPU"}, host.gpu_processes);
    v(Field{"kernel_messages",
            "what the kernel log says of GPUs, in the order of the newest lines"},
      host.kernel_messages);
    v(Field{"kernel_log_start_seconds",
            "time between boot and the first line that the log still has"},
      host.kernel_log_start_seconds);

    v(Field{"user_id", "effective user id of this process"}, host.user_id);
    v(Field{"groups", "groups of this process, by name where known"}, host.groups);
    v(Field{"container", "kind of container this process runs in, or none"}, host.container);
    v(Field{"is_wsl", "Windows Subsystem for Linux"}, host.is_wsl);
    v(Field{"dxg_access", "/dev/dxg, through which WSL shows GPUs, and whether it can be used"},
      host.dxg_access);
    v(Field{"wsl_runtime_package", "package whose HSA runtime uses /dev/dxg by itself"},
      host.wsl_runtime_package);
    v(Field{"pid_namespace", "this process sees only its own PID namespace"}, host.pid_namespace);
    v(Field{"seccomp_filter", "system calls are filtered"}, host.seccomp_filter);
    v(Field{"allowed_cpus", "logical CPUs this process may run on"}, host.allowed_cpus);
    v(Field{"cpu_quota_cpus",
            "CPUs' worth of time that its control groups grant; null with reason if unlimited"},
      host.cpu_quota_cpus);
    v(Field{"memlock_soft_bytes", "memory this process may lock; null with reason if unlimited"},
      host.memlock_soft_bytes);
    v(Field{"memlock_hard_bytes", "memory it may raise that limit to"}, host.memlock_hard_bytes);
    v(Field{"open_files_soft", "files this process may open"}, host.open_files_soft);
    v(Field{"open_files_hard", "files it may raise that limit to"}, host.open_files_hard);
    v(Field{"shm_bytes", "size of /dev/shm"}, host.shm_bytes);
    v(Field{"home_filesystem", "kind of file system that holds the home directory (ext, nfs, ...)"},
      host.home_filesystem);
    v(Field{"rdma_devices", "RDMA network devices"}, host.rdma_devices);
    v(Field{"selinux_enforcing", "SELinux refuses what its policy does not allow"},
      host.selinux_enforcing);
    v(Field{"smi_locks", "locks of ROCm SMI in /dev/shm, which outlive the processes"},
      host.smi_locks);
    v(Field{"cpu_idle_states", "idle states that CPU 0 may enter"}, host.cpu_idle_states);

    v(Field{"rocm_installations", "every ROCm installation found"}, host.rocm_installations);
    v(Field{"hip_runtime_path", "HIP runtime that the loader would take"}, host.hip_runtime_path);
    v(Field{"hip_runtime_reason", "why it takes that one"}, host.hip_runtime_reason);
    v(Field{"hip_runtime_majors", "HIP major versions present; more than one invites mixing"},
      host.hip_runtime_majors);
    v(Field{"runtimes", "GPU libraries that were asked, and how each answered"}, host.runtimes);
    v(Field{"hip_runtime_loaded",
            "file of the HIP runtime that answered; disputed if two versions share its process",
            "hip"},
      host.hip_runtime_loaded);
    v(Field{"python_environment", "active Python environment"}, host.python_environment);
    v(Field{"frameworks", "GPU frameworks installed in it"}, host.frameworks);
    v(Field{"caches", "caches of compiled kernels and tuning results"}, host.caches);
    v(Field{"environment", "environment variables of this process that concern ROCm"},
      host.environment);
    v(Field{"environment_hidden", "such variables whose values look secret: names only"},
      host.environment_hidden);
    v(Field{"recorded", "where the answers come from when they are not live"}, host.recorded);
}

/// Applies each field's order of sources (Field::sources) to all facts of the host.
void settle(Host& host);

}  // namespace rocmtune
