// SPDX-License-Identifier: MIT
// What the checks say to do: would it help on that host, with eight GPUs, in that container?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "judge/checks/check.hpp"
#include "judge/checks/checks.hpp"
#include "knowledge/findings.hpp"
#include "support/faults.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Source const source{"test", "test"};

std::vector<Finding> results(Host const& host, char const* only) {
    CheckSelection selection;
    selection.only = {only};
    return run_checks(host, embedded_chips(), selection);
}

template <class T>
void state(Fact<T>& fact, T value) {
    fact = {};
    fact.offer(std::move(value), source);
}

template <class T>
void lose(Fact<T>& fact, Missing reason) {
    fact = {};
    fact.miss(reason, "test");
}

DeviceNode refused(char const* error, char const* group = "render", std::uint64_t gid = 992,
                   char const* mode = "0660") {
    return {.path = "/dev/kfd", .error = error, .group = group, .group_id = gid, .mode = mode};
}

Host in(char const* container) {
    Host host;
    state(host.container, std::string(container));
    return host;
}

TEST(WayIn, is_a_group_only_where_a_group_may) {
    auto const host = in("none");
    EXPECT_THAT(way_in(host, refused("EACCES")), HasSubstr("usermod -aG render $USER"));
    EXPECT_THAT(way_in(host, refused("EACCES", "109", 109)),
                HasSubstr("groupadd --gid 109 gpu-109"));
    for (auto const* error : {"ENODEV", "EIO", "ENXIO", "EBUSY", "EAGAIN"})
        EXPECT_THAT(way_in(host, refused(error)), Not(HasSubstr("usermod"))) << error;
    EXPECT_THAT(way_in(host, refused("EACCES", "render", 992, "0600")), HasSubstr("udev"));
}

TEST(WayIn, never_makes_anybody_a_member_of_a_powerful_group) {
    for (auto const* container : {"none", "docker", "podman", "kubernetes", "lxc", "systemd-nspawn",
                                  "apptainer", "singularity", "other"})
        for (auto const* group : {"root", "wheel", "sudo", "admin", "disk", "docker"}) {
            auto const step = way_in(in(container), refused("EACCES", group, 0));
            EXPECT_THAT(step, HasSubstr(container == std::string("lxc") ? "gid=" : "udev"))
                << container << ' ' << group;
            EXPECT_THAT(step, Not(HasSubstr("usermod"))) << container << ' ' << group;
        }
}

TEST(WayIn, of_a_rootless_container_never_names_the_overflow_group) {
    auto const unmapped = refused("EACCES", "65534", 65534);
    for (auto const* container :
         {"none", "docker", "podman", "kubernetes", "lxc", "systemd-nspawn", "apptainer", "other"})
        EXPECT_THAT(way_in(in(container), unmapped), Not(HasSubstr("65534"))) << container;
    EXPECT_THAT(way_in(in("podman"), unmapped), HasSubstr("--group-add keep-groups"));
    EXPECT_THAT(way_in(in("podman"), unmapped), HasSubstr("/etc/subgid"));
    EXPECT_THAT(way_in(in("docker"), unmapped), Not(HasSubstr("keep-groups")));
}

TEST(WayIn, of_each_kind_of_container_has_the_words_of_its_manager) {
    for (auto const& [container, word] :
         std::map<std::string, std::string>{{"docker", "docker run"},
                                            {"podman", "podman run"},
                                            {"kubernetes", "kubectl"},
                                            {"lxc", "lxc"},
                                            {"systemd-nspawn", "systemd-nspawn"},
                                            {"apptainer", "--rocm"},
                                            {"singularity", "--rocm"}}) {
        auto const host = in(container.c_str());
        EXPECT_THAT(way_to_missing(host, "/dev/kfd"), HasSubstr(word)) << container;
        EXPECT_THAT(way_in(host, refused("EPERM")), HasSubstr(word)) << container;
        if (container == "docker") continue;
        EXPECT_THAT(way_to_missing(host, "/dev/kfd"), Not(HasSubstr("docker"))) << container;
    }
    EXPECT_THAT(way_in(in("docker"), refused("EACCES")), HasSubstr("--group-add 992"));
}

