// SPDX-License-Identifier: MIT
// Flight records and what feeds them: looks at GPUs of which one may not answer, lines of the
// kernel, and diagnose, which reads them.
#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "measure/flight.hpp"
#include "measure/live_gpus.hpp"
#include "rocmtune/error.hpp"
#include "support/run_program.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view first = "0000:03:00.0";
constexpr std::string_view second = "0000:83:00.0";
constexpr std::string_view reset_line =
    "<6>[  700.000000] amdgpu 0000:03:00.0: amdgpu: GPU reset begin!";

void lay_out(Tree& tree, std::string_view address) {
    tree.directory(fmt::format("/sys/bus/pci/drivers/amdgpu/{}", address));
    auto const device = fmt::format("/sys/bus/pci/devices/{}", address);
    tree.file(device + "/power/runtime_status", "active\n")
        .file(device + "/gpu_busy_percent", "97\n")
        .file(device + "/mem_info_vram_used", "4096\n")
        .file(device + "/mem_info_vram_total", "8192\n")
        .file(device + "/pp_dpm_sclk", "0: 500Mhz\n1: 2100Mhz *\n")
        .file(device + "/pp_dpm_mclk", "0: 96Mhz\n1: 1250Mhz *\n")
        .file(device + "/hwmon/hwmon4/power1_average", "250000000\n")
        .file(device + "/hwmon/hwmon4/temp1_input", "60000\n");
}

/// A tree in which files below a path answer after a time.
class SlowTree : public HostSource {
  public:
    SlowTree(std::string const& tree, std::string slow, std::chrono::seconds time)
        : tree_(directory_source(tree)), slow_(std::move(slow)), time_(time) {}
    Reply ask(Query const& query) override {
        if (query.path.find(slow_) != query.path.npos && query.path.ends_with("_percent"))
            std::this_thread::sleep_for(time_);
        return tree_->ask(query);
    }
    std::optional<std::string> environment() override { return tree_->environment(); }

  private:
    std::shared_ptr<HostSource> tree_;
    std::string slow_;
    std::chrono::seconds time_;
};

std::vector<std::string> addresses(WatchSample const& look) {
    std::vector<std::string> all;
    for (auto const& gpu : look.gpus) all.push_back(gpu.pci_address);
    return all;
}

TEST(LiveGpus, are_looked_at_in_a_rhythm) {
    Tree tree;
    lay_out(tree, first);
    lay_out(tree, second);
    tree.file(fmt::format("/sys/bus/pci/devices/{}/power/runtime_status", second), "suspended\n");
    LiveGpus gpus(0.05s, [&] { return tree.root(); });
    auto const one = gpus.next();
    auto const other = gpus.next();
    ASSERT_TRUE(one && other);
    EXPECT_THAT(addresses(*one), ElementsAre(first, second));
    EXPECT_EQ(one->gpus[0].busy, 0.97);
    EXPECT_EQ(one->gpus[0].vram_total_bytes, 8192);
    EXPECT_EQ(one->gpus[0].memory_clock_mhz, 1250);
    EXPECT_EQ(other->gpus[0].temperature_celsius, 60);
    EXPECT_FALSE(one->gpus[1].busy || one->gpus[1].vram_bytes) << "it sleeps";
    EXPECT_GE(other->end_seconds - one->end_seconds, 0.04);
}

TEST(LiveGpus, go_on_without_one_that_does_not_answer) {
    Tree tree;
    lay_out(tree, first);
    lay_out(tree, second);
    auto const path = tree.path();
    LiveGpus gpus(
        0.01s,
        [path] { return HostRoot(std::make_shared<SlowTree>(path, std::string(first), 3600s)); },
        LiveGpus::Seconds(0.5));
    for (int i = 0; i < 3; ++i) {
        auto const look = gpus.next();
        ASSERT_TRUE(look);
        EXPECT_THAT(addresses(*look), ElementsAre(second));
    }
    EXPECT_THAT(gpus.silent(), ElementsAre(first));
}

WatchSample look_at(double seconds) {
    return {.end_seconds = seconds,
            .seconds = 1,
            .gpus = {{.pci_address = std::string(first),
                      .busy = seconds < 650 ? 0.2 : 1,
                      .vram_bytes = seconds * 1e6,
                      .power_watts = 300,
                      .temperature_celsius = seconds / 10,
                      .reasons = {"PPT0"}}}};
}

