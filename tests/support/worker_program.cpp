// SPDX-License-Identifier: MIT
// Stands in for rocmtune in tests of run_workers(): `worker_program --internal-worker NAME
// [ARG...]` is a worker that misbehaves in the way that NAME says.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/worker.hpp"

using rocmtune::WorkerChannel;
using rocmtune::WorkerStatus;
using Arguments = std::span<std::string const>;

namespace {

void say(int fd, std::string_view bytes) {
    if (::write(fd, bytes.data(), bytes.size()) < 0) ::_exit(9);
}

[[noreturn]] void hang() {
    for (;;) ::pause();
}

/// As if the program had no handlers: a sanitizer's would turn the signal into an exit code.
void die_of(int signal) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void note_pid(std::string const& file) {
    std::ofstream(file + ".new") << ::getpid() << '\n';
    std::rename((file + ".new").c_str(), file.c_str());
}

// ---- what a well-behaved frame (hello, done) is put around -------------------------------------

void clean(WorkerChannel& channel, Arguments arguments) {
    channel.send(R"({"device":{"name":"a"}})");
    for (auto const& argument : arguments) channel.send(R"({"argument":")" + argument + R"("})");
}

void absent(WorkerChannel& channel, Arguments) {
    channel.fail(WorkerStatus::absent, "no \"libamdhip64.so\"\n\xff here");
    channel.fail(WorkerStatus::error, "a second end");
}

void throws(WorkerChannel&, Arguments) {
    throw std::runtime_error("the library said 999");
}

void noisy(WorkerChannel& channel, Arguments) {
    for (int i = 0; i < 1000; ++i) std::printf("line %d\n", i);  // not flushed
    std::fprintf(stderr, "\x1b[31mlast words\n");
    channel.send("{}");
}

void exits(WorkerChannel& channel, Arguments arguments) {
    channel.send(R"({"device":{}})");
    ::_exit(std::stoi(arguments[0]));
}

void dies(WorkerChannel&, Arguments arguments) {
    say(2, "about to die\n");
    die_of(std::stoi(arguments[0]));
}

void hangs(WorkerChannel&, Arguments arguments) {
    if (!arguments.empty()) note_pid(arguments[0]);
    hang();
}

void ignores_sigterm(WorkerChannel& channel, Arguments arguments) {
    std::signal(SIGTERM, SIG_IGN);
    hangs(channel, arguments);
}

void stops_itself(WorkerChannel&, Arguments) {
    std::raise(SIGSTOP);
}

void dies_after_done(WorkerChannel& channel, Arguments arguments) {
    clean(channel, {});
    channel.finish();
    say(3, "what comes after the end\n");
    die_of(std::stoi(arguments[0]));
}

void fails_and_exits(WorkerChannel& channel, Arguments) {
    channel.fail(WorkerStatus::error, "hipInit: 999");
    ::_exit(7);
}

void fails_and_hangs(WorkerChannel& channel, Arguments) {
    channel.fail(WorkerStatus::error, "hipInit: 999");
    hang();
}

void hangs_after_done(WorkerChannel& channel, Arguments arguments) {
    channel.finish();
    hangs(channel, arguments);
}

void endless_output(WorkerChannel&, Arguments) {
    std::string const line(1000, 'x');
    for (;;) say(1, line + "\n"), say(2, line + "\n");
}

void much_output_then_done(WorkerChannel&, Arguments) {
    std::string const line(1000, 'x');
    for (int i = 0; i < 5000; ++i) say(1, line + "\n");
    say(1, "the end\n");
}

void endless_answer(WorkerChannel& channel, Arguments) {
    for (;;) channel.send(R"({"more":")" + std::string(1000, 'x') + R"("})");
}

/// A line now and then, for ever.
void chatters(WorkerChannel& channel, Arguments) {
    for (;;) {
        channel.send(R"({"still":"here"})");
        ::usleep(20'000);
    }
}

void endless_line(WorkerChannel&, Arguments) {
    for (;;) say(3, R"({"more":")" + std::string(1000, 'x'));
}

void long_answer(WorkerChannel& channel, Arguments) {
    for (int i = 0; i < 3000; ++i) channel.send(R"({"more":")" + std::string(1000, 'x') + R"("})");
}

/// A grandchild that outlives us with all our files; with arguments in a group of its own.
void grandchild(WorkerChannel&, Arguments arguments) {
    ::fcntl(3, F_SETFD, 0);
    if (::fork() != 0) return;
    if (arguments.size() > 1) ::setsid();
    note_pid(arguments[0]);
    for (int i = 0; i < 3000; ++i) say(1, "still here\n"), ::usleep(1000);
    ::_exit(0);
}

/// Two forks and a session of its own, as daemon(3) has it; comes back when it is one.
pid_t daemon_noted_in(std::string const& file) {
    int ready[2];
    if (::pipe(ready) != 0) ::_exit(9);
    auto const between = ::fork();
    if (between == 0) {
        ::setsid();
        if (::fork() != 0) ::_exit(0);
        note_pid(file);
        say(ready[1], "x");
        hang();
    }
    ::waitpid(between, nullptr, 0);
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) ::_exit(9);
    pid_t daemon = 0;
    std::ifstream(file) >> daemon;
    return daemon;
}

/// With arguments, what comes after: dies, hangs, or stays until there is a file of this name and
/// then says whether the daemon lives.
void leaves_daemon(WorkerChannel& channel, Arguments arguments) {
    auto const daemon = daemon_noted_in(arguments[0]);
    if (arguments.size() == 1) return;
    if (arguments[1] == "dies") die_of(SIGSEGV);
    if (arguments[1] == "hangs") hang();
    while (!std::ifstream(arguments[1])) ::usleep(1000);
    channel.send(::kill(daemon, 0) == 0 ? R"({"daemon":"lives"})" : R"({"daemon":"gone"})");
}

/// A daemon whose own child is in a session of its own.
void leaves_two_daemons(WorkerChannel&, Arguments arguments) {
    int ready[2];
    if (::pipe(ready) != 0) ::_exit(9);
    if (::fork() == 0) {
        ::setsid();
        daemon_noted_in(arguments[0]);
        note_pid(arguments[1]);
        say(ready[1], "x");
        hang();
    }
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) ::_exit(9);
}

