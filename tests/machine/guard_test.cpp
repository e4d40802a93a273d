// SPDX-License-Identifier: MIT
// Reading that cannot hang: sources that sleep for ever, crash or take too long.
#include "machine/guard.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/archive.hpp"
#include "machine/host_text.hpp"
#include "machine/replies.hpp"
#include "rocmtune/error.hpp"
#include "support/child.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Strings = std::vector<std::string>;
using Queries = std::vector<Query>;

/// Where nothing is stuck: on a busy machine a query may take its time.
constexpr GuardLimits patient{milliseconds{8000}, milliseconds{10000}};
/// Where something is: each such query costs so much, and no other may take so long.
constexpr GuardLimits quick{milliseconds{250}, milliseconds{20000}};

#if defined(__SANITIZE_ADDRESS__)
constexpr bool under_address_sanitizer = true;
#elif defined(__has_feature)
constexpr bool under_address_sanitizer = __has_feature(address_sanitizer);
#else
constexpr bool under_address_sanitizer = false;
#endif

/// Counts across processes.
class SharedCount {
  public:
    SharedCount()
        : count_(static_cast<std::atomic<int>*>(
              ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        new (count_) std::atomic<int>(0);
    }
    ~SharedCount() { ::munmap(count_, 4096); }
    SharedCount(SharedCount const&) = delete;
    SharedCount& operator=(SharedCount const&) = delete;
    std::atomic<int>& operator*() const { return *count_; }

  private:
    std::atomic<int>* count_;
};

[[noreturn]] void sleep_for_ever() {
    for (;;) ::pause();
}

/// Answers every path with its own name, unless `trouble` does something worse.
class Scripted : public HostSource {
  public:
    explicit Scripted(std::function<void(Query const&)> trouble) : trouble_(std::move(trouble)) {}
    Reply ask(Query const& query) override {
        trouble_(query);
        return success("content of " + std::string(query.path));
    }
    std::optional<std::string> environment() override { return std::string("A=1\0", 4); }
    std::string label() const override { return "scripted"; }

  private:
    std::function<void(Query const&)> trouble_;
};

std::unique_ptr<GuardedSource> guard(Strings const& paths,
                                     std::function<void(Query const&)> trouble,
                                     GuardLimits const& limits = quick) {
    auto const walk = [paths](HostSource& source) {
        for (auto const& path : paths) source.ask({Operation::read, path});
    };
    return std::make_unique<GuardedSource>(std::make_unique<Scripted>(std::move(trouble)), walk,
                                           limits);
}

Reply read(GuardedSource& source, std::string_view path) {
    return source.ask({Operation::read, path});
}

void expect_answered(GuardedSource& source, std::string const& path) {
    EXPECT_EQ(read(source, path).text, "content of " + path);
}

void expect_timeout(GuardedSource& source, std::string const& path) {
    EXPECT_FALSE(read(source, path).ok) << path;
    EXPECT_EQ(read(source, path).reason, Missing::timeout) << path;
}

std::size_t open_files() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

Strings children() {
    Strings pids;
    for (auto const& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream in(task.path() / "children");
        for (std::string pid; in >> pid;) pids.push_back(pid);
    }
    return pids;
}

/// Files and children are the same afterwards.
class Guard : public testing::Test {
  protected:
    void SetUp() override {
        files_ = open_files();
        children_ = children();
    }
    void TearDown() override {
        EXPECT_EQ(open_files(), files_) << "a file was leaked";
        EXPECT_EQ(children(), children_) << "a child was left, or is a zombie";
    }

