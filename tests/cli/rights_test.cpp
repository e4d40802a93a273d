// SPDX-License-Identifier: MIT
// Which commands have given up their rights while they read what others wrote, by what the kernel
// says of them in the middle of it: each waits for an input or output that is a pipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "machine/posix_file.hpp"
#include "support/child.hpp"
#include "support/lost_call.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using testing::HasSubstr;

std::string const example = "example:mi300x-x8";

class Rights : public testing::Test {
  protected:
    void SetUp() override { ASSERT_EQ(::mkfifo(pipe().c_str(), 0600), 0); }

    std::string pipe() const { return directory_ / "pipe"; }
    std::string report() const {
        auto const file = directory_ / "report.json";
        EXPECT_EQ(run({"probe", "--replay", example, "--json", "-o", file}).code, 0);
        return file;
    }

    /// The lines NoNewPrivs and Seccomp of the program while it waits at the pipe.
    std::string rights_of(std::vector<std::string> words) const {
        Running const running(rocmtune_with(std::move(words)));
        auto const process = "/proc/" + std::to_string(running.pid());
        for (int i = 0; i < 2000 && !waits_in_open(process); ++i) ::usleep(10'000);
        std::string lines;
        std::istringstream status(content_of(process + "/status"));
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("NoNewPrivs:") || line.starts_with("Seccomp:")) lines += line;
        return lines;
    }

    /// One of its threads is at the pipe, as the kernel says.
    static bool waits_in_open(std::string const& process) {
        std::error_code ignored;
        for (auto const& thread : std::filesystem::directory_iterator(process + "/task", ignored)) {
            auto const place = content_of(thread.path() / "wchan");
            if (place.find("fifo") != place.npos || place.find("wait_for_partner") != place.npos)
                return true;
        }
        return false;
    }

    Directory const directory_;
};

bool has_filter() {
    return run({"--version", "-v"}).out.find("(seccomp): on") != std::string::npos;
}

constexpr auto without_rights = "NoNewPrivs:\t1Seccomp:\t2";
constexpr auto with_all_rights = "NoNewPrivs:\t0Seccomp:\t0";

TEST_F(Rights, are_gone_in_commands_that_only_read) {
    if (!has_filter()) GTEST_SKIP() << "no filter of system calls here";
    auto const known = report();
    for (std::vector<std::string> const& words : {
             std::vector<std::string>{"compare", known, pipe()},
             {"fleet", known, pipe()},
             {"report", known, pipe()},
             {"plan", "--model", pipe(), "--memory", "80GB"},
             {"plan", "--model", pipe(), "--sources", "sysfs"},
             {"plan", "--model", pipe(), "--replay", example},
             {"lint", directory_.path(), "--baseline", pipe()},
             {"lint", "--replay", example, "--baseline", pipe()},
             {"probe", "--replay", pipe()},
             {"--replay", pipe()},
             {"env", "--replay", pipe()},
             {"env", "--replay", example, "--verified", pipe()},
             {"explain", "HSA_XNACK", "--replay", pipe()},
             {"check", "--replay", example, "--baseline", pipe()},
             {"check", "--root", directory_.path(), "--baseline", pipe()},
             {"report", "--replay", pipe()},
         })
        EXPECT_EQ(rights_of(words), without_rights) << testing::PrintToString(words);
}

TEST_F(Rights, stay_in_commands_that_ask_this_host_measure_or_start_programs) {
    for (std::vector<std::string> const& words : {
             std::vector<std::string>{"check", "--baseline", pipe()},
             {"check", "--root", "/", "--baseline", pipe()},
             {"explain", "HSA_XNACK", "--verified", pipe()},
             {"probe", "--sources", "sysfs", "--record", pipe()},
             {"lint", "--baseline", pipe()},
             {"bench", "vpoc", "--backend", "cpu", "--ticks", pipe()},
             {"verify", "--env-file", pipe(), "--backend", "cpu"},
             {"run", "--verified", pipe(), "--", "true"},
         })
        EXPECT_EQ(rights_of(words), with_all_rights) << testing::PrintToString(words);
}

TEST_F(Rights, stay_where_they_are_wanted_for_a_debugger) {
    auto launch = rocmtune_with({"--version", "-v"});
    launch.environment["ROCMTUNE_SANDBOX"] = "off";
    EXPECT_THAT(run(launch).out, HasSubstr("off: ROCMTUNE_SANDBOX is set to it"));
}

TEST(Version, says_which_rights_are_given_up_only_if_asked) {
    EXPECT_EQ(std::ranges::count(run({"--version"}).out, '\n'), 1);
    auto const all = run({"--version", "-v"}).out;
    EXPECT_THAT(all, HasSubstr("\n  Landlock: o"));
    EXPECT_THAT(all, HasSubstr("\n  filter of system calls (seccomp): o"));
}

// ---- kernels and containers that grant less -----------------------------------------------------

struct Refusal {
    long call;
    std::optional<int> argument;
    std::string said;
};

