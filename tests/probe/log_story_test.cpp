// SPDX-License-Identifier: MIT
// What a log tells of GPUs: which line is about which of them, in which order, how long ago.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "knowledge/messages.hpp"
#include "probe/log_story.hpp"

namespace rocmtune::test {
namespace {

constexpr std::string_view classes_text = R"({"$schema": "x", "schema_version": "1.0", "classes": [
  {"id": "RT8001", "name": "driver-initialised", "component": "a", "says": "Up.", "wordings": ["Initialized amdgpu"],
   "sources": [{"file": "a.c", "release": "v6.1"}]},
  {"id": "RT8002", "name": "hang", "component": "a", "says": "Hang.", "finding": "RT3601", "verdict": "fail",
   "ended_by": ["RT8003"], "wordings": ["ring * timeout, signaled"], "sources": [{"file": "a.c", "release": "v6.1"}]},
  {"id": "RT8003", "name": "reset", "component": "a", "says": "Reset.", "wordings": ["GPU reset succeeded"],
   "sources": [{"file": "a.c", "release": "v6.1"}]},
  {"id": "RT8004", "name": "start-failed", "component": "a", "says": "Not up.", "finding": "RT3604", "verdict": "fail",
   "permanent": true, "ended_by": ["RT8001"], "wordings": ["PSP create ring failed", "Fatal error during GPU init"],
   "sources": [{"file": "a.c", "release": "v6.1"}]},
  {"id": "RT8005", "name": "gone", "component": "pci", "says": "Gone.", "finding": "RT3605", "verdict": "fail", "of": "address",
   "wordings": ["Card not present"], "sources": [{"file": "a.c", "release": "v6.1"}]},
  {"id": "RT8006", "name": "gpu-found", "component": "pci", "says": "Found.", "of": "address",
   "wordings": ["[1002:* type 00 class 0x03"], "sources": [{"file": "a.c", "release": "v6.1"}]}
]})";

Host with_gpus(std::vector<std::string> const& addresses) {
    Host host;
    for (auto const& address : addresses) {
        auto& gpu = host.gpus.emplace_back();
        gpu.pci_address.offer(std::string(address), {"pci", "test"});
        gpu.sysfs_path.offer("/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/" + address,
                             {"pci", "test"});
        gpu.pci_device_id.offer("0x744c", {"pci", "test"});
    }
    return host;
}

struct Told {
    std::vector<KernelMessage> messages;
    std::optional<double> start;

    std::string subject_of(std::string const& symptom) const {
        for (auto const& message : messages)
            if (message.symptom == symptom) return message.pci_address.value_or("host");
        return "not told";
    }
};

Told told(std::string_view log, std::vector<std::string> const& gpus = {"0000:03:00.0"},
          std::optional<double> now = {}) {
    static auto const classes = parse_message_classes("m.json", classes_text);
    static MessageMatcher const matcher(classes);
    auto const host = with_gpus(gpus);
    LogStory story(matcher, host);
    for (auto const line : lines(log)) story.add(line);
    return {story.messages(now), story.start_seconds()};
}

TEST(LogStory, of_each_class_the_newest_line_is_kept_with_their_number) {
    auto const found = told(
        "[1.0] amdgpu 0000:03:00.0: ring gfx timeout, signaled seq=1\n"
        "[2.0] usb 1-1: new device\n"
        "[3.0] amdgpu 0000:03:00.0: ring gfx timeout, signaled seq=2\n"
        "[4.0] amdgpu 0000:03:00.0: GPU reset succeeded, trying to resume\n",
        {"0000:03:00.0"}, 10.0);
    ASSERT_EQ(found.messages.size(), 2U);
    EXPECT_EQ(found.messages[0].symptom, "RT8002");
    EXPECT_EQ(found.messages[0].count, 2U);
    EXPECT_EQ(found.messages[0].seconds, 3.0);
    EXPECT_EQ(found.messages[0].age_seconds, 7.0);
    EXPECT_EQ(found.messages[1].symptom, "RT8003");
}

