// SPDX-License-Identifier: MIT
// The surroundings reader: container, WSL, namespaces, limits.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

constexpr std::string_view host_namespaces =
    "/proc/self/ns/pid -> pid:[4026531836]\n"
    "/proc/self/ns/cgroup -> cgroup:[4026531835]\n"
    "/proc/self/ns/user -> user:[4026531837]\n"
    "/proc/self/cgroup = 0::/user.slice/user-1000.slice/session-3.scope\n"
    "/proc/1/cgroup = 0::/init.scope\n";

constexpr std::string_view container_namespaces =
    "/proc/self/ns/pid -> pid:[4026532508]\n"
    "/proc/self/ns/cgroup -> cgroup:[4026532509]\n"
    "/proc/self/ns/user -> user:[4026531837]\n"
    "/proc/self/cgroup = 0::/\n"
    "/proc/1/cgroup = 0::/\n";

Text container(std::string_view body, std::string_view namespaces = container_namespaces) {
    return read(read_surroundings, recorded(std::string(namespaces) + std::string(body))).container;
}

/// Most of the cases: a container of the usual kind with one more sign.
struct Sign {
    char const* body;
    char const* kind;
};

class ContainerSign : public testing::TestWithParam<Sign> {};

TEST_P(ContainerSign, names_the_kind) {
    EXPECT_EQ(container(GetParam().body).value_or("(none)"), GetParam().kind) << GetParam().body;
}

INSTANTIATE_TEST_SUITE_P(
    Surroundings, ContainerSign,
    testing::Values(
        Sign{"/.dockerenv =\n", "docker"}, Sign{"/run/.containerenv =\n", "podman"},
        Sign{"/run/systemd/container = systemd-nspawn\n", "systemd-nspawn"},
        Sign{"/run/systemd/container = lxc\n", "lxc"}, Sign{"env container=lxc\n", "lxc"},
        Sign{"env container=podman\n", "podman"}, Sign{"env container=oci\n", "other"},
        Sign{"env KUBERNETES_SERVICE_HOST=10.96.0.1\n/run/.containerenv =\n", "kubernetes"},
        Sign{"/.singularity.d dir\nenv APPTAINER_CONTAINER=/a.sif\n/.dockerenv =\n", "apptainer"},
        Sign{"env container=what\n", "other"}, Sign{"", "other"}));

TEST(Surroundings, time_of_processors_is_a_quota_or_without_limit) {
    auto const quota = [](std::string const& answer) {
        return read(read_surroundings, recorded("call cgroup.cpu = " + answer + "\n"))
            .cpu_quota_cpus;
    };
    EXPECT_DOUBLE_EQ(*quota("250000 100000"), 2.5);
    EXPECT_EQ(quota("max").reason(), Missing::unsupported);
    for (auto const* odd : {"0 100000", "100000 0", "100000", "max 100000", "-1 100000", "1 2 3"})
        EXPECT_EQ(quota(odd).reason(), Missing::invalid) << odd;
}

TEST(Surroundings, a_plain_host_is_no_container) {
    auto const fact = container("", host_namespaces);
    EXPECT_EQ(*fact, "none");
    EXPECT_EQ(fact.source().where, "/proc/self/ns/pid");
}

TEST(Surroundings, a_host_with_docker_installed_is_no_container) {
    EXPECT_EQ(*container("/var/run/docker.sock =\n/etc/docker/daemon.json = {}\n"
                         "/proc/self/cgroup = 0::/system.slice/docker.service\n",
                         "/proc/self/ns/pid -> pid:[4026531836]\n"
                         "/proc/self/ns/cgroup -> cgroup:[4026531835]\n"
                         "/proc/self/ns/user -> user:[4026531837]\n"),
              "none");
}

TEST(Surroundings, signs_left_over_on_a_host_do_not_make_a_container) {
    // A virtual machine made from a container image; variables set by hand.
    EXPECT_EQ(*container("/.dockerenv =\n", host_namespaces), "none");
    EXPECT_EQ(*container("env KUBERNETES_SERVICE_HOST=10.0.0.1\n", host_namespaces), "none");
    EXPECT_EQ(*container("env container=docker\n", host_namespaces), "none");
}

