// SPDX-License-Identifier: MIT
// Parsers of the host readers: text in, values out, nothing read. Each is fed by its fuzz target
// with whatever bytes there are, and none throws. Each is defined in the file of its reader.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu_list.hpp"
#include "rocmtune/records.hpp"

namespace rocmtune {

// ---- kernel.cpp ---------------------------------------------------------------------------------

/// Assignments of os-release(5): comments and malformed lines are left out, quotes and backslashes
/// resolved as a shell would, the last assignment of a name counts.
std::map<std::string, std::string, std::less<>> parse_os_release(std::string_view text);

/// The kernel command line as the kernel splits it (lib/cmdline.c, next_arg): blanks separate
/// unless they stand between double quotes, which stay part of the word.
std::vector<std::string> split_kernel_arguments(std::string_view text);

/// The release in a text that is either the release alone or /proc/version.
std::optional<std::string> kernel_release_in(std::string_view text);

/// The chosen word of "always [madvise] never".
std::optional<std::string> bracketed_word(std::string_view text);

// ---- cpu.cpp ------------------------------------------------------------------------------------

/// A line of /proc/meminfo or of a node's meminfo ("Node 0 MemTotal:  1024 kB"): bytes if the line
/// has the unit kB, else the bare number. Nothing for other units or numbers beyond 64 bits.
std::optional<std::uint64_t> meminfo_value(std::string_view text, std::string_view key);

/// What /proc/cpuinfo says. Counts are absent where the architecture does not print them for
/// every CPU.
struct CpuInfo {
    std::optional<std::string> model;
    std::uint64_t threads = 0;  ///< CPUs listed, that is online
    std::optional<std::uint64_t> sockets;
    std::optional<std::uint64_t> cores;
};
CpuInfo parse_cpuinfo(std::string_view text);

// ---- driver_obstacles.cpp -----------------------------------------------------------------------

/// Lines of modprobe.d(5) that keep a module from loading: `blacklist M`, and `install M COMMAND`
/// with a command that does nothing. Blanks are reduced to one.
std::vector<std::string> modprobe_lines_against(std::string_view text, std::string_view module);

/// Kernel arguments that keep amdgpu from loading or from binding.
std::vector<std::string> arguments_against_amdgpu(std::vector<std::string> const& arguments);

// ---- access.cpp ---------------------------------------------------------------------------------

/// Group names by number, from group(5). The first name of a number counts, as for getgrgid(3).
std::map<std::uint64_t, std::string> parse_group_file(std::string_view text);

// ---- surroundings.cpp ---------------------------------------------------------------------------

/// Value of one "Key:\tvalue" line of /proc/PID/status (proc_pid_status(5)).
std::optional<std::string_view> status_value(std::string_view text, std::string_view key);

// ---- container.cpp ------------------------------------------------------------------------------

/// The kind of container whose runtime made one of the paths in /proc/PID/cgroup: kubernetes,
/// docker, podman, lxc or systemd-nspawn. A service of such a runtime is none itself.
std::optional<std::string_view> container_in_cgroup(std::string_view text);

// ---- processes.cpp ------------------------------------------------------------------------------

/// One open amdgpu file as /proc/PID/fdinfo tells (Documentation/gpu/drm-usage-stats.rst).
struct DrmClient {
    std::string pci_address;
    std::string client_id;  ///< equal for duplicates of one open file; empty if not stated
    std::optional<std::uint64_t> vram_bytes;
};
/// Nothing for a file that is not amdgpu's. Linux 5.14 to 5.18 printed the same without `drm-`.
std::optional<DrmClient> parse_fdinfo(std::string_view text);

// ---- kernel_log.cpp -----------------------------------------------------------------------------

/// All PCI addresses in a text ("0000:03:00.0", in that form), such as those of a device and its
/// parent ports in a sysfs path. Without a domain ("03:00.0", older AMD-Vi messages) it is domain
/// 0.
std::vector<std::string> pci_addresses_in(std::string_view text);

}  // namespace rocmtune
