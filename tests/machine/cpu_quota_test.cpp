// SPDX-License-Identifier: MIT
#include "machine/live_calls.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rocmtune {
namespace {

/// A tree of control groups, removed at the end.
class CpuQuota : public testing::Test {
  protected:
    CpuQuota() {
        auto pattern = (std::filesystem::temp_directory_path() / "rocmtune-cgroup-XXXXXX").string();
        root_ = ::mkdtemp(pattern.data());
    }
    ~CpuQuota() override { std::filesystem::remove_all(root_); }

    void file(std::string const& path, std::string const& text) const {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::ofstream(root_ + path) << text << '\n';
    }
    std::string quota() const { return cpu_quota(root_).text; }

    std::string root_ = {};
};

TEST_F(CpuQuota, is_that_of_the_group_that_grants_least) {
    file("/proc/self/cgroup", "0::/user.slice/job.scope");
    file("/sys/fs/cgroup/user.slice/cpu.max", "200000 50000");
    file("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "800000 100000");
    EXPECT_EQ(quota(), "200000 50000");
    file("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "150000 100000");
    EXPECT_EQ(quota(), "150000 100000");
}

TEST_F(CpuQuota, without_a_limit_is_said_so) {
    file("/proc/self/cgroup", "0::/job.scope");
    EXPECT_EQ(quota(), "max") << "no controller";
    file("/sys/fs/cgroup/job.scope/cpu.max", "max 100000");
    EXPECT_EQ(quota(), "max");
}

/// The group's name is that of the host, and what is mounted here begins at the container.
TEST_F(CpuQuota, of_a_container_stands_where_its_groups_begin) {
    file("/sys/fs/cgroup/cpu.max", "1600000 100000");
    for (auto const* group : {"/", "/kubepods.slice/pod1/crio-2", "/../sibling"}) {
        file("/proc/self/cgroup", std::string("0::") + group);
        EXPECT_EQ(quota(), "1600000 100000") << group;
    }
}

TEST_F(CpuQuota, of_the_first_version_is_in_the_hierarchy_of_the_controller_cpu) {
    file("/proc/self/cgroup", "5:cpuset:/x\n4:cpu,cpuacct:/docker/1\n0::/");
    file("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "400000");
    file("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000");
    EXPECT_EQ(quota(), "400000 100000");
    file("/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "-1");
    EXPECT_EQ(quota(), "max");
}

TEST_F(CpuQuota, passes_over_what_it_cannot_read_and_needs_to_know_the_group) {
    EXPECT_EQ(cpu_quota(root_).reason, Missing::absent);
    file("/proc/self/cgroup", "nonsense\n0:\n0::relative\n0::/a");
    file("/sys/fs/cgroup/a/cpu.max", "0 100000");
    file("/sys/fs/cgroup/cpu.max", "99999999999999999999 100000");
    EXPECT_EQ(quota(), "max");
}

}  // namespace
}  // namespace rocmtune