/// The same commands in a process for which the kernel has less than here.
TEST_F(Rights, that_cannot_be_given_up_change_nothing_but_what_version_says) {
    constexpr long landlock_create_ruleset = 444;
    auto const known = report();
    auto const root = directory_ / "root";
    std::filesystem::create_directories(root + "/etc");
    std::vector<std::vector<std::string>> const commands{
        {"compare", known, known, "--json"},
        {"fleet", known, "--json"},
        {"check", "--replay", example, "--json"},
        {"probe", "--root", root, "--json"},
        {"lint", ROCMTUNE_SOURCE_DIR "/scripts", "--json"}};
    std::vector<Outcome> usual;
    for (auto const& words : commands) usual.push_back(run(words));
    for (auto const& [call, argument, said] :
         {Refusal{landlock_create_ruleset, {}, "Landlock: off: refused (EPERM)\n"},
          Refusal{SYS_seccomp, {}, "(seccomp): off: "},
          Refusal{SYS_prctl, PR_SET_NO_NEW_PRIVS, "Landlock: off: refused (EPERM)\n"}}) {
        auto const result = run_in_child([&] {
            if (!lose_call(call, EPERM, argument)) return cannot_try;
            if (run({"--version", "-v"}).out.find(said) == std::string::npos) return 1;
            for (std::size_t i = 0; i < commands.size(); ++i)
                if (auto const now = run(commands[i]);
                    now.out != usual[i].out || now.err != usual[i].err || now.code != usual[i].code)
                    return 2;
            return 0;
        });
        if (result == cannot_try) GTEST_SKIP() << "no filters here";
        EXPECT_EQ(result, 0) << said;
    }
}

// ---- outputs, which another process writes ------------------------------------------------------

TEST_F(Rights, suffice_for_every_output) {
    std::vector<std::string> const words{"probe",    "--replay",
                                         example,    "--json",
                                         "-o",       directory_ / "a.json",
                                         "--also",   "text:" + (directory_ / "a.txt"),
                                         "--record", directory_ / "a.host"};
    auto const outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(content_of(directory_ / "a.json"), HasSubstr("\"exit_code\": 0"));
    EXPECT_THAT(content_of(directory_ / "a.txt"), HasSubstr("8 AMD GPUs"));
    EXPECT_NE(content_of(directory_ / "a.host"), "");
    EXPECT_EQ(directory_.names().size(), 4U);
}

TEST_F(Rights, suffice_for_the_document_of_an_error) {
    auto const file = directory_ / "error.json";
    auto const outcome =
        run({"compare", directory_ / "no", directory_ / "no", "--json", "-o", file});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(content_of(file), HasSubstr("\"exit_code\": 2"));
    EXPECT_EQ(outcome.out, "");
}

TEST_F(Rights, give_errors_of_writing_as_they_are) {
    auto const outcome = run({"probe", "--replay", example, "-o", directory_ / "no/file"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "rocmtune: cannot write " + (directory_ / "no/file") +
                  ": no such file or directory (ENOENT)\n  the directory must exist\n");
}

/// The process that writes for a program; empty if the kernel lists no children.
std::string writer_of(Running const& running) {
    auto const pid = std::to_string(running.pid());
    auto const children = "/proc/" + pid + "/task/" + pid + "/children";
    for (int i = 0; i < 2000 && content_of(children).empty(); ++i) ::usleep(10'000);
    return content_of(children);
}

TEST_F(Rights, let_a_writer_go_on_that_somebody_has_stopped) {
    Running running(rocmtune_with({"probe", "--replay", example, "-o", pipe()}));
    auto const writer = writer_of(running);
    if (writer.empty()) GTEST_SKIP() << "this kernel lists no children";
    ASSERT_EQ(::kill(std::stoi(writer), SIGSTOP), 0);
    FileDescriptor const reader(::open(pipe().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    pollfd written{reader.get(), POLLIN, 0};
    constexpr int patience = 60'000;  // milliseconds; only a fault waits for so long
    ASSERT_EQ(::poll(&written, 1, patience), 1);
    ::fcntl(reader.get(), F_SETFL, 0);  // what follows is waited for
    EXPECT_THAT(read_all(reader.get(), 1 << 20).text, HasSubstr("8 AMD GPUs"));
    EXPECT_EQ(running.finish().code, 0);
}

/// Whether a process ends within the time that only a fault takes. Where nobody takes the status of
/// orphans a dead one stays.
bool ends(std::string const& process) {
    auto const is_there = [status = "/proc/" + std::to_string(std::stoi(process)) + "/status"] {
        auto const text = content_of(status);
        return !text.empty() && text.find("State:\tZ") == text.npos;
    };
    for (int i = 0; i < 2000 && is_there(); ++i) ::usleep(10'000);
    return !is_there();
}

TEST_F(Rights, let_a_signal_end_the_wait_for_a_reader_and_leave_no_process) {
    Running running(rocmtune_with({"probe", "--replay", example, "-o", pipe()}));
    auto const writer = writer_of(running);
    if (writer.empty()) GTEST_SKIP() << "this kernel lists no children";
    ::usleep(300'000);
    running.send(SIGTERM);
    EXPECT_EQ(running.finish().signal, SIGTERM);
    EXPECT_TRUE(ends(writer));
}

TEST_F(Rights, leave_no_writer_that_somebody_has_stopped) {
    // Nobody writes into the pipe, so that the program waits to read.
    Running running(rocmtune_with({"fleet", pipe(), "-o", directory_ / "file"}));
    auto const writer = writer_of(running);
    if (writer.empty()) GTEST_SKIP() << "this kernel lists no children";
    // The program has come to the pipe, so its writer is past its first instructions.
    FileDescriptor end;
    for (int i = 0; i < 2000 && !end; ++i) {
        end = FileDescriptor(::open(pipe().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        if (!end) ::usleep(10'000);
    }
    ASSERT_TRUE(end);
    ASSERT_EQ(::kill(std::stoi(writer), SIGSTOP), 0);
    running.send(SIGKILL);
    EXPECT_EQ(running.finish().signal, SIGKILL);
    EXPECT_TRUE(ends(writer));
}

}  // namespace
}  // namespace rocmtune::test
