// SPDX-License-Identifier: MIT
// The processes reader: KFD's list and the open files of processes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view idle = "/sys/module/amdgpu/refcnt = 0\n";
constexpr std::string_view in_use = "/sys/module/amdgpu/refcnt = 9\n/proc/1/comm = systemd\n";
constexpr std::string_view kfd = "/sys/class/kfd/kfd/proc dir\n";

Host two_gpus() {
    Host host;
    host.gpus.resize(2);
    host.gpus[0].gpu_id.offer(111, {"kfd", "test"});
    host.gpus[0].pci_address.offer("0000:03:00.0", {"pci", "test"});
    host.gpus[1].gpu_id.offer(222, {"kfd", "test"});
    host.gpus[1].pci_address.offer("0000:83:00.0", {"pci", "test"});
    host.pid_namespace.offer(false, {"surroundings", "test"});
    return host;
}

Fact<std::vector<GpuProcess>> processes(std::string const& body, Host host = two_gpus()) {
    read_processes(recorded(body), host);
    return host.gpu_processes;
}

std::string fdinfo(std::string_view client, std::string_view vram,
                   std::string_view address = "0000:03:00.0") {
    return fmt::format(
        "\tpos:\t0\n\tflags:\t02100002\n\tdrm-driver:\tamdgpu\n\tdrm-pdev:\t{}\n"
        "\tdrm-client-id:\t{}\n\tdrm-memory-vram:\t{}\n\tdrm-memory-gtt: \t0 KiB\n",
        address, client, vram);
}

TEST(Processes, an_idle_host_has_none) {
    auto const fact = processes(std::string(idle) + std::string(kfd));
    ASSERT_TRUE(fact);
    EXPECT_TRUE(fact->empty());
    EXPECT_EQ(fact.reason(), Missing::not_read) << "nothing is left open";
}

TEST(Processes, kfd_lists_who_holds_memory) {
    auto const fact = processes(std::string(idle) +
                                "/sys/class/kfd/kfd/proc/4242/vram_111 = 1073741824\n"
                                "/sys/class/kfd/kfd/proc/4242/vram_222 = 0\n"
                                "/sys/class/kfd/kfd/proc/4242/queues/0/gpuid = 111\n"
                                "/proc/4242/comm = python3\n");
    ASSERT_EQ(fact->size(), 1U);
    auto const& process = fact->front();
    EXPECT_EQ(process.pid, 4242U);
    EXPECT_EQ(process.name, "python3");
    EXPECT_EQ(process.through, "kfd");
    EXPECT_EQ(process.gpus, (Strings{"0000:03:00.0"}));
    EXPECT_EQ(process.vram_bytes, 1073741824U);
}

TEST(Processes, a_queue_without_memory_holds_its_gpu) {
    auto const fact = processes(std::string(idle) +
                                "/sys/class/kfd/kfd/proc/7/vram_111 = 0\n"
                                "/sys/class/kfd/kfd/proc/7/queues/0/gpuid = 222\n");
    ASSERT_EQ(fact->size(), 1U);
    EXPECT_EQ(fact->front().gpus, (Strings{"0000:83:00.0"}));
    EXPECT_EQ(fact->front().vram_bytes, 0U);
    EXPECT_FALSE(fact->front().name);
}

TEST(Processes, who_only_opened_kfd_holds_nothing) {
    EXPECT_TRUE(processes(std::string(idle) + "/sys/class/kfd/kfd/proc/7/vram_111 = 0\n")->empty());
}

TEST(Processes, this_process_is_left_out) {
    EXPECT_TRUE(processes(std::string(idle) + "/proc/self -> 7\n/proc/7/comm = rocmtune\n"
                                              "/sys/class/kfd/kfd/proc/7/vram_111 = 4096\n")
                    ->empty());
}

TEST(Processes, unreadable_memory_is_unknown_and_not_zero) {
    auto const fact = processes(std::string(idle) +
                                "/sys/class/kfd/kfd/proc/7/vram_111 = 4096\n"
                                "/sys/class/kfd/kfd/proc/7/vram_222 error EPERM\n"
                                "/sys/class/kfd/kfd/proc/8/vram_111 = 18446744073709551615\n"
                                "/sys/class/kfd/kfd/proc/8/vram_222 = 1\n");
    ASSERT_EQ(fact->size(), 2U);
    EXPECT_FALSE((*fact)[0].vram_bytes);
    EXPECT_EQ((*fact)[0].gpus, (Strings{"0000:03:00.0"}));
    EXPECT_FALSE((*fact)[1].vram_bytes) << "more than 64 bits hold";
}

TEST(Processes, numbers_of_the_host_are_not_taken_for_those_of_a_container) {
    auto host = two_gpus();
    host.pid_namespace = {};
    host.pid_namespace.offer(true, {"surroundings", "test"});
    auto const fact = processes(std::string(idle) +
                                    "/sys/class/kfd/kfd/proc/4242/vram_111 = 1\n"
                                    "/proc/4242/comm = innocent\n",
                                host);
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.reason(), Missing::unsupported);
}

TEST(Processes, a_kernel_without_the_list_leaves_the_question_open) {
    auto const fact = processes(std::string(idle) + "/sys/class/kfd/kfd/dev = 235:0\n");
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.reason(), Missing::unsupported);
    EXPECT_TRUE(processes(std::string(idle))) << "without KFD nothing can hold it that way";
}

