# SPDX-License-Identifier: MIT
# Made by scripts/python-records from profiles/schema/report.schema.json: change that.
"""The records of a report, as `rocmtune --json` writes them.

Units stand in names. Where a fact is None, `reasons` of its record says why, `sources` where the
others come from, and `disputes` what other sources say.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Optional, Union

from ._answer import Answer, beside

TuningAnswer = Literal["winner", "nothing", "not-decided", "failed", "observed"]

What = Literal[
    "one-thread", "few-threads", "processors", "launches", "copies", "gpu-compute",
    "gpu-memory-bandwidth", "gpu-memory", "host-memory", "page-faults", "numa", "disk", "power",
    "temperature", "other-users", "waiting", "nothing-seen"
]

Origin = Literal["user", "catalogue", "launch", "experiment"]

Stage = Literal["look", "halves", "race", "confirmation"]

CandidateVerdict = Literal[
    "winner", "not-confirmed", "not-better", "slower", "failed", "wrong-result", "left-out",
    "not-decided"
]

Change = Literal["slower", "faster", "same", "undecided", "broken", "repaired", "not-comparable"]

Verdict = Literal["pass", "info", "warn", "fail", "skip", "unknown", "timeout"]

DiagnosisAnswer = Literal["cause-here", "cannot-tell", "refuted", "not-known", "no-error"]

Role = Literal["error", "consequence", "note"]

CauseVerdict = Literal["here", "cannot-tell", "not-here"]

BuildAnswer = Literal["build", "override", "source", "none", "not-recorded"]

Action = Literal["none", "monitor", "config", "reset", "reboot", "isolate", "hardware"]

SettingClass = Literal[
    "dead-name", "no-reader-here", "renamed", "bad-value", "redundant-default", "debug-left-on",
    "conflict", "wrong-architecture", "override", "build-or-launcher", "security",
    "unknown-name"
]

SettingVerdict = Literal["confirmed", "no-effect", "harmful", "inconclusive", "not-measurable"]


@dataclass(frozen=True)
class Host:
    hostname: Optional[str]
    """name of the machine."""
    kernel_release: Optional[str]
    """Linux release (uname -r)."""
    architecture: Optional[str]
    """processor architecture (uname -m)."""
    distribution: Optional[str]
    """distribution with its version."""
    distribution_id: Optional[str]
    """distribution (debian, ubuntu, rhel, ...)."""
    distribution_version: Optional[str]
    """version of the distribution."""
    system_product: Optional[str]
    """product name in the firmware."""
    bios_version: Optional[str]
    """firmware version."""
    bios_date: Optional[str]
    """firmware date."""
    cpu_model: Optional[str]
    """processor."""
    cpu_sockets: Optional[int]
    """processor packages."""
    cpu_cores: Optional[int]
    """processor cores."""
    cpu_threads: Optional[int]
    """logical CPUs online."""
    smt_active: Optional[bool]
    """several threads run on one core."""
    cpu_governor: Optional[str]
    """frequency governor of CPU 0."""
    memory_bytes: Optional[int]
    """main memory that the kernel manages."""
    memory_available_bytes: Optional[int]
    """main memory available to programs."""
    huge_pages_total: Optional[int]
    """huge pages reserved."""
    numa_balancing: Optional[int]
    """automatic NUMA balancing: a bit mask, 0 is off."""
    transparent_hugepages: Optional[str]
    """mode of transparent huge pages."""
    compaction_proactiveness: Optional[int]
    """proactive memory compaction, 0 is off."""
    compact_unevictable_allowed: Optional[int]
    """compaction may move locked pages."""
    kernel_arguments: Optional[List[str]]
    """kernel command line, one word each."""
    iommu_units: Optional[List[str]]
    """IOMMU units that are active."""
    numa_nodes: Optional[List[NumaNode]]
    """NUMA nodes with their CPUs and memory."""
    pci_functions: Optional[int]
    """functions on the PCI bus, of all makers."""
    amdgpu_state: Optional[str]
    """state of the kernel driver (live, coming, going, built-in, absent)."""
    amdgpu_origin: Optional[str]
    """where the driver comes from (dkms or kernel)."""
    amdgpu_version: Optional[str]
    """version of a DKMS driver; the kernel's own states none."""
    amdgpu_parameters: Optional[Dict[str, str]]
    """module parameters of the driver."""
    module_options: Optional[List[str]]
    """what files and kernel arguments ask of amdgpu and TTM (amdgpu.NAME=VALUE)."""
    module_parameters: Optional[List[str]]
    """parameters that these modules have here (amdgpu.NAME)."""
    dkms_builds: Optional[List[str]]
    """amdgpu builds that DKMS has: version, kernel, state."""
    dkms_failures: Optional[List[str]]
    """amdgpu builds of DKMS that failed: version, kernel, first error of the log."""
    kernel_headers: Optional[bool]
    """what modules for the running kernel are built with is installed."""
    secure_boot: Optional[bool]
    """the firmware lets only signed code run (Secure Boot)."""
    dkms_key_enrolled: Optional[bool]
    """the machine owner's keys hold the one that DKMS signs modules with."""
    linux_firmware_version: Optional[str]
    """version of the distribution's package of GPU firmware."""
    driver_blacklists: Optional[List[str]]
    """files and kernel arguments that keep amdgpu from loading."""
    driver_conflicts: Optional[List[str]]
    """loaded modules known to disturb amdgpu."""
    ttm_limit_bytes: Optional[int]
    """host memory that GPUs may pin (ttm pages_limit)."""
    ttm_pool_bytes: Optional[int]
    """host memory kept in the page pool (ttm page_pool_size)."""
    kfd_access: Optional[DeviceAccess]
    """/dev/kfd, and whether this process may use it."""
    kfd_generation: Optional[int]
    """how often the KFD topology changed since boot."""
    kfd_nodes: Optional[List[KfdNode]]
    """nodes of the KFD topology."""
    gpu_processes: Optional[List[GpuProcess]]
    """processes that hold a GPU."""
    kernel_messages: Optional[List[KernelMessage]]
    """what the kernel log says of GPUs, in the order of the newest lines."""
    kernel_log_start_seconds: Optional[float]
    """time between boot and the first line that the log still has."""
    judged_process: Optional[str]
    """whose groups, limits and environment these are, if not of this process."""
    user_id: Optional[int]
    """effective user id of this process."""
    groups: Optional[List[str]]
    """groups of this process, by name where known."""
    container: Optional[str]
    """kind of container this process runs in, or none."""
    is_wsl: Optional[bool]
    """Windows Subsystem for Linux."""
    dxg_access: Optional[DeviceAccess]
    """/dev/dxg, through which WSL shows GPUs, and whether it can be used."""
    wsl_runtime_package: Optional[str]
    """package whose HSA runtime uses /dev/dxg by itself."""
    pid_namespace: Optional[bool]
    """this process sees only its own PID namespace."""
    seccomp_filter: Optional[bool]
    """system calls are filtered."""
    allowed_cpus: Optional[str]
    """logical CPUs this process may run on."""
    cpu_quota_cpus: Optional[float]
    """CPUs' worth of time that its control groups grant; None with reason if unlimited."""
    memlock_soft_bytes: Optional[int]
    """memory this process may lock; None with reason if unlimited."""
    memlock_hard_bytes: Optional[int]
    """memory it may raise that limit to."""
    open_files_soft: Optional[int]
    """files this process may open."""
    open_files_hard: Optional[int]
    """files it may raise that limit to."""
    shm_bytes: Optional[int]
    """size of /dev/shm."""
    home_filesystem: Optional[str]
    """kind of file system that holds the home directory (ext, nfs, ...)."""
    rdma_devices: Optional[List[str]]
    """RDMA network devices."""
    network_interfaces: Optional[List[str]]
    """network interfaces that this process sees."""
    acs_bridges: Optional[List[str]]
    """PCI bridges above GPUs that send what GPUs say to each other through the processor
    (ACS)."""
    selinux_enforcing: Optional[bool]
    """SELinux refuses what its policy does not allow."""
    smi_locks: Optional[List[str]]
    """locks of ROCm SMI in /dev/shm, which outlive the processes."""
    cpu_idle_states: Optional[List[str]]
    """idle states that CPU 0 may enter."""
    installed_packages: Optional[Dict[str, str]]
    """packages of the distribution that concern AMD GPUs, with versions."""
    rocm_installations: Optional[List[RocmInstallation]]
    """every ROCm installation found."""
    hip_runtime_path: Optional[str]
    """HIP runtime that the loader would take."""
    hip_runtime_reason: Optional[str]
    """why it takes that one."""
    hip_runtime_majors: Optional[List[str]]
    """HIP major versions present; more than one invites mixing."""
    runtimes: Optional[List[Runtime]]
    """GPU libraries that were asked, and how each answered."""
    hip_runtime_loaded: Optional[str]
    """file of the HIP runtime that answered; disputed if two versions share its process."""
    programs: Optional[List[str]]
    """programs of PATH that install software or set the kernel."""
    python_environment: Optional[str]
    """active Python environment."""
    python_version: Optional[str]
    """version of its Python, by the name of its folder."""
    python_is_managed: Optional[bool]
    """the distribution keeps pip out of it (EXTERNALLY-MANAGED)."""
    frameworks: Optional[List[Framework]]
    """GPU frameworks installed in it."""
    python_needs: Optional[List[PythonNeed]]
    """what its packages ask of others; builds alone reads it."""
    caches: Optional[List[HostCache]]
    """caches of compiled kernels and tuning results."""
    environment: Optional[Dict[str, str]]
    """environment variables of this process that concern ROCm."""
    environment_hidden: Optional[List[str]]
    """such variables whose values look secret: names only."""
    recorded: Optional[str]
    """where the answers come from when they are not live."""
    gpus: List[Gpu]
    links: List[Link]
    reasons: Dict[str, str] = beside("_reasons")
    """why a field is None, or may be incomplete."""
    sources: Dict[str, str] = beside("_sources")
    """where a field was read."""
    disputes: Dict[str, Any] = beside("_disputes")
    """what other sources said of a field."""


