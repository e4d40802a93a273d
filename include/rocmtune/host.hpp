// SPDX-License-Identifier: MIT
// Host: what is known of the machine, its GPUs and the links between them.
#pragma once

#include "rocmtune/gpu.hpp"

namespace rocmtune {

/// The machine as one process sees it. Readers of src/probe fill it, settle() closes it, and all
/// judgement and rendering take it as a plain value.
struct Host {
    Host();
    Host(Host const&);
    Host(Host&&) noexcept;
    Host& operator=(Host const&);
    Host& operator=(Host&&) noexcept;
    ~Host();

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
    Names module_options, module_parameters;
    Names dkms_builds, dkms_failures, driver_blacklists, driver_conflicts;
    Flag kernel_headers, secure_boot, dkms_key_enrolled;
    Text linux_firmware_version;
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
    Text judged_process;
    Names rdma_devices, network_interfaces, acs_bridges;
    Flag selinux_enforcing;
    Names smi_locks;
    Names cpu_idle_states;
    // Software.
    Fact<std::map<std::string, std::string>> installed_packages;
    Fact<std::vector<RocmInstallation>> rocm_installations;
    Text hip_runtime_path, hip_runtime_reason;
    Names hip_runtime_majors;
    Fact<std::vector<Runtime>> runtimes;
    Text hip_runtime_loaded;
    Names programs;
    Text python_environment, python_version;
    Flag python_is_managed;
    Fact<std::vector<Framework>> frameworks;
    Fact<std::vector<PackageNeeds>> python_needs;
    Fact<std::vector<Cache>> caches;
    Fact<std::map<std::string, std::string>> environment;
    Names environment_hidden;
    Text recorded;