TEST(Surroundings, a_container_in_the_namespaces_of_the_host_shows_in_its_cgroup) {
    constexpr std::string_view id =
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    auto const fact = container("/.dockerenv =\n",
                                "/proc/self/ns/pid -> pid:[4026531836]\n"
                                "/proc/self/ns/cgroup -> cgroup:[4026531835]\n"
                                "/proc/self/ns/user -> user:[4026531837]\n"
                                "/proc/self/cgroup = 0::/system.slice/docker-" +
                                    std::string(id) + ".scope\n");
    EXPECT_EQ(*fact, "docker");
}

TEST(Surroundings, variables_of_apptainer_without_its_directory_leave_the_question_open) {
    auto const fact = container("env SINGULARITY_CONTAINER=/images/a.sif\n", host_namespaces);
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.reason(), Missing::invalid);
    EXPECT_EQ(*container("env SINGULARITY_CONTAINER=/a\n/.singularity.d dir\n", host_namespaces),
              "singularity");
    EXPECT_EQ(*container("/.singularity.d dir\n", host_namespaces), "apptainer");
}

TEST(Surroundings, a_user_namespace_alone_leaves_the_question_open) {
    auto const fact = container("",
                                "/proc/self/ns/pid -> pid:[4026531836]\n"
                                "/proc/self/ns/cgroup -> cgroup:[4026531835]\n"
                                "/proc/self/ns/user -> user:[4026539999]\n"
                                "/proc/self/cgroup = 0::/\n");
    EXPECT_FALSE(fact);
    EXPECT_EQ(fact.reason(), Missing::invalid);
}

TEST(Surroundings, without_namespace_links_every_place_must_have_been_looked_at) {
    EXPECT_EQ(*container("/proc/self/cgroup = 0::/user.slice\n", ""), "none");
    EXPECT_FALSE(container("", ""));
    EXPECT_EQ(container("", "").reason(), Missing::absent);
    EXPECT_EQ(
        container("/run/systemd/container error EACCES\n/proc/self/cgroup = 0::/\n", "").reason(),
        Missing::denied);
}

TEST(Surroundings, nothing_recorded_is_not_no_container) {
    auto const host =
        read(read_surroundings, fragment("/proc/self/cgroup = 0::/user.slice\n"
                                         "/proc/self/status =\n\tNSpid:\t77\n\tSeccomp:\t0\n"));
    EXPECT_EQ(host.container.reason(), Missing::not_recorded);
    EXPECT_FALSE(host.container);
    EXPECT_EQ(host.pid_namespace.reason(), Missing::not_recorded);
    EXPECT_EQ(host.is_wsl.reason(), Missing::not_read) << "the kernel reader did not run";
    EXPECT_EQ(host.shm_bytes.reason(), Missing::not_recorded);
    EXPECT_EQ(host.memlock_soft_bytes.reason(), Missing::not_recorded);
    EXPECT_EQ(host.rdma_devices.reason(), Missing::not_recorded);
    EXPECT_FALSE(*host.seccomp_filter);
}

TEST(Surroundings, hidden_process_1_does_not_hide_the_answer) {
    EXPECT_EQ(*container("/proc/self/cgroup = 0::/user.slice\n/proc/1 error EPERM\n", ""), "none");
}

