// SPDX-License-Identifier: MIT
// The records that Host and Gpu are made of: plain values with one visit_fields list
// each. That list is at once the JSON keys, the lines of `probe -v`, the words of profile
// conditions, the man table and the schema.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rocmtune/fact.hpp"

namespace rocmtune {

// ---- records: parts of lists; a member that a host may lack is optional -------------------------

/// One clock domain of `pp_dpm_*`.
struct ClockDomain {
    std::string name = {};                   ///< sclk, mclk, fclk, socclk, ...
    std::vector<double> levels_mhz = {};     ///< in the driver's order; deep-sleep lines left out
    std::optional<double> current_mhz = {};  ///< the line marked `*`
    std::optional<double> deep_sleep_mhz = {};  ///< the `S:` line that newer chips add
};

template <SameEntity<ClockDomain> Self, class Visitor>
void visit_fields(Self& clock, Visitor&& v) {
    v(Field{"name", "clock domain (sclk, mclk, fclk, socclk, ...)"}, clock.name);
    v(Field{"levels_mhz", "levels that the driver lists, in its order"}, clock.levels_mhz);
    v(Field{"current_mhz", "level in use"}, clock.current_mhz);
    v(Field{"deep_sleep_mhz", "clock while asleep, where the chip reports one"},
      clock.deep_sleep_mhz);
}

/// One temperature sensor of the GPU's hwmon device.
struct Temperature {
    std::string name = {};  ///< edge, junction, mem
    std::optional<double> celsius = {};
    std::optional<double> critical_celsius = {};
    std::optional<double> emergency_celsius = {};
};

template <SameEntity<Temperature> Self, class Visitor>
void visit_fields(Self& sensor, Visitor&& v) {
    v(Field{"name", "sensor (edge, junction, mem)"}, sensor.name);
    v(Field{"celsius", "temperature now"}, sensor.celsius);
    v(Field{"critical_celsius", "limit at which the GPU throttles or shuts down"},
      sensor.critical_celsius);
    v(Field{"emergency_celsius", "limit at which the GPU is switched off"},
      sensor.emergency_celsius);
}

/// Error counters of one hardware block, as counted since the driver was loaded.
struct RasBlock {
    std::string name = {};  ///< umc, sdma, gfx, ... (file name without `_err_count`)
    std::optional<std::uint64_t> uncorrectable = {};
    std::optional<std::uint64_t> correctable = {};
    std::optional<std::uint64_t> deferred = {};
    std::optional<std::string> problem = {};  ///< why the numbers are missing
};

template <SameEntity<RasBlock> Self, class Visitor>
void visit_fields(Self& block, Visitor&& v) {
    v(Field{"name", "hardware block (umc = memory, gfx, sdma, ...)"}, block.name);
    v(Field{"uncorrectable", "errors that lost data"}, block.uncorrectable);
    v(Field{"correctable", "errors that the hardware corrected"}, block.correctable);
    v(Field{"deferred", "errors found but not yet consumed"}, block.deferred);
    v(Field{"problem", "why the counters could not be read"}, block.problem);
}

/// A device node and whether this process may use it.
struct DeviceNode {
    std::string path = {};
    bool usable = false;                    ///< open(O_RDWR) succeeded
    std::optional<std::string> error = {};  ///< errno name of the failed open (EACCES, EPERM, ...)
    std::optional<std::string> group = {};  ///< owning group, by name or as a number
    std::optional<std::uint64_t> group_id = {};  ///< its number: what a container must be given
    std::optional<std::string> mode = {};        ///< octal permission bits, "0660"
};

template <SameEntity<DeviceNode> Self, class Visitor>
void visit_fields(Self& node, Visitor&& v) {
    v(Field{"path", "device node"}, node.path);
    v(Field{"usable", "whether this process could open it for reading and writing"}, node.usable);
    v(Field{"error", "errno of the failed open"}, node.error);
    v(Field{"group", "group that owns the node"}, node.group);
    v(Field{"group_id", "number of that group"}, node.group_id);
    v(Field{"mode", "permission bits, octal"}, node.mode);
}

/// One node of the KFD topology, readable or not.
struct KfdNode {
    std::uint64_t node = 0;
    std::string kind = {};                 ///< cpu, gpu or unknown
    std::optional<std::string> name = {};  ///< as the kernel names it (an IP name, not a product)
    std::optional<std::uint64_t> cpu_cores = {};
    std::optional<std::uint64_t> simd_count = {};
    std::optional<std::uint64_t> memory_bytes = {};  ///< sum of its memory banks
    std::optional<std::string> problem = {};         ///< why it could not be read
    std::optional<std::string> links_problem = {};   ///< why links that it states are missing
};

template <SameEntity<KfdNode> Self, class Visitor>
void visit_fields(Self& node, Visitor&& v) {
    v(Field{"node", "number of the node"}, node.node);
    v(Field{"kind", "cpu, gpu or unknown"}, node.kind);
    v(Field{"name", "the kernel's name for it"}, node.name);
    v(Field{"cpu_cores", "CPU cores of the node"}, node.cpu_cores);
    v(Field{"simd_count", "SIMD units; 0 on a CPU node"}, node.simd_count);
    v(Field{"memory_bytes", "sum of the node's memory banks"}, node.memory_bytes);
    v(Field{"problem", "why the node could not be read"}, node.problem);
    v(Field{"links_problem", "why links that the node states are missing"}, node.links_problem);
}

/// A NUMA node of the host.
struct NumaNode {
    std::uint64_t node = 0;
    std::optional<std::string> cpus = {};  ///< kernel list format, "0-15,32-47"
    std::optional<std::uint64_t> memory_bytes = {};
};

template <SameEntity<NumaNode> Self, class Visitor>
void visit_fields(Self& numa, Visitor&& v) {
    v(Field{"node", "NUMA node"}, numa.node);
    v(Field{"cpus", "its logical CPUs"}, numa.cpus);
    v(Field{"memory_bytes", "its memory"}, numa.memory_bytes);
}

/// A process that holds a GPU.
struct GpuProcess {
    std::uint64_t pid = 0;                         ///< as this PID namespace numbers it
    std::optional<std::string> name = {};          ///< /proc/PID/comm
    std::string through = {};                      ///< kfd (compute) or drm (graphics, video)
    std::vector<std::string> gpus = {};            ///< PCI addresses
    std::optional<std::uint64_t> vram_bytes = {};  ///< on all its GPUs together
    std::optional<bool> gone = {};  ///< KFD keeps what it held though the process has ended
};

template <SameEntity<GpuProcess> Self, class Visitor>
void visit_fields(Self& process, Visitor&& v) {
    v(Field{"pid", "process"}, process.pid);
    v(Field{"name", "its command name"}, process.name);
    v(Field{"through", "kfd (compute) or drm (graphics and video)"}, process.through);
    v(Field{"gpus", "PCI addresses of the GPUs it holds"}, process.gpus);
    v(Field{"vram_bytes", "device memory it holds on all of them"}, process.vram_bytes);
    v(Field{"gone", "it has ended, and the driver keeps what it held"}, process.gone);
}

/// What the kernel log said of one device in one sense: the newest such line.
struct KernelMessage {
    std::optional<double> seconds = {};           ///< since boot
    std::optional<double> age_seconds = {};       ///< when the log was read
    std::optional<std::string> pci_address = {};  ///< the GPU it is about, where that can be told
    std::string symptom = {};                     ///< "RT8001": class of profiles/messages.json
    std::uint64_t count = 1;                      ///< lines of this class about this device
    std::string text = {};
};

template <SameEntity<KernelMessage> Self, class Visitor>
void visit_fields(Self& message, Visitor&& v) {
    v(Field{"seconds", "time since boot"}, message.seconds);
    v(Field{"age_seconds", "time between the message and the reading of the log"},
      message.age_seconds);
    v(Field{"pci_address", "GPU that the line is about; null if that cannot be told"},
      message.pci_address);
    v(Field{"symptom", "class of the message (RT8001)"}, message.symptom);
    v(Field{"count", "lines of this class about this GPU"}, message.count);
    v(Field{"text", "the newest of them without its time stamp"}, message.text);
}

/// One installation of ROCm user-space libraries.
struct RocmInstallation {
    std::string path = {};                   ///< directory that holds lib/ (or the libraries)
    std::string kind = {};                   ///< opt, core, distribution, python-wheel or other
    std::vector<std::string> found_as = {};  ///< names that lead here: "ROCM_PATH", "/opt/rocm"
    Fact<std::string> version = {};          ///< "6.3.0-39"
    std::map<std::string, std::string> libraries =
        {};  ///< name without suffix -> file with its version
    std::map<std::string, std::vector<std::string>> gfx_targets =
        {};                 ///< library -> targets that it has kernels for, where files tell
    bool selected = false;  ///< the one whose HIP runtime the loader takes
};

template <SameEntity<RocmInstallation> Self, class Visitor>
void visit_fields(Self& rocm, Visitor&& v) {
    v(Field{"path", "where it is installed"}, rocm.path);
    v(Field{"kind", "opt, core, distribution, python-wheel or other"}, rocm.kind);
    v(Field{"found_as", "variables, links and directories that lead to it"}, rocm.found_as);
    v(Field{"version", "its version"}, rocm.version);
    v(Field{"libraries", "libraries found: name and versioned file"}, rocm.libraries);
    v(Field{"gfx_targets", "gfx targets that its libraries have kernels for, where files tell"},
      rocm.gfx_targets);
    v(Field{"selected", "whether the loader takes the HIP runtime from here"}, rocm.selected);
}

/// One GPU library that was asked in a process of its own, and how it answered.
struct Runtime {
    std::string name = {};  ///< hsa, hip, hiprtc, rocm_smi or amd_smi
    std::string status =
        {};  ///< ok, absent, error, signal, timeout, unkillable, suspended, skipped
    std::optional<std::string> version = {};    ///< as it states it
    std::optional<std::string> library = {};    ///< the file that was loaded, links followed
    std::optional<std::uint64_t> devices = {};  ///< GPUs that it named
    std::vector<std::string> notes = {};        ///< what is odd about a good answer
    std::vector<std::string> candidates = {};   ///< files that did not load, each with the problem
    std::optional<std::string> detail = {};     ///< why there is no complete answer
    std::optional<std::string> evidence = {};   ///< end of what it printed, if it did not succeed
};

template <SameEntity<Runtime> Self, class Visitor>
void visit_fields(Self& runtime, Visitor&& v) {
    v(Field{"name", "hsa, hip, hiprtc, rocm_smi or amd_smi"}, runtime.name);
    v(Field{"status",
            "ok, absent, error, signal, timeout, unkillable, suspended (a GPU sleeps) or skipped"},
      runtime.status);
    v(Field{"version", "version that it states"}, runtime.version);
    v(Field{"library", "file that was loaded"}, runtime.library);
    v(Field{"devices", "GPUs that it named"}, runtime.devices);
    v(Field{"notes", "what is odd about its answer"}, runtime.notes);
    v(Field{"candidates", "files that were tried first and did not load, with the problem"},
      runtime.candidates);
    v(Field{"detail", "why there is no complete answer"}, runtime.detail);
    v(Field{"evidence", "end of what it printed, if it did not succeed"}, runtime.evidence);
}

/// One installed Python package that computes on GPUs.
struct Framework {
    std::string name = {};               ///< distribution name, normalised (torch, jax, vllm, ...)
    Fact<std::string> version = {};      ///< "2.5.1+rocm6.2"
    std::string path = {};               ///< site-packages directory
    Fact<std::string> hip_version = {};  ///< HIP that torch was built with; null for a CUDA build
    Fact<std::vector<std::string>> gfx_targets = {};  ///< device code it carries
};

template <SameEntity<Framework> Self, class Visitor>
void visit_fields(Self& framework, Visitor&& v) {
    v(Field{"name", "package"}, framework.name);
    v(Field{"version", "its version"}, framework.version);
    v(Field{"path", "where it is installed"}, framework.path);
    v(Field{"hip_version", "HIP version that it was built with"}, framework.hip_version);
    v(Field{"gfx_targets", "gfx targets that it carries device code for"}, framework.gfx_targets);
}

/// What an installed Python package asks of others.
struct PackageNeeds {
    std::string name = {};  ///< normalised (PEP 503)
    std::string version = {};
    std::vector<std::string> requirements = {};  ///< Requires-Dist: "torch (==2.9.1)"
    std::string unread = {};                     ///< why they are not known; empty if they are
};

template <SameEntity<PackageNeeds> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"name", "package"}, it.name);
    v(Field{"version", "its version"}, it.version);
    v(Field{"requirements", "what it asks of other packages, without what is optional"},
      it.requirements);
    v(Field{"unread", "why that is not known; empty if it is"}, it.unread);
}