@dataclass(frozen=True)
class Gpu:
    row: Optional[int]
    """position in the list that probe prints: PCI order, independent of masks."""
    vendor: Optional[str]
    """who made the GPU."""
    pci_address: Optional[str]
    """domain:bus:device.function of the card, function 0 for a partition."""
    marketing_name: Optional[str]
    """the name it is sold under."""
    gfx_target: Optional[str]
    """instruction set the hardware has."""
    gfx_target_reported: Optional[str]
    """instruction set a runtime reports, under overrides."""
    target_id: Optional[str]
    """target with its modes as HIP compiles for it (gfx90a:sramecc+:xnack-)."""
    family: Optional[str]
    """architecture family (GCN5, CDNA1-4, RDNA1-4)."""
    uuid: Optional[str]
    """GPU-... identifier that the runtimes use."""
    unique_id: Optional[str]
    """identifier of the chip, hexadecimal."""
    pci_device_id: Optional[str]
    """PCI device id."""
    pci_revision: Optional[str]
    """PCI revision: one device id covers several products."""
    pci_subsystem_id: Optional[str]
    """PCI subsystem vendor:device, the board maker's own."""
    product_name: Optional[str]
    """name in the board's own memory."""
    serial_number: Optional[str]
    """serial number of the board."""
    is_apu: Optional[bool]
    """whether it shares the processor's memory."""
    module: Optional[str]
    """equal for all rows of one physical card."""
    partition_index: Optional[int]
    """which partition of the card this row is."""
    partition_count: Optional[int]
    """partitions of the card that this host sees."""
    compute_partition: Optional[str]
    """compute partition mode (SPX, DPX, TPX, QPX, CPX)."""
    memory_partition: Optional[str]
    """memory partition mode (NPS1, NPS2, NPS4, NPS8)."""
    compute_partitions_available: Optional[List[str]]
    """compute partition modes it can be set to."""
    memory_partitions_available: Optional[List[str]]
    """memory partition modes it can be set to."""
    kfd_node: Optional[int]
    """node in the KFD topology."""
    gpu_id: Optional[int]
    """identifier that KFD gives it."""
    hip_index: Optional[int]
    """device number in HIP under the current masks."""
    rocr_index: Optional[int]
    """agent number in ROCr under the current masks."""
    smi_index: Optional[int]
    """number in ROCm SMI, or in AMD SMI where only that answers."""
    drm_card: Optional[str]
    """DRM card (card1)."""
    render_node: Optional[str]
    """DRM render node (renderD128)."""
    sysfs_path: Optional[str]
    """its device directory in sysfs."""
    render_access: Optional[DeviceAccess]
    """the render node, and whether this process may use it."""
    driver: Optional[str]
    """kernel driver bound to it."""
    compute_units: Optional[int]
    """compute units."""
    simd_count: Optional[int]
    """SIMD units."""
    simd_per_cu: Optional[int]
    """SIMD units in a compute unit."""
    shader_arrays: Optional[int]
    """shader arrays."""
    xcc_count: Optional[int]
    """compute dies (XCC) of this row."""
    wavefront_size: Optional[int]
    """lanes of a wavefront by default."""
    max_waves_per_simd: Optional[int]
    """wavefronts that a SIMD can hold."""
    lds_bytes: Optional[int]
    """local data share of a workgroup processor or compute unit."""
    l2_cache_bytes: Optional[int]
    """level-2 cache, all of it."""
    last_level_cache_bytes: Optional[int]
    """largest cache level (Infinity Cache where there is one)."""
    max_engine_clock_mhz: Optional[int]
    """highest engine clock that KFD states."""
    sdma_engines: Optional[int]
    """DMA engines."""
    sdma_xgmi_engines: Optional[int]
    """DMA engines meant for XGMI."""
    compute_queues: Optional[int]
    """hardware compute queues."""
    memory_ecc: Optional[bool]
    """error correction of device memory is on."""
    sram_ecc: Optional[bool]
    """error correction of on-chip memory is on."""
    coherent_host_access: Optional[bool]
    """the host reads its memory coherently."""
    vram_bytes: Optional[int]
    """device memory (the carve-out on an APU)."""
    vram_used_bytes: Optional[int]
    """device memory in use."""
    visible_vram_bytes: Optional[int]
    """device memory that the processor can address directly."""
    visible_vram_used_bytes: Optional[int]
    """of that, in use."""
    gtt_bytes: Optional[int]
    """host memory that the GPU may map."""
    gtt_used_bytes: Optional[int]
    """of that, in use."""
    compute_memory_bytes: Optional[int]
    """memory that KFD offers to compute programs."""
    memory_bus_width_bits: Optional[int]
    """width of the memory bus."""
    memory_clock_max_mhz: Optional[int]
    """highest memory clock."""
    memory_type: Optional[str]
    """kind of its memory (HBM2, HBM2e, HBM3, HBM3E, GDDR6, LPDDR5X)."""
    memory_bandwidth_bytes_per_s: Optional[int]
    """published memory bandwidth of the product, of all partitions together."""
    vram_vendor: Optional[str]
    """maker of the memory chips."""
    numa_node: Optional[int]
    """NUMA node it is attached to."""
    local_cpus: Optional[str]
    """logical CPUs near it."""
    xgmi_hive_id: Optional[str]
    """equal for GPUs joined by XGMI, hexadecimal."""
    link_current_width: Optional[int]
    """PCIe lanes in use: minimum over the bridge chain."""
    link_max_width: Optional[int]
    """PCIe lanes possible: minimum over the bridge chain."""
    link_current_gt_per_s: Optional[float]
    """PCIe transfer rate per lane now, minimum over the chain."""
    link_max_gt_per_s: Optional[float]
    """PCIe transfer rate per lane possible, minimum over the chain."""
    link_limited_by: Optional[str]
    """device whose link is the narrowest of the chain now."""
    pcie_replay_count: Optional[int]
    """PCIe packets sent again since the driver was loaded."""
    aer_correctable: Optional[int]
    """PCIe errors corrected, at it and its bridges."""
    aer_nonfatal: Optional[int]
    """PCIe errors not corrected, not fatal, at it and its bridges."""
    aer_fatal: Optional[int]
    """fatal PCIe errors, at it and its bridges."""
    iommu_group: Optional[str]
    """IOMMU group."""
    iommu_type: Optional[str]
    """how the IOMMU treats it (identity, DMA, DMA-FQ, ...)."""
    drives_display: Optional[bool]
    """a connected display hangs on it."""
    boot_display: Optional[bool]
    """the firmware showed its screen on it."""
    vbios_version: Optional[str]
    """version of the video BIOS."""
    firmware: Optional[Dict[str, str]]
    """firmware versions by component."""
    firmware_missing: Optional[List[str]]
    """files that the driver loads into this chip and that no folder of firmware has."""
    power_state: Optional[str]
    """PCI power state (D0, D3hot, D3cold)."""
    runtime_status: Optional[str]
    """runtime power management (active, suspended)."""
    performance_level: Optional[str]
    """forced performance level (auto, low, high, manual, ...)."""
    busy_percent: Optional[int]
    """share of time the GPU was busy."""
    memory_busy_percent: Optional[int]
    """share of time the memory controller was busy."""
    clocks: Optional[List[Clock]]
    """clock domains with their levels."""
    temperatures: Optional[List[Temperature]]
    """temperature sensors."""
    power_watts: Optional[float]
    """power drawn."""
    power_cap_watts: Optional[float]
    """power limit."""
    power_cap_default_watts: Optional[float]
    """power limit as shipped."""
    power_cap_min_watts: Optional[float]
    """lowest power limit that can be set."""
    power_cap_max_watts: Optional[float]
    """highest power limit that can be set."""
    graphics_voltage_volts: Optional[float]
    """voltage of the graphics core."""
    fan_rpm: Optional[int]
    """fan speed in turns a minute."""
    metrics_revision: Optional[str]
    """layout of the driver's gpu_metrics block."""
    metrics: Optional[Dict[str, float]]
    """figures of the gpu_metrics block, unit in the name."""
    throttle_reasons: Optional[List[str]]
    """limits that hold the clocks down now."""
    ras_features: Optional[str]
    """RAS feature mask, hexadecimal."""
    ras_blocks: Optional[List[RasBlock]]
    """error counters by hardware block."""
    bad_pages_retired: Optional[int]
    """memory pages taken out of use."""
    bad_pages_pending: Optional[int]
    """memory pages to be retired at the next reset."""
    bad_pages_unreservable: Optional[int]
    """bad memory pages that could not be retired."""
    xgmi_errors: Optional[int]
    """XGMI link error status."""
    reasons: Dict[str, str] = beside("_reasons")
    """why a field is None, or may be incomplete."""
    sources: Dict[str, str] = beside("_sources")
    """where a field was read."""
    disputes: Dict[str, Any] = beside("_disputes")
    """what other sources said of a field."""


