// SPDX-License-Identifier: MIT
// Parsers: text in, values out, nothing read. Each is fed by its fuzz target with whatever bytes
// there are, and none throws. Each is defined in the file of its reader, those of sysfs tables
// in sysfs_tables.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lists.hpp"
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

// ---- driver.cpp ---------------------------------------------------------------------------------

/// Lines of modprobe.d(5) that keep a module from loading: `blacklist M`, and `install M COMMAND`
/// with a command that does nothing. Blanks are reduced to one.
std::vector<std::string> modprobe_lines_against(std::string_view text, std::string_view module);

/// Kernel arguments that keep amdgpu from loading or from binding.
std::vector<std::string> arguments_against_amdgpu(std::vector<std::string> const& arguments);

/// "amdgpu.gttsize=1024" for each parameter that such lines, or arguments of the kernel, give to
/// amdgpu, amdkfd or TTM.
std::vector<std::string> module_options_in(std::string_view text);
std::vector<std::string> module_options_of(std::vector<std::string> const& arguments);

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

// ---- sysfs_tables.cpp ---------------------------------------------------------------------------

/// "key value" lines of a properties file as numbers, in their order; lines that are none are left
/// out. A host of 32 partitions has 2700 such files: a list costs a quarter of a map.
using KfdProperties = std::vector<std::pair<std::string, std::uint64_t>>;
KfdProperties parse_kfd_properties(std::string_view text);

/// The value of one key, if the kernel printed it; of several the last.
std::optional<std::uint64_t> kfd_property(KfdProperties const& properties, std::string_view key);

/// gfx_target_version (major * 10000 + minor * 100 + stepping, in decimal) as LLVM writes the
/// target, minor and stepping as one hexadecimal digit each: 90010 is gfx90a.
/// Nothing for 0 (a CPU) and for parts that do not fit a digit.
std::optional<std::string> gfx_target_name(std::uint64_t gfx_target_version);

/// A link type of io_links and p2p_links in words: "xgmi", "pcie", or "type-N".
std::string link_kind(std::uint64_t type);

/// A pp_dpm_* table: lines "1: 2100Mhz *", the star marks the level in use; newer chips add
/// "S: 30Mhz *" while asleep. Nothing if no line has a clock (pp_dpm_pcie has another format).
/// Some firmware stars several lines with one clock: the last one counts.
std::optional<ClockDomain> parse_clock_table(std::string name, std::string_view text);

/// The memory's part of pp_od_clk_voltage as the domain "od_mclk": the clocks that are set there,
/// not the range that could be (Linux amdgpu_pm.c: "OD_MCLK:" and "0: 97Mhz", on Vega with a
/// voltage behind it). Nothing if there is no such part.
std::optional<ClockDomain> parse_overdrive_memory_table(std::string_view text);

/// One counter file: lines "ue: N", "ce: N" and for memory "de: N" (Linux amdgpu_ras.c and
/// amdgpu_aca.c). Text without numbers, such as "Query currently inaccessible", is the problem.
RasBlock parse_ras_counters(std::string name, std::string_view text);

/// Pages by state in gpu_vram_bad_pages: lines "0x00000001 : 0x00001000 : R" with R retired,
/// P pending, F unreservable.
struct BadPages {
    std::uint64_t retired = 0;
    std::uint64_t pending = 0;
    std::uint64_t unreservable = 0;
};

/// Nothing if a line has another format; an empty file means no bad pages.
std::optional<BadPages> parse_bad_pages(std::string_view text);

// ---- drm.cpp ------------------------------------------------------------------------------------

/// "mes" and "mes_kiq" of debugfs's amdgpu_firmware_info: lines "MES feature version: 1, firmware
/// version: 0x00000083" (Linux amdgpu_kms.c, amdgpu_debugfs_firmware_info_show).
std::map<std::string, std::string> scheduler_firmware_in(std::string_view text);

// ---- packages.cpp -------------------------------------------------------------------------------

/// Versions by names of packages.
using InstalledPackages = std::map<std::string, std::string>;

/// Of dpkg's list those that are installed.
InstalledPackages packages_of_dpkg(std::string_view status);

/// Of DNF's list (gpu_packages.hpp) those that concern GPUs.
InstalledPackages packages_of_dnf(std::string_view text);
/// "NAME EPOCH:VERSION-RELEASE", a line each.
InstalledPackages packages_of_rpm(std::string_view text);

// ---- driver_build.cpp ---------------------------------------------------------------------------

/// Where DKMS keeps amdgpu, a directory for each version (dkms(8)).
inline constexpr std::string_view dkms_directory = "/var/lib/dkms/amdgpu";

struct DkmsFailure {
    std::string kernel = {};  ///< release that was built for
    std::string error = {};   ///< the first line that is one
};

/// What make.log of DKMS says of a build that failed; nothing if no line is an error.
std::optional<DkmsFailure> dkms_failure_in(std::string_view log);

// ---- acs.cpp ------------------------------------------------------------------------------------

/// What a downstream port of a PCIe switch redirects by ACS, from its configuration space; nothing
/// for other ports and for one that redirects nothing.
std::optional<std::string> acs_redirection(std::string_view config_space);

// ---- names.cpp ----------------------------------------------------------------------------------

/// libdrm's amdgpu.ids: lines "device, revision, name" in hexadecimal after a version line. Only
/// an entry with exactly this revision counts: one device id covers several products.
std::optional<std::string_view> find_amdgpu_name(std::string_view list, std::uint16_t device,
                                                 std::uint8_t revision);

/// pci.ids: vendor lines "1002  name", device lines "<TAB>744c  name" below them. The name in
/// square brackets is the marketing name where there is one.
std::optional<std::string_view> find_pci_name(std::string_view list, std::uint16_t vendor,
                                              std::uint16_t device);

// ---- cache_files.cpp ----------------------------------------------------------------------------

/// The start of a file, as the call "head.PATH" answers.
struct FileHead {
    std::uint64_t size_bytes = 0;
    std::string_view bytes;

    bool is_whole() const { return bytes.size() >= size_bytes; }
};
std::optional<FileHead> parse_file_head(std::string_view answer);

/// Whether a file of MIOpen is an SQLite database: kernels (ukdb, kdb) or tuning (udb, db).
bool is_miopen_database(std::string_view name);

/// The gfx target that MIOpen puts before the number of CUs: hexadecimal and joined above 64
/// ("gfx90a68.ukdb", 104 CUs), else decimal ("gfx1030_36.ukdb").
std::optional<std::string> miopen_target(std::string_view name);

/// What is wrong with the header of an SQLite database (https://sqlite.org/fileformat.html, 1.3).
/// Nothing for an empty file, which is an empty database. With a log beside it (-wal, -journal) the
/// file may be shorter than it says.
std::optional<std::string> sqlite_fault(FileHead const& head, bool has_log);

/// Lines "Validator,NAME,VALUE" at the start of TunableOp's results, as PyTorch writes them.
std::map<std::string, std::string> tunableop_validators(FileHead const& head);

/// The files in which PyTorch keeps results under this name: the number of the device takes the
/// place of %d, else it stands before the suffix. Early releases took the name as it is.
std::string tunableop_file(std::string_view name, std::uint64_t device);

}  // namespace rocmtune