/// A cache of compiled kernels or tuning results.
struct Cache {
    std::string name = {};  ///< miopen-databases, miopen-kernels, tunableop-results, triton-kernels
    std::string path = {};
    std::string found_as = {};             ///< the variable that names it, default or fallback
    Fact<std::string> filesystem = {};     ///< kind of the file system that holds it
    std::optional<std::string> mode = {};  ///< permission bits of the directory, octal
    std::optional<bool> writable = {};     ///< by owner, groups and mode of the directory
    Fact<std::uint64_t> files = {};        ///< databases and results in it
    std::vector<std::string> gfx_targets = {};
    std::vector<std::string> torch_versions = {};
    std::vector<std::string> damaged = {};  ///< "gfx90a68.ukdb: not an SQLite database"
    std::vector<std::string> unread = {};   ///< "gfx90a68.ukdb: denied", "...: of user 1001"
};

template <SameEntity<Cache> Self, class Visitor>
void visit_fields(Self& cache, Visitor&& v) {
    v(Field{"name", "miopen-databases, miopen-kernels, tunableop-results or triton-kernels"},
      cache.name);
    v(Field{"path", "its directory, or the name of its files"}, cache.path);
    v(Field{"found_as",
            "the variable that names it, default, or fallback where MIOpen leaves a network home"},
      cache.found_as);
    v(Field{"filesystem", "kind of file system that holds it (ext, nfs, ...)"}, cache.filesystem);
    v(Field{"mode", "permission bits of its directory, octal"}, cache.mode);
    v(Field{"writable", "whether owner, groups and mode let this process write there"},
      cache.writable);
    v(Field{"files", "databases and results in it"}, cache.files);
    v(Field{"gfx_targets", "gfx targets that its files are for"}, cache.gfx_targets);
    v(Field{"torch_versions", "versions of PyTorch that its results are for"},
      cache.torch_versions);
    v(Field{"damaged", "files that are not what they should be"}, cache.damaged);
    v(Field{"unread", "files that this process cannot use, with the reason"}, cache.unread);
}