@dataclass(frozen=True)
class Link:
    from_node: int
    """KFD node at the near end."""
    to_node: int
    """KFD node at the far end."""
    from_row: Optional[int]
    """row of the GPU at the near end."""
    to_row: Optional[int]
    """row of the GPU at the far end."""
    kind: str
    """xgmi, pcie, hypertransport, ...."""
    listed_in: str
    """io_links (direct) or p2p_links (through a host bridge)."""
    weight: Optional[int]
    """the kernel's distance figure."""
    min_bandwidth_mb_per_s: Optional[int]
    """lowest rate in 10^6 bytes/s, where the kernel knows it."""
    max_bandwidth_mb_per_s: Optional[int]
    """highest rate in 10^6 bytes/s, where the kernel knows it."""


@dataclass(frozen=True)
class Finding:
    id: str
    """identifier (RT1001): equal for the same kind of finding, for ever."""
    verdict: Verdict
    """how the judgement came out."""
    action: Action
    """kind of step that it asks for."""
    subject: str
    """PCI address, with /PARTITION where there are some, or host."""
    message: str
    """what was found, in one sentence."""
    evidence: List[Evidence]
    """what it rests on: who said what."""
    next_step: str
    """what to do about it."""
    sources: List[Source]
    """texts that say what it means."""
    class_: Optional[SettingClass] = field(metadata={"key": "class"})
    """kind of mistake."""
    certain: Optional[bool]
    """true wherever the text is used; else it is a note."""
    file: Optional[str]
    """file, as it was named; empty for a live environment."""
    line: Optional[int]
    """line, from 1; 0: there are none."""
    column: Optional[int]
    """byte in the line, from 1; 0: there are none."""
    name: Optional[str]
    """variable; together for all of them at once."""
    value: Optional[str]
    """its value; None if it is cleared."""
    fix: Optional[str]
    """what to write instead."""
    changes: Optional[List[Edit]]
    """what --fix changes in the file; empty where a person has to."""
    effect: Optional[float]
    """how much better with the setting (0.05: 5 %), below 0 worse; None if it was not
    measured."""
    low: Optional[float]
    """lower end of the effect's 95 % interval."""
    high: Optional[float]
    """upper end of it."""
    verdict_setting: Optional[SettingVerdict]
    """what measuring with and without it has shown."""
    blocks_needed: Optional[int]
    """blocks that would probably decide; None if it is decided, or if no number would do."""


@dataclass(frozen=True)
class Visibility:
    variables: Dict[str, str]
    """mask variables of the process."""
    given: List[str]
    """those of them that --visible set."""
    rocr: VisibleDevices
    """what ROCr shows, and with it OpenMP and OpenCL."""
    hip: VisibleDevices
    """what HIP shows."""
    pytorch: VisibleToPytorch
    """what PyTorch shows."""


@dataclass(frozen=True)
class Recommendation:
    name: str
    """variable, option, API or practice."""
    value: str
    """value to set, or the advice itself."""
    kind: str
    """environment, allocator, precision, option, api, practice or host."""
    level: str
    """lowest level at which it is given."""
    workloads: List[str]
    """workloads it is for; empty: all."""
    why: str
    """reason in one sentence."""
    because: List[Because]
    """facts of this host that it rests on."""
    sources: List[Source]
    """who says so."""
    validity: Validity
    """versions for which that is known."""
    confidence: str
    """documented (by the owner), source (read in its code) or observed."""
    verify_with: Optional[str]
    """benchmark that can prove it; None if none can."""
    from_: str = field(metadata={"key": "from"})
    """profile and place of the rule."""
    gpus: List[str]
    """PCI addresses of the GPUs it is for; empty: all that were selected."""
    unless_set: List[str]
    """variables beside which it must not be set."""


@dataclass(frozen=True)
class Undecided:
    name: str
    """setting that was considered."""
    reason: str
    """missing-fact, not-every-gpu, validity-unknown, component-default, conflict,
    unknown-target, not-settable, measured-harmful or measured-elsewhere."""
    detail: str
    """what is missing or different."""
    missing: List[Because]
    """facts that would decide it."""
    from_: str = field(metadata={"key": "from"})
    """profile and place of the rule."""
    gpus: List[str]
    """of not-every-gpu, the GPUs that it would be right for."""


@dataclass(frozen=True)
class Settings:
    fingerprint: str
    """equal for hosts that the rules cannot tell apart."""
    level: str
    """conservative, balanced or aggressive."""
    workload: str
    """what the settings are for, or none."""
    framework: str
    """framework they are for; auto: what is installed."""
    rows: List[int]
    """rows of the selected GPUs; empty: every GPU."""
    force: bool
    """variables that are set already are overwritten."""
    items: List[Setting]
    """variables to set or to clear, by name."""
    elsewhere: bool
    """for another environment than this one, which was not looked at."""


@dataclass(frozen=True)
class Explanation:
    name: str
    """what was asked about."""
    kind: str
    """environment, allocator, precision, option, api, practice, host, finding, symptom, target,
    module-parameter, kernel-argument, file, library or word."""
    status: str
    """public, internal, deprecated, dead, never-existed, name-only (read somewhere, nothing
    more is known) or unknown."""
    use: str
    """runtime, debug, build, launcher, code-loading or cosmetic; may be empty."""
    summary: str
    """the answer in one sentence."""
    readers: List[ComponentReader]
    """what reads it."""
    values: str
    """what its reader takes; of a finding, the check that gives it."""
    default_value: str
    """what holds where it is not set."""
    former_defaults: List[str]
    """defaults that once were others."""
    effect: str
    """what it does."""
    here: str
    """what it does on this host."""
    current: Optional[str]
    """its value in this environment; None: it is not set."""
    read_as: str
    """how its reader takes that value."""
    harm: str
    """what it can break."""
    folklore: str
    """what is said of it, and why that is wrong."""
    security: str
    """what it lets others do."""
    instead: str
    """name to use in its place; of a finding, what to do."""
    validity: Validity
    """versions for which that is known."""
    see: List[str]
    """names and ids that also speak of it."""
    found_in: List[str]
    """files of this host in which the name stands."""
    near: List[str]
    """known names like it, if it is not known."""
    sources: List[Source]
    """who says so."""
    last_verified: str
    """date on which the sources were last read."""
    target: Optional[TargetFacts]
    """what the profiles know of a gfx target; None for anything else."""


@dataclass(frozen=True)
class Measurement:
    benchmark: str
    """bandwidth, gemm, vpoc or collectives; command: a program of the user's (verify)."""
    metric: str
    """what of the benchmark."""
    unit: str
    """GB/s (10^9 bytes a second), TFLOP/s or ratio; of a command what it prints."""
    value: Optional[float]
    """median of the samples; None unless the status is ok."""
    low: Optional[float]
    """lower end of the median's 95 % interval (bootstrap)."""
    high: Optional[float]
    """upper end of it."""
    p10: Optional[float]
    """10th percentile of the samples."""
    p90: Optional[float]
    """90th percentile of the samples."""
    samples: List[float]
    """all samples in their order, outliers too."""
    parameters: Parameters
    """what was measured and how."""
    backend: str
    """hip, cuda or cpu; command: that program's own choice."""
    gpu: Optional[int]
    """row of the GPU in host.gpus; None for other devices."""
    verified: bool
    """the result was compared with an independent one and was right."""
    status: str
    """ok, wrong-result, unsupported, no-memory, timeout, unfinished (there was no time for it),
    lost or error."""
    detail: Optional[str]
    """why the status is not ok."""
    efficiency: Optional[float]
    """value divided by the theoretical peak, where one is known."""
    target: Optional[float]
    """figure that a source of the profile expects, in the same unit."""
    state_before: Optional[GpuState]
    """state of the device before the samples."""
    state_after: Optional[GpuState]
    """state of the device after the samples."""
    labels: List[str]
    """what to keep in mind: throttled, shared (others use the device), in-cache, cache-unknown,
    peak-unknown, memory-clock-unknown, memory-shared, few-samples, unsteady, above-peak,
    below-expectation, slower-than-OPERATION, volumes-rounded, volumes-vanished; of verify the
    setting of the arm, A=1 or baseline of A=1."""
    notes: List[str]
    """what the device, its driver or a profile says and cannot be: nothing was made of it."""
    profile: Optional[VolumeProfile]
    """result of vpoc on the ticks of --ticks."""


@dataclass(frozen=True)
class Tool:
    name: Literal["rocmtune"]
    version: str
    """version of the tool."""
    data_date: str
    """date of the newest text its data rests on."""


@dataclass(frozen=True)
class Considered:
    name: str
    """setting that was considered."""
    why: str
    """why it is left out."""


