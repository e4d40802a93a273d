// SPDX-License-Identifier: MIT
// Lines of a kernel log in all the forms in which they are kept.
#include <gtest/gtest.h>

#include "probe/log_story.hpp"

namespace rocmtune::test {
namespace {

constexpr std::string_view message = "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!";

struct Taken {
    bool is_kernel = false;
    std::string text;
    LogLine line;
};

Taken taken(std::string const& text) {
    std::string storage;
    auto const line = take_log_line(text, storage);
    if (!line) return {};
    return {true, std::string(line->text), *line};
}

TEST(LogLine, every_form_has_the_same_text) {
    for (std::string const prefix :
         {"",
          "<6>",
          "<3>[   12.345678] ",
          "[   12.345678] ",
          "[   12.345678][  T123] ",
          "[Mon Nov 23 20:29:05 2026] ",
          "[Mo Nov 23 20:29:05 2026] ",
          "[lun. nov. 23 20:29:05 2026] ",
          "[Nov23 20:29] ",
          "[  +0.000012] ",
          "Nov 23 20:29:05 host kernel: ",
          "nov. 23 20:29:05 host kernel: ",
          "11月 23 20:29:05 host kernel: ",
          "Nov 23 20:29:05 host kernel: [   12.345678] ",
          "2026-11-23T20:29:05,123456+00:00 ",
          "2026-11-23T20:29:05+0000 host kernel: ",
          "2026-11-23T20:29:05.123456+00:00 host kernel: [   12.345678] ",
          "kern  :info  : [   12.345678] ",
          "2026-11-23T20:29:05.12345 kern.err: [   12.345678] ",
          "2026-11-23T20:29:05Z ",
          "host: kern: warning: [2023-08-18T13:36:48.470Z]: ",
          "[   12.345678] host kernel: ",
          "> [   12.345678] ",
          "    [   12.345678] ",
          "│ [   12.345678] ",
          "\x1b[32m[   12.345678] \x1b[0m\x1b[33m"}) {
        EXPECT_EQ(taken(prefix + std::string(message)).text, message) << prefix;
        EXPECT_EQ(taken(prefix + std::string(message) + "\r").text, message) << prefix;
    }
}

TEST(LogLine, stamps_are_read) {
    EXPECT_DOUBLE_EQ(*taken("<6>[   12.345678] a").line.seconds, 12.345678);
    EXPECT_DOUBLE_EQ(*taken("[  +1.500000] a").line.step_seconds, 1.5);
    EXPECT_DOUBLE_EQ(*taken("[Mon Nov 23 20:29:05 2026] a").line.day_seconds, 73745);
    EXPECT_DOUBLE_EQ(*taken("Nov 23 00:01:00 host kernel: a").line.day_seconds, 60);
    EXPECT_FALSE(taken("amdgpu: bare").line.seconds);
}

TEST(LogLine, what_a_program_wrote_is_no_line_of_the_kernel) {
    for (std::string const prefix :
         {"<30>[    1.0] systemd[1]: ", "<12>", "Nov 23 20:29:05 host gnome-shell[77]: ",
          "2026-11-23T20:29:05+0000 host app: ", "[   12.345678] host systemd[1]: ",
          "[   12.345678] systemd[1]: ", "systemd[1]: ", "daemon:info  : [   12.345678] "})
        EXPECT_FALSE(taken(prefix + std::string(message)).is_kernel) << prefix;
}

TEST(LogLine, brackets_of_the_text_are_no_stamp) {
    EXPECT_EQ(taken("[drm] amdgpu kernel modesetting enabled.").text,
              "[drm] amdgpu kernel modesetting enabled.");
    EXPECT_EQ(taken("[CRTC:43] flip_done timed out").text, "[CRTC:43] flip_done timed out");
    EXPECT_EQ(taken("[    1.0] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* x").text,
              "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* x");
}

TEST(LogLine, the_journal_as_json_is_understood) {
    auto const line = taken(
        R"({"_TRANSPORT":"kernel","_SOURCE_MONOTONIC_TIMESTAMP":"12345678","MESSAGE":"amdgpu: hello"})");
    EXPECT_EQ(line.text, "amdgpu: hello");
    EXPECT_DOUBLE_EQ(*line.line.seconds, 12.345678);
    EXPECT_EQ(taken(R"({"_TRANSPORT":"kernel","MESSAGE":[97,98,27]})").text, "ab\x1b");
    EXPECT_FALSE(taken(R"({"_TRANSPORT":"stdout","MESSAGE":"amdgpu: hello"})").is_kernel);
    EXPECT_FALSE(taken(R"({"MESSAGE":)").is_kernel);
    EXPECT_EQ(taken(R"({"MESSAGE":{"a":1}})").text, "");
}

TEST(LogLine, boots_of_a_journal_are_told_apart) {
    EXPECT_TRUE(taken("-- Boot 0123456789abcdef0123456789abcdef --").line.boot);
    EXPECT_TRUE(taken("-- Reboot --").line.boot);
    EXPECT_FALSE(taken("-- Logs begin at Mon --").line.boot);
}

TEST(LogLine, what_is_broken_or_long_is_bounded) {
    EXPECT_EQ(taken("[    1.0] amdgpu" + std::string(1 << 20, 'x')).text.size(),
              max_log_text_bytes);
    std::string nul = "[    1.0] amd";
    nul += '\0';
    nul += "gpu\x1b[";
    EXPECT_EQ(taken(nul).text, "amdgpu");
    EXPECT_EQ(taken("\x1b").text, "");
    EXPECT_EQ(taken("<").text, "<");
    EXPECT_EQ(taken("[").text, "[");
    EXPECT_EQ(taken("12:34:56").is_kernel, false);
}

}  // namespace
}  // namespace rocmtune::test