    std::vector<Gpu> gpus;
    std::vector<Link> links;
};

template <SameEntity<Host> Self, class Visitor>
void visit_fields(Self& host, Visitor&& v) {  // NOLINT(readability-function-size): one line a field
    using enum FactKind;
    v(FactField{"hostname", identity, "name of the machine"}, host.hostname);
    v(FactField{"kernel_release", software, "Linux release (uname -r)"}, host.kernel_release);
    v(FactField{"architecture", hardware, "processor architecture (uname -m)"}, host.architecture);
    v(FactField{"distribution", software, "distribution with its version"}, host.distribution);
    v(FactField{"distribution_id", software, "distribution (debian, ubuntu, rhel, ...)"},
      host.distribution_id);
    v(FactField{"distribution_version", software, "version of the distribution"},
      host.distribution_version);
    v(FactField{"system_product", hardware, "product name in the firmware"}, host.system_product);
    v(FactField{"bios_version", firmware, "firmware version"}, host.bios_version);
    v(FactField{"bios_date", firmware, "firmware date"}, host.bios_date);
    v(FactField{"cpu_model", hardware, "processor"}, host.cpu_model);
    v(FactField{"cpu_sockets", hardware, "processor packages"}, host.cpu_sockets);
    v(FactField{"cpu_cores", hardware, "processor cores"}, host.cpu_cores);
    v(FactField{"cpu_threads", hardware, "logical CPUs online"}, host.cpu_threads);
    v(FactField{"smt_active", setting, "several threads run on one core"}, host.smt_active);
    v(FactField{"cpu_governor", setting, "frequency governor of CPU 0"}, host.cpu_governor);
    v(FactField{"memory_bytes", hardware, "main memory that the kernel manages"}.within(
          memory_tolerance),
      host.memory_bytes);
    v(FactField{"memory_available_bytes", state, "main memory available to programs"},
      host.memory_available_bytes);
    v(FactField{"huge_pages_total", setting, "huge pages reserved"}, host.huge_pages_total);
    v(FactField{"numa_balancing", setting, "automatic NUMA balancing: a bit mask, 0 is off"},
      host.numa_balancing);
    v(FactField{"transparent_hugepages", setting, "mode of transparent huge pages"},
      host.transparent_hugepages);
    v(FactField{"compaction_proactiveness", setting, "proactive memory compaction, 0 is off"},
      host.compaction_proactiveness);
    v(FactField{"compact_unevictable_allowed", setting, "compaction may move locked pages"},
      host.compact_unevictable_allowed);
    v(FactField{"kernel_arguments", setting, "kernel command line, one word each"}.assignments(),
      host.kernel_arguments);
    v(FactField{"iommu_units", hardware, "IOMMU units that are active"}, host.iommu_units);
    v(FactField{"numa_nodes", hardware, "NUMA nodes with their CPUs and memory"}
          .within(memory_tolerance)
          .records("node", "cpus memory_bytes"),
      host.numa_nodes);

    v(FactField{"pci_functions", hardware, "functions on the PCI bus, of all makers"},
      host.pci_functions);
    v(FactField{"amdgpu_state", software,
                "state of the kernel driver (live, coming, going, built-in, absent)"},
      host.amdgpu_state);
    v(FactField{"amdgpu_origin", software, "where the driver comes from (dkms or kernel)"},
      host.amdgpu_origin);
    v(FactField{"amdgpu_version", software,
                "version of a DKMS driver; the kernel's own states none"},
      host.amdgpu_version);
    v(FactField{"amdgpu_parameters", setting, "module parameters of the driver"},
      host.amdgpu_parameters);
    v(FactField{"module_options", setting,
                "what files and kernel arguments ask of amdgpu and TTM (amdgpu.NAME=VALUE)"},
      host.module_options);
    v(FactField{"module_parameters", software,
                "parameters that these modules have here (amdgpu.NAME)"}
          .left_out(),
      host.module_parameters);
    v(FactField{"dkms_builds", software, "amdgpu builds that DKMS has: version, kernel, state"},
      host.dkms_builds);
    v(FactField{"dkms_failures", software,
                "amdgpu builds of DKMS that failed: version, kernel, first error of the log"},
      host.dkms_failures);
    v(FactField{"kernel_headers", software,
                "what modules for the running kernel are built with is installed"},
      host.kernel_headers);
    v(FactField{"secure_boot", setting, "the firmware lets only signed code run (Secure Boot)"},
      host.secure_boot);
    v(FactField{"dkms_key_enrolled", setting,
                "the machine owner's keys hold the one that DKMS signs modules with"},
      host.dkms_key_enrolled);
    v(FactField{"linux_firmware_version", firmware,
                "version of the distribution's package of GPU firmware"},
      host.linux_firmware_version);
    v(FactField{"driver_blacklists", setting,
                "files and kernel arguments that keep amdgpu from loading"},
      host.driver_blacklists);
    v(FactField{"driver_conflicts", software, "loaded modules known to disturb amdgpu"},
      host.driver_conflicts);
    v(FactField{"ttm_limit_bytes", setting, "host memory that GPUs may pin (ttm pages_limit)"}
          .within(memory_tolerance),
      host.ttm_limit_bytes);
    v(FactField{"ttm_pool_bytes", setting, "host memory kept in the page pool (ttm page_pool_size)"}
          .within(memory_tolerance),
      host.ttm_pool_bytes);
    v(FactField{"kfd_access", setting, "/dev/kfd, and whether this process may use it"}.record(
          "usable error mode"),
      host.kfd_access);
    v(FactField{"kfd_generation", state, "how often the KFD topology changed since boot"},
      host.kfd_generation);
    v(FactField{"kfd_nodes", hardware, "nodes of the KFD topology"}.left_out(), host.kfd_nodes);
    v(FactField{"gpu_processes", state, "processes that hold a GPU"}.left_out(),
      host.gpu_processes);
    v(FactField{"kernel_messages", state,
                "what the kernel log says of GPUs, in the order of the newest lines"}
          .left_out(),
      host.kernel_messages);
    v(FactField{"kernel_log_start_seconds", state,
                "time between boot and the first line that the log still has"}
          .left_out(),
      host.kernel_log_start_seconds);

    v(FactField{"judged_process", identity,
                "whose groups, limits and environment these are, if not of this process"},
      host.judged_process);
    v(FactField{"user_id", identity, "effective user id of this process"}, host.user_id);
    v(FactField{"groups", identity, "groups of this process, by name where known"}, host.groups);
    v(FactField{"container", software, "kind of container this process runs in, or none"},
      host.container);
    v(FactField{"is_wsl", software, "Windows Subsystem for Linux"}, host.is_wsl);
    v(FactField{"dxg_access", setting,
                "/dev/dxg, through which WSL shows GPUs, and whether it can be used"}
          .record("usable error mode"),
      host.dxg_access);
    v(FactField{"wsl_runtime_package", software,
                "package whose HSA runtime uses /dev/dxg by itself"},
      host.wsl_runtime_package);
    v(FactField{"pid_namespace", setting, "this process sees only its own PID namespace"},
      host.pid_namespace);
    v(FactField{"seccomp_filter", setting, "system calls are filtered"}, host.seccomp_filter);
    v(FactField{"allowed_cpus", setting, "logical CPUs this process may run on"},
      host.allowed_cpus);
    v(FactField{"cpu_quota_cpus", setting,
                "CPUs' worth of time that its control groups grant; null with reason if unlimited"},
      host.cpu_quota_cpus);
    v(FactField{"memlock_soft_bytes", setting,
                "memory this process may lock; null with reason if unlimited"},
      host.memlock_soft_bytes);
    v(FactField{"memlock_hard_bytes", setting, "memory it may raise that limit to"},
      host.memlock_hard_bytes);
    v(FactField{"open_files_soft", setting, "files this process may open"}, host.open_files_soft);
    v(FactField{"open_files_hard", setting, "files it may raise that limit to"},
      host.open_files_hard);
    v(FactField{"shm_bytes", setting, "size of /dev/shm"}.within(memory_tolerance), host.shm_bytes);
    v(FactField{"home_filesystem", setting,
                "kind of file system that holds the home directory (ext, nfs, ...)"},
      host.home_filesystem);
    v(FactField{"rdma_devices", hardware, "RDMA network devices"}, host.rdma_devices);
    v(FactField{"network_interfaces", setting, "network interfaces that this process sees"}
          .left_out(),
      host.network_interfaces);
    v(
        FactField{
            "acs_bridges", setting,
            "PCI bridges above GPUs that send what GPUs say to each other through the processor "
            "(ACS)"},
        host.acs_bridges);
    v(FactField{"selinux_enforcing", setting, "SELinux refuses what its policy does not allow"},
      host.selinux_enforcing);
    v(FactField{"smi_locks", state, "locks of ROCm SMI in /dev/shm, which outlive the processes"},
      host.smi_locks);
    v(FactField{"cpu_idle_states", setting, "idle states that CPU 0 may enter"},
      host.cpu_idle_states);

    v(FactField{"installed_packages", software,
                "packages of the distribution that concern AMD GPUs, with versions"}
          .left_out(),
      host.installed_packages);
    v(FactField{"rocm_installations", software, "every ROCm installation found"}.records(
          "path", "version kind selected"),
      host.rocm_installations);
    v(FactField{"hip_runtime_path", software, "HIP runtime that the loader would take"},
      host.hip_runtime_path);
    v(FactField{"hip_runtime_reason", software, "why it takes that one"}, host.hip_runtime_reason);
    v(FactField{"hip_runtime_majors", software,
                "HIP major versions present; more than one invites mixing"},
      host.hip_runtime_majors);
    v(FactField{"runtimes", software, "GPU libraries that were asked, and how each answered"}
          .records("name", "status version"),
      host.runtimes);
    v(FactField{"hip_runtime_loaded", software,
                "file of the HIP runtime that answered; disputed if two versions share its process",
                "hip"},
      host.hip_runtime_loaded);
    v(FactField{"programs", software, "programs of PATH that install software or set the kernel"},
      host.programs);
    v(FactField{"python_environment", software, "active Python environment"},
      host.python_environment);
    v(FactField{"python_version", software, "version of its Python, by the name of its folder"},
      host.python_version);
    v(FactField{"python_is_managed", software,
                "the distribution keeps pip out of it (EXTERNALLY-MANAGED)"},
      host.python_is_managed);
    v(FactField{"frameworks", software, "GPU frameworks installed in it"}.records(
          "name", "version hip_version"),
      host.frameworks);
    v(FactField{"python_needs", software, "what its packages ask of others; builds alone reads it"}
          .left_out(),
      host.python_needs);
    v(FactField{"caches", setting, "caches of compiled kernels and tuning results"}.records(
          "name", "found_as filesystem"),
      host.caches);
    v(FactField{"environment", setting, "environment variables of this process that concern ROCm"},
      host.environment);
    v(FactField{"environment_hidden", setting,
                "such variables whose values look secret: names only"},
      host.environment_hidden);
    v(FactField{"recorded", identity, "where the answers come from when they are not live"},
      host.recorded);
}

/// Applies each field's order of sources (Field::sources) to all facts of the host.
void settle(Host& host);

}  // namespace rocmtune