@dataclass(frozen=True)
class Summary:
    gpus: Optional[int]
    gpus_left_out: Optional[int]
    """GPUs of the host that --gpu of probe did not choose."""
    facts: Optional[int]
    disputes: Optional[int]
    missing: Optional[Dict[str, int]]
    level: Optional[str]
    """check: level that ran."""
    gpus_to_test: Optional[int]
    gpus_tested: Optional[int]
    gpus_judged: Optional[int]
    """GPUs for which an essential check gave an answer."""
    gpus_exercised: Optional[int]
    """GPUs that copied or computed with the right result; left out where none was to work."""
    verify: Optional[Verify]
    texts: Optional[int]
    settings: Optional[int]
    accepted: Optional[int]
    repaired: Optional[int]
    """settings that --fix of lint mended; left out: none."""
    judged_gpus: Optional[List[int]]
    """rows of the GPUs that --gpu of lint chose; left out: all."""
    verdicts: Optional[Dict[str, int]]


@dataclass(frozen=True)
class Verify:
    benchmark: str
    """what was measured: a benchmark, or command."""
    metric: str
    """what of it."""
    unit: str
    """its unit; may be empty."""
    better: str
    """which values are better: higher or lower."""
    margin: float
    """effects up to this ratio do not matter."""
    budget_seconds: float
    """time that was given."""
    blocks: int
    """blocks of four runs that were planned for each setting."""
    seed: int
    """seed of the order in which baseline and setting ran."""
    self_test: bool
    """nothing was set: the host was measured against itself."""
    smallest_effect: Optional[float]
    """smallest effect that these blocks would have shown in 19 of 20 verifications; None if
    nothing was measured."""
    asserted: List[str]
    """names whose readers were taken on the user's word."""


@dataclass(frozen=True)
class KernelCache:
    directory: Optional[str]
    """where compiled kernels lie; None if the environment names no place."""
    entries: Optional[int]
    """how many there are; None if nobody may look."""
    bytes: Optional[int]
    """what they take."""
    most_bytes: int
    """what they may take; the longest unused go first."""
    problem: Optional[str]
    """why nothing can be kept."""


@dataclass(frozen=True)
class Tuning:
    answer: TuningAnswer
    """what it came to."""
    reason: str
    """why there is no winner; empty if there is one."""
    scope: Scope
    """for what it holds."""
    metric: str
    """regular expression, JSON pointer, metric of the benchmark, or time."""
    unit: str
    """unit of the metric; may be empty."""
    better: str
    """which values are better: higher or lower."""
    compared: str
    """how the results of runs were compared with those of the baseline."""
    margin: float
    """a smaller gain is no winner."""
    budget_seconds: float
    """time that was given."""
    seconds: float
    """what the runs took, those before --resume included."""
    runs: int
    """runs of the program."""
    failed_runs: int
    """runs that failed or gave no figure."""
    repeated_runs: int
    """runs that were repeated: others used more processors than usual, or the machine was
    suspended."""
    uneven_runs: int
    """runs of that kind that count, since many had been repeated."""
    seed: int
    """seed of all orders."""
    watched_seconds: Optional[float]
    """how long the program was watched."""
    samples: Optional[int]
    """times between two looks."""
    watch_seconds: Optional[float]
    """processor time that looking took."""
    processes: Optional[int]
    """processes that were seen; short ones perhaps not."""
    processors: Optional[float]
    """processors that it may use; a quota may make a fraction of it."""
    busiest_thread_share: Optional[BusiestThreadShare]
    """share of one processor that the busiest thread used."""
    processors_share: Optional[BusiestThreadShare]
    """share of its processors that it used."""
    others_share: Optional[BusiestThreadShare]
    """share of all processors that others used."""
    run_queue: Optional[BusiestThreadShare]
    """tasks of the host that could run, for each processor."""
    kernel_share: Optional[float]
    """share of its processor time that the kernel took."""
    threads: Optional[BusiestThreadShare]
    """threads that it had."""
    started_per_second: Optional[BusiestThreadShare]
    """processes that it started a second; short ones perhaps not."""
    resident_bytes: Optional[BusiestThreadShare]
    """memory of the host that it held; what is shared counts twice."""
    available_bytes: Optional[BusiestThreadShare]
    """memory of the host that was available."""
    available_least_bytes: Optional[float]
    """least of that."""
    minor_faults_per_second: Optional[BusiestThreadShare]
    """page faults without reading from a disk."""
    major_faults_per_second: Optional[BusiestThreadShare]
    """page faults that read from a disk."""
    read_bytes_per_second: Optional[BusiestThreadShare]
    """bytes read from disks."""
    written_bytes_per_second: Optional[BusiestThreadShare]
    """bytes written to disks."""
    blocked_share: Optional[BusiestThreadShare]
    """share of the looks that found one of its threads stuck in the kernel (state D)."""
    disk_pressure_share: Optional[float]
    """share of the time in which tasks of the host waited for disks."""
    memory_pressure_share: Optional[float]
    """share of the time in which tasks of the host waited for memory."""
    numa_miss_share: Optional[float]
    """share of the pages that the host handed out on another node than wanted."""
    gpus: Optional[List[TuningGpu]]
    """what each GPU did meanwhile; empty without one that is awake."""
    limits: Optional[List[TuningLimit]]
    """what limits the program, the most important first."""
    phases: Optional[List[Phase]]
    """times with the same limit, one after the other."""
    load: Optional[List[Load]]
    """at most 60 points for a chart."""
    regions: Optional[List[Region]]
    """parts of the run by lines that the program printed."""
    baseline: Optional[Baseline]
    """the program as it is; None if it failed."""
    candidates: List[Candidate]
    """what was tried."""
    winner: Optional[Candidate]
    """all that won together, with the runs that confirmed it; None without one."""
    left_out: List[Candidate]
    """what was not tried, and why."""
    smallest_effect_seen: Optional[float]
    """a candidate that alone gains more than this would have been seen (19 of 20 tunings); None
    if none was measured."""


@dataclass(frozen=True)
class Scope:
    """for what it holds."""
    host: str
    """fingerprint of the host, as the head of an env script has it."""
    program: str
    """the command, or the benchmark, that was measured."""
    libraries: List[str]
    """files of the program that read what was tried."""


@dataclass(frozen=True)
class BusiestThreadShare:
    """share of one processor that the busiest thread used."""
    mean: float
    """mean over the time."""
    peak: float
    """highest between two looks."""


@dataclass(frozen=True)
class TuningGpu:
    pci_address: str
    """PCI address of the GPU."""
    held_share: Optional[float]
    """share of the time in which the program held it."""
    others_share: Optional[float]
    """share of the time in which processes of others computed on it."""
    busy_share: Optional[BusiestThreadShare]
    """share of the time in which it worked."""
    memory_busy_share: Optional[BusiestThreadShare]
    """share of the time in which its memory worked."""
    vram_bytes: Optional[BusiestThreadShare]
    """device memory in use, by whomever."""
    vram_total_bytes: Optional[float]
    """device memory that it has."""
    power_watts: Optional[BusiestThreadShare]
    """power drawn."""
    power_cap_watts: Optional[float]
    """power that it may draw."""
    clock_mhz: Optional[BusiestThreadShare]
    """engine clock."""
    temperature_celsius: Optional[BusiestThreadShare]
    """its hottest sensor."""
    power_throttled_share: Optional[float]
    """share of the time in which power held its clock down."""
    heat_throttled_share: Optional[float]
    """share of the time in which heat held its clock down."""
    throttle_reasons: List[str]
    """limits that the driver named."""
    pcie_bytes_per_second: Optional[BusiestThreadShare]
    """traffic on its link, both ways; an upper bound."""
    pcie_most_bytes_per_second: Optional[float]
    """what the link carries in both ways together."""
    copy_engines_share: Optional[BusiestThreadShare]
    """share of the time in which the program's copies ran."""
    queues: Optional[BusiestThreadShare]
    """the program's queues on it, for kernels and copies."""
    program_vram_bytes: Optional[BusiestThreadShare]
    """device memory of the program, as KFD counts it."""


@dataclass(frozen=True)
class TuningLimit:
    what: What
    """what limits the program."""
    share: float
    """share of the time in which it does, 0 to 1."""
    figures: str
    """what was seen, in one sentence."""
    confidence: str
    """what speaks against it and what could not be seen."""


@dataclass(frozen=True)
class Phase:
    start_seconds: float
    """when it begins, from the start of the watch."""
    end_seconds: float
    """when it ends."""
    limit: What
    """what limits the program then."""


@dataclass(frozen=True)
class Load:
    end_seconds: float
    """end of the time that the point stands for."""
    processors_share: Optional[float]
    """share of its processors that the program used."""
    gpu_share: Optional[float]
    """share of the time in which the busiest GPU worked."""


@dataclass(frozen=True)
class Region:
    name: str
    """name that the user gave it."""
    times: int
    """how often a line began it."""
    seconds: float
    """time that was spent in it."""
    limits: List[What]
    """what limited the program meanwhile, the longest first."""


@dataclass(frozen=True)
class Baseline:
    """the program as it is; None if it failed."""
    value: float
    """the metric without any candidate, mean of the first runs."""
    noise: float
    """by how much single runs scatter (0.01: 1 %)."""