TEST(WayIn, that_the_mode_leaves_open_is_no_group) {
    for (auto const* container : {"none", "docker", "podman", "lxc"})
        for (auto const gid : {105, 65534}) {
            auto const step = way_in(in(container), refused("EACCES", "105", gid, "0666"));
            EXPECT_THAT(step, Not(HasSubstr("usermod"))) << container;
            EXPECT_THAT(step, Not(HasSubstr("group-add"))) << container;
        }
    EXPECT_THAT(way_in(in("podman"), refused("EACCES", "105", 105, "0666")),
                HasSubstr("label=disable"));
}

TEST(WayIn, of_a_member_who_is_refused_is_no_group) {
    auto host = in("none");
    state(host.groups, std::vector<std::string>{"render", "users"});
    EXPECT_THAT(way_in(host, refused("EACCES")), Not(HasSubstr("usermod")));
}

TEST(Kfd, that_a_kernel_was_built_without_is_one_finding) {
    auto host = FaultyHost("mi300x-x8").probed();
    lose(host.kfd_nodes, Missing::absent);
    lose(host.kfd_access, Missing::absent);
    for (auto& gpu : host.gpus) lose(gpu.kfd_node, Missing::absent);
    EXPECT_THAT(results(host, "RT3011").at(0).next_step, HasSubstr("CONFIG_HSA_AMD"));
    for (auto const& finding : results(host, "RT3102")) EXPECT_EQ(finding.verdict, Verdict::skip);
}

/// Two cards of eight partitions, of which the second lost one, without a mode that could be read.
Host without_modes(std::uint64_t left_of_second) {
    auto host = FaultyHost("mi300x-cpx").probed();
    auto const second = host.gpus.back().pci_address.value();
    for (auto& gpu : host.gpus) {
        lose(gpu.compute_partition, Missing::denied);
        if (gpu.pci_address.value() == second) state(gpu.partition_count, left_of_second);
    }
    return host;
}

TEST(Partitions, of_equal_cards_speak_where_no_mode_can_be_read) {
    auto host = without_modes(7);
    state(host.driver_conflicts, std::vector<std::string>{});
    auto const found = results(host, "RT3104");
    auto const broken = std::ranges::find(found, Verdict::fail, &Finding::verdict);
    ASSERT_NE(broken, found.end());
    EXPECT_THAT(broken->message, HasSubstr("7 of 8 partitions"));
    EXPECT_THAT(broken->next_step, Not(HasSubstr("ast")));
    state(host.driver_conflicts, std::vector<std::string>{"gim: GPUs for machines", "ast: BMC"});
    EXPECT_THAT(results(host, "RT3104").back().next_step,
                testing::StartsWith("sudo modprobe -r ast && sudo modprobe -r amdgpu && "));
}

TEST(Partitions, of_cards_in_another_mode_are_not_missing) {
    for (auto const& finding : results(without_modes(4), "RT3104"))
        EXPECT_NE(finding.verdict, Verdict::fail) << finding.message;
}

Host with_log(char const* name, std::string const& line) {
    auto host = FaultyHost(name).log(line).probed();
    for (auto& gpu : host.gpus) lose(gpu.kfd_node, Missing::absent);
    return host;
}

TEST(Atomics, that_newer_firmware_does_without_are_no_fault_of_the_slot) {
    std::string const line = "kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics ";
    auto const old = results(with_log("rx7900xt", line + "500<509"), "RT3305").at(0);
    EXPECT_THAT(old.message, HasSubstr("firmware 500"));
    EXPECT_EQ(old.action, Action::config);
    auto const slot = results(with_log("rx7900xt", line + "509<0"), "RT3305").at(0);
    EXPECT_THAT(slot.next_step, HasSubstr("lspci"));
    EXPECT_EQ(slot.action, Action::hardware);
}