TEST(LogStory, a_line_without_address_belongs_to_the_only_gpu) {
    auto const* const line =
        "[1.0] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=1\n";
    EXPECT_EQ(told(line).subject_of("RT8002"), "0000:03:00.0");
    EXPECT_EQ(told(line, {"0000:03:00.0", "0000:0d:00.0"}).subject_of("RT8002"), "host");
    EXPECT_EQ(told(line, {}).subject_of("RT8002"), "host");
}

TEST(LogStory, a_line_without_address_belongs_to_the_gpu_whose_story_goes_on) {
    std::vector<std::string> const two{"0000:03:00.0", "0000:0d:00.0"};
    EXPECT_EQ(
        told("[1.0] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=1\n"
             "[2.0] amdgpu 0000:0d:00.0: GPU reset succeeded, trying to resume\n",
             two)
            .subject_of("RT8002"),
        "0000:0d:00.0");
    EXPECT_EQ(told("[1.0] amdgpu 0000:0d:00.0: ring gfx timeout, signaled seq=1\n"
                   "[2.0] [drm] amdgpu: GPU reset succeeded, trying to resume\n",
                   two)
                  .subject_of("RT8003"),
              "0000:0d:00.0");
    EXPECT_EQ(told("[1.0] [drm:psp_hw_start [amdgpu]] *ERROR* PSP create ring failed!\n"
                   "[1.1] amdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init\n",
                   two)
                  .subject_of("RT8004"),
              "0000:03:00.0");
    // Long before, or the start of the next one: no sequel.
    EXPECT_EQ(
        told("[1.0] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=1\n"
             "[200.0] amdgpu 0000:0d:00.0: GPU reset succeeded, trying to resume\n",
             two)
            .subject_of("RT8002"),
        "host");
    EXPECT_EQ(told("[1.0] [drm:psp_hw_start [amdgpu]] *ERROR* PSP create ring failed!\n"
                   "[1.1] [drm] Initialized amdgpu 3.57.0 for 0000:0d:00.0 on minor 1\n",
                   two)
                  .subject_of("RT8004"),
              "host");
}

TEST(LogStory, a_port_speaks_for_the_gpus_below_it) {
    EXPECT_EQ(told("[1.0] pcieport 0000:00:01.1: pciehp: Slot(1): Card not present\n")
                  .subject_of("RT8005"),
              "0000:03:00.0");
    EXPECT_EQ(told("[1.0] pcieport 0000:00:1d.0: pciehp: Slot(9): Card not present\n")
                  .subject_of("RT8005"),
              "not told");
}

TEST(LogStory, a_gpu_that_only_the_log_knows_has_its_story_too) {
    auto const found = told(
        "[0.1] pci 0000:00:02.1: PCI bridge to [bus 0a-0c]\n"
        "[0.2] pci 0000:0c:00.0: [1002:744c] type 00 class 0x030000\n"
        "[0.3] pci 0000:0a:00.1: [8086:15f0] type 00 class 0x030000\n"
        "[9.0] pcieport 0000:00:02.1: pciehp: Slot(1): Card not present\n",
        {});
    EXPECT_EQ(found.subject_of("RT8006"), "0000:0c:00.0");
    EXPECT_EQ(found.subject_of("RT8005"), "0000:0c:00.0");
    EXPECT_EQ(told("[1.0] amdgpu 0000:C3:00.0: amdgpu: Fatal error during GPU init\n", {})
                  .subject_of("RT8004"),
              "0000:c3:00.0");
}

TEST(LogStory, lines_of_other_devices_are_not_ours) {
    EXPECT_TRUE(told("[1.0] i915 0000:00:02.0: [drm] *ERROR* ring rcs0 timeout, signaled seq=4\n"
                     "[1.0] [drm:nouveau_x [nouveau]] *ERROR* ring 0 timeout, signaled seq=4\n"
                     "[1.0] pcieport 0000:00:1d.0: pciehp: Slot(9): Card not present\n")
                    .messages.empty());
}

