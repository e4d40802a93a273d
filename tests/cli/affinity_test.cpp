// SPDX-License-Identifier: MIT
// The CPUs that a process may run on, from the process that asks to the recording of it.
#include <gtest/gtest.h>

#include <sched.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;

/// Binds this thread, and with it the programs that it starts, to its first CPU.
class Bound {
  public:
    Bound() {
        if (::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
        while (cpu_ < CPU_SETSIZE && !CPU_ISSET(cpu_, &before_)) ++cpu_;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu_, &one);
        is_bound_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
    }
    ~Bound() { ::sched_setaffinity(0, sizeof before_, &before_); }
    Bound(Bound const&) = delete;
    Bound& operator=(Bound const&) = delete;

    explicit operator bool() const { return is_bound_; }
    std::string cpu() const { return std::to_string(cpu_); }

  private:
    cpu_set_t before_{};
    std::size_t cpu_ = 0;
    bool is_bound_ = false;
};

json host_of(std::vector<std::string> words) {
    words.insert(words.begin(), {"probe", "--json"});
    return json::parse(run(words).out)["host"];
}

TEST(Affinity, of_a_bound_process_is_read_recorded_and_replayed) {
    Bound const bound;
    if (!bound) GTEST_SKIP() << "this process may not be bound to a CPU";
    Directory const directory;
    auto const file = directory / "bound.host";
    auto const live = host_of({"--sources", "sysfs", "--record", file});
    EXPECT_EQ(live["allowed_cpus"], bound.cpu());
    EXPECT_EQ(live["_sources"]["allowed_cpus"],
              "surroundings: /proc/self/status:Cpus_allowed_list");
    EXPECT_EQ(host_of({"--replay", file})["allowed_cpus"], bound.cpu());
}

TEST(Affinity, that_a_tree_does_not_say_is_missing_with_the_reason) {
    Directory const directory;
    std::filesystem::create_directories(directory / "sys/module/amdgpu");
    auto const host = host_of({"--root", directory.path()});
    EXPECT_TRUE(host["allowed_cpus"].is_null());
    EXPECT_EQ(host["_reasons"]["allowed_cpus"].get<std::string>().substr(0, 12), "not-recorded");
}

}  // namespace
}  // namespace rocmtune::test