@dataclass(frozen=True)
class Candidate:
    settings: Dict[str, str]
    """variables with their values; launch: for words before the command."""
    origin: Origin
    """who named it."""
    stage: Stage
    """how far it got."""
    verdict: CandidateVerdict
    """what became of it."""
    effect: Optional[float]
    """how much better with it (0.05: 5 %): of a winner on fresh runs, else as the search
    estimates, and the best of many looks better than it is; None if not measured."""
    low: Optional[float]
    """lower end of the effect's 95 % interval."""
    high: Optional[float]
    """upper end of it."""
    runs: int
    """runs that had it, alone or with others; of a winner those that confirmed it."""
    reason: str
    """why it was left out or tried no further; may be empty."""
    reader: Optional[str]
    """mapped file that shows that the program reads it; None if none was seen."""


@dataclass(frozen=True)
class Comparison:
    a: ComparedReport
    """the first report."""
    b: ComparedReport
    """the second report."""
    same_host: bool
    """both describe one host: by its name, or by a GPU."""
    margin: float
    """changes of measurements up to this ratio do not matter."""
    facts: int
    """facts and parts of facts that were laid beside each other."""
    equal: int
    """of those, how many are equal."""
    gpus: List[ComparedGpu]
    """which GPU of A was laid beside which of B."""
    differences: List[Difference]
    """facts that differ or that only one report knows."""
    findings: List[ComparedFinding]
    """findings that came, went or changed their verdict."""
    measurements: List[MeasuredDifference]
    """measurements that both have."""
    measurements_only_a: List[str]
    """measurements that B lacks."""
    measurements_only_b: List[str]
    """measurements that A lacks."""
    notes: List[str]
    """what to keep in mind."""


@dataclass(frozen=True)
class ComparedReport:
    """the first report."""
    file: str
    """file, as it was named."""
    command: str
    """subcommand that wrote it."""
    tool_version: str
    """version of rocmtune that wrote it."""
    schema_version: str
    """version of the document."""
    hostname: Optional[str]
    """host that it describes; None if it does not say."""
    gpus: int
    """GPUs in it."""
    measurements: int
    """measurements in it."""


@dataclass(frozen=True)
class ComparedGpu:
    a: Optional[str]
    """PCI address, with /PARTITION where there are some; None: only in B."""
    b: Optional[str]
    """the same in B; None: only in A."""
    matched_by: str
    """what is equal in both: uuid, pci-address or row; none."""
    row_a: Optional[int]
    """row in A."""
    row_b: Optional[int]
    """row in B."""


@dataclass(frozen=True)
class Difference:
    subject: str
    """host, recommendation, or the GPU as A names it (B, if A has none)."""
    fact: str
    """fact, with .KEY or [NAME] for a part of it; or name of the recommendation."""
    kind: str
    """hardware, firmware, software, setting, health (error counters), state (of a moment) or
    identity (differs rightly)."""
    change: str
    """changed; only-a, only-b: a part that only one of them has; unknown-a, unknown-b: one
    could not tell, which is no difference."""
    a: Optional[Union[bool, float, str]]
    """value in A; None: there is none."""
    b: Optional[Union[bool, float, str]]
    """value in B; None: there is none."""
    reason: Optional[str]
    """why one of them does not know."""


@dataclass(frozen=True)
class ComparedFinding:
    id: str
    """identifier (RT3301)."""
    subject: str
    """GPU as the report names it, or host."""
    verdict_a: Optional[str]
    """verdict in A; None: A has no such finding."""
    verdict_b: Optional[str]
    """verdict in B; None: B has no such finding."""
    message: str
    """what B says, else what A said."""


@dataclass(frozen=True)
class MeasuredDifference:
    device: str
    """GPU as A names it, else backend and number."""
    benchmark: str
    """row of the benchmark table."""
    metric: str
    """what of it."""
    how: str
    """data type, kernel, mode and sizes that both have."""
    unit: str
    """unit of a and b."""
    a: Optional[float]
    """median in A; None if there is none."""
    b: Optional[float]
    """median in B; None if there is none."""
    effect: Optional[float]
    """how much better B is (0.05: 5 %), below 0 worse."""
    low: Optional[float]
    """lower end of the effect's 95 % interval."""
    high: Optional[float]
    """upper end of it."""
    change: Change
    """what that means with the margin."""
    differs: List[str]
    """what was not the same when they were taken: backend, library, sizes."""
    labels: List[str]
    """labels of either measurement (throttled, shared, few-samples, ...)."""


@dataclass(frozen=True)
class Fleet:
    reports: int
    """reports that were read."""
    skipped: int
    """reports that could not be read; errors has which."""
    duplicates: int
    """reports of hosts that were counted before; errors has which."""
    hosts: int
    """hosts."""
    gpus: int
    """GPUs (rows of probe)."""
    groups: List[FleetGroup]
    """hosts of the same product with the same model of GPU."""
    outliers: List[Outlier]
    """values that few have where most of the group have another."""
    splits: List[Split]
    """facts of which no value has a majority."""
    figures: List[FleetFigure]
    """measurements over all GPUs of a group."""
    odd_hosts: List[OddHost]
    """hosts with a finding, by name."""
    notes: List[str]
    """what to keep in mind."""


@dataclass(frozen=True)
class FleetGroup:
    name: str
    """product, usual number and model of GPUs."""
    product: Optional[str]
    """product name in the firmware; None if it is not known."""
    gpu_model: str
    """models of its GPUs; none for hosts without."""
    hosts: int
    """hosts in it."""
    gpus: int
    """GPUs (rows of probe) of all of them."""
    usual_gpus: Optional[int]
    """GPUs that most of them have; None if there is no majority."""
    facts: int
    """facts that were compared, parts of lists and maps singly."""
    uniform: int
    """of those, equal on all that know them."""


@dataclass(frozen=True)
class Outlier:
    group: str
    """name of the group."""
    scope: str
    """what is counted: host or gpu."""
    kind: str
    """hardware, firmware, software, setting, health, performance (a slow GPU) or finding (of
    the host's own checks)."""
    fact: str
    """fact, with .KEY or [NAME] for a part of it; measurement; or id of a finding."""
    value: Optional[Union[bool, float, str]]
    """what these have; None: they lack this part."""
    usual: Optional[Union[bool, float, str]]
    """what most have, or the median; None: most lack this part."""
    count: int
    """how many have this value."""
    usual_count: int
    """how many have the usual one."""
    total: int
    """how many know."""
    effect: Optional[float]
    """performance: difference from the median (-0.1: 10 % worse)."""
    z_score: Optional[float]
    """performance: robust z-score, below 0 worse."""
    units: List[OddUnit]
    """which they are."""
    more: int
    """how many of them are not named."""


@dataclass(frozen=True)
class OddUnit:
    host: str
    """name of the host, or of the file if the report has none."""
    gpu: Optional[str]
    """PCI address, with /PARTITION where there are some; None: the host."""
    detail: Optional[str]
    """the value itself, where several are counted as one."""


@dataclass(frozen=True)
class Split:
    group: str
    """name of the group."""
    fact: str
    """fact, with .KEY or [NAME] for a part of it."""
    values: List[str]
    """its most frequent values, each with its count."""
    total: int
    """how many know."""


@dataclass(frozen=True)
class FleetFigure:
    group: str
    """name of the group."""
    measured: str
    """benchmark, metric and parameters."""
    unit: str
    """unit of the figures."""
    count: int
    """GPUs that were measured."""
    median: float
    """their median."""
    deviation: float
    """median absolute deviation."""
    least: float
    """smallest figure."""
    most: float
    """largest figure."""


@dataclass(frozen=True)
class OddHost:
    host: str
    """name of the host."""
    verdict: Verdict
    """the worst of its findings."""
    ids: List[str]
    """identifiers of its findings."""


@dataclass(frozen=True)
class Plan:
    model: PlanModel
    """the model."""
    request: PlanRequest
    """what is planned, defaults filled in."""
    parts: List[PlanPart]
    """what takes memory on each GPU."""
    needed_bytes: int
    """sum of the parts."""
    error_percent: float
    """largest error of such a sum against published figures."""
    gpus: List[PlanGpu]
    """GPUs of the host with their memory, or those that were given."""
    budget_bytes: Optional[int]
    """least budget of the chosen GPUs; None if that is not known."""
    governed_by: str
    """the GPU that has it; empty if there is none."""
    fits: Optional[bool]
    """whether the need is within the budget; None if that is not known."""
    unknown: str
    """why that is not known; empty if it is."""
    options: List[PlanOption]
    """ways to do it, the asked one first."""
    next_step: str
    """what to do where it does not fit; empty if it does."""
    notes: List[str]
    """what to keep in mind."""
    sources: Dict[str, Source]
    """texts that the formulas rest on, by id."""