  private:
    std::size_t files_ = 0;
    Strings children_;
};

auto const no_trouble = [](Query const&) {};

TEST_F(Guard, what_the_child_learnt_is_in_the_parents_hands) {
    auto const source = guard({"/a", "/b", "/a"}, no_trouble, patient);
    expect_answered(*source, "/a");
    expect_answered(*source, "/b");
    EXPECT_EQ(source->log().entries().size(), 2U) << "asked once";
    EXPECT_EQ(source->environment(), std::string("A=1\0", 4));
    EXPECT_EQ(source->label(), "scripted");
}

TEST_F(Guard, the_machine_is_asked_in_the_child_only) {
    auto const parent = ::getpid();
    auto const source = guard(
        {"/a"},
        [parent](Query const&) {
            if (::getpid() == parent) std::abort();
        },
        patient);
    expect_answered(*source, "/a");
    EXPECT_FALSE(read(*source, "/never-asked").ok);
    EXPECT_EQ(read(*source, "/never-asked").reason, Missing::failed);
}

TEST_F(Guard, each_question_reaches_the_machine_once) {
    SharedCount asked;
    auto const source = guard({"/a", "/stuck", "/b", "/a", "/b"}, [&](Query const& query) {
        ++*asked;
        if (query.path == "/stuck") sleep_for_ever();
    });
    expect_answered(*source, "/b");
    EXPECT_EQ(*asked, 3) << "also by the child that went on after the stuck one";
}

TEST_F(Guard, replies_keep_all_they_had) {
    class Failing : public HostSource {
      public:
        Reply ask(Query const& query) override {
            if (query.operation == Operation::list) return failure(EACCES);
            auto reply = success(std::string("\0binary\xff", 8));
            reply.truncated = true;
            return reply;
        }
        std::optional<std::string> environment() override { return {}; }
    };
    GuardedSource source(
        std::make_unique<Failing>(),
        [](HostSource& asked) {
            asked.ask({Operation::read, "/a"});
            asked.ask({Operation::list, "/a"});
            asked.ask({Operation::call, ""});
        },
        patient);
    EXPECT_EQ(read(source, "/a").text, std::string("\0binary\xff", 8));
    EXPECT_TRUE(read(source, "/a").truncated);
    EXPECT_EQ(source.ask({Operation::list, "/a"}).error, EACCES);
    EXPECT_EQ(source.ask({Operation::list, "/a"}).reason, Missing::denied);
    EXPECT_TRUE(source.ask({Operation::call, ""}).ok);
}

TEST_F(Guard, a_reply_of_many_megabytes_comes_through) {
    auto const walk = [](HostSource& source) { source.ask({Operation::read, "/large"}); };
    class Large : public HostSource {
      public:
        Reply ask(Query const&) override {
            return success(std::string(std::size_t{40} << 20, 'x'));
        }
        std::optional<std::string> environment() override { return {}; }
    };
    GuardedSource source(std::make_unique<Large>(), walk, GuardLimits{});
    EXPECT_EQ(read(source, "/large").text.size(), std::size_t{40} << 20);
}

// ---- queries without an answer ------------------------------------------------------------------

TEST_F(Guard, a_query_without_answer_is_a_timeout_and_the_rest_goes_on) {
    auto const start = Clock::now();
    auto const source = guard({"/a", "/stuck", "/b"}, [](Query const& query) {
        if (query.path == "/stuck") sleep_for_ever();
    });
    expect_answered(*source, "/a");
    expect_timeout(*source, "/stuck");
    expect_answered(*source, "/b");
    EXPECT_LT(Clock::now() - start, std::chrono::seconds{20});
}

TEST_F(Guard, what_no_child_came_to_ask_is_recorded_as_that) {
    // The whole time is over before the query's is: no second child is started.
    GuardLimits const limits{.query = std::chrono::seconds{60}, .total = milliseconds{1000}};
    auto const source = guard(
        {"/a", "/slow", "/b"},
        [](Query const& query) {
            if (query.path == "/slow") sleep_for_ever();
        },
        limits);
    expect_answered(*source, "/a");
    expect_timeout(*source, "/b");
    auto const text = write_host_text(source->log(), {}, "x");
    EXPECT_NE(text.find("\nunreached timeout read /b\n"), std::string::npos) << text;
    auto const replayed = text_source(text, "x");
    for (std::string const path : {"/a", "/slow", "/b"}) {
        auto const reply = replayed->ask({Operation::read, path});
        EXPECT_EQ(reply.reason, read(*source, path).reason) << path;
        EXPECT_EQ(reply.error, read(*source, path).error) << path;
    }
}

TEST_F(Guard, a_query_that_the_end_of_the_time_cuts_off_leaves_what_is_known_of_its_path) {
    GuardLimits const limits{.query = std::chrono::seconds{60}, .total = milliseconds{1000}};
    auto const walk = [](HostSource& source) {
        source.ask({Operation::read, "/a"});
        source.ask({Operation::resolve, "/a"});
    };
    GuardedSource source(std::make_unique<Scripted>([](Query const& query) {
                             if (query.operation == Operation::resolve) sleep_for_ever();
                         }),
                         walk, limits);
    auto const replayed = text_source(write_host_text(source.log(), {}, "x"), "x");
    EXPECT_EQ(replayed->ask({Operation::read, "/a"}).text, "content of /a");
    EXPECT_EQ(replayed->ask({Operation::resolve, "/a"}).reason, Missing::timeout);
}

/// A recording in both of its formats.
std::vector<std::unique_ptr<HostSource>> replays_of(GuardedSource const& source) {
    auto const text = write_host_text(source.log(), {}, "x");
    std::vector<std::unique_ptr<HostSource>> replays;
    replays.push_back(text_source(text, "x"));
    replays.push_back(archive_source(host_text_to_archive(text), "x"));
    return replays;
}

TEST_F(Guard, a_query_without_answer_leaves_in_a_recording_what_others_said_of_its_path) {
    Queries const answered{
        {Operation::read, "/file"}, {Operation::list, "/directory"}, {Operation::link, "/other"}};
    Queries const stuck{{Operation::resolve, "/file"},
                        {Operation::status, "/directory"},
                        {Operation::read, "/other"},
                        {Operation::link, "/nothing"}};
    auto const walk = [&](HostSource& source) {
        for (auto const& query : answered) source.ask(query);
        for (auto const& query : stuck) source.ask(query);
    };
    auto const trouble = [&](Query const& query) {
        for (auto const& one : stuck)
            if (one.path == query.path && one.operation == query.operation) sleep_for_ever();
    };
    GuardedSource source(std::make_unique<Scripted>(trouble), walk, quick);
    for (auto const& replay : replays_of(source)) {
        for (auto const& query : answered) EXPECT_TRUE(replay->ask(query).ok) << query.path;
        for (auto const& query : stuck) {
            EXPECT_EQ(source.ask(query).error, ETIMEDOUT) << query.path;
            EXPECT_EQ(replay->ask(query).error, ETIMEDOUT) << query.path;
        }
        EXPECT_EQ(replay->ask({Operation::read, "/nothing"}).reason, Missing::not_recorded);
    }
}

TEST_F(Guard, a_child_that_ignores_signals_is_ended_all_the_same) {
    auto const source = guard({"/stuck", "/b"}, [](Query const& query) {
        for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_IGN);
        if (query.path == "/stuck") sleep_for_ever();
    });
    expect_timeout(*source, "/stuck");
    expect_answered(*source, "/b");
}