/// A process that is always another one: each starts the next and ends.
void leaves_a_chain(WorkerChannel&, Arguments) {
    if (::fork() != 0) return;
    for (int i = 0; i < 5000; ++i) {
        ::setsid();
        if (::fork() != 0) ::_exit(0);
    }
    ::_exit(0);
}

void closes_answer(WorkerChannel&, Arguments) {
    ::close(3);
    hang();
}

void closes_answer_and_crashes_late(WorkerChannel&, Arguments) {
    ::close(3);
    ::usleep(50'000);
    die_of(SIGSEGV);
}

/// What a worker finds: files, group, signals, environment.
void looks_around(WorkerChannel& channel, Arguments) {
    for (int fd = 0; fd < 1024; ++fd)
        if (::fcntl(fd, F_GETFD) >= 0) channel.send(R"({"fd":)" + std::to_string(fd) + "}");
    struct stat in {};
    struct stat null {};
    ::fstat(0, &in);
    ::stat("/dev/null", &null);
    int death_signal = 0;
    ::prctl(PR_GET_PDEATHSIG, &death_signal);
    sigset_t blocked;
    ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
    auto const send = [&](std::string const& key, bool value) {
        channel.send("{\"" + key + "\":" + (value ? "true" : "false") + "}");
    };
    send("stdin is null", in.st_rdev == null.st_rdev);
    send("own group", ::getpgrp() == ::getpid());
    send("dies with parent", death_signal == SIGKILL);
    send("SIGTERM blocked", ::sigismember(&blocked, SIGTERM) == 1);
    send("LD_LIBRARY_PATH", std::getenv("LD_LIBRARY_PATH") != nullptr);
    send("ROCMTUNE_TEST_MARK", std::getenv("ROCMTUNE_TEST_MARK") != nullptr);
}

// ---- several in one process --------------------------------------------------------------------

void tells_process(WorkerChannel& channel, Arguments) {
    say(1, "I am here\n");
    channel.send(R"({"pid":)" + std::to_string(::getpid()) + "}");
}

void changes_environment(WorkerChannel& channel, Arguments) {
    ::setenv("ROCMTUNE_TEST_MARK", "another", 1);
    tells_process(channel, {});
}

/// What it does as a guest, where it has no arguments.
void hangs_as_guest(WorkerChannel& channel, Arguments arguments) {
    if (arguments.empty()) hang();
    tells_process(channel, arguments);
}

void crashes_as_guest(WorkerChannel& channel, Arguments arguments) {
    if (arguments.empty()) die_of(SIGSEGV);
    tells_process(channel, arguments);
}

void babbles_as_guest(WorkerChannel& channel, Arguments arguments) {
    if (arguments.empty()) say(3, "50 %\r\n");
    tells_process(channel, arguments);
}

void fails_as_guest(WorkerChannel& channel, Arguments arguments) {
    if (arguments.empty()) return channel.fail(WorkerStatus::error, "it was here before");
    tells_process(channel, arguments);
}

void dies_after_done_as_guest(WorkerChannel& channel, Arguments) {
    channel.finish();
    die_of(SIGSEGV);
}

/// Notes its process in the first file when it has loaded, and in the second when it calls.
void loads_then_calls(WorkerChannel& channel, Arguments arguments) {
    if (arguments.size() == 2) note_pid(arguments[0]);
    channel.wait_for_release();
    if (arguments.size() == 2) note_pid(arguments[1]);
    tells_process(channel, {});
}

void is_slow(WorkerChannel& channel, Arguments arguments) {
    ::usleep(static_cast<useconds_t>(std::stoi(arguments[0])) * 1000);
    tells_process(channel, {});
}

std::string never_here() {
    return "it likes to be alone";
}

/// Writes the argument as it is: the frame is part of what is tested.
void raw(Arguments arguments) {
    for (auto const& argument : arguments) say(3, argument);
}

void raw_nul(Arguments) {
    say(3, "{\"hello\":{\"worker\":\"raw_nul\",\"protocol\":1}}\n");
    say(3, std::string_view("{\"a\":1}\0\n", 9));
}

constexpr rocmtune::Worker workers[] = {
    {"clean", clean},
    {"absent", absent},
    {"throws", throws},
    {"noisy", noisy},
    {"exits", exits},
    {"chatters", chatters},
    {"dies", dies},
    {"hangs", hangs},
    {"ignores_sigterm", ignores_sigterm},
    {"stops_itself", stops_itself},
    {"dies_after_done", dies_after_done},
    {"fails_and_exits", fails_and_exits},
    {"fails_and_hangs", fails_and_hangs},
    {"hangs_after_done", hangs_after_done},
    {"endless_output", endless_output},
    {"much_output_then_done", much_output_then_done},
    {"endless_answer", endless_answer},
    {"endless_line", endless_line},
    {"long_answer", long_answer},
    {"grandchild", grandchild},
    {"leaves_daemon", leaves_daemon},
    {"leaves_two_daemons", leaves_two_daemons},
    {"leaves_a_chain", leaves_a_chain},
    {"closes_answer", closes_answer},
    {"closes_answer_and_crashes_late", closes_answer_and_crashes_late},
    {"looks_around", looks_around},
    {"tells_process", tells_process},
    {"tells_process_too", tells_process},
    {"tells_process_more", tells_process},
    {"tells_process_alone", tells_process, never_here},
    {"absent_too", absent},
    {"hangs_too", hangs},
    {"dies_after_done_as_guest", dies_after_done_as_guest},
    {"changes_environment", changes_environment},
    {"hangs_as_guest", hangs_as_guest},
    {"crashes_as_guest", crashes_as_guest},
    {"babbles_as_guest", babbles_as_guest},
    {"fails_as_guest", fails_as_guest},
    {"is_slow", is_slow},
    {"loads_then_calls", loads_then_calls},
    {"loads_then_calls_too", loads_then_calls},
};

rocmtune::Worker const* find(std::string_view name) {
    for (auto const& worker : workers)
        if (worker.name == name) return &worker;
    return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> const words(argv + 1, argv + argc);
    if (words.size() < 2 || words[0] != "--internal-worker") return 2;
    auto const arguments = std::span(words).subspan(2);
    if (words[1] == "raw") raw(arguments);
    if (words[1] == "raw_nul") raw_nul(arguments);
    if (auto const* worker = find(words[1])) rocmtune::be_worker(*worker, arguments, find);
    return 0;
}