TEST(Processes, open_files_tell_graphics_clients) {
    auto const fact =
        processes(std::string(in_use) + std::string(kfd) +
                  "/proc/2811/comm = gnome-shell\n"
                  "/proc/2811/fdinfo/0 =\n\tpos:\t0\n"
                  "/proc/2811/fdinfo/12 =\n" +
                  fdinfo("5", "2048 KiB") + "/proc/2811/fdinfo/13 =\n" + fdinfo("5", "2048 KiB") +
                  "/proc/2811/fdinfo/14 =\n" + fdinfo("6", "1 MiB", "0000:83:00.0"));
    ASSERT_EQ(fact->size(), 1U);
    auto const& process = fact->front();
    EXPECT_EQ(process.through, "drm");
    EXPECT_EQ(process.name, "gnome-shell");
    EXPECT_EQ(process.vram_bytes, 3U << 20) << "a duplicate counts once";
    EXPECT_EQ(process.gpus, (Strings{"0000:03:00.0", "0000:83:00.0"}));
}

TEST(Processes, a_process_of_kfd_is_not_listed_twice) {
    auto const fact = processes(std::string(in_use) +
                                "/sys/class/kfd/kfd/proc/9/vram_111 = 1\n"
                                "/proc/9/fdinfo/3 =\n" +
                                fdinfo("1", "1 KiB"));
    ASSERT_EQ(fact->size(), 1U);
    EXPECT_EQ(fact->front().through, "kfd");
}

TEST(Processes, files_of_others_are_denied_and_not_none) {
    auto const none =
        processes(std::string(in_use) + std::string(kfd) + "/proc/8/fdinfo error EACCES\n");
    EXPECT_FALSE(none);
    EXPECT_EQ(none.reason(), Missing::denied);
    EXPECT_EQ(none.detail(), "open files of 1 process of other users");
    auto const some = processes(std::string(in_use) +
                                "/proc/8/fdinfo error EACCES\n"
                                "/sys/class/kfd/kfd/proc/9/vram_111 = 1\n");
    EXPECT_EQ(some->size(), 1U);
    EXPECT_TRUE(some.limit().starts_with("denied: ")) << "the list may lack somebody";
}

TEST(Processes, hidden_processes_are_denied_and_not_none) {
    auto const fact =
        processes("/sys/module/amdgpu/refcnt = 9\n/proc/500/comm = bash\n" + std::string(kfd));
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.reason(), Missing::denied);
}

TEST(Processes, the_search_is_bounded_and_says_so) {
    auto body = std::string(in_use) + std::string(kfd);
    for (int pid = 2; pid < 1200; ++pid) body += fmt::format("/proc/{}/fdinfo dir\n", pid);
    auto const fact = processes(body);
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.detail(), "open files of the newest 1024 of 1199 processes were looked at");
}

TEST(Processes, nothing_recorded_stays_not_recorded) {
    auto host = two_gpus();
    read_processes(fragment(std::string(kfd)), host);
    EXPECT_EQ(host.gpu_processes.reason(), Missing::not_recorded);
    Host empty;
    read_processes(fragment(""), empty);
    EXPECT_EQ(empty.gpu_processes.reason(), Missing::not_recorded);
}

TEST(Processes, a_host_without_gpu_has_nothing_to_hold) {
    EXPECT_EQ(processes("", Host{}).reason(), Missing::absent);
}

TEST(Processes, fdinfo_of_other_drivers_is_passed_over) {
    EXPECT_FALSE(parse_fdinfo("drm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\n"));
    EXPECT_FALSE(parse_fdinfo("pos:\t0\n"));
    EXPECT_FALSE(parse_fdinfo(""));
    EXPECT_FALSE(parse_fdinfo("drm-driver:\tamdgpu\ndrm-pdev:\tnowhere\n"));
}

TEST(Processes, fdinfo_units_are_checked) {
    auto const vram = [](std::string const& value) {
        auto const client = parse_fdinfo(
            "drm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\ndrm-memory-vram: " + value + "\n");
        return client ? client->vram_bytes : std::nullopt;
    };
    EXPECT_EQ(vram("5 KiB"), 5120U);
    EXPECT_EQ(vram("5 MiB"), 5242880U);
    EXPECT_EQ(vram("5"), 5U);
    for (auto const* odd : {"", "KiB", "5 GB", "-5 KiB", "18446744073709551615 KiB", "5 KiB x"})
        EXPECT_FALSE(vram(odd)) << odd;
}

TEST(Processes, fdinfo_of_old_and_new_kernels_is_understood) {
    auto const old =
        parse_fdinfo("pos:\t0\npdev:\t0000:03:00.0\npasid:\t32770\nvram mem:\t100 kB\n");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->pci_address, "0000:03:00.0");
    EXPECT_EQ(old->client_id, "32770");
    EXPECT_EQ(old->vram_bytes, 102400U);
    auto const resident =
        parse_fdinfo("drm-driver:\tamdgpu\ndrm-pdev:\t0000:C1:00.0\ndrm-resident-vram:\t7 KiB\n");
    ASSERT_TRUE(resident);
    EXPECT_EQ(resident->pci_address, "0000:c1:00.0");
    EXPECT_EQ(resident->vram_bytes, 7168U);
}

}  // namespace
}  // namespace rocmtune::test