TEST_F(Guard, a_stuck_file_says_nothing_of_its_namesakes) {
    auto const source =
        guard({"/proc/12", "/proc/123/fdinfo", "/proc/12/fdinfo"}, [](Query const& query) {
            if (query.path == "/proc/12") sleep_for_ever();
        });
    expect_timeout(*source, "/proc/12");
    expect_answered(*source, "/proc/123/fdinfo");
    expect_timeout(*source, "/proc/12/fdinfo");
}

TEST_F(Guard, a_slow_answer_within_the_limit_counts) {
    auto const source = guard(
        {"/slow", "/b"},
        [](Query const& query) {
            if (query.path == "/slow") std::this_thread::sleep_for(milliseconds{150});
        },
        patient);
    expect_answered(*source, "/slow");
    expect_answered(*source, "/b");
}

constexpr auto gpu = "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0";
constexpr auto sibling = "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.1";
constexpr auto other = "/sys/devices/pci0000:40/0000:40:01.1/0000:43:00.0";

std::string at(char const* device, char const* file) {
    return std::string(device) + '/' + file;
}

TEST_F(Guard, a_wedged_device_costs_one_wait_for_all_its_files) {
    SharedCount waits;
    auto const trouble = [&](Query const& query) {
        if (!query.path.starts_with(at(gpu, ""))) return;
        ++*waits;
        sleep_for_ever();
    };
    auto const source =
        guard({at(other, "vendor"), at(gpu, "vendor"), at(gpu, "hwmon/hwmon3/temp1_input"), gpu,
               at(gpu, "ras/umc_err_count"), at(sibling, "vendor"), at(other, "device")},
              trouble);
    EXPECT_EQ(*waits, 1);
    expect_timeout(*source, at(gpu, "vendor"));
    expect_timeout(*source, at(gpu, "hwmon/hwmon3/temp1_input"));
    expect_timeout(*source, at(gpu, "ras/umc_err_count"));
    expect_timeout(*source, gpu);
    expect_answered(*source, at(other, "vendor"));
    expect_answered(*source, at(other, "device"));
    expect_answered(*source, at(sibling, "vendor"));
}

