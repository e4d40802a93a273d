// SPDX-License-Identifier: MIT
// Linux: ttm_device.c and ttm_tt.c (pages_limit), amdgpu_ttm.c (size of GTT, apu_prefer_gtt),
// amdgpu_amdkfd.c (amdgpu_amdkfd_get_local_mem_info: what KFD offers of an APU).
#include "judge/rules/shared_memory.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/rules/kernel_argument.hpp"

namespace rocmtune {
namespace {

constexpr std::uint64_t page_bytes = 4096;  // x86 has no other base page size
constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t pages_per_gib = gib / page_bytes;

/// Whether two sizes are the same but for what the kernel kept for itself.
bool is_near(std::uint64_t a, std::uint64_t b) {
    auto const larger = std::max(a, b);
    return larger - std::min(a, b) <= larger / 50;
}

/// The kernel uses some memory before it takes half of the rest.
bool is_half(std::uint64_t part, std::uint64_t whole) {
    auto const ratio = static_cast<double>(part) / static_cast<double>(whole);
    return ratio > 0.48 && ratio < 0.52;
}

std::string limit_argument(std::string_view module) {
    return fmt::format("{}.pages_limit", module);
}

/// GTT as amdgpu.gttsize sets it, in bytes; absent: nobody did.
std::optional<std::uint64_t> gtt_setting(Host const& host) {
    if (!host.amdgpu_parameters) return std::nullopt;
    auto const found = host.amdgpu_parameters->find("gttsize");
    if (found == host.amdgpu_parameters->end()) return std::nullopt;
    auto const mebibytes = to_unsigned(found->second, 10);
    if (!mebibytes || *mebibytes > (std::uint64_t{1} << 40)) return std::nullopt;
    return *mebibytes << 20;
}

// ---- mistakes -----------------------------------------------------------------------------------

void find_unknown_name(Host const& host, std::vector<SharedMistake>& mistakes) {
    if (auto const value = kernel_argument(host, "amdgpu.gtt_size"))
        mistakes.push_back(
            {"amdgpu has no parameter gtt_size and ignores it", "amdgpu.gtt_size=" + *value});
}

void find_other_module(Host const& host, std::string const& module,
                       std::vector<SharedMistake>& mistakes) {
    if (kernel_argument(host, limit_argument(module))) return;
    for (auto const* const other : {"ttm", "amdttm", "amd_ttm"})
        if (auto const value = kernel_argument(host, limit_argument(other));
            other != module && value)
            mistakes.push_back(
                {fmt::format("{}.pages_limit sets nothing here: the memory manager of this driver "
                             "is the module {}",
                             other, module),
                 fmt::format("{}.pages_limit={}", other, *value)});
}

/// What was asked for beside what the module has.
void find_wrong_value(Host const& host, std::string const& module,
                      std::vector<SharedMistake>& mistakes) {
    auto const value = kernel_argument(host, limit_argument(module));
    if (!value) return;
    auto const given = fmt::format("{}={}", limit_argument(module), *value);
    auto const pages = to_unsigned(*value);
    if (!pages) return mistakes.push_back({"the limit is a number of pages of 4 KiB", given});
    auto const limit = *host.ttm_limit_bytes;
    if (limit < *host.memory_bytes / 8)
        mistakes.push_back(
            {fmt::format("the limit counts pages of 4 KiB, 262144 to a GiB: this one is {}",
                         human_bytes(limit)),
             given});
}

void find_too_much(Host const& host, std::vector<SharedMistake>& mistakes) {
    auto const limit = *host.ttm_limit_bytes;
    if (limit > *host.memory_bytes && !is_near(limit, *host.memory_bytes))
        mistakes.push_back(
            {fmt::format("the limit of {} is more than main memory: a program that takes so much "
                         "leaves the system nothing",
                         human_bytes(limit)),
             host.ttm_limit_bytes.source().where});
}

void find_gtt_alone(Host const& host, std::string const& module,
                    std::vector<SharedMistake>& mistakes) {
    auto const gtt = gtt_setting(host);
    if (!gtt || is_near(*gtt, *host.ttm_limit_bytes) || *gtt < *host.ttm_limit_bytes) return;
    mistakes.push_back(
        {fmt::format("amdgpu.gttsize makes GTT {}, but what programs of ROCm take ends at "
                     "pages_limit of {}, {}",
                     human_bytes(*gtt), module, human_bytes(*host.ttm_limit_bytes)),
         fmt::format("gttsize={}", *gtt >> 20)});
}

// ---- the limit ----------------------------------------------------------------------------------

bool has_all_facts(Host const& host, Gpu const& gpu) {
    return gpu.is_apu.value_or(false) && host.ttm_limit_bytes && host.memory_bytes &&
           *host.memory_bytes > 0 && gpu.compute_memory_bytes && *gpu.compute_memory_bytes > 0;
}

/// MI300A shows no carve-out: its VRAM is all memory of the module.
bool is_accelerator(Gpu const& gpu) {
    return gpu.gfx_target.value_or("").starts_with("gfx94") ||
           gpu.gfx_target.value_or("").starts_with("gfx95");
}

/// What KFD offers is the carve-out, though GTT would be more.
bool offers_carve_out(Host const& host, Gpu const& gpu) {
    if (!gpu.vram_bytes || *gpu.compute_memory_bytes != *gpu.vram_bytes) return false;
    return !is_near(*gpu.vram_bytes, *host.ttm_limit_bytes);
}

SharedLimit limit_of(Host const& host, Gpu const& gpu, SharedMemory& it) {
    auto const limit = *host.ttm_limit_bytes;
    it.now = *gpu.compute_memory_bytes;
    if (offers_carve_out(host, gpu)) return SharedLimit::carve_out;
    if (!is_near(it.now, limit)) return SharedLimit::other;
    if (auto const gtt = gtt_setting(host); gtt && *gtt < limit && !is_near(*gtt, limit)) {
        it.now = *gtt;
        return SharedLimit::gtt;
    }
    return is_half(limit, *host.memory_bytes) ? SharedLimit::kernel_default : SharedLimit::chosen;
}

/// With less memory nobody loads what half of it would not hold.
constexpr std::uint64_t least_memory = 28 * gib;

/// A driver that offers the carve-out though GTT is larger never offers GTT (Linux before 6.10).
bool ignores_gtt(Host const& host, Gpu const& gpu, SharedMemory const& it) {
    return it.limit == SharedLimit::carve_out &&
           it.now < gpu.gtt_bytes.value_or(*host.ttm_limit_bytes);
}

void find_most(Host const& host, Gpu const& gpu, SharedMemory& it) {
    auto const memory = *host.memory_bytes;
    bool const can_be_set = it.limit != SharedLimit::other && !ignores_gtt(host, gpu, it);
    if (memory < least_memory || !can_be_set) return;
    auto const most = (memory - system_share(memory)) / gib * gib;
    if (it.now <= memory && most < it.now + it.now / 20) return;
    it.most = most;
    it.rest = memory - most;
}

// ---- steps --------------------------------------------------------------------------------------

constexpr std::string_view reboot = "and reboot";

}  // namespace

std::uint64_t system_share(std::uint64_t memory_bytes) {
    return std::min(memory_bytes, std::max(8 * gib, memory_bytes / 8));
}

/// The module whose parameter was read: /sys/module/NAME/parameters/pages_limit.
std::string limit_module(Host const& host) {
    constexpr std::string_view folder = "/sys/module/";
    auto const& where = host.ttm_limit_bytes.source().where;
    auto const at = where.find(folder);
    if (at == std::string::npos) return "ttm";
    auto const name = where.substr(at + folder.size());
    return name.substr(0, name.find('/'));
}

std::optional<SharedMemory> shared_memory(Host const& host, Gpu const& gpu) {
    if (is_accelerator(gpu) || !has_all_facts(host, gpu)) return std::nullopt;
    SharedMemory it{.module = limit_module(host)};
    it.limit = limit_of(host, gpu, it);
    find_most(host, gpu, it);
    find_unknown_name(host, it.mistakes);
    find_other_module(host, it.module, it.mistakes);
    find_wrong_value(host, it.module, it.mistakes);
    find_gtt_alone(host, it.module, it.mistakes);
    find_too_much(host, it.mistakes);
    return it;
}

std::optional<NewerKernel> newer_kernel(Host const& host, Gpu const& gpu) {
    auto const& own = gpu.vram_bytes;
    auto const& offered = gpu.compute_memory_bytes;
    if (!gpu.is_apu.value_or(false) || is_accelerator(gpu) || !own || !offered) return std::nullopt;
    if (*own >= 4 * gib && *offered < *own / 10 * 9)
        return NewerKernel{
            *own,
            "uname -r   # Linux 6.16.9 and newer offer it; on an older one give the GPU the least "
            "memory in the firmware setup: it takes main memory as it needs it"};
    auto const shared = shared_memory(host, gpu);
    if (!shared || !ignores_gtt(host, gpu, *shared)) return std::nullopt;
    auto const mapped = gpu.gtt_bytes.value_or(*host.ttm_limit_bytes);
    return NewerKernel{
        mapped, fmt::format("uname -r   # Linux 6.10 and newer give programs {} of main memory in "
                            "its place; on an older one only a larger UMA frame buffer in the "
                            "firmware setup helps",
                            human_bytes(mapped))};
}

Gpu const* only_shared_gpu(Host const& host) {
    Gpu const* found = nullptr;
    for (auto const& gpu : host.gpus) {
        if (!gpu.is_apu.value_or(false)) return nullptr;
        if (found == nullptr) found = &gpu;
    }
    return found;
}

std::string shared_text(Host const& host, SharedMemory const& shared) {
    auto const text = fmt::format("{} of {} of main memory", human_bytes(shared.now),
                                  human_bytes(*host.memory_bytes));
    switch (shared.limit) {
        case SharedLimit::kernel_default: return text + ": half, as the kernel does unasked";
        case SharedLimit::chosen: return fmt::format("{} (pages_limit of {})", text, shared.module);
        case SharedLimit::gtt: return text + " (amdgpu.gttsize)";
        case SharedLimit::carve_out:
            return human_bytes(shared.now) + ", what the firmware set aside, and no main memory";
        case SharedLimit::other: break;
    }
    return text;
}

std::string limit_step(Host const& host, std::string_view module, std::uint64_t pages) {
    auto const name = limit_argument(module);
    auto const wanted = fmt::format("{}={}", name, pages);
    auto const given = kernel_argument(host, name);
    if (in_container(host))
        return fmt::format("cat /proc/cmdline   # on the host: the kernel argument {}, {}", wanted,
                           reboot);
    if (boots_from_ostree(host))
        return fmt::format("sudo rpm-ostree kargs {}--append-if-missing={}   # {}",
                           given ? fmt::format("--delete-if-present={}={} ", name, *given) : "",
                           wanted, reboot);
    // AMD's pages set the options of the DKMS driver in modprobe.d.
    if (has_grubby(host) && module == "ttm")
        return fmt::format("sudo grubby --update-kernel=ALL --args={}   # {}", wanted, reboot);
    if (host.distribution_id.value_or("") == "nixos")
        return fmt::format(
            "nixos-option boot.kernelParams   # add \"{}\" to it, then: sudo "
            "nixos-rebuild boot, {}",
            wanted, reboot);
    // What the boot loader passes counts more than modprobe.d.
    if (given)
        return fmt::format(
            "grep -rs {}= /etc/default/grub /etc/default/grub.d /boot/loader   # it "
            "is an argument of the kernel: make it {} there (GRUB: then sudo "
            "update-grub or grub-mkconfig), {}",
            name, wanted, reboot);
    if (module == "ttm" && pages % pages_per_gib == 0 && has_program(host, "amd-ttm"))
        return fmt::format("amd-ttm --set {}   # answer n, then: {{rebuild-initramfs}}, {}",
                           pages / pages_per_gib, reboot);
    return fmt::format(
        "echo 'options {0} pages_limit={1} page_pool_size={1}' | sudo tee "
        "/etc/modprobe.d/gpu-memory.conf   # then: {{rebuild-initramfs}}, {2}",
        module, pages, reboot);
}

std::string raise_step(Host const& host, SharedMemory const& shared) {
    if (shared.most)
        return fmt::format("{}; {} stay for everything else",
                           limit_step(host, shared.module, *shared.most / page_bytes),
                           human_bytes(shared.rest));
    if (shared.mistakes.empty()) return {};
    return fmt::format("cat /proc/cmdline   # take {} off where this system keeps it",
                       shared.mistakes.front().evidence);
}

}  // namespace rocmtune