TEST(DriverParameters, that_amd_asks_for_are_no_harm) {
    auto host = FaultyHost("strix-halo").probed();
    state(host.amdgpu_parameters, std::map<std::string, std::string>{{"cwsr_enable", "0"}});
    state(host.kernel_release, std::string("6.17.4"));
    EXPECT_EQ(results(host, "RT3006").at(0).verdict, Verdict::info);
    state(host.kernel_release, std::string("6.18.2"));
    EXPECT_EQ(results(host, "RT3006").at(0).verdict, Verdict::warn);
    auto radeon = FaultyHost("rx7900xt").probed();
    state(radeon.amdgpu_parameters, std::map<std::string, std::string>{{"cwsr_enable", "0"}});
    EXPECT_EQ(results(radeon, "RT3006").at(0).verdict, Verdict::warn);
}

TEST(DriverParameters, that_the_module_does_not_have_are_named_with_what_was_meant) {
    auto host = FaultyHost("rx7900xt").probed();
    state(host.module_options,
          std::vector<std::string>{"/etc/modprobe.d/gpu.conf: amdgpu.gpu_recovry=1"});
    state(host.module_parameters,
          std::vector<std::string>{"amdgpu.gpu_recovery", "amdgpu.gttsize"});
    auto const finding = results(host, "RT3006").at(0);
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.message, HasSubstr("is gpu_recovery meant?"));
    EXPECT_THAT(finding.next_step, HasSubstr("sudoedit /etc/modprobe.d/gpu.conf"));
    EXPECT_THAT(finding.next_step, HasSubstr("write gpu_recovery in place of gpu_recovry"));
}

TEST(DriverParameters, of_a_package_are_changed_in_a_copy) {
    auto host = FaultyHost("rx7900xt").probed();
    state(host.module_options,
          std::vector<std::string>{"/usr/lib/modprobe.d/gpu.conf: amdgpu.no_such_thing_at_all=1"});
    state(host.module_parameters, std::vector<std::string>{"amdgpu.gttsize"});
    EXPECT_THAT(results(host, "RT3006").at(0).next_step,
                HasSubstr("sudo cp /usr/lib/modprobe.d/gpu.conf /etc/modprobe.d/ && sudoedit "
                          "/etc/modprobe.d/gpu.conf   # take no_such_thing_at_all out"));
}

TEST(DriverParameters, on_the_command_line_are_taken_off_where_the_distribution_keeps_them) {
    auto host = FaultyHost("rx7900xt").probed();
    state(host.module_options, std::vector<std::string>{"/proc/cmdline: amdgpu.gtt_size=1;reboot"});
    state(host.module_parameters, std::vector<std::string>{"amdgpu.gttsize"});
    state(host.distribution_id, std::string("fedora"));
    auto const step = results(host, "RT3006").at(0).next_step;
    EXPECT_THAT(step, HasSubstr("grubby --update-kernel=ALL --remove-args=amdgpu.gtt_size   #"));
    EXPECT_THAT(step, HasSubstr("add amdgpu.gttsize=VALUE"));
    EXPECT_THAT(step, Not(HasSubstr("reboot;"))) << "values are nobody's command";
}

TEST(DriverParameters, that_left_with_a_release_are_known_without_the_module) {
    auto host = FaultyHost("rx7900xt").probed();
    state(host.module_options, std::vector<std::string>{"/proc/cmdline: amdgpu.vm_debug=1"});
    lose(host.module_parameters, Missing::not_recorded);
    state(host.amdgpu_origin, std::string("kernel"));
    state(host.kernel_release, std::string("6.8.0-60-generic"));
    EXPECT_THAT(results(host, "RT3006").at(0).message, HasSubstr("left with Linux 6.6"));
    state(host.kernel_release, std::string("6.1.0-13-amd64"));
    EXPECT_EQ(results(host, "RT3006").at(0).verdict, Verdict::pass);
    state(host.module_options, std::vector<std::string>{"/proc/cmdline: amdgpu.modeset=1"});
    EXPECT_THAT(results(host, "RT3006").at(0).message, HasSubstr("comes with Linux 6.12"));
    state(host.kernel_release, std::string("5.14.0-503.el9.x86_64"));
    EXPECT_EQ(results(host, "RT3006").at(0).verdict, Verdict::pass) << "a newer driver";
}

