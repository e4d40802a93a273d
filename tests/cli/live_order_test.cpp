// SPDX-License-Identifier: MIT
// When a live probe asks the libraries: they are loaded while the host is read, and called when
// they cannot disturb what is still to be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using Lines = std::vector<std::string>;

constexpr char const* slow_file = "/sys/kernel/mm/transparent_hugepage/enabled";

class LiveProbe : public testing::Test {
  protected:
    void SetUp() override {
        if (!can_preload) GTEST_SKIP() << "built with AddressSanitizer, which must be loaded first";
        if (!std::filesystem::exists(slow_file)) GTEST_SKIP() << "there is no " << slow_file;
    }
};

/// What happened in a live probe that takes most of a second, which is the longest an answer may
/// take, to read how huge pages are used; in its order.
Lines told_by(std::string const& fault, Lines const& options = {}) {
    Directory const directory;
    Lines words{"probe", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    auto launch = rocmtune_with(words);
    launch.environment["LD_PRELOAD"] = ROCMTUNE_FAKES_DIR "/preload/libslow_read.so";
    launch.environment["FAKE_SLOW_FILE"] = slow_file;
    launch.environment["FAKE_SLOW_MS"] = "900";
    launch.environment["FAKE_TELL_TALE"] = directory / "told";
    launch.environment["ROCM_PATH"] = ROCMTUNE_FAKES_DIR "/rocm-7";
    launch.environment["FAKE_GPUS"] = "0000:03:00.0 gfx1100 42 21458059264 0 Radeon";
    launch.environment["FAKE_FAULT"] = fault;
    EXPECT_EQ(run(launch).signal, 0);
    std::istringstream told(content_of(directory / "told"));
    Lines lines;
    for (std::string line; std::getline(told, line);) lines.push_back(line);
    return lines;
}

TEST_F(LiveProbe, loads_hip_while_it_reads_and_asks_it_afterwards) {
    EXPECT_THAT(told_by("tell@HIP_load,tell@hipGetDeviceCount"),
                testing::ElementsAre("HIP_load", "read", "hipGetDeviceCount"));
}

TEST_F(LiveProbe, asks_the_other_libraries_afterwards_as_well) {
    EXPECT_THAT(told_by("tell@hsa_init,tell@rsmi_init"),
                testing::ElementsAre("read", testing::_, testing::_));
}

TEST_F(LiveProbe, does_not_even_load_what_it_will_not_ask) {
    EXPECT_THAT(told_by("tell@HIP_load", {"--sources", "sysfs"}), testing::ElementsAre("read"));
}

}  // namespace
}  // namespace rocmtune::test