TEST(LogStory, an_earlier_boot_has_ended) {
    for (std::string const boundary : {"-- Boot 0123456789abcdef0123456789abcdef --",
                                       "-- Reboot --", "[    0.000000] Linux version 6.8.0"}) {
        auto const found =
            told("[900.0] amdgpu 0000:03:00.0: ring gfx timeout, signaled seq=1\n" + boundary +
                 "\n[    5.0] [drm] Initialized amdgpu 3.57.0 for 0000:03:00.0 on minor 1\n");
        EXPECT_EQ(found.subject_of("RT8002"), "not told") << boundary;
        EXPECT_EQ(found.start, 0.0);
    }
}

TEST(LogStory, where_the_log_begins_is_known_or_not) {
    EXPECT_EQ(told("[    0.000000] Linux version 6.8\n").start, 0.0);
    EXPECT_EQ(told("Nov 23 20:29:05 host kernel: Linux version 6.8\n").start, 0.0);
    EXPECT_EQ(told("[    0.42] pci 0000:00:01.0: x\n").start, 0.0);
    EXPECT_EQ(told("[ 7200.0] amdgpu: late\n").start, 7200.0);
    EXPECT_FALSE(told("Nov 23 20:29:05 host kernel: late\n").start);
    EXPECT_FALSE(told("").start);
}

TEST(LogStory, age_goes_by_order_where_clocks_jump) {
    auto const age = [](std::string const& log) { return told(log).messages.at(0).age_seconds; };
    auto const* const hang = "amdgpu 0000:03:00.0: ring gfx timeout, signaled seq=1\n";
    // The clock on the wall is set forward by years, and back.
    EXPECT_EQ(age(std::string("[Thu Jan  1 00:00:10 1970] ") + hang +
                  "[Mon Nov 23 20:29:05 2026] usb 1-1: x\n[Mon Nov 23 20:29:15 2026] usb 1-1: x\n"),
              73745 - 10 + 86400 + 10.0);
    EXPECT_EQ(age("[900000.0] a\n[20.0] " + std::string(hang) + "[50.0] b\n"), 30.0);
    EXPECT_EQ(age("[20.0] " + std::string(hang) + "[90000000.0] b\n"), 0.0);
    EXPECT_EQ(age("[20.0] " + std::string(hang) + "[5184020.0] b\n"), 5184000.0);
    // Midnight.
    EXPECT_EQ(age("Nov 23 23:59:50 host kernel: " + std::string(hang) +
                  "Nov 24 00:00:20 host kernel: b\n"),
              30.0);
    EXPECT_EQ(age("[  +0.000001] " + std::string(hang) + "[ +12.5] b\n[  +0.5] c\n"), 13.0);
    EXPECT_FALSE(age(hang));
}

TEST(LogStory, a_log_of_made_up_devices_takes_bounded_memory) {
    std::string log;
    for (int i = 0; i < 20000; ++i)
        log += fmt::format("[1.0] amdgpu {:04x}:03:00.0: ring gfx timeout, signaled seq=1\n", i);
    EXPECT_LE(told(log).messages.size(), 4096U);
}

TEST(LogStory, a_device_is_known_by_its_model_where_only_one_has_it) {
    static constexpr std::string_view skipped =
        R"({"$schema": "x", "schema_version": "1.0", "classes": [
      {"id": "RT8001", "name": "n", "component": "a", "says": "S.", "finding": "RT3305", "verdict": "warn",
       "wordings": ["PCI rejects atomics"], "sources": [{"file": "a.c", "release": "v6.1"}]}]})";
    auto const classes = parse_message_classes("m.json", skipped);
    MessageMatcher const matcher(classes);
    auto const host = with_gpus({"0000:03:00.0"});
    auto two = with_gpus({"0000:03:00.0", "0000:0d:00.0"});
    two.gpus[1].pci_device_id = {};
    two.gpus[1].pci_device_id.offer("0x164e", {"pci", "test"});
    for (auto const* one : {&host, static_cast<Host const*>(&two)}) {
        LogStory story(matcher, *one);
        story.add("[1.0] kfd kfd: amdgpu: skipped device 1002:744c, PCI rejects atomics 730<0");
        ASSERT_EQ(story.messages({}).size(), 1U);
        EXPECT_EQ(story.messages({})[0].pci_address, "0000:03:00.0");
    }
}

}  // namespace
}  // namespace rocmtune::test