TEST(Surroundings, cgroup_paths_name_the_runtime) {
    std::string const id(64, 'a');
    auto const kind = [](std::string const& text) {
        return std::string(container_in_cgroup(text).value_or("-"));
    };
    EXPECT_EQ(kind("12:cpu:/docker/" + id + "\n"), "docker");
    EXPECT_EQ(kind("0::/system.slice/docker-" + id + ".scope\n"), "docker");
    EXPECT_EQ(kind("0::/machine.slice/libpod-" + id + ".scope/container\n"), "podman");
    EXPECT_EQ(kind("0::/kubepods.slice/kubepods-burstable.slice/x\n"), "kubernetes");
    EXPECT_EQ(kind("4:memory:/docker/" + id + "/kubelet/kubepods/pod1\n"), "kubernetes");
    EXPECT_EQ(kind("0::/lxc.payload.box/system.slice\n"), "lxc");
    EXPECT_EQ(kind("3:cpu:/lxc/box\n"), "lxc");
    EXPECT_EQ(kind("1:name=systemd:/\n0::/machine.slice/systemd-nspawn@a.service/payload\n"),
              "systemd-nspawn");
    for (auto const* none :
         {"0::/\n", "0::/system.slice/docker.service\n", "0::/init.scope\n", "", "garbage", "1:2",
          "0::/user.slice/docker-short.scope\n", "0::/lxc.monitor.box\n", "0::/docker/buildx\n"})
        EXPECT_EQ(kind(none), "-") << none;
}

TEST(Surroundings, wsl_is_known_by_its_kernel) {
    auto const wsl = [](std::string const& body) {
        auto const context = recorded(body);
        auto host = read(read_kernel, context);
        read_surroundings(context, host);
        return host.is_wsl;
    };
    EXPECT_TRUE(*wsl("call uname.release = 5.15.167.4-microsoft-standard-WSL2\n"));
    EXPECT_TRUE(*wsl("call uname.release = 4.4.0-19041-Microsoft\n"));
    EXPECT_FALSE(*wsl("call uname.release = 6.5.0-1025-azure\n"));
    EXPECT_TRUE(
        *wsl("call uname.release = 6.6.36-mine\n/run/WSL dir\n"
             "/dev/dxg device c 10:125 mode 0666 owner 0:0\n"));
    // A guest of Hyper-V with a paravirtual GPU.
    EXPECT_EQ(
        wsl("call uname.release = 6.6.36\n/dev/dxg device c 10:125 mode 0666 owner 0:0\n").reason(),
        Missing::invalid);
}

TEST(Surroundings, a_wsl_distribution_made_from_a_docker_image_is_no_docker_container) {
    EXPECT_NE(container("/.dockerenv =\n/run/WSL dir\n").value_or("none"), "docker");
}

TEST(Surroundings, the_pid_namespace_is_known_by_its_number) {
    auto const fact = [](std::string const& body) {
        return read(read_surroundings, recorded(body)).pid_namespace;
    };
    EXPECT_FALSE(*fact("/proc/self/ns/pid -> pid:[4026531836]\n"));
    EXPECT_TRUE(*fact("/proc/self/ns/pid -> pid:[4026532508]\n"));
    EXPECT_TRUE(*fact("/proc/self/status =\n\tNSpid:\t4242\t17\n"));
    // One number is what every process sees in its own /proc.
    EXPECT_FALSE(fact("/proc/self/status =\n\tNSpid:\t17\n"));
    EXPECT_EQ(fact("/proc/self/ns/pid -> what\n").reason(), Missing::invalid);
}

TEST(Surroundings, process_status_is_checked) {
    auto const host = read(read_surroundings, recorded("/proc/self/status =\n"
                                                       "\tName:\trocmtune\n"
                                                       "\tSeccomp:\t2\n"
                                                       "\tSeccomp_filters:\t1\n"
                                                       "\tCpus_allowed_list:\t0-15,32-47\n"));
    EXPECT_TRUE(*host.seccomp_filter);
    EXPECT_EQ(*host.allowed_cpus, "0-15,32-47");
    auto const odd = read(read_surroundings,
                          recorded("/proc/self/status =\n\tSeccomp:\t7\n\tCpus_allowed_list:\t\n"));
    EXPECT_EQ(odd.seccomp_filter.reason(), Missing::invalid);
    EXPECT_EQ(odd.allowed_cpus.reason(), Missing::invalid);
    auto const empty = read(read_surroundings, recorded("/proc/self/status = Name: x\n"));
    EXPECT_EQ(empty.seccomp_filter.reason(), Missing::absent);
}