TEST(DriverParameters, of_a_module_that_is_gone_do_nothing) {
    auto host = FaultyHost("rx7900xt").probed();
    state(host.module_options,
          std::vector<std::string>{"/etc/modprobe.d/kfd.conf: amdkfd.noretry=1"});
    EXPECT_THAT(results(host, "RT3006").at(0).message, HasSubstr("since Linux 4.20"));
}

TEST(DriverParameters, that_cannot_be_told_are_unknown) {
    auto host = FaultyHost("rx7900xt").probed();
    state(host.module_options, std::vector<std::string>{"/proc/cmdline: amdgpu.something=1"});
    state(host.module_parameters, std::vector<std::string>{"amdgpu.gttsize"});
    host.module_parameters.limit(Missing::absent, "modinfo.amdgpu: ENOENT");
    EXPECT_EQ(results(host, "RT3006").at(0).verdict, Verdict::unknown);
}

TEST(DriverParameters, that_this_release_does_not_have_are_named_by_the_log) {
    auto const host =
        FaultyHost("rx7900xt").log("amdgpu: unknown parameter 'si_support' ignored").probed();
    auto const finding = results(host, "RT3006").at(0);
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.message, HasSubstr("RT8147"));
}

TEST(CodeOfRccl, is_not_judged_where_it_is_compressed_or_one_gpu_needs_none) {
    std::string const key = "device-code./opt/rocm-6.3.0/lib/librccl.so.1.0.60300";
    auto const packed = FaultyHost("rx7900xt-x2").call(key, "packed").probed();
    EXPECT_EQ(results(packed, "RT3779").at(0).verdict, Verdict::skip);
    auto const whole = FaultyHost("rx7900xt-x2").call(key, "gfx1100\ngfx942").probed();
    EXPECT_THAT(results(whole, "RT3779").at(0).message, HasSubstr("has kernels for gfx1100"))
        << "of the wheel's copy nothing is known";
    auto const portable = FaultyHost("rx7900xt-x2").call(key, "amdgcnspirv\ngfx942").probed();
    EXPECT_THAT(results(portable, "RT3779").at(0).message, HasSubstr("has kernels for gfx1100"));
    auto const single = FaultyHost("rx7900xt").call(key, "gfx942\ngfx90a").probed();
    EXPECT_EQ(results(single, "RT3779").at(0).verdict, Verdict::skip);
}

TEST(PageFaults, that_firmware_makes_are_not_blamed_on_a_program) {
    auto host = FaultyHost("strix-halo")
                    .log("amdgpu 0000:c1:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24)")
                    .probed();
    auto& gpu = host.gpus[0];
    state(gpu.firmware, std::map<std::string, std::string>{{"mes", "0x00000083"}});
    EXPECT_THAT(results(host, "RT3602").at(0).message, HasSubstr("MES firmware 0x83"));
    EXPECT_THAT(results(host, "RT3602").at(0).next_step, HasSubstr("firmware"));
    state(gpu.firmware, std::map<std::string, std::string>{{"mes", "0x00000080"}});
    EXPECT_THAT(results(host, "RT3602").at(0).message, Not(HasSubstr("MES")));
}

TEST(ApuMemory, at_the_default_of_the_kernel_is_news_with_a_command) {
    auto host = FaultyHost("strix-halo").probed();
    constexpr std::uint64_t gib = std::uint64_t{1} << 30;
    state(host.memory_bytes, 128 * gib);
    state(host.ttm_limit_bytes, 64 * gib);
    state(host.gpus[0].compute_memory_bytes, 64 * gib);
    auto const finding = results(host, "RT3206").at(0);
    EXPECT_EQ(finding.verdict, Verdict::info);
    EXPECT_THAT(finding.next_step, HasSubstr("pages_limit=29360128"));
    state(host.ttm_limit_bytes, 100 * gib);
    state(host.gpus[0].compute_memory_bytes, 100 * gib);
    EXPECT_EQ(results(host, "RT3206").at(0).verdict, Verdict::pass);
}

TEST(ApuMemory, that_the_firmware_set_aside_must_be_offered_to_programs) {
    auto host = FaultyHost("strix-halo").probed();
    constexpr std::uint64_t gib = std::uint64_t{1} << 30;
    state(host.gpus[0].vram_bytes, 96 * gib);
    state(host.gpus[0].compute_memory_bytes, 31 * gib / 2);
    auto const found = results(host, "RT3206");
    EXPECT_TRUE(std::ranges::any_of(found, [](Finding const& finding) {
        return finding.verdict == Verdict::warn &&
               finding.next_step.find("6.16.9") != std::string::npos;
    }));
}

