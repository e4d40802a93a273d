// SPDX-License-Identifier: MIT
// A process that has given up its rights and then tries what a parser gone astray could try. Each
// try is also made with all rights: what fails there as well would prove nothing.
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "machine/path_walk.hpp"
#include "machine/posix_file.hpp"
#include "machine/reading_child.hpp"
#include "machine/sandbox.hpp"
#include "machine/written_file.hpp"
#include "support/child.hpp"
#include "support/lost_call.hpp"
#include "support/tree.hpp"

namespace rocmtune::test {
namespace {

/// LeakSanitizer looks into its threads as a debugger does, and is let.
#if defined(__SANITIZE_ADDRESS__) || defined(ROCMTUNE_SLOWED_BY_TSAN)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

// ---- which parts are on -------------------------------------------------------------------------

constexpr long landlock_create_ruleset = 444;

bool lose_landlock() {
    return lose_call(landlock_create_ruleset, ENOSYS);
}

bool lose_filter() {
    return lose_call(SYS_seccomp, EPERM);
}

enum class Parts : char { none, both, landlock, filter };

bool enter(Parts parts) {
    if (parts == Parts::none) return true;
    if (parts == Parts::landlock && !lose_filter()) return false;
    if (parts == Parts::filter && !lose_landlock()) return false;
    auto const sandbox = enter_sandbox();
    return (parts == Parts::filter || sandbox.landlock.is_on) &&
           (parts == Parts::landlock || sandbox.filter.is_on);
}

// ---- what is tried ------------------------------------------------------------------------------

/// 0 if it was done, else the errno.
int outcome(long result) {
    return result < 0 ? errno : 0;
}

struct Place {
    std::string file;   ///< one that is there
    std::string fresh;  ///< a name in the same directory that is not
};

struct Try {
    char const* name;
    Parts refused_by;  ///< filter: Landlock alone does not
    std::function<int(Place const&)> does;
    bool needed_by_sanitizers = false;
};

int connect_tcp() {
    FileDescriptor const fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) return errno;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // Nobody listens at port 1: refused by the other side is done as far as we are concerned.
    int const error =
        outcome(::connect(fd.get(), reinterpret_cast<sockaddr const*>(&address), sizeof address));
    return error == ECONNREFUSED ? 0 : error;
}

int start_a_program() {
    char const* const words[] = {"/bin/true", nullptr};
    ::execve(words[0], const_cast<char**>(words), nullptr);
    return errno;  // run_in_child() sees 0 of /bin/true else
}

int attach_to_parent() {
    return outcome(::ptrace(PTRACE_SEIZE, ::getppid(), nullptr, nullptr));
}

int write_into_parent() {
    static char byte = 0;
    iovec place{&byte, 1};
    return outcome(::process_vm_writev(::getppid(), &place, 1, &place, 1, 0));
}

int map_code() {
    void* const memory =
        ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
}

int make_memory_code() {
    void* const memory =
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return outcome(::mprotect(memory, 4096, PROT_READ | PROT_EXEC));
}

Try const tries[] = {
    {"open_for_writing", Parts::both,
     [](Place const& at) { return outcome(::open(at.file.c_str(), O_WRONLY)); }},
    {"open_and_cut", Parts::both,
     [](Place const& at) { return outcome(::open(at.file.c_str(), O_RDONLY | O_TRUNC)); }},
    {"open_by_openat2", Parts::both,
     [](Place const& at) { return outcome(openat2_call(AT_FDCWD, at.file.c_str(), O_WRONLY, 0)); }},
    {"create", Parts::both,
     [](Place const& at) { return outcome(::open(at.fresh.c_str(), O_WRONLY | O_CREAT, 0600)); }},
    {"truncate", Parts::both,
     [](Place const& at) { return outcome(::truncate(at.file.c_str(), 0)); }},
    {"unlink", Parts::both, [](Place const& at) { return outcome(::unlink(at.file.c_str())); }},
    {"rename", Parts::both,
     [](Place const& at) { return outcome(::rename(at.file.c_str(), at.fresh.c_str())); }},
    {"link", Parts::both,
     [](Place const& at) { return outcome(::link(at.file.c_str(), at.fresh.c_str())); }},
    {"symlink", Parts::both,
     [](Place const& at) { return outcome(::symlink("/", at.fresh.c_str())); }},
    {"mkdir", Parts::both,
     [](Place const& at) { return outcome(::mkdir(at.fresh.c_str(), 0700)); }},
    {"mkfifo", Parts::both,
     [](Place const& at) { return outcome(::mkfifo(at.fresh.c_str(), 0600)); }},
    {"execve", Parts::both, [](Place const&) { return start_a_program(); }},
    {"connect_tcp", Parts::both, [](Place const&) { return connect_tcp(); }},
    {"ptrace", Parts::both, [](Place const&) { return attach_to_parent(); }, true},
    {"process_vm_writev", Parts::both, [](Place const&) { return write_into_parent(); }},
    {"chmod", Parts::filter,
     [](Place const& at) { return outcome(::chmod(at.file.c_str(), 0777)); }},
    {"utimensat", Parts::filter,
     [](Place const& at) { return outcome(::utimensat(AT_FDCWD, at.file.c_str(), nullptr, 0)); }},
    {"socket_inet", Parts::filter,
     [](Place const&) { return outcome(::socket(AF_INET, SOCK_DGRAM, 0)); }},
    {"socket_unix", Parts::filter,
     [](Place const&) { return outcome(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
    {"memfd_create", Parts::filter,
     [](Place const&) { return outcome(::memfd_create("code", MFD_CLOEXEC)); }},
    {"map_code", Parts::filter, [](Place const&) { return map_code(); }},
    {"make_memory_code", Parts::filter, [](Place const&) { return make_memory_code(); }},
    {"be_seen_by_others", Parts::filter,
     [](Place const&) { return outcome(::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY)); }, true},
    {"signal_a_group", Parts::filter,
     [](Place const&) { return outcome(::kill(-::getpgrp(), 0)); }},
    {"limit_others", Parts::filter,
     [](Place const&) {
         return outcome(::syscall(SYS_prlimit64, ::getppid(), RLIMIT_CORE, nullptr, nullptr));
     }},
};

std::string name_of(Parts parts) {
    return parts == Parts::none     ? "none"
           : parts == Parts::both   ? "both"
           : parts == Parts::filter ? "filter"
                                    : "landlock";
}

/// Places and names of its own, so that what is done with all rights harms nothing.
int made(Try const& one, Parts parts) {
    Tree tree;
    tree.file("/place/file", "text");
    Place const at{tree.path() + "/place/file", tree.path() + "/place/fresh"};
    return run_in_child([&] { return enter(parts) ? one.does(at) : cannot_try; });
}

class Astray : public testing::TestWithParam<std::tuple<Try, Parts>> {};

TEST_P(Astray, is_refused) {
    auto const& [one, parts] = GetParam();
    if (parts == Parts::landlock && one.refused_by == Parts::filter) return;
    if (is_sanitized && one.needed_by_sanitizers) GTEST_SKIP() << "a sanitizer needs it";
    auto const free = made(one, Parts::none);
    if (free != 0) GTEST_SKIP() << "not possible here with all rights: " << errno_text(free);
    auto const result = made(one, parts);
    if (result == cannot_try) GTEST_SKIP() << "no " << name_of(parts) << " here";
    EXPECT_TRUE(result == ENOSYS || result == EACCES || result == EPERM || result == EXDEV)
        << result;
}

INSTANTIATE_TEST_SUITE_P(, Astray,
                         testing::Combine(testing::ValuesIn(tries),
                                          testing::Values(Parts::both, Parts::landlock,
                                                          Parts::filter)),
                         [](auto const& tried) {
                             return std::get<0>(tried.param).name +
                                    ("_with_" + name_of(std::get<1>(tried.param)));
                         });

// ---- what needs more rights than a test has, or would do harm -----------------------------------

/// With all rights these end otherwise, for what they ask is nonsense: the call itself is refused.
struct Refused {
    char const* name;
    long (*call)();
};

constexpr Refused refused[] = {
    {"mount", [] { return long{::mount(nullptr, "", nullptr, 0, nullptr)}; }},
    {"unshare", [] { return long{::unshare(-1)}; }},
    {"setns", [] { return long{::setns(-1, 0)}; }},
    {"io_uring_setup", [] { return ::syscall(SYS_io_uring_setup, 0, nullptr); }},
    {"bpf", [] { return ::syscall(SYS_bpf, -1, nullptr, 0); }},
    {"keyctl", [] { return ::syscall(SYS_keyctl, -1, 0, 0, 0, 0); }},
    {"perf_event_open", [] { return ::syscall(SYS_perf_event_open, nullptr, 0, 0, -1, 0); }},
    {"userfaultfd", [] { return ::syscall(SYS_userfaultfd, -1); }},
    {"clone3", [] { return ::syscall(SYS_clone3, nullptr, 0); }},
    {"chroot", [] { return long{::chroot("/dev/null")}; }},
    {"setuid", [] { return ::syscall(SYS_setresuid, -1, -1, -1); }},
    {"type_into_the_terminal", [] { return long{::ioctl(-1, TIOCSTI, "x")}; }},
    {"clone_with_namespaces",
     [] { return ::syscall(SYS_clone, CLONE_NEWUSER | CLONE_FS | SIGCHLD, 0, 0, 0, 0); }},
};

class NeverCalled : public testing::TestWithParam<Refused> {};

TEST_P(NeverCalled, is_refused_before_the_kernel_looks_at_it) {
    auto const call = GetParam().call;
    auto const free = run_in_child([&] { return outcome(call()); });
    if (free == ENOSYS) GTEST_SKIP() << "this kernel has no such call";
    auto const result =
        run_in_child([&] { return enter(Parts::filter) ? outcome(call()) : cannot_try; });
    if (result == cannot_try) GTEST_SKIP() << "no filter here";
    EXPECT_EQ(result, ENOSYS);
}

INSTANTIATE_TEST_SUITE_P(, NeverCalled, testing::ValuesIn(refused),
                         [](auto const& tried) { return std::string(tried.param.name); });

TEST(Sandbox, sends_no_signal_to_its_parent_where_landlock_scopes_them) {
    auto const result = run_in_child([] {
        auto const sandbox = enter_sandbox();
        constexpr int first_with_scopes = 6;
        auto const version = sandbox.landlock.says.substr(sandbox.landlock.says.rfind(' ') + 1);
        if (!sandbox.landlock.is_on || std::stoi(version) < first_with_scopes) return cannot_try;
        return outcome(::kill(::getppid(), 0));
    });
    if (result == cannot_try) GTEST_SKIP() << "no Landlock of version 6 here";
    EXPECT_EQ(result, EPERM);
}

// ---- what goes on -------------------------------------------------------------------------------

TEST(Sandbox, lets_files_be_read_and_children_of_its_own_read_them) {
    Tree tree;
    tree.file("/file", "text");
    for (auto const parts : {Parts::both, Parts::landlock, Parts::filter}) {
        auto const result = run_in_child([&] {
            if (!enter(parts)) return cannot_try;
            auto const file = tree.path() + "/file";
            auto const [messages, end] = messages_of_child(
                [&](Send const& send) {
                    FileDescriptor const fd(::open(file.c_str(), O_RDONLY));
                    char text[4];
                    if (::read(fd.get(), text, 4) == 4) send({text, 4});
                },
                std::chrono::seconds(20));
            bool const read = messages == std::vector<std::string>{"text"};
            return read && end == ChildEnd::finished ? 0 : 1;
        });
        EXPECT_TRUE(result == 0 || result == cannot_try) << name_of(parts);
    }
}

TEST(Sandbox, lets_the_way_to_an_output_be_walked) {
    Tree tree;
    tree.file("/private/file", "text").link("/way", "private").link("/link", "way/file");
    ASSERT_EQ(::mkfifo((tree.path() + "/pipe").c_str(), 0600), 0);
    auto const is_replaced = [&](std::string const& name) {
        return Destination(tree.path() + name).is_replaced();
    };
    for (auto const parts : {Parts::none, Parts::both, Parts::landlock, Parts::filter}) {
        auto const result = run_in_child([&] {
            if (!enter(parts)) return cannot_try;
            for (std::string const file : {"/private/file", "/way/file", "/link", "/way/new"})
                if (!is_replaced(file)) return 1;
            for (std::string const other : {"/pipe", "/way", "/none/new"})
                if (is_replaced(other)) return 2;
            return Destination("/dev/null").is_replaced() ? 3 : 0;
        });
        EXPECT_TRUE(result == 0 || result == cannot_try) << name_of(parts) << ": " << result;
    }
}

TEST(Sandbox, hides_other_processes_only_if_that_is_wanted) {
    auto const root_of_parent = [] {
        auto const path = "/proc/" + std::to_string(::getppid()) + "/root/";
        return outcome(::open(path.c_str(), O_RDONLY | O_DIRECTORY));
    };
    auto const hidden = run_in_child(
        [&] { return enter_sandbox().landlock.is_on ? root_of_parent() : cannot_try; });
    if (hidden == cannot_try) GTEST_SKIP() << "no Landlock here";
    EXPECT_EQ(hidden, EACCES);
    EXPECT_EQ(run_in_child([&] {
                  (void)enter_sandbox(OtherProcesses::readable);
                  return root_of_parent();
              }),
              0);
}

// ---- kernels and containers that have less ------------------------------------------------------

/// What the sandbox says of a part when this call is refused with this error.
void expect_said(long call, int error, SandboxPart Sandbox::*part, std::string const& said) {
    auto const result = run_in_child([&] {
        if (!lose_call(call, error)) return cannot_try;
        auto const sandbox = enter_sandbox();
        return (sandbox.*part).says == said && !(sandbox.*part).is_on ? 0 : 1;
    });
    EXPECT_TRUE(result == 0 || result == cannot_try) << said;
}

TEST(Sandbox, says_which_part_the_kernel_or_a_container_refuses) {
    expect_said(landlock_create_ruleset, ENOSYS, &Sandbox::landlock,
                "off: the kernel has none (ENOSYS)");
    expect_said(landlock_create_ruleset, EOPNOTSUPP, &Sandbox::landlock,
                "off: switched off when the kernel was started (EOPNOTSUPP)");
    expect_said(landlock_create_ruleset, EPERM, &Sandbox::landlock, "off: refused (EPERM)");
    if (run_in_child([] { return enter_sandbox().filter.is_on ? 0 : cannot_try; }) == cannot_try)
        GTEST_SKIP() << "no filter here";
    expect_said(SYS_seccomp, EPERM, &Sandbox::filter, "off: refused (EPERM)");
    expect_said(SYS_seccomp, EINVAL, &Sandbox::filter, "off: the kernel has none (ENOSYS)");
}

}  // namespace
}  // namespace rocmtune::test
