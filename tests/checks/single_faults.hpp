// SPDX-License-Identifier: MIT
// The truth table: single faults of healthy hosts, and what each of them brings. A fault of another
// kind is one more row.
#pragma once

#include <functional>
#include <ostream>
#include <set>
#include <string>

#include "support/faults.hpp"

namespace rocmtune::test {

// The second MI300X of eight, its KFD node, and the bridge above it.
inline std::string const mi =
    "/sys/devices/pci0000:20/0000:20:01.1/0000:24:00.0/0000:25:00.0/0000:26:00.0";
inline std::string const mi_last =
    "/sys/devices/pci0000:e0/0000:e0:01.1/0000:e3:00.0/0000:e4:00.0/0000:e5:00.0";
inline std::string const mi_hwmon = mi + "/hwmon/hwmon7";
inline std::string const mi_port = "/sys/devices/pci0000:20/0000:20:01.1";
// The second RX 7900 XT, without a display.
inline std::string const rx =
    "/sys/devices/pci0000:c0/0000:c0:01.1/0000:c1:00.0/0000:c2:00.0/0000:c3:00.0";
inline std::string const rx_hwmon = rx + "/hwmon/hwmon6";
// gpu_metrics v1.3 of that card with the bit of its hot spot in indep_throttle_status.
inline constexpr auto throttled_by_hotspot =
    "base64 eAABAyYAKgAsAP///////wAAAAAAABQAMmGYkwEAAADN4L+vsQQAAB8A9AFgAP//////////HwD0"
    "AWAA//////////8AAAAAAAAQAKAA////////////////////////rsksK3gAAAD//7wC/////wAAAAAQAAAA";
inline std::string const apu = "/sys/devices/pci0000:00/0000:00:08.1/0000:c1:00.0";
inline std::string const kfd = "/sys/devices/virtual/kfd/kfd/topology/nodes/";
inline std::string const parameters = "/sys/module/amdgpu/parameters/";

// Keys of the firmware: that of DKMS, and a list that does not hold it. Bytes without a meaning.
inline std::string const efi = "/sys/firmware/efi/efivars/";
inline constexpr auto own_key =
    "base64 AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dzj6vH4/wYNFBsiKTA3PkVM"
    "U1phaG92fYSLkpmgp661vMPK0djf5u30+wIJEBceJSwzOkFIT1ZdZGtyeYCHjpWc";
inline constexpr auto other_keys =
    "base64 BgAAAAEGCxAVGh8kKS4zOD1CR0xRVltgZWpvdHl+g4iNkpecoaarsLW6v8TJztPY"
    "3eLn7PH2+wAFCg8UGR4jKC0yNzxBRktQVVpfZGluc3h9goeMkZaboKWqr7S5vsPIzdLX3OHm6/"
    "D1+v8ECQ4TGB0iJywxNjtARUpPVA==";

// Where the workstation's user keeps caches.
inline std::string const home = "/home/user";
inline std::string const miopen_kernels = home + "/.cache/miopen/3.3.0.5fcfbcc8f/gfx110054.ukdb";

/// Results of TunableOp that PyTorch is told to use; on this host it is that of the server.
inline void tuned(FaultyHost& host, std::string const& text) {
    host.environment("PYTORCH_TUNABLEOP_ENABLED=1")
        .environment("PYTORCH_TUNABLEOP_FILENAME=/data/tuned.csv")
        .call("directory./data", "0xef53 0755 1001 1001")
        .call("head./data/tuned0.csv", std::to_string(text.size()) + '\n' + text);
    for (auto const* const name : {"", "1", "2", "3", "4", "5", "6", "7"})
        host.line(fmt::format("call head./data/tuned{}.csv", name), "error ENOENT");
}

using Lines = std::set<std::string>;

struct Fault {
    char const* name;
    char const* host;
    std::function<void(FaultyHost&)> inject;
    Lines brings;  ///< "RT3301 fail 0000:26:00.0"
};

inline void PrintTo(Fault const& fault, std::ostream* out) {
    *out << fault.name << " on " << fault.host;
}

inline constexpr auto mi300x = "mi300x-x8";
inline constexpr auto radeon = "rx7900xt-x2";
inline constexpr auto halo = "strix-halo";

inline Fault const faults[] = {
    // driver
    {"the driver is not loaded",
     radeon,
     [](FaultyHost& h) { h.remove("/sys/module/amdgpu"); },
     {"RT3001 fail host"}},
    {"the driver hangs while it loads",
     mi300x,
     [](FaultyHost& h) { h.set("/sys/module/amdgpu/initstate", "coming"); },
     {"RT3001 fail host"}},
    {"the kernel's driver is loaded beside a DKMS build",
     mi300x,
     [](FaultyHost& h) {
         h.remove("/sys/module/amdgpu/version").set("/sys/module/amdgpu/taint", "\n");
     },
     {"RT3002 warn host"}},
    {"DKMS has built for another kernel only",
     mi300x,
     [](FaultyHost& h) { h.call("uname.release", "6.8.0-71-generic"); },
     {"RT3003 warn host"}},
    {"Secure Boot refuses the driver of DKMS",
     mi300x,
     [](FaultyHost& h) {
         h.remove("/sys/module/amdgpu")
             .line(efi + "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", "base64 BgAAAAE=")
             .line(efi + "MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23", other_keys)
             .line("/var/lib/dkms/mok.pub", own_key);
     },
     {"RT3001 fail host", "RT3007 fail host"}},
    {"a new kernel without its headers",
     mi300x,
     [](FaultyHost& h) {
         h.call("uname.release", "6.8.0-71-generic")
             .line("/lib/modules/6.8.0-71-generic/build", "error ENOENT")
             .line("/lib/modules/6.8.0-71-generic/modules.dep", "listed");
     },
     {"RT3003 warn host", "RT3008 warn host"}},
    {"a driver that does not build for a new kernel",
     mi300x,
     [](FaultyHost& h) {
         h.call("uname.release", "6.8.0-71-generic")
             .set("/var/lib/dkms/amdgpu/6.12.12-2164967.22.04/build/make.log",
                  "DKMS make.log for amdgpu-6.12.12-2164967.22.04 for kernel 6.8.0-71-generic "
                  "(x86_64)\namd/amdgpu/amdgpu_drv.c:88:10: error: too few arguments\n");
     },
     {"RT3003 warn host", "RT3010 warn host"}},
    {"the loaded driver is blacklisted",
     radeon,
     [](FaultyHost& h) { h.set("/etc/modprobe.d/no.conf", "blacklist amdgpu"); },
     {"RT3004 info host"}},
    {"a GPU without a driver",
     mi300x,
     [](FaultyHost& h) { h.remove(mi + "/driver").set(mi + "/uevent", "PCI_CLASS=120000"); },
     {"RT3005 fail 0000:26:00.0"}},
    {"a GPU is given to virtual machines",
     mi300x,
     [](FaultyHost& h) { h.line(mi + "/driver", "-> ../../../../../../bus/pci/drivers/vfio-pci"); },
     {"RT3005 info 0000:26:00.0"}},
    {"the only GPU without a driver",
     halo,
     [](FaultyHost& h) { h.remove(apu + "/driver").set(apu + "/uevent", "PCI_CLASS=38000"); },
     {"RT3005 fail 0000:c1:00.0"}},
    {"firmware of a GPU is not installed",
     halo,
     [](FaultyHost& h) {
         h.remove(apu + "/driver")
             .set(apu + "/uevent", "PCI_CLASS=38000")
             .line("/lib/firmware/amdgpu/vega10_mec.bin", "listed");
     },
     {"RT3005 fail 0000:c1:00.0", "RT3014 fail 0000:c1:00.0"}},
    {"firmware that is known to hang this chip",
     halo,
     [](FaultyHost& h) { h.set(apu + "/fw_version/mes_fw_version", "0x00000083"); },
     {"RT9001 warn host"}},
    {"RAS is switched off",
     mi300x,
     [](FaultyHost& h) { h.set(parameters + "ras_enable", "0"); },
     {"RT3006 warn host"}},
    {"preemption is switched off",
     radeon,
     [](FaultyHost& h) { h.set(parameters + "cwsr_enable", "0"); },
     {"RT3006 warn host"}},
    {"recovery is switched off",
     halo,
     [](FaultyHost& h) { h.set(parameters + "gpu_recovery", "0"); },
     {"RT3006 warn host"}},
    {"a parameter of the driver is misspelt",
     radeon,
     [](FaultyHost& h) {
         h.set("/etc/modprobe.d/gpu.conf", "options amdgpu gpu_recovry=1 dyndbg=+p")
             .call("modinfo.amdgpu", "parm gpu_recovery\nparm gttsize");
     },
     {"RT3006 warn host"}},
    {"an argument of the kernel is for support of old cards, which this driver lacks",
     halo,
     [](FaultyHost& h) {
         h.set("/etc/modprobe.d/image.conf", "options amdgpu si_support=1")
             .call("modinfo.amdgpu", "parm gpu_recovery");
     },
     {"RT3006 info host"}},
    // access
    {"no permission for KFD",
     radeon,
     [](FaultyHost& h) { h.line("/dev/kfd", "device c 235:0 mode 0660 owner 0:992 open EACCES"); },
     {"RT3011 fail host"}},
    {"no /dev/kfd", halo, [](FaultyHost& h) { h.remove("/dev/kfd"); }, {"RT3011 fail host"}},
    {"KFD cannot be opened by the kernel's own trouble",
     mi300x,
     [](FaultyHost& h) { h.line("/dev/kfd", "device c 235:0 mode 0660 owner 0:992 open ENXIO"); },
     {"RT3011 fail host"}},
    {"no permission for a render node",
     radeon,
     [](FaultyHost& h) {
         h.line("/dev/dri/renderD129", "device c 226:129 mode 0660 owner 0:992 open EACCES");
     },
     {"RT3012 fail 0000:c3:00.0"}},
    {"a render node is missing",
     mi300x,
     [](FaultyHost& h) { h.remove("/dev/dri/renderD136"); },
     {"RT3012 fail 0000:26:00.0"}},
    {"a file in place of a render node",
     halo,
     [](FaultyHost& h) { h.set("/dev/dri/renderD128", "x"); },
     {"RT3012 fail 0000:c1:00.0"}},
    // settings of the host
    {"the IOMMU translates",
     mi300x,
     [](FaultyHost& h) {
         h.set("/sys/kernel/iommu_groups/27/type", "DMA-FQ").replace(" iommu=pt", "");
     },
     {"RT3201 warn host"}},
    {"pci=realloc=off is missing",
     mi300x,
     [](FaultyHost& h) { h.replace(" pci=realloc=off", ""); },
     {"RT3202 info host"}},
    {"NUMA balancing in a server",
     mi300x,
     [](FaultyHost& h) { h.set("/proc/sys/kernel/numa_balancing", "1"); },
     {"RT3203 warn host"}},
    {"NUMA balancing on a desktop",
     radeon,
     [](FaultyHost& h) { h.set("/proc/sys/kernel/numa_balancing", "1"); },
     {"RT3203 info host"}},
    {"no huge pages",
     halo,
     [](FaultyHost& h) {
         h.set("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
     },
     {"RT3204 warn host"}},
    {"little locked memory with RDMA",
     mi300x,
     [](FaultyHost& h) { h.call("limit.memlock", "8388608 8388608"); },
     {"RT3208 warn host"}},
    {"few open files",
     mi300x,
     [](FaultyHost& h) { h.call("limit.nofile", "1024 4096"); },
     {"RT3209 warn host"}},
    // PCIe
    {"a server's link with half its lanes",
     mi300x,
     [](FaultyHost& h) { h.set(mi_port + "/current_link_width", "8"); },
     {"RT3301 fail 0000:26:00.0"}},
    {"a desktop's link with half its lanes",
     radeon,
     [](FaultyHost& h) { h.set("/sys/devices/pci0000:c0/0000:c0:01.1/current_link_width", "8"); },
     {"RT3301 warn 0000:c3:00.0"}},
    {"an idle link at a low rate",
     radeon,
     [](FaultyHost& h) {
         h.set("/sys/devices/pci0000:c0/0000:c0:01.1/current_link_speed", "2.5 GT/s PCIe");
     },
     {"RT3302 info 0000:c3:00.0"}},
    {"a link at a low rate under load",
     mi300x,
     [](FaultyHost& h) {
         h.set(
              "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0/0000:04:00.0/0000:05:00.0/"
              "gpu_busy_percent",
              "98")
             .set("/sys/devices/pci0000:00/0000:00:01.1/current_link_speed", "8.0 GT/s PCIe");
     },
     {"RT3302 fail 0000:05:00.0"}},
    {"packets sent again",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/pcie_replay_count", "3"); },
     {"RT3303 info 0000:c3:00.0"}},
    {"a replay count that is no number",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/pcie_replay_count", "many"); },
     {"RT3303 unknown 0000:26:00.0"}},
    {"corrected PCIe errors",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/aer_dev_correctable", "RxErr 3\nTOTAL_ERR_COR 3"); },
     {"RT3304 info 0000:c3:00.0"}},
    {"uncorrected PCIe errors in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/aer_dev_nonfatal", "TLP 2\nTOTAL_ERR_NONFATAL 2"); },
     {"RT3304 fail 0000:26:00.0"}},
    {"uncorrected PCIe errors on a desktop",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/aer_dev_nonfatal", "TLP 2\nTOTAL_ERR_NONFATAL 2"); },
     {"RT3304 warn 0000:c3:00.0"}},
    {"fatal PCIe errors",
     halo,
     [](FaultyHost& h) { h.set(apu + "/aer_dev_fatal", "DLP 1\nTOTAL_ERR_FATAL 1"); },
     {"RT3304 fail 0000:c1:00.0"}},
    {"a small BAR in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/mem_info_vis_vram_total", "268435456"); },
     {"RT3306 fail 0000:26:00.0"}},
    {"a small BAR on a desktop with two cards",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/mem_info_vis_vram_total", "268435456"); },
     {"RT3306 warn 0000:c3:00.0"}},
    {"no NUMA node in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/numa_node", "-1"); },
     {"RT3307 warn 0000:26:00.0"}},
    // XGMI
    {"a missing XGMI link",
     mi300x,
     [](FaultyHost& h) {
         h.set(kfd + "3/io_links/3/properties", "type 2\nnode_from 3\nnode_to 5\nweight 20");
     },
     {"RT3321 fail 0000:26:00.0"}},
    {"a GPU of a hive that KFD lost while it was read",
     mi300x,
     [](FaultyHost& h) { h.remove(kfd + "9"); },
     {"RT3102 warn 0000:e5:00.0", "RT3321 unknown 0000:05:00.0", "RT3321 unknown 0000:26:00.0",
      "RT3321 unknown 0000:46:00.0", "RT3321 unknown 0000:65:00.0", "RT3321 unknown 0000:85:00.0",
      "RT3321 unknown 0000:a6:00.0", "RT3321 unknown 0000:c6:00.0", "RT3321 unknown 0000:e5:00.0"}},
    {"a GPU that KFD lost, in nobody knows which hive",
     mi300x,
     [](FaultyHost& h) { h.remove(kfd + "9").remove(mi_last + "/xgmi_hive_info"); },
     {"RT3102 warn 0000:e5:00.0", "RT3321 unknown 0000:05:00.0", "RT3321 unknown 0000:26:00.0",
      "RT3321 unknown 0000:46:00.0", "RT3321 unknown 0000:65:00.0", "RT3321 unknown 0000:85:00.0",
      "RT3321 unknown 0000:a6:00.0", "RT3321 unknown 0000:c6:00.0"}},
    {"XGMI links that were not recorded",
     mi300x,
     [](FaultyHost& h) { h.remove(kfd + "3/io_links"); },
     {"RT3321 unknown 0000:26:00.0"}},
    {"an XGMI error",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/xgmi_error", "1"); },
     {"RT3322 fail 0000:26:00.0"}},
    {"an XGMI status that cannot be read",
     mi300x,
     [](FaultyHost& h) { h.line(mi + "/xgmi_error", "error EIO"); },
     {"RT3322 unknown 0000:26:00.0"}},
    // power, clocks, temperatures
    {"a lowered power limit in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi_hwmon + "/power1_cap", "650000000"); },
     {"RT3402 warn 0000:26:00.0"}},
    {"a lowered power limit on a desktop",
     radeon,
     [](FaultyHost& h) { h.set(rx_hwmon + "/power1_cap", "239000000"); },
     {"RT3402 info 0000:c3:00.0"}},
    {"the lowest performance level in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/power_dpm_force_performance_level", "low"); },
     {"RT3403 fail 0000:26:00.0"}},
    {"a manual performance level in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/power_dpm_force_performance_level", "manual"); },
     {"RT3403 warn 0000:26:00.0"}},
    {"a manual performance level on a desktop",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/power_dpm_force_performance_level", "manual"); },
     {"RT3403 info 0000:c3:00.0"}},
    {"the lowest performance level of an APU",
     halo,
     [](FaultyHost& h) { h.set(apu + "/power_dpm_force_performance_level", "low"); },
     {"RT3403 warn 0000:c1:00.0"}},
    {"a cut clock table in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/pp_dpm_sclk", "0: 500Mhz\n1: 1400Mhz *"); },
     {"RT3404 warn 0000:26:00.0"}},
    {"a cut clock table on a desktop",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/pp_dpm_sclk", "0: 500Mhz *\n1: 1400Mhz"); },
     {"RT3404 info 0000:c3:00.0"}},
    {"a GPU at its limit",
     radeon,
     [](FaultyHost& h) { h.set(rx_hwmon + "/temp2_input", "111000"); },
     {"RT3405 fail 0000:c3:00.0"}},
    {"a GPU close to its limit",
     mi300x,
     [](FaultyHost& h) { h.set(mi_hwmon + "/temp3_input", "101000"); },
     {"RT3405 warn 0000:26:00.0"}},
    {"an idle GPU that is hot",
     mi300x,
     [](FaultyHost& h) { h.set(mi_hwmon + "/temp2_input", "85000"); },
     {"RT3405 warn 0000:26:00.0"}},
    {"heat holds the clocks down",
     radeon,
     [](FaultyHost& h) {
         h.set(rx_hwmon + "/temp2_input", "102000").set(rx + "/gpu_busy_percent", "97");
         h.line(rx + "/gpu_metrics", throttled_by_hotspot);
     },
     {"RT3406 warn 0000:c3:00.0"}},
    {"telemetry of a revision that nobody here knows",
     radeon,
     [](FaultyHost& h) { h.line(rx + "/gpu_metrics", "base64 GAABCv//////////////////////////"); },
     {"RT3406 unknown 0000:c3:00.0"}},
    // occupancy
    {"memory of a process that has ended",
     mi300x,
     [](FaultyHost& h) {
         h.line("/proc/184211/comm", "error ENOENT")
             .line("/proc/184211/fdinfo/12", "error ENOENT")
             .line("/proc/184211/status", "error ENOENT")
             .line("/proc/184211", "error ENOENT");
     },
     {"RT3411 warn 0000:05:00.0"}},
    {"memory without an owner in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/mem_info_vram_used", "8589934592"); },
     {"RT3411 warn 0000:26:00.0"}},
    {"load without a process",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/gpu_busy_percent", "100"); },
     {"RT3413 warn 0000:26:00.0"}},
    // peers
    {"another memory partition mode",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/current_memory_partition", "NPS4"); },
     {"RT3421 warn 0000:26:00.0"}},
    {"older firmware in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/fw_version/smc_fw_version", "0x00556a00"); },
     {"RT3422 fail 0000:26:00.0"}},
    {"another video BIOS in a server",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/vbios_version", "113-M3000100-099"); },
     {"RT3423 fail 0000:26:00.0"}},
    // RAS
    {"no RAS features",
     mi300x,
     [](FaultyHost& h) { h.remove(mi + "/ras/features"); },
     {"RT3501 warn 0000:26:00.0"}},
    {"an uncorrectable error",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/gfx_err_count", "ue: 1\nce: 0"); },
     {"RT3502 fail 0000:26:00.0"}},
    {"a deferred error",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/umc_err_count", "ue: 0\nce: 0\nde: 2"); },
     {"RT3502 warn 0000:26:00.0"}},
    {"corrected errors",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/umc_err_count", "ue: 0\nce: 12\nde: 0"); },
     {"RT3502 info 0000:26:00.0"}},
    {"error counters without numbers",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/umc_err_count", "Query currently inaccessible"); },
     {"RT3502 unknown 0000:26:00.0"}},
    {"a page that could not be retired",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : F\n"); },
     {"RT3503 fail 0000:26:00.0"}},
    {"a pending page",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : P\n"); },
     {"RT3503 warn 0000:26:00.0"}},
    {"a retired page",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/ras/gpu_vram_bad_pages", "0x00000001 : 0x00001000 : R\n"); },
     {"RT3503 info 0000:26:00.0"}},
    // kernel log
    {"a reset",
     mi300x,
     [](FaultyHost& h) { h.log("amdgpu 0000:26:00.0: amdgpu: GPU reset begin!. Source: 1"); },
     {"RT3601 fail 0000:26:00.0"}},
    {"a ring timeout in a server",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: ring sdma0.0 timeout, signaled seq=4, emitted seq=6");
     },
     {"RT3601 fail 0000:26:00.0"}},
    {"a page fault in a server",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24)");
     },
     {"RT3602 warn 0000:26:00.0"}},
    {"a fault of the IOMMU",
     mi300x,
     [](FaultyHost& h) {
         h.log("AMD-Vi: Event logged [IO_PAGE_FAULT device=0000:26:00.0 domain=0x0019]");
     },
     {"RT3602 warn 0000:26:00.0"}},
    {"an uncorrectable error in the log",
     mi300x,
     [](FaultyHost& h) {
         h.log(
             "amdgpu 0000:26:00.0: amdgpu: 1 uncorrectable hardware errors detected in gfx "
             "block");
     },
     {"RT3603 fail 0000:26:00.0"}},
    {"corrected errors in the log",
     mi300x,
     [](FaultyHost& h) {
         h.log(
             "amdgpu 0000:26:00.0: amdgpu: 12 correctable hardware errors detected in total in "
             "umc block");
     },
     {"RT3603 warn 0000:26:00.0"}},
    {"a block that failed to start",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: hw_init of IP block <gfx_v9_4_3> failed -110");
     },
     {"RT3604 fail 0000:26:00.0"}},
    {"a lost link",
     mi300x,
     [](FaultyHost& h) { h.log("pcieport 0000:25:00.0: pciehp: Slot(3): Link Down"); },
     {"RT3605 fail 0000:26:00.0"}},
    {"a throttled GPU in the log",
     mi300x,
     [](FaultyHost& h) { h.log("amdgpu 0000:26:00.0: amdgpu: WARN: GPU is throttled, expect"); },
     {"RT3606 warn 0000:26:00.0"}},
    // software
    {"no ROCm",
     halo,
     [](FaultyHost& h) { h.remove("/usr/lib64").remove("/home/user/llm").remove("/var/lib"); },
     {"RT3701 fail host"}},
    {"two masks",
     radeon,
     [](FaultyHost& h) {
         h.environment("ROCR_VISIBLE_DEVICES=0,1").environment("HIP_VISIBLE_DEVICES=1");
     },
     {"RT3721 warn host"}},
    {"a mask of a GPU that there is not",
     radeon,
     [](FaultyHost& h) { h.environment("HIP_VISIBLE_DEVICES=9"); },
     {"RT3109 warn host"}},
    {"a mask that leaves the graphics of the processor",
     "igpu-and-dgpu",
     [](FaultyHost& h) { h.replace("env HIP_VISIBLE_DEVICES=0", "env HIP_VISIBLE_DEVICES=1"); },
     {"RT3110 warn host"}},
    {"an interface that there is not",
     radeon,
     [](FaultyHost& h) {
         h.environment("NCCL_SOCKET_IFNAME=ib0")
             .line("/sys/class/net/lo", "listed")
             .line("/sys/class/net/eno1", "listed");
     },
     {"RT3224 warn host"}},
    {"RCCL without code for the GPUs",
     radeon,
     [](FaultyHost& h) {
         h.call("device-code./opt/rocm-6.3.0/lib/librccl.so.1.0.60300", "gfx90a\ngfx942");
     },
     {"RT3779 warn 0000:03:00.0", "RT3779 warn 0000:c3:00.0"}},
    {"rocBLAS without kernels for the GPUs",
     radeon,
     [](FaultyHost& h) {
         h.remove("/opt/rocm-6.3.0/lib/rocblas/library/TensileLibrary_lazy_gfx1100.dat");
     },
     {"RT3752 warn 0000:03:00.0", "RT3752 warn 0000:c3:00.0"}},
    {"hipBLASLt without kernels for the GPU",
     "rx7900xt",
     [](FaultyHost& h) {
         h.line("/opt/rocm-6.3.0/lib/hipblaslt/library/TensileLibrary_lazy_gfx942.dat", "listed");
     },
     {"RT3753 info 0000:0c:00.0"}},
    {"serialised kernels",
     halo,
     [](FaultyHost& h) { h.environment("AMD_SERIALIZE_KERNEL=3"); },
     {"RT3722 warn host"}},
    {"an override that nothing needs",
     radeon,
     [](FaultyHost& h) { h.environment("HSA_OVERRIDE_GFX_VERSION=11.0.0"); },
     {"RT3106 warn host"}},
    {"torch for CUDA",
     radeon,
     [](FaultyHost& h) {
         h.set("/home/user/venv/lib/python3.12/site-packages/torch/version.py",
               "__version__ = '2.5.1+cu124'\ncuda = '12.4'\nhip = None");
     },
     {"RT3711 warn host"}},
    // caches
    {"databases of MIOpen on NFS",
     radeon,
     [](FaultyHost& h) {
         h.environment("MIOPEN_USER_DB_PATH=/net/miopen")
             .call("directory./net/miopen", "0x6969 0755 1000 1000")
             .line("/net/miopen", "dir");
     },
     {"RT3731 warn host"}},
    {"databases of MIOpen in a home on GPFS",
     radeon,
     [](FaultyHost& h) {
         h.call("directory." + home + "/.config/miopen", "0x47504653 0755 1000 1000");
     },
     {"RT3731 warn host"}},
    {"a cache of Triton on Lustre",
     radeon,
     [](FaultyHost& h) {
         h.environment("TRITON_CACHE_DIR=/lustre/me/triton")
             .call("directory./lustre/me/triton", "0xbd00bd0 0700 1000 1000");
     },
     {"RT3731 info host"}},
    {"a cache of Triton that everybody may write",
     radeon,
     [](FaultyHost& h) { h.call("directory." + home + "/.triton/cache", "0xef53 0777 1000 1000"); },
     {"RT3732 warn host"}},
    {"kernels of MIOpen in a directory like /tmp",
     radeon,
     [](FaultyHost& h) {
         h.environment("MIOPEN_CUSTOM_CACHE_DIR=/tmp").call("directory./tmp", "0x1021994 1777 0 0");
     },
     {"RT3732 info host"}},
    {"a cache that root has left",
     radeon,
     [](FaultyHost& h) { h.line("call directory." + home + "/.config/miopen", "error EACCES"); },
     {"RT3732 warn host"}},
    {"a database that root has left",
     radeon,
     [](FaultyHost& h) { h.line("call head." + miopen_kernels, "error EACCES"); },
     {"RT3732 warn host"}},
    {"a server of files that does not answer",
     radeon,
     [](FaultyHost& h) { h.line("call directory." + home + "/.config/miopen", "error ETIMEDOUT"); },
     {"RT3732 timeout host"}},
    {"a database that is none",
     radeon,
     [](FaultyHost& h) { h.call("head." + miopen_kernels, "4096\nno database at all"); },
     {"RT3733 fail host"}},
    {"a database that ends too early",
     radeon,
     [](FaultyHost& h) {
         // 310 pages of 4096 bytes stand in its header; 1265660 are there.
         h.replace("base64 MTI2OTc2", "base64 MTI2NTY2");
     },
     {"RT3733 fail host"}},
    {"kernels of MIOpen for another GPU",
     radeon,
     [](FaultyHost& h) {
         h.environment("MIOPEN_CUSTOM_CACHE_DIR=/var/miopen")
             .call("directory./var/miopen", "0xef53 0755 1000 1000")
             .line("/var/miopen/gfx90a68.HIP.ufdb.txt", "listed");
     },
     {"RT3734 info host"}},
    {"tuning results for another GPU",
     mi300x,
     [](FaultyHost& h) {
         tuned(h, "Validator,PT_VERSION,2.7.0\nValidator,GCN_ARCH_NAME,gfx90a:sramecc+:xnack-\n");
     },
     {"RT3734 warn host"}},
    {"tuning results of another PyTorch",
     mi300x,
     [](FaultyHost& h) {
         tuned(h, "Validator,PT_VERSION,2.4.0\nValidator,GCN_ARCH_NAME,gfx942:sramecc+:xnack-\n");
     },
     {"RT3735 warn host"}},
    {"tuning results without validators",
     mi300x,
     [](FaultyHost& h) { tuned(h, "GemmTunableOp_float_TN,tn_1_2_3,Default,0.01\n"); },
     {"RT3733 warn host"}},
    // enumeration
    {"a GPU without a KFD node",
     radeon,
     [](FaultyHost& h) { h.remove(kfd + "2"); },
     {"RT3102 warn 0000:c3:00.0"}},
    {"a GPU that KFD refuses for want of atomics",
     radeon,
     [](FaultyHost& h) {
         h.remove(kfd + "2").log(
             "kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 509<0");
     },
     {"RT3305 fail 0000:c3:00.0"}},
    {"a supported GPU that HIP leaves out",
     mi300x,
     [](FaultyHost& h) {
         h.cut(R"({"device":{"index":1,"pci_address":"0000:26:00.0","name")", "}},");
     },
     {"RT3103 fail 0000:26:00.0"}},
    {"a missing partition",
     "mi300x-cpx",
     [](FaultyHost& h) { h.remove(kfd + "5"); },
     {"RT3104 fail 0000:05:00.0"}},
    {"a missing first partition",
     "mi300x-cpx",
     [](FaultyHost& h) { h.remove(kfd + "9"); },
     {"RT3104 fail 0000:26:00.0"}},
    // what lies back
    {"a reset of two months ago",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: GPU reset begin!", 99)
             .log("amdgpu 0000:26:00.0: amdgpu: GPU reset(1) succeeded!", 101)
             .log("amdgpu 0000:26:00.0: amdgpu: a line of today", 5184000);
     },
     {"RT3601 info 0000:26:00.0"}},
    {"a reset of two months ago that never ended",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: GPU reset begin!", 99)
             .log("amdgpu 0000:26:00.0: amdgpu: a line of today", 5184000);
     },
     {"RT3601 fail 0000:26:00.0"}},
    {"a hang of an hour ago by the clock, though the log is quiet since",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1, emitted seq=2")
             .call("clock.monotonic", "3700.5");
     },
     {"RT3601 info 0000:26:00.0"}},
    {"a reset of ten minutes ago",
     mi300x,
     [](FaultyHost& h) {
         h.log("amdgpu 0000:26:00.0: amdgpu: GPU reset begin!").call("clock.monotonic", "700");
     },
     {"RT3601 fail 0000:26:00.0"}},
    // what is there, but is no number
    {"a counter of fatal PCIe errors that is no number",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/aer_dev_fatal", "nonsense"); },
     {"RT3304 unknown 0000:26:00.0"}},
    {"a counter of fatal PCIe errors that is no number at the bridge",
     mi300x,
     [](FaultyHost& h) { h.set(mi_port + "/aer_dev_fatal", "TOTAL_ERR_FATAL many"); },
     {"RT3304 unknown 0000:26:00.0"}},
    {"an unreadable counter beside one that counts",
     mi300x,
     [](FaultyHost& h) {
         h.set(mi_port + "/aer_dev_fatal", "nonsense")
             .set(mi + "/aer_dev_fatal", "DLP 3\nTOTAL_ERR_FATAL 3");
     },
     {"RT3304 fail 0000:26:00.0"}},
    {"a clock table of another notation",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/pp_dpm_sclk", "no levels here"); },
     {"RT3404 unknown 0000:26:00.0"}},
    {"a clock table that cannot be read",
     mi300x,
     [](FaultyHost& h) { h.line(mi + "/pp_dpm_sclk", "error EIO"); },
     {"RT3404 unknown 0000:26:00.0"}},
    {"a temperature that is no number",
     mi300x,
     [](FaultyHost& h) { h.set(mi_hwmon + "/temp2_input", "warm"); },
     {"RT3405 unknown 0000:26:00.0"}},
    {"a limit of the temperature that is no number",
     mi300x,
     [](FaultyHost& h) { h.set(mi_hwmon + "/temp2_crit", "hot"); },
     {"RT3405 unknown 0000:26:00.0"}},
    {"a partition mode that nobody knows",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/current_compute_partition", "garbage"); },
     {"RT3104 unknown 0000:26:00.0", "RT3421 unknown 0000:26:00.0"}},
    {"a memory mode that nobody knows",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/current_memory_partition", "garbage"); },
     {"RT3421 unknown 0000:26:00.0"}},
    {"a firmware version that is no number",
     mi300x,
     [](FaultyHost& h) { h.set(mi + "/fw_version/mec_fw_version", "garbage"); },
     {"RT3422 unknown 0000:26:00.0"}},
    // MI300A and containers
    {"no compaction on MI300A",
     "mi300a-x4",
     [](FaultyHost& h) { h.set("/proc/sys/vm/compaction_proactiveness", "0"); },
     {"RT3205 warn host"}},
    {"huge pages on demand only on MI300A",
     "mi300a-x4",
     [](FaultyHost& h) {
         h.set("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
     },
     {"RT3204 warn host"}},
    // more of the software
    {"the loader does not know where ROCm is",
     radeon,
     [](FaultyHost& h) { h.remove("/etc/ld.so.conf.d/rocm.conf").remove("/etc/ld.so.cache"); },
     {"RT3702 warn host"}},
    {"ROCr from another release",
     mi300x,
     [](FaultyHost& h) {
         h.set("/opt/rocm-6.2.0/.info/version", "6.2.0-1")
             .line("/opt/rocm-6.2.0/lib/libhsa-runtime64.so.1", "listed")
             .line("/opt/rocm-6.2.0/lib/libamdhip64.so.6", "listed")
             .replace("/opt/rocm-6.4.1/lib/libhsa-runtime64.so.1.15.60401\",\"soname",
                      "/opt/rocm-6.2.0/lib/libhsa-runtime64.so.1\",\"soname");
     },
     {"RT3703 info host", "RT3704 fail host"}},
    {"HIP crashes",
     mi300x,
     [](FaultyHost& h) {
         h.call("worker.hip", R"({"status":"signal","took_ms":9,"detail":"SIGSEGV"})");
     },
     {"RT3705 fail host"}},
    {"SMI does not come back",
     mi300x,
     [](FaultyHost& h) {
         h.call("worker.rocm_smi", R"({"status":"timeout","took_ms":9,"detail":"no answer"})");
     },
     {"RT3705 timeout host"}},
    {"a GPU that did not wake up",
     radeon,
     [](FaultyHost& h) { h.set(rx + "/power/runtime_status", "error"); },
     {"RT3401 fail 0000:c3:00.0"}},
};

}  // namespace rocmtune::test