Verdict clock_verdict(double megahertz, std::uint64_t busy) {
    auto host = FaultyHost("rx7900xt").probed();
    auto& gpu = host.gpus[0];
    state(host.gpu_processes,
          std::vector<GpuProcess>{
              {.pid = 7, .name = "python3", .through = "kfd", .gpus = {*gpu.pci_address}}});
    state(gpu.busy_percent, std::move(busy));
    state(gpu.clocks, std::vector<ClockDomain>{
                          {.name = "sclk", .levels_mhz = {500, 2330}, .current_mhz = megahertz}});
    return results(host, "RT3407").at(0).verdict;
}

TEST(ClockFloor, under_full_load_is_a_finding) {
    EXPECT_EQ(clock_verdict(500, 99), Verdict::warn);
    EXPECT_EQ(clock_verdict(2300, 99), Verdict::pass);
    EXPECT_EQ(clock_verdict(500, 40), Verdict::pass);
}

TEST(Resets, name_one_gpu_and_what_else_they_reset) {
    auto host = FaultyHost("mi300x-x8").probed();
    state(host.gpus[2].busy_percent, std::uint64_t{100});
    auto const found = results(host, "RT3413");
    auto const busy = std::ranges::find(found, Verdict::warn, &Finding::verdict);
    ASSERT_NE(busy, found.end());
    EXPECT_THAT(busy->next_step, testing::StartsWith("sudo fuser -v /dev/kfd"));
    EXPECT_THAT(busy->next_step, HasSubstr("--gpureset -g " + busy->subject));
    EXPECT_THAT(busy->next_step, HasSubstr("all 8 GPUs of its XGMI hive"));
}

TEST(Caches, that_this_process_may_not_write_are_a_warning) {
    auto host = FaultyHost("rx7900xt-x2").probed();
    ASSERT_TRUE(host.caches);
    auto caches = *host.caches;
    for (auto& cache : caches) EXPECT_EQ(cache.writable, true) << cache.path;
    caches.at(0).writable = false;
    state(host.caches, std::move(caches));
    auto const finding = results(host, "RT3732").at(0);
    EXPECT_EQ(finding.verdict, Verdict::warn);
    EXPECT_THAT(finding.next_step, HasSubstr("export MIOPEN"));
}

TEST(Steps, are_those_of_the_distribution) {
    EXPECT_EQ(filled_step("{rebuild-initramfs}", {.distribution = "debian"}),
              "sudo update-initramfs -u");
    EXPECT_EQ(filled_step("{rebuild-initramfs}", {.distribution = "fedora"}), "sudo dracut -f");
    EXPECT_THAT(filled_step("{install-firmware}", {.distribution = "ubuntu"}),
                HasSubstr("linux-firmware"));
    EXPECT_THAT(filled_step("{install-firmware}", {.distribution = "ubuntu", .dkms = true}),
                HasSubstr("amdgpu-dkms-firmware"));
    EXPECT_THAT(filled_step("{install-firmware}", {.distribution = "ubuntu", .in_container = true}),
                HasSubstr("host"));
    EXPECT_EQ(filled_step("x -g {gpu}; y {gpu}", {.gpu = "0000:03:00.0"}),
              "x -g 0000:03:00.0; y 0000:03:00.0");
}

TEST(Steps, leave_no_place_open) {
    for (auto const& entry :
         std::filesystem::directory_iterator(ROCMTUNE_SOURCE_DIR "/tests/hosts")) {
        if (!entry.is_directory()) continue;
        auto const host = FaultyHost(entry.path().filename()).probed();
        for (auto const& finding : run_checks(host, embedded_chips(), {}))
            for (auto const* place : {"{gpu}", "{install", "{rebuild"})
                EXPECT_THAT(finding.next_step, Not(HasSubstr(place))) << finding.id;
    }
}

}  // namespace
}  // namespace rocmtune::test