@dataclass(frozen=True)
class PlanModel:
    """the model."""
    name: str
    """file of the model, or the published model whose shape is assumed."""
    architecture: str
    """model_type of config.json; empty if none was given."""
    counted: bool
    """true if every parameter was counted; else their number is an estimate."""
    parameters: int
    """parameters in all."""
    active_parameters: int
    """parameters that work on one token: less where it has experts."""
    embedding_parameters: int
    """of all, those in tables of tokens and positions and the head."""
    layers: int
    """layers."""
    hidden: int
    """width of the residual stream."""
    heads: int
    """attention heads of a layer."""
    kv_heads: int
    """heads of keys and values."""
    head_size: int
    """width of a head."""
    intermediate: int
    """width inside an MLP, of one expert where it has some."""
    vocabulary: int
    """tokens it knows."""
    experts: int
    """routed experts of a layer; 0: none."""
    experts_per_token: int
    """of those, how many work on a token."""
    max_positions: Optional[int]
    """longest sequence it was made for; None if it does not say."""
    cache_elements_per_token: int
    """numbers that the KV cache keeps of a token."""
    window: Optional[int]
    """tokens that windowed layers look back at; None if none are."""
    windowed_layers: int
    """layers that look back at a window only."""
    stored_bytes: Optional[int]
    """bytes of the weights by the headers of their files; None without."""


@dataclass(frozen=True)
class PlanRequest:
    """what is planned, defaults filled in."""
    mode: str
    """training or inference."""
    dtype: str
    """arithmetic of training, or format of the weights."""
    cache_dtype: str
    """format of the KV cache; empty in training."""
    engine: str
    """program whose habits count; empty in training."""
    optimizer: str
    """optimiser; empty in inference."""
    shard: str
    """what GPUs share: ddp nothing, zero1 states of the optimiser, zero2 also gradients, zero3
    also weights; empty in inference."""
    checkpointing: str
    """none, or full: layers are computed twice; empty in inference."""
    loss: str
    """full, or chunked: taken for a part of the tokens at a time."""
    attention: str
    """flash, or plain: scores of all pairs of tokens are kept."""
    lora_rank: Optional[int]
    """rank of the adapters; None: all parameters are trained."""
    base_dtype: Optional[str]
    """with adapters, format of the frozen weights."""
    gpus: int
    """GPUs that work together."""
    tensor_parallel: int
    """training: GPUs that share each matrix."""
    pipeline_parallel: int
    """training: stages that share the layers."""
    sequence_parallel: bool
    """training: GPUs that share matrices share the tokens of the rest of a layer, too."""
    batch: int
    """sequences at a time: in training on each GPU, or on those that share a model; in all in
    inference."""
    sequence: int
    """tokens of a sequence."""
    assumed: List[str]
    """options that nobody gave."""


@dataclass(frozen=True)
class PlanPart:
    name: str
    """weights, adapters, gradients, optimizer, activations, logits, gathered, cache or
    runtime."""
    bytes: int
    """bytes on each GPU."""
    formula: str
    """how that comes about."""
    sources: List[str]
    """ids of the sources below."""


@dataclass(frozen=True)
class PlanGpu:
    row: Optional[int]
    """row of the GPU in the host; None: it is none of this host."""
    subject: str
    """PCI address, with /PARTITION where there are some."""
    name: str
    """name it is sold under."""
    memory: str
    """vram, shared (host memory that an APU may use) or given (--memory)."""
    chosen: bool
    """it is planned for."""
    total_bytes: Optional[int]
    """memory in all; None if that is not known."""
    used_bytes: Optional[int]
    """of that, in use; None if that is not known."""
    free_bytes: Optional[int]
    """of that, free; None if that is not known."""
    budget_bytes: Optional[int]
    """what a program may take: free memory, less where its habit is less."""
    raised_total_bytes: Optional[int]
    """what the limit of main memory for this GPU can be raised to; None: it has none, is as
    high already, or that is not known."""
    raised_free_bytes: Optional[int]
    """of that, what would be free now."""
    raise_step: str
    """command that raises it; empty: there is nothing to raise."""
    reason: str
    """why something is not known; empty if all is."""


@dataclass(frozen=True)
class PlanOption:
    name: str
    """sharding, checkpointing, adapters or format."""
    asked: bool
    """the way that was asked for."""
    needed_bytes: int
    """bytes on each GPU with the batch and sequence of the request."""
    fits: Optional[bool]
    """whether that is within the budget; None if that is not known."""
    largest_batch: Optional[int]
    """most sequences of the request's length that fit; 0: not one."""
    largest_sequence: Optional[int]
    """longest sequences of the request's number that fit; 0: none."""
    least_gpus: Optional[int]
    """GPUs of this memory that would do; None: no number does."""


@dataclass(frozen=True)
class Source:
    title: str
    """document or source file."""
    url: Optional[str]
    """where it stands."""
    version: Optional[str]
    """version, commit or date of the text."""


@dataclass(frozen=True)
class Diagnosis:
    answer: DiagnosisAnswer
    """what it came to."""
    summary: str
    """the answer in one sentence."""
    lines: int
    """lines of the text."""
    symptoms: List[Symptom]
    """messages that were recognised, in the order in which they lead."""
    causes: List[Cause]
    """what they can come from, by rank."""
    unknown: List[UnknownLine]
    """lines that speak of an error and are not known."""
    ruled_out: List[str]
    """themes of checks that found nothing wrong on this host."""
    gpu_activity: List[GpuActivity]
    """what each GPU did while a command ran, by looks twice a second, or in the time of a
    flight record."""
    flight_seconds: Optional[float]
    """time that the looks of a flight record cover; None: the text is none."""


@dataclass(frozen=True)
class Symptom:
    id: str
    """class of the message (RT8201)."""
    component: str
    """who prints it."""
    role: Role
    """error, consequence of another error, or note."""
    says: str
    """what it means, in one sentence."""
    lines: List[int]
    """the first lines that have it, from 1."""
    text: str
    """the first of these lines, shortened."""
    said: Dict[str, str]
    """what the message names: gfx, library, path, version, ...."""


@dataclass(frozen=True)
class Cause:
    id: str
    """finding or advisory that it is."""
    verdict: CauseVerdict
    """whether it is so here."""
    rank: int
    """place among the causes, from 1."""
    subject: str
    """PCI address, with /PARTITION where there are some, or host."""
    message: str
    """what is wrong, in one sentence."""
    evidence: List[Evidence]
    """what the verdict rests on: who said what."""
    tells: str
    """what would tell, where it cannot be told here."""
    next_step: str
    """what to do about it."""
    symptoms: List[str]
    """messages of the text that it explains."""
    sources: List[Source]
    """texts that say what it means."""


@dataclass(frozen=True)
class Evidence:
    source: str
    """who said it."""
    value: str
    """what it said."""


@dataclass(frozen=True)
class UnknownLine:
    line: int
    """line of the text, from 1."""
    text: str
    """what stands there, shortened."""


@dataclass(frozen=True)
class GpuActivity:
    pci_address: str
    """PCI address of the GPU."""
    busy_most_percent: Optional[int]
    """highest load that was seen."""
    busy_end_percent: Optional[int]
    """load at the last look."""
    vram_start_bytes: Optional[int]
    """device memory in use at the start."""
    vram_most_bytes: Optional[int]
    """most of it that was seen in use."""
    vram_end_bytes: Optional[int]
    """device memory in use at the last look."""
    power_most_watts: Optional[float]
    """highest power that a flight record has."""
    temperature_most_celsius: Optional[float]
    """likewise, of the sensor nearest to its limit."""
    throttle_reasons: List[str]
    """limits that held its clock down, of a flight record."""
    held: bool
    """whether a process of the command held the GPU."""


@dataclass(frozen=True)
class Build:
    framework: str
    """framework or library."""
    answer: BuildAnswer
    """build (published, with code for the targets), override (published for a sibling), source
    (built here), none, or not-recorded."""
    version: Optional[str]
    """version of the framework."""
    status: Optional[str]
    """current, superseded (a newer one is in the same place), preview or nightly."""
    channel: Optional[str]
    """where it is published."""
    targets: Optional[List[str]]
    """gfx targets that it has code for; None: not recorded."""
    python: Optional[List[str]]
    """versions of Python that it is for; None: not recorded, or no matter."""
    rocm: Optional[str]
    """release of ROCm that it holds or needs."""
    glibc: Optional[str]
    """least glibc."""
    installer: Optional[str]
    """what the command is for: pip, uv, docker, podman, apt, dnf or shell."""
    command: Optional[str]
    """lines to paste (of uv, of pyproject.toml); None: nothing is proposed."""
    runs_here: Optional[bool]
    """false: something that is known speaks against it; None: not all of it is known, or no
    host was asked."""
    reason: str
    """why it does not run here, what is not known, or why there is no command."""
    breaks: List[str]
    """packages of this environment that would no longer have what they ask for."""
    environment: Dict[str, str]
    """variables that it needs."""
    notes: List[str]
    """what is to be known of it."""
    seen: Optional[str]
    """date of publication, else of the text that shows it."""
    sources: List[Source]
    """who says so."""


@dataclass(frozen=True)
class TargetValue:
    consumer: str
    """who reads it."""
    name: str
    """name of the variable or option."""
    value: str
    """the setting as it is typed."""


@dataclass(frozen=True)
class LibraryReader:
    path: str
    """file of an installed library or Python package."""
    package: str
    """library or Python package that it belongs to."""
    complete: bool
    """whether all of it could be read."""
    names: List[str]
    """environment variables whose names stand in it."""


