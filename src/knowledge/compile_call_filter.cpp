// SPDX-License-Identifier: MIT
// Build tool: the system calls of a process that only reads files, as a program for the kernel
// (seccomp(2)). compile_call_filter OUT.cpp [for-sanitizers]
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "knowledge/build_tool.hpp"

namespace {

using namespace rocmtune;

/// Whatever their arguments are, they change nothing outside of this process and its children.
/// A name that this architecture does not have is passed over.
constexpr char const* harmless[] = {
    // files that are open or are opened for reading
    "access", "close", "close_range", "dup", "dup2", "dup3", "faccessat", "faccessat2", "fadvise64",
    "fgetxattr", "fstat", "fstatfs", "fsync", "getcwd", "getdents64", "getxattr", "lgetxattr",
    "lseek", "lstat", "newfstatat", "pipe", "pipe2", "poll", "ppoll", "pread64", "preadv",
    "pselect6", "read", "readlink", "readlinkat", "readv", "select", "stat", "statfs", "statx",
    "umask", "write", "writev",
    // memory
    "brk", "madvise", "membarrier", "mincore", "mremap", "munmap",
    // threads and children
    "arch_prctl", "exit", "exit_group", "fork", "futex", "get_robust_list", "getpid", "getpgrp",
    "getppid", "gettid", "rseq", "sched_getaffinity", "sched_yield", "set_robust_list",
    "set_tid_address", "tgkill", "tkill", "vfork", "wait4", "waitid",
    // signals
    "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "signalfd4",
    // clocks, chance, and who and where we are
    "clock_getres", "clock_gettime", "clock_nanosleep", "getegid", "geteuid", "getgid", "getgroups",
    "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "gettimeofday", "getuid",
    "nanosleep", "sysinfo", "time", "times", "uname"};

/// What an open has that changes the file; O_TMPFILE is among it.
constexpr int writing = O_ACCMODE | O_CREAT | O_TRUNC;
constexpr unsigned new_namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr unsigned negative = 1U << 31;  // all processes, or those of another group

struct Narrowed {
    char const* name;
    scmp_arg_cmp argument;
};

scmp_arg_cmp without(unsigned place, std::uint64_t bits) {
    return {place, SCMP_CMP_MASKED_EQ, bits, 0};
}

scmp_arg_cmp is(unsigned place, std::uint64_t value) {
    return {place, SCMP_CMP_EQ, value, 0};
}

/// Calls that are let through with these arguments only.
std::vector<Narrowed> narrowed_calls() {
    std::vector<Narrowed> calls{{"open", without(1, writing)},
                                {"openat", without(2, writing)},
                                {"mmap", without(2, PROT_EXEC)},
                                {"mprotect", without(2, PROT_EXEC)},
                                {"clone", without(0, new_namespaces)},
                                {"kill", without(0, negative)},
                                {"prlimit64", is(0, 0)}};  // this process
    for (auto const command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL})
        calls.push_back({"fcntl", is(1, static_cast<std::uint64_t>(command))});
    // isatty(3) and the width; no TIOCSTI, which types into the terminal.
    for (auto const request : {TCGETS, TIOCGWINSZ})
        calls.push_back({"ioctl", is(1, static_cast<std::uint64_t>(request))});
    for (auto const option : {PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_VMA})
        calls.push_back({"prctl", is(0, static_cast<std::uint64_t>(option))});
    return calls;
}

/// LeakSanitizer looks into its own threads as a debugger does.
constexpr char const* of_sanitizers[] = {"getdents", "prctl", "ptrace"};

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

void check(int result, std::string const& what) {
    if (result < 0) throw std::runtime_error(what + ": libseccomp refuses it");
}

void allow(Filter const& filter, std::string const& name, std::vector<scmp_arg_cmp> const& only) {
    int const number = seccomp_syscall_resolve_name(name.c_str());
    if (number < 0) return;
    check(seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, number,
                                 static_cast<unsigned>(only.size()), only.data()),
          name);
}

/// All else fails as in a kernel that does not have it: the C library then tries another way, such
/// as clone for clone3, whose arguments no filter sees.
Filter make_filter(bool with_openat2, bool for_sanitizers) {
    Filter filter(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), seccomp_release);
    if (!filter) throw std::runtime_error("no filter");
    constexpr std::uint32_t binary_tree = 2;
    check(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, binary_tree), "binary tree");
    check(seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)),
          "other architectures");
    for (auto const* name : harmless) allow(filter, name, {});
    for (auto const& [name, argument] : narrowed_calls()) allow(filter, name, {argument});
    if (with_openat2) allow(filter, "openat2", {});
    if (for_sanitizers)
        for (auto const* name : of_sanitizers) allow(filter, name, {});
    return filter;
}

std::vector<sock_filter> program_of(Filter const& filter) {
    std::unique_ptr<std::FILE, decltype(&std::fclose)> const file(std::tmpfile(), std::fclose);
    if (!file) throw std::runtime_error("no temporary file");
    check(seccomp_export_bpf(filter.get(), ::fileno(file.get())), "program");
    std::rewind(file.get());
    std::vector<sock_filter> program;
    for (sock_filter step{}; std::fread(&step, sizeof step, 1, file.get()) == 1;)
        program.push_back(step);
    return program;
}

std::string table(std::string const& name, std::vector<sock_filter> const& program) {
    auto text = "constexpr sock_filter " + name + "[] = {\n";
    for (auto const& step : program)
        text += "    {" + std::to_string(step.code) + ", " + std::to_string(step.jt) + ", " +
                std::to_string(step.jf) + ", " + std::to_string(step.k) + "},\n";
    return text + "};\n\n";
}

std::string source_file(bool for_sanitizers) {
    return "// Made by compile_call_filter; do not edit.\n"
           "#include <linux/filter.h>\n\n#include \"machine/sandbox.hpp\"\n\nnamespace rocmtune "
           "{\nnamespace {\n\n" +
           table("with_openat2", program_of(make_filter(true, for_sanitizers))) +
           table("without_openat2", program_of(make_filter(false, for_sanitizers))) +
           "}  // namespace\n\n"
           "std::span<sock_filter const> call_filter(bool openat2) {\n"
           "    if (openat2) return with_openat2;\n    return without_openat2;\n}\n\n"
           "}  // namespace rocmtune\n";
}

}  // namespace

int main(int argc, char** argv) {
    return rocmtune::run_build_tool("compile_call_filter", [&] {
        if (argc < 2 || argc > 3 || (argc == 3 && std::string_view(argv[2]) != "for-sanitizers"))
            throw std::runtime_error("usage: compile_call_filter OUT.cpp [for-sanitizers]");
        write_build_output(argv[1], source_file(argc == 3));
    });
}