TEST_F(Guard, a_device_is_known_by_every_path_that_names_it) {
    for (std::string const device :
         {"/sys/bus/pci/devices/0000:03:00.0", "/sys/devices/LNXSYSTM:00/pci8ac7:00/8ac7:00:00.0",
          "/sys/devices/platform/soc/40000000.pcie/pci0000:00/10000:e1:00.0"}) {
        SharedCount waits;
        auto const source =
            guard({device + "/a", device + "/b/c", device + "0/a"}, [&](Query const& query) {
                if (!query.path.starts_with(device + '/')) return;
                ++*waits;
                sleep_for_ever();
            });
        EXPECT_EQ(*waits, 1) << device;
        expect_timeout(*source, device + "/b/c");
        expect_answered(*source, device + "0/a");
    }
}

TEST_F(Guard, two_wedged_devices_cost_two_waits) {
    SharedCount waits;
    auto const source = guard({at(gpu, "a"), at(other, "a"), at(gpu, "b"), at(other, "b"), "/fine"},
                              [&](Query const& query) {
                                  if (query.path == "/fine") return;
                                  ++*waits;
                                  sleep_for_ever();
                              });
    EXPECT_EQ(*waits, 2);
    expect_answered(*source, "/fine");
}

TEST_F(Guard, a_path_longer_than_any_is_survived) {
    std::string const deep = "/" + std::string(10000, 'x');
    auto const source = guard({deep, "/b"}, [&](Query const& query) {
        if (query.path.size() > 4096) sleep_for_ever();
    });
    EXPECT_EQ(read(*source, deep).error, ENAMETOOLONG);
    expect_answered(*source, "/b");
}

TEST_F(Guard, the_total_time_bounds_a_host_on_which_everything_hangs) {
    Strings paths;
    for (int i = 0; i < 1000; ++i) paths.push_back("/file" + std::to_string(i));
    auto const start = Clock::now();
    auto const source =
        guard(paths, [](Query const&) { sleep_for_ever(); }, {milliseconds{40}, milliseconds{400}});
    EXPECT_LT(Clock::now() - start, std::chrono::seconds{20});
    expect_timeout(*source, "/file0");
    expect_timeout(*source, "/file999");
}

TEST_F(Guard, a_walk_that_never_ends_by_itself_is_ended) {
    auto const start = Clock::now();
    GuardedSource source(std::make_unique<Scripted>(no_trouble),
                         [](HostSource& asked) {
                             asked.ask({Operation::read, "/a"});
                             sleep_for_ever();
                         },
                         {milliseconds{40}, milliseconds{300}});
    EXPECT_LT(Clock::now() - start, std::chrono::seconds{20});
    expect_answered(source, "/a");
    expect_timeout(source, "/b");
}

// ---- children that die --------------------------------------------------------------------------

class DyingChild : public Guard,
                   public testing::WithParamInterface<std::pair<char const*, void (*)()>> {};

TEST_P(DyingChild, leaves_what_it_had_learnt) {
    auto const start = Clock::now();
    auto const trouble = [](Query const& query) {
        rlimit const no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        if (query.path == "/deadly") GetParam().second();
    };
    // Under a sanitizer and on a busy machine dying takes longer than an answer may.
    auto const source = guard({"/a", "/b", "/deadly", "/c"}, trouble, patient);
    expect_answered(*source, "/a");
    expect_answered(*source, "/b");
    for (auto const* path : {"/deadly", "/c"}) {
        EXPECT_FALSE(read(*source, path).ok);
        EXPECT_EQ(read(*source, path).reason, Missing::failed);
        EXPECT_NE(read(*source, path).text, "") << "says why";
    }
    EXPECT_LT(Clock::now() - start, std::chrono::seconds{20});
}