TEST(Surroundings, limits_are_numbers_or_unlimited) {
    auto const host = read(read_surroundings, recorded("call limit.memlock = 8388608 unlimited\n"
                                                       "call limit.nofile = 1024 1048576\n"));
    EXPECT_EQ(*host.memlock_soft_bytes, 8388608U);
    EXPECT_FALSE(host.memlock_hard_bytes);
    EXPECT_EQ(host.memlock_hard_bytes.reason(), Missing::unsupported);
    EXPECT_EQ(host.memlock_hard_bytes.detail(), "unlimited");
    EXPECT_EQ(*host.open_files_soft, 1024U);
    EXPECT_EQ(*host.open_files_hard, 1048576U);
    auto const odd = read(read_surroundings, recorded("call limit.nofile = 1\n"));
    EXPECT_EQ(odd.open_files_soft.reason(), Missing::invalid);
}

TEST(Surroundings, shared_memory_of_no_size_is_unlimited_not_zero) {
    auto const shm = [](std::string const& body) {
        return read(read_surroundings, recorded(body)).shm_bytes;
    };
    EXPECT_EQ(*shm("call filesystem./dev/shm = 67108864\n"), 67108864U);
    EXPECT_EQ(shm("call filesystem./dev/shm = 0\n").reason(), Missing::unsupported);
    EXPECT_EQ(shm("call filesystem./dev/shm error ENOENT\n").reason(), Missing::absent);
    EXPECT_EQ(shm("call filesystem./dev/shm = big\n").reason(), Missing::invalid);
}

TEST(Surroundings, the_home_directory_has_a_kind_of_file_system) {
    auto const kind = [](std::string const& body) {
        return read(read_surroundings, recorded(body)).home_filesystem;
    };
    EXPECT_EQ(*kind("call home.filesystem = 0x6969\n"), "nfs");
    EXPECT_EQ(*kind("call home.filesystem = 0xef53\n"), "ext");
    EXPECT_EQ(*kind("call home.filesystem = 0x1badface\n"), "0x1badface");
    EXPECT_EQ(kind("call home.filesystem = nfs\n").reason(), Missing::invalid);
    EXPECT_EQ(kind("call home.filesystem error ENOENT\n").reason(), Missing::absent);
}

TEST(Surroundings, rdma_devices_are_listed) {
    auto const host =
        read(read_surroundings, recorded("/sys/class/infiniband/mlx5_0/node_type = 1: CA\n"));
    EXPECT_EQ(*host.rdma_devices, (std::vector<std::string>{"mlx5_0"}));
    EXPECT_EQ(read(read_surroundings, recorded("")).rdma_devices.reason(), Missing::absent);
}

TEST(Surroundings, selinux_is_enforcing_permissive_or_not_there) {
    auto const with = [](std::string_view text) {
        return read(read_surroundings, recorded(fmt::format("/sys/fs/selinux/enforce = {}", text)));
    };
    EXPECT_TRUE(*with("1").selinux_enforcing);
    EXPECT_FALSE(*with("0").selinux_enforcing);
    EXPECT_EQ(with("maybe").selinux_enforcing.reason(), Missing::invalid);
    EXPECT_EQ(read(read_surroundings, recorded("")).selinux_enforcing.reason(), Missing::absent);
}

TEST(Surroundings, idle_states_are_those_that_are_not_disabled) {
    std::string const states = "/sys/devices/system/cpu/cpu0/cpuidle/state";
    auto const host =
        read(read_surroundings, recorded(states + "0/name = POLL\n" + states + "0/disable = 0\n" +
                                         states + "1/name = C1\n" + states + "1/disable = 0\n" +
                                         states + "2/name = C2\n" + states + "2/disable = 1"));
    EXPECT_EQ(*host.cpu_idle_states, (std::vector<std::string>{"POLL", "C1"}));
}

}  // namespace
}  // namespace rocmtune::test