class Flight : public testing::Test {
  protected:
    std::string text() const {
        std::ifstream file(path_);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    FlightReader read() const {
        FlightReader reader;
        auto const all = text();
        for (auto const line : lines(all)) reader.take(line);
        return reader;
    }

    Tree folder_ = {};
    std::string path_ = folder_.path() + "/flight";
};

TEST_F(Flight, keeps_the_last_ten_minutes_in_a_file_that_does_not_grow) {
    FlightRecord record(path_);
    std::size_t most = 0;
    for (int second = 1; second <= 3000; ++second) {
        record.add(look_at(second), {}, {});
        most = std::max(most, text().size());
    }
    auto const piece = text().size() / lines(text()).size();
    EXPECT_LE(most, 2 * 601 * piece + 80'000);
    auto const reader = read();
    EXPECT_GE(reader.seconds().value_or(0), 600);
    EXPECT_THAT(text(), HasSubstr(" 3000.000000 "));
    EXPECT_THAT(text(), Not(HasSubstr(" 1700.000000 ")));
    struct stat info {};
    ASSERT_EQ(::stat(path_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 077U, 0U);
}

TEST_F(Flight, is_closed_some_time_after_a_fault) {
    FlightRecord record(path_);
    std::vector<std::string> const kernel{std::string(reset_line)};
    for (int second = 600; second < 700; ++second) record.add(look_at(second), {}, {});
    record.add(look_at(700), kernel, "RT8005 reset");
    EXPECT_FALSE(record.is_closed());
    for (int second = 701; second < 800; ++second) record.add(look_at(second), {}, {});
    EXPECT_TRUE(record.is_closed());
    EXPECT_EQ(record.fault(), "RT8005 reset");
    EXPECT_THAT(text(), HasSubstr(std::string(reset_line) + "\nlook "));
    EXPECT_THAT(text(), Not(HasSubstr(" 712.000000 ")));
    auto const reader = read();
    EXPECT_NEAR(reader.seconds().value_or(0), 110, 1);
    auto const& gpu = reader.activity().at(0);
    EXPECT_EQ(gpu.busy_most_percent, 100U);
    EXPECT_EQ(gpu.vram_start_bytes, 600'000'000U);
    EXPECT_EQ(gpu.temperature_most_celsius, 71);
    EXPECT_THAT(gpu.throttle_reasons, ElementsAre("PPT0"));
}

TEST_F(Flight, takes_one_look_a_second_and_every_line_of_the_kernel) {
    FlightRecord record(path_);
    for (int i = 0; i < 100; ++i) record.add(look_at(600 + 0.1 * i), {}, {});
    EXPECT_THAT(lines(text()).size(), testing::AllOf(testing::Ge(9U), testing::Le(13U)));
    std::vector<std::string> const kernel{std::string(reset_line)};
    record.add(look_at(609.95), kernel, {});
    EXPECT_THAT(text(), HasSubstr(reset_line));
}

TEST_F(Flight, is_never_overwritten) {
    std::ofstream(path_) << "something of the user\n";
    EXPECT_THROW(FlightRecord{path_}, Error);
    EXPECT_EQ(text(), "something of the user\n");
    auto const result = run({"probe", "--watch", "0.01", "--count", "1", "--flight", path_});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("is there already"));
}

TEST_F(Flight, says_when_its_file_is_taken_away) {
    FlightRecord record(path_);
    record.add(look_at(1), {}, {});
    ASSERT_EQ(::unlink(path_.c_str()), 0);
    EXPECT_THROW(record.add(look_at(2), {}, {}), Error);
}

TEST_F(Flight, of_this_host_is_written_look_after_look) {
    auto const result = run({"probe", "--watch", "0.01", "--count", "3", "--flight", path_});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(text(), HasSubstr("rocmtune flight 1"));
    EXPECT_GE(lines(text()).size(), 2U);
    auto const printed =
        run({"probe", "--watch", "0.01", "--count", "2", "--flight", path_ + "2", "--json"});
    EXPECT_EQ(lines(printed.out).size(), 2U);
}

TEST_F(Flight, is_read_by_diagnose) {
    {
        FlightRecord record(path_);
        std::vector<std::string> const kernel{std::string(reset_line)};
        for (int second = 600; second < 700; ++second) record.add(look_at(second), {}, {});
        record.add(look_at(700), kernel, "RT8005 reset");
        record.add(look_at(712), {}, {});
    }
    auto const told = run({"diagnose", path_, "--replay", "example:mi300x-x8"});
    EXPECT_THAT(told.out, HasSubstr("GPUs in the 112 s of the record"));
    EXPECT_THAT(told.out, HasSubstr("0000:03:00.0 load at most 100 %, at the end 100 %"));
    EXPECT_THAT(told.out, HasSubstr("held down by PPT0"));
    EXPECT_THAT(told.out, Not(HasSubstr("the command")));
    auto const it = nlohmann::json::parse(
        run({"diagnose", path_, "--replay", "example:mi300x-x8", "--json"}).out)["diagnosis"];
    EXPECT_EQ(it["flight_seconds"], 112);
    EXPECT_EQ(it["gpu_activity"][0]["temperature_most_celsius"], 71.2);
    EXPECT_EQ(it["symptoms"].size(), 1U) << it["symptoms"].dump(2);
    EXPECT_TRUE(it["unknown"].empty());
}

}  // namespace
}  // namespace rocmtune::test