// ---- links --------------------------------------------------------------------------------------

/// A connection between two KFD nodes in one direction.
struct Link {
    std::uint64_t from_node = 0;                 ///< KFD node
    std::uint64_t to_node = 0;                   ///< KFD node
    std::optional<std::uint64_t> from_row = {};  ///< GPU row, absent if the node is a CPU
    std::optional<std::uint64_t> to_row = {};
    std::string kind = {};       ///< xgmi, pcie, ... or type-N for a number we do not know
    std::string listed_in = {};  ///< io_links (direct) or p2p_links (through a host bridge)
    std::optional<std::uint64_t> weight = {};
    std::optional<std::uint64_t> min_bandwidth_mb_per_s = {};  ///< 10^6 bytes/s; absent if unknown
    std::optional<std::uint64_t> max_bandwidth_mb_per_s = {};
};

template <SameEntity<Link> Self, class Visitor>
void visit_fields(Self& link, Visitor&& v) {
    v(Field{"from_node", "KFD node at the near end"}, link.from_node);
    v(Field{"to_node", "KFD node at the far end"}, link.to_node);
    v(Field{"from_row", "row of the GPU at the near end"}, link.from_row);
    v(Field{"to_row", "row of the GPU at the far end"}, link.to_row);
    v(Field{"kind", "xgmi, pcie, hypertransport, ..."}, link.kind);
    v(Field{"listed_in", "io_links (direct) or p2p_links (through a host bridge)"}, link.listed_in);
    v(Field{"weight", "the kernel's distance figure"}, link.weight);
    v(Field{"min_bandwidth_mb_per_s", "lowest rate in 10^6 bytes/s, where the kernel knows it"},
      link.min_bandwidth_mb_per_s);
    v(Field{"max_bandwidth_mb_per_s", "highest rate in 10^6 bytes/s, where the kernel knows it"},
      link.max_bandwidth_mb_per_s);
}

/// Who says so.
struct Reference {
    std::string title = {};
    std::optional<std::string> url = {};
    std::optional<std::string> version = {};  ///< version or commit and date of the text
};

template <SameEntity<Reference> Self, class Visitor>
void visit_fields(Self& reference, Visitor&& v) {
    v(Field{"title", "document or source file"}, reference.title);
    v(Field{"url", "where it stands"}, reference.url);
    v(Field{"version", "version, commit or date of the text"}, reference.version);
}

}  // namespace rocmtune
