// SPDX-License-Identifier: MIT
// How long the real program waits for one answer of the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::StartsWith;

/// The host of a tree whose /etc/os-release takes longer to read than an answer usually may.
json host_with_a_slow_file(std::vector<std::string> more) {
    Directory const directory;
    std::filesystem::create_directory(directory / "etc");
    write_file(directory / "etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian 12\"\n");
    more.insert(more.begin(), {"probe", "--json", "--root", directory.path()});
    auto launch = rocmtune_with(std::move(more));
    launch.environment["LD_PRELOAD"] = ROCMTUNE_FAKES_DIR "/preload/libslow_read.so";
    launch.environment["FAKE_SLOW_FILE"] = "/etc/os-release";
    launch.environment["FAKE_SLOW_MS"] = "1500";
    return json::parse(run(launch).out).at("host");
}

TEST(Wake, without_it_a_slow_answer_is_a_timeout) {
    if (!can_preload) GTEST_SKIP() << "built with AddressSanitizer, which must be loaded first";
    auto const host = host_with_a_slow_file({});
    EXPECT_TRUE(host.at("distribution").is_null());
    EXPECT_THAT(host.at("_reasons").at("distribution").get<std::string>(), StartsWith("timeout: "));
}

TEST(Wake, waits_for_a_device_that_takes_its_time) {
    if (!can_preload) GTEST_SKIP() << "built with AddressSanitizer, which must be loaded first";
    EXPECT_EQ(host_with_a_slow_file({"--wake"}).at("distribution"), "Debian 12");
}

TEST(Wake, keeps_to_the_time_that_is_given) {
    if (!can_preload) GTEST_SKIP() << "built with AddressSanitizer, which must be loaded first";
    auto const host = host_with_a_slow_file({"--wake", "--timeout", "0.5"});
    EXPECT_TRUE(host.at("distribution").is_null());
}

}  // namespace
}  // namespace rocmtune::test