/// By its own hand: a sanitizer's handler would take seconds to look at a real fault.
void die_of(int signal) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

INSTANTIATE_TEST_SUITE_P(Guard, DyingChild,
                         testing::Values(std::pair(
                                             "segfault", +[] { die_of(SIGSEGV); }),
                                         std::pair(
                                             "abort", +[] { die_of(SIGABRT); }),
                                         std::pair(
                                             "kill", +[] { ::raise(SIGKILL); }),
                                         std::pair(
                                             "exit_0", +[] { ::_exit(0); }),
                                         std::pair(
                                             "exit_3", +[] { ::_exit(3); }),
                                         std::pair(
                                             "exception",
                                             +[] { throw std::runtime_error("from the source"); })),
                         [](auto const& test) { return std::string(test.param.first); });

TEST_F(Guard, a_child_that_is_killed_by_chance_has_a_successor) {
    Tree tree;
    auto const mark = tree.path() + "/killed-once";
    auto const source = guard(
        {"/a", "/b", "/c"},
        [&](Query const& query) {
            if (query.path != "/b" || std::filesystem::exists(mark)) return;
            std::ofstream(mark) << "x";
            ::raise(SIGKILL);
        },
        patient);
    for (auto const* path : {"/a", "/b", "/c"}) expect_answered(*source, path);
}

TEST_F(Guard, children_that_are_all_killed_are_few) {
    Tree tree;
    auto const marks = tree.path() + "/marks";
    auto const source = guard(
        {"/a", "/b"},
        [&](Query const& query) {
            if (query.path != "/b") return;
            std::ofstream(marks, std::ios::app) << "x";
            ::raise(SIGKILL);
        },
        patient);
    expect_answered(*source, "/a");
    EXPECT_EQ(read(*source, "/b").reason, Missing::failed);
    EXPECT_EQ(std::filesystem::file_size(marks), 4U);
}

TEST_F(Guard, an_exception_of_the_walk_is_met_again_by_whoever_walks) {
    auto const walk = [](HostSource& asked) {
        asked.ask({Operation::read, "/a"});
        throw std::runtime_error("of the walk");
    };
    GuardedSource source(std::make_unique<Scripted>(no_trouble), walk, patient);
    expect_answered(source, "/a");
    EXPECT_THROW(walk(source), std::runtime_error);
}

// ---- what the child holds -----------------------------------------------------------------------

/// Whether the reader of a pipe sees its end within half a second.
bool ends(int fd) {
    pollfd wait{fd, POLLIN, 0};
    return ::poll(&wait, 1, 500) == 1 && (wait.revents & POLLHUP) != 0;
}

struct PlainPipe {
    PlainPipe() {
        int ends[2];
        if (::pipe(ends) != 0) std::abort();
        read_end = FileDescriptor(ends[0]);
        write_end = FileDescriptor(ends[1]);
    }
    FileDescriptor read_end{-1};
    FileDescriptor write_end{-1};
};

/// Runs a guarded reading whose query sleeps, in a process that has the pipe as `target`, is killed
/// in the middle of it and does not take its child along.
void expect_end_while_the_child_lives(int target) {
    PlainPipe pipe;
    SharedCount stuck_child;
    auto const runner = ::fork();
    if (runner == 0) {
        if (pipe.write_end.get() != target) ::dup2(pipe.write_end.release(), target);
        for (int fd = 3; fd < 64; ++fd)
            if (fd != target) ::close(fd);
        auto const source =
            guard({"/stuck"},
                  [&](Query const&) {
                      ::prctl(PR_SET_PDEATHSIG, 0);  // as if the kernel could not deliver it
                      *stuck_child = ::getpid();
                      sleep_for_ever();
                  },
                  {milliseconds{20000}, milliseconds{20000}});
        ::_exit(0);
    }
    pipe.write_end = FileDescriptor();
    for (int i = 0; i < 2000 && *stuck_child == 0; ++i)
        std::this_thread::sleep_for(milliseconds{1});
    ASSERT_NE(*stuck_child, 0);
    ::kill(runner, SIGKILL);
    ::waitpid(runner, nullptr, 0);
    EXPECT_EQ(::kill(*stuck_child, 0), 0) << "the stuck child lives";
    EXPECT_TRUE(ends(pipe.read_end.get())) << "descriptor " << target;
    ::kill(*stuck_child, SIGKILL);
}