@dataclass(frozen=True)
class InputReport:
    name: str
    """file, as it was named."""
    command: str
    """command that wrote it."""
    tool_version: str
    """version of the tool that wrote it."""
    data_date: str
    """date of the newest text that its judgements rest on."""


@dataclass(frozen=True)
class Problem:
    message: str
    """what went wrong."""
    hint: Optional[str]
    """what to do next."""
    exit_code: int
    """exit code it stands for."""


@dataclass(frozen=True)
class NumaNode:
    node: int
    """NUMA node."""
    cpus: Optional[str]
    """its logical CPUs."""
    memory_bytes: Optional[int]
    """its memory."""


@dataclass(frozen=True)
class DeviceAccess:
    """/dev/kfd, and whether this process may use it."""
    path: str
    """device node."""
    usable: bool
    """whether this process could open it for reading and writing."""
    error: Optional[str]
    """errno of the failed open."""
    group: Optional[str]
    """group that owns the node."""
    group_id: Optional[int]
    """number of that group."""
    mode: Optional[str]
    """permission bits, octal."""


@dataclass(frozen=True)
class KfdNode:
    node: int
    """number of the node."""
    kind: str
    """cpu, gpu or unknown."""
    name: Optional[str]
    """the kernel's name for it."""
    cpu_cores: Optional[int]
    """CPU cores of the node."""
    simd_count: Optional[int]
    """SIMD units; 0 on a CPU node."""
    memory_bytes: Optional[int]
    """sum of the node's memory banks."""
    problem: Optional[str]
    """why the node could not be read."""
    links_problem: Optional[str]
    """why links that the node states are missing."""


@dataclass(frozen=True)
class GpuProcess:
    pid: int
    """process."""
    name: Optional[str]
    """its command name."""
    through: str
    """kfd (compute) or drm (graphics and video)."""
    gpus: List[str]
    """PCI addresses of the GPUs it holds."""
    vram_bytes: Optional[int]
    """device memory it holds on all of them."""
    gone: Optional[bool]
    """it has ended, and the driver keeps what it held."""


@dataclass(frozen=True)
class KernelMessage:
    seconds: Optional[float]
    """time since boot."""
    age_seconds: Optional[float]
    """time between the message and the reading of the log."""
    pci_address: Optional[str]
    """GPU that the line is about; None if that cannot be told."""
    symptom: str
    """class of the message (RT8001)."""
    count: int
    """lines of this class about this GPU."""
    text: str
    """the newest of them without its time stamp."""


@dataclass(frozen=True)
class RocmInstallation:
    path: str
    """where it is installed."""
    kind: str
    """opt, core, distribution, python-wheel or other."""
    found_as: List[str]
    """variables, links and directories that lead to it."""
    version: Optional[str]
    """its version."""
    libraries: Dict[str, str]
    """libraries found: name and versioned file."""
    gfx_targets: Dict[str, List[str]]
    """gfx targets that its libraries have kernels for, where files tell."""
    selected: bool
    """whether the loader takes the HIP runtime from here."""
    reasons: Dict[str, str] = beside("_reasons")
    """why a field is None, or may be incomplete."""
    sources: Dict[str, str] = beside("_sources")
    """where a field was read."""
    disputes: Dict[str, Any] = beside("_disputes")
    """what other sources said of a field."""


@dataclass(frozen=True)
class Runtime:
    name: str
    """hsa, hip, hiprtc, rocm_smi or amd_smi."""
    status: str
    """ok, absent, error, signal, timeout, unkillable, suspended (a GPU sleeps) or skipped."""
    version: Optional[str]
    """version that it states."""
    library: Optional[str]
    """file that was loaded."""
    devices: Optional[int]
    """GPUs that it named."""
    notes: List[str]
    """what is odd about its answer."""
    candidates: List[str]
    """files that were tried first and did not load, with the problem."""
    detail: Optional[str]
    """why there is no complete answer."""
    evidence: Optional[str]
    """end of what it printed, if it did not succeed."""


@dataclass(frozen=True)
class Framework:
    name: str
    """package."""
    version: Optional[str]
    """its version."""
    path: str
    """where it is installed."""
    hip_version: Optional[str]
    """HIP version that it was built with."""
    gfx_targets: Optional[List[str]]
    """gfx targets that it carries device code for."""
    reasons: Dict[str, str] = beside("_reasons")
    """why a field is None, or may be incomplete."""
    sources: Dict[str, str] = beside("_sources")
    """where a field was read."""
    disputes: Dict[str, Any] = beside("_disputes")
    """what other sources said of a field."""


@dataclass(frozen=True)
class PythonNeed:
    name: str
    """package."""
    version: str
    """its version."""
    requirements: List[str]
    """what it asks of other packages, without what is optional."""
    unread: str
    """why that is not known; empty if it is."""


@dataclass(frozen=True)
class HostCache:
    name: str
    """miopen-databases, miopen-kernels, tunableop-results or triton-kernels."""
    path: str
    """its directory, or the name of its files."""
    found_as: str
    """the variable that names it, default, or fallback where MIOpen leaves a network home."""
    filesystem: Optional[str]
    """kind of file system that holds it (ext, nfs, ...)."""
    mode: Optional[str]
    """permission bits of its directory, octal."""
    writable: Optional[bool]
    """whether owner, groups and mode let this process write there."""
    files: Optional[int]
    """databases and results in it."""
    gfx_targets: List[str]
    """gfx targets that its files are for."""
    torch_versions: List[str]
    """versions of PyTorch that its results are for."""
    damaged: List[str]
    """files that are not what they should be."""
    unread: List[str]
    """files that this process cannot use, with the reason."""
    reasons: Dict[str, str] = beside("_reasons")
    """why a field is None, or may be incomplete."""
    sources: Dict[str, str] = beside("_sources")
    """where a field was read."""
    disputes: Dict[str, Any] = beside("_disputes")
    """what other sources said of a field."""


@dataclass(frozen=True)
class Clock:
    name: str
    """clock domain (sclk, mclk, fclk, socclk, ...)."""
    levels_mhz: List[float]
    """levels that the driver lists, in its order."""
    current_mhz: Optional[float]
    """level in use."""
    deep_sleep_mhz: Optional[float]
    """clock while asleep, where the chip reports one."""


@dataclass(frozen=True)
class Temperature:
    name: str
    """sensor (edge, junction, mem)."""
    celsius: Optional[float]
    """temperature now."""
    critical_celsius: Optional[float]
    """limit at which the GPU throttles or shuts down."""
    emergency_celsius: Optional[float]
    """limit at which the GPU is switched off."""


@dataclass(frozen=True)
class RasBlock:
    name: str
    """hardware block (umc = memory, gfx, sdma, ...)."""
    uncorrectable: Optional[int]
    """errors that lost data."""
    correctable: Optional[int]
    """errors that the hardware corrected."""
    deferred: Optional[int]
    """errors found but not yet consumed."""
    problem: Optional[str]
    """why the counters could not be read."""


@dataclass(frozen=True)
class Edit:
    line: int
    """line where it begins, from 1."""
    column: int
    """byte in that line, from 1."""
    end_line: int
    """line of the first byte that stays."""
    end_column: int
    """that byte in its line, from 1."""
    text: str
    """what is to stand there."""


@dataclass(frozen=True)
class VisibleDevices:
    """what ROCr shows, and with it OpenMP and OpenCL."""
    variable: Optional[str]
    """variable that decides; None if no mask does."""
    devices: Optional[List[VisibleDevice]]
    """devices in order; None if that cannot be known."""
    notes: List[str]
    """what was ignored or assumed, and why."""


@dataclass(frozen=True)
class VisibleDevice:
    index: int
    """number that the runtime gives it."""
    row: Optional[int]
    """row of the GPU in this report."""
    kfd_node: Optional[int]
    """its node in the KFD topology."""
    pci_address: Optional[str]
    """PCI address of the card."""
    partition_index: Optional[int]
    """partition of the card."""


@dataclass(frozen=True)
class VisibleToPytorch:
    """what PyTorch shows."""
    variable: Optional[str]
    """variable that PyTorch counts by; None if none."""
    devices: Optional[List[VisibleDevice]]
    """devices it counts and HIP has; None if that cannot be known."""
    count: Optional[int]
    """torch.cuda.device_count() where the package amdsmi is installed."""
    count_without_amdsmi: Optional[int]
    """the same where it is not."""
    error: Optional[str]
    """exception that torch.cuda.device_count() raises."""
    notes: List[str]
    """what was ignored or assumed, and why."""


@dataclass(frozen=True)
class Because:
    subject: str
    """host, or the PCI address of a GPU."""
    field: str
    """key of the fact."""
    value: Optional[str]
    """its value; None if the fact is missing."""


@dataclass(frozen=True)
class Validity:
    """versions for which that is known."""
    kind: str
    """known (a range), observed (single versions) or unknown."""
    since: Optional[str]
    """first version or date for which it holds."""
    until: Optional[str]
    """first version or date for which it no longer holds."""
    versions: List[str]
    """versions in which it was observed."""
    of: Optional[str]
    """whose versions: rocm, hip, a Python package or a component of the catalogue."""
    checked: Optional[str]
    """newest version, or its date, whose text was read for it."""