TEST_F(Guard, a_consumer_of_our_output_sees_its_end_while_a_stuck_child_lives) {
    expect_end_while_the_child_lives(1);
    expect_end_while_the_child_lives(2);
}

TEST_F(Guard, a_file_that_the_shell_gave_us_is_not_kept_by_the_child_either) {
    expect_end_while_the_child_lives(7);
}

TEST_F(Guard, closed_standard_streams_do_no_harm) {
    Tree tree;
    tree.file("/etc/hosts", "localhost\n");
    auto const result = run_in_child([&] {
        for (int fd = 0; fd < 3; ++fd) ::close(fd);
        GuardedSource source(
            directory_source(tree.path()),
            [](HostSource& asked) {
                asked.ask({Operation::read, "/etc/hosts"});
            },
            GuardLimits{});
        return read(source, "/etc/hosts").text == "localhost\n" ? 0 : 1;
    });
    EXPECT_EQ(result, 0);
}

TEST_F(Guard, the_child_goes_with_its_parent) {
    SharedCount stuck_child;
    auto const runner = ::fork();
    if (runner == 0) {
        auto const source = guard({"/stuck"},
                                  [&](Query const&) {
                                      *stuck_child = ::getpid();
                                      sleep_for_ever();
                                  },
                                  {milliseconds{20000}, milliseconds{20000}});
        ::_exit(0);
    }
    for (int i = 0; i < 2000 && *stuck_child == 0; ++i)
        std::this_thread::sleep_for(milliseconds{1});
    ASSERT_NE(*stuck_child, 0);
    ::kill(runner, SIGKILL);
    ::waitpid(runner, nullptr, 0);
    bool gone = false;
    for (int i = 0; i < 2000 && !gone; ++i) {
        std::ifstream in("/proc/" + std::to_string(*stuck_child) + "/stat");
        std::string const text{std::istreambuf_iterator<char>(in), {}};
        gone = text.empty() || text.find(") Z ") != std::string::npos;  // nobody may reap it here
        std::this_thread::sleep_for(milliseconds{1});
    }
    EXPECT_TRUE(gone);
}

TEST_F(Guard, little_address_space_is_enough) {
    if (under_address_sanitizer) GTEST_SKIP() << "the sanitizer's shadow takes more than that";
    auto const result = run_in_child([&] {
        // What this process has by now, and much less than the arena would like.
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        auto const bytes = pages * 4096 + (std::size_t{64} << 20);
        rlimit const limit{bytes, bytes};
        ::setrlimit(RLIMIT_AS, &limit);
        auto const source = guard({"/a"}, no_trouble, patient);
        return read(*source, "/a").ok ? 0 : 1;
    });
    EXPECT_EQ(result, 0);
}

TEST_F(Guard, no_child_for_want_of_files_is_undetermined_and_no_fault_of_ours) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "UndefinedBehaviorSanitizer opens a pipe to look at an object";
#endif
    auto const result = run_in_child([] {
        rlimit const limit{3, 3};
        if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return cannot_try;
        try {
            (void)guard({"/a"}, [](Query const&) {});
        } catch (Error const& error) {
            bool const says = std::string_view(error.what()).find("EMFILE") != std::string::npos;
            return error.code() == Exit::undetermined && says && !error.hint().empty() ? 0 : 1;
        }
        return 2;
    });
    if (result == cannot_try) GTEST_SKIP() << "limits cannot be set here";
    EXPECT_EQ(result, 0);
}

TEST_F(Guard, many_runs_leave_nothing_behind) {
    for (int i = 0; i < 50; ++i) expect_answered(*guard({"/a"}, no_trouble, patient), "/a");
    for (int i = 0; i < 3; ++i)
        expect_timeout(*guard({"/s"}, [](Query const&) { sleep_for_ever(); },
                              {milliseconds{10}, milliseconds{5000}}),
                       "/s");
}

}  // namespace
}  // namespace rocmtune::test