@dataclass(frozen=True)
class Setting:
    name: str
    """environment variable."""
    value: Optional[str]
    """value to set; None: it is cleared."""
    current: Optional[str]
    """its value in this environment; None: it is not set."""
    keep: bool
    """it is set already and stays as it is (--force overwrites)."""
    why: str
    """reason in one sentence."""
    validity: Validity
    """versions for which that is known."""
    sources: List[Source]
    """who says so."""
    unless_set: List[str]
    """variables beside which it must not be set."""


@dataclass(frozen=True)
class ComponentReader:
    component: str
    """library, framework or tool that reads it."""
    installed: Optional[bool]
    """whether this host has it; None if that cannot be told."""
    version: Optional[str]
    """version that is installed."""
    where: Optional[str]
    """where it is installed."""
    text_date: Optional[str]
    """date of the newest text in which the reader was found."""
    absent_by: Optional[str]
    """date of the first text without it; None: it is still read."""


@dataclass(frozen=True)
class TargetFacts:
    """what the profiles know of a gfx target; None for anything else."""
    targets: List[str]
    """the target itself, or those that a generic one stands for."""
    family: Optional[str]
    """family of chips."""
    codename: Optional[str]
    """name of the chip."""
    generic_target: Optional[str]
    """generic target of LLVM whose code runs on it."""
    is_apu: Optional[bool]
    """shares the memory of the processor; None: products differ."""
    wavefront_size: Optional[int]
    """lanes of a wave, where a program does not ask for others."""
    matrix_instructions: Optional[List[str]]
    """kinds of matrix instructions; empty: it has none."""
    fp8_format: Optional[str]
    """FNUZ or OCP: the same bits differ by a factor of 2."""
    xnack: Optional[str]
    """who can switch retries of page faults on: process, boot or none."""
    vgpr_bytes_per_cu: Optional[int]
    """vector registers of a compute unit."""
    lds_bytes_per_workgroup: Optional[int]
    """local memory that a workgroup can have."""
    rates: List[Rate]
    """operations per clock, by data type and unit."""
    rocm_support: List[RocmSupport]
    """releases that list it as supported on Linux."""
    hipblaslt_supported: Optional[bool]
    """whether hipBLASLt has code for it."""
    hipblaslt_since: Optional[str]
    """first release of ROCm whose hipBLASLt has."""
    hipblaslt_note: str
    """what is to be known of that; may be empty."""
    override_version: Optional[str]
    """what people give HSA_OVERRIDE_GFX_VERSION for it."""
    override_risk: Optional[str]
    """none-needed, low, moderate or high."""
    override_note: str
    """how an override can end; may be empty."""
    overridden_by: List[str]
    """targets that people override to this one."""
    products: List[Product]
    """products that have it."""


@dataclass(frozen=True)
class Rate:
    data_type: str
    """fp64, fp32, xf32, fp16, bf16, fp8, fp6, fp4, int8 or int4."""
    unit: str
    """vector, dot or matrix."""
    per_clock_per_cu: Optional[int]
    """operations per clock and compute unit, dense."""


@dataclass(frozen=True)
class RocmSupport:
    list: str
    """list of the vendor that has it: rocm is the main one for Linux."""
    since: str
    """first release."""
    until: Optional[str]
    """first release without it; None: none known."""
    note: str
    """what is to be known of it; may be empty."""


@dataclass(frozen=True)
class Product:
    name: str
    """product, as its vendor calls it."""
    pci_ids: List[str]
    """PCI devices of AMD that are this product, with the revision if one matters."""
    compute_units: Optional[int]
    """compute units."""
    vram_bytes: Optional[int]
    """memory of its own."""
    memory_type: Optional[str]
    """kind of memory."""
    memory_bandwidth_bytes_per_s: Optional[int]
    """bandwidth of the memory, as published."""
    last_level_cache_bytes: Optional[int]
    """last cache before the memory (Infinity Cache)."""
    boost_clock_mhz: Optional[int]
    """highest engine clock that the vendor states."""
    xcc_count: Optional[int]
    """accelerator dies (XCDs)."""
    board_power_watts: Optional[int]
    """power of the board, as published."""
    pci_functions_per_card: Optional[int]
    """GPUs on one card or module."""
    is_apu: Optional[bool]
    """shares the memory of the processor."""
    virtual_function: bool
    """the share of a card that a virtual machine gets."""
    note: str
    """what is to be known of it; may be empty."""


@dataclass(frozen=True)
class Parameters:
    """what was measured and how."""
    device: Optional[str]
    """name of the device."""
    index: Optional[int]
    """number of the device as the backend counts."""
    pci_address: Optional[str]
    """PCI address as the backend states it."""
    target: Optional[str]
    """instruction set that kernels were compiled for."""
    dtype: Optional[str]
    """type of the elements."""
    kernel: Optional[str]
    """which implementation ran."""
    library: Optional[str]
    """library that it came from; None for our own."""
    mode: Optional[str]
    """gemm: burst (after idling), sustained, at once (several devices), or the two whose ratio
    it is; copies: pinned or pageable, between devices direct or through the host."""
    bytes: Optional[int]
    """size of one array or transfer."""
    counting: Optional[str]
    """which bytes or operations the figure counts."""
    size: Optional[int]
    """rows and columns of the square matrices."""
    bins: Optional[int]
    """rows of the price histogram."""
    ticks: Optional[int]
    """price and volume pairs."""
    distribution: Optional[str]
    """how the prices are distributed."""
    resolution: Optional[float]
    """smallest step of a volume in the exact sums."""
    block: Optional[int]
    """threads of a block."""
    peer: Optional[str]
    """the device at the other end of a copy."""
    link: Optional[str]
    """what connects the two devices, as their runtime says."""
    numa_node: Optional[int]
    """NUMA node of the device."""
    peer_numa_node: Optional[int]
    """NUMA node of the device at the other end."""
    devices: Optional[int]
    """devices that worked at the same time, this one included."""


@dataclass(frozen=True)
class GpuState:
    """state of the device before the samples."""
    clock_mhz: Optional[float]
    """engine clock."""
    memory_clock_mhz: Optional[float]
    """memory clock."""
    power_watts: Optional[float]
    """power drawn; averaged by the driver, so it lags."""
    temperature_celsius: Optional[float]
    """temperature of the chip."""
    throttle_reasons: List[str]
    """limits that hold the clocks down."""
    memory_used_bytes: Optional[int]
    """device memory in use by all processes."""


@dataclass(frozen=True)
class VolumeProfile:
    """result of vpoc on the ticks of --ticks."""
    low: float
    """price of the first row: its lower edge, or its tick with --tick."""
    row_height: float
    """price from one row to the next."""
    point_of_control: float
    """price of the row with the largest volume; the lowest of equals."""
    value_area_low: float
    """price of the lowest row of the value area (70 % of the volume)."""
    value_area_high: float
    """price of the highest row of the value area."""
    total_volume: float
    """sum of all volumes."""
    volumes: List[float]
    """volume of each row; empty above 65,536 rows."""


@dataclass(frozen=True)
class Report(Answer):
    schema: Literal["rocmtune-report"]
    schema_version: str
    tool: Tool
    command: str
    """subcommand that wrote the document."""
    host: Optional[Host]
    recommendations: Optional[List[Recommendation]]
    undecided: Optional[List[Undecided]]
    considered: Optional[List[Considered]]
    settings: Optional[Settings]
    explanations: Optional[List[Explanation]]
    findings: Optional[List[Finding]]
    summary: Optional[Summary]
    visibility: Optional[Visibility]
    measurements: Optional[List[Measurement]]
    cache: Optional[KernelCache]
    tuning: Optional[Tuning]
    comparison: Optional[Comparison]
    fleet: Optional[Fleet]
    plan: Optional[Plan]
    plans: Optional[List[Plan]]
    diagnosis: Optional[Diagnosis]
    builds: Optional[List[Build]]
    target_values: Optional[List[TargetValue]]
    readers: Optional[List[LibraryReader]]
    parts: Optional[List[str]]
    inputs: Optional[List[InputReport]]
    errors: List[Problem]
    exit_code: int


@dataclass(frozen=True)
class ProbeReport(Report):
    """What `rocmtune probe` says."""
    host: Host
    summary: Summary


@dataclass(frozen=True)
class EnvReport(Report):
    """What `rocmtune env` says."""
    host: Host
    recommendations: List[Recommendation]
    undecided: List[Undecided]
    considered: List[Considered]
    settings: Settings


@dataclass(frozen=True)
class CheckReport(Report):
    """What `rocmtune check` says."""
    host: Host
    findings: List[Finding]
    summary: Summary


@dataclass(frozen=True)
class LintReport(Report):
    """What `rocmtune lint` says."""
    findings: List[Finding]
    summary: Summary


@dataclass(frozen=True)
class DiagnoseReport(Report):
    """What `rocmtune diagnose` says."""
    diagnosis: Diagnosis


@dataclass(frozen=True)
class ExplainReport(Report):
    """What `rocmtune explain` says."""
    explanations: List[Explanation]


@dataclass(frozen=True)
class PlanReport(Report):
    """What `rocmtune plan` says."""
