// SPDX-License-Identifier: MIT
#include "machine/sandbox.hpp"

#include <cerrno>
#include <cstddef>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "machine/posix_file.hpp"
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace rocmtune {
namespace {

// ---- Landlock: include/uapi/linux/landlock.h of Linux 6.15; the header may be older -------------

/// struct landlock_ruleset_attr. A kernel that knows less of it takes the rest as long as it is 0.
struct RulesetAttributes {
    std::uint64_t handled_access_fs;
    std::uint64_t handled_access_net;  // since version 4
    std::uint64_t scoped;              // since version 6
};

constexpr unsigned create_ruleset_version = 1U << 0;  // LANDLOCK_CREATE_RULESET_VERSION

/// LANDLOCK_ACCESS_FS_: EXECUTE, WRITE_FILE, and REMOVE_DIR to MAKE_SYM, which is all of the first
/// version but READ_FILE and READ_DIR.
constexpr std::uint64_t fs_first = 0x1fff & ~((1U << 2) | (1U << 3));
constexpr std::uint64_t fs_refer = 1U << 13;     // since version 2
constexpr std::uint64_t fs_truncate = 1U << 14;  // since version 3
// IOCTL_DEV (version 5) is left out: of a terminal that is an input we ask whether it is one.
constexpr std::uint64_t net_tcp = (1U << 0) | (1U << 1);  // BIND_TCP, CONNECT_TCP
constexpr std::uint64_t scope_sockets = 1U << 0;          // ABSTRACT_UNIX_SOCKET
constexpr std::uint64_t scope_signals = 1U << 1;

#if __has_include(<linux/landlock.h>)
static_assert(create_ruleset_version == LANDLOCK_CREATE_RULESET_VERSION);
static_assert(fs_first == ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1 - LANDLOCK_ACCESS_FS_READ_FILE -
                           LANDLOCK_ACCESS_FS_READ_DIR));
#endif

/// Everything that the kernel can refuse; no rule gives any of it back.
RulesetAttributes everything_of(long version) {
    return {.handled_access_fs =
                fs_first | (version >= 2 ? fs_refer : 0) | (version >= 3 ? fs_truncate : 0),
            .handled_access_net = version >= 4 ? net_tcp : 0,
            .scoped = version >= 6 ? scope_sockets | scope_signals : 0};
}

// The numbers are those of all architectures.
long create_ruleset(RulesetAttributes const* attributes, std::size_t size, unsigned flags) {
    constexpr long landlock_create_ruleset = 444;
    return ::syscall(landlock_create_ruleset, attributes, size, flags);
}

long restrict_self(int ruleset) {
    constexpr long landlock_restrict_self = 446;
    return ::syscall(landlock_restrict_self, ruleset, 0U);
}

SandboxPart off(int error) {
    auto const* const meaning = error == ENOSYS       ? "the kernel has none"
                                : error == EOPNOTSUPP ? "switched off when the kernel was started"
                                                      : "refused";
    return {false, fmt::format("off: {} ({})", meaning, errno_name(error))};
}

/// Whether signals are kept among processes of which this one is not the first.
bool signals_are_kept = false;

/// 0 or errno.
int enter_domain(RulesetAttributes const& attributes) {
    FileDescriptor const ruleset(
        static_cast<int>(create_ruleset(&attributes, sizeof attributes, 0)));
    return !ruleset || restrict_self(ruleset.get()) != 0 ? errno : 0;
}

SandboxPart enter_landlock() {
    auto const version = create_ruleset(nullptr, 0, create_ruleset_version);
    if (version < 0) return off(errno);
    auto attributes = everything_of(version);
    // A second domain would keep them among fewer.
    if (signals_are_kept) attributes.scoped &= ~scope_signals;
    if (int const error = enter_domain(attributes)) return off(error);
    return {true, fmt::format("on, version {}", version)};
}

// ---- the filter of system calls -----------------------------------------------------------------

#if defined(ROCMTUNE_HAS_CALL_FILTER)
/// Landlock judges what openat2(2) opens; without it the filter has to, which sees no flags of it.
SandboxPart enter_filter(bool has_landlock) {
    auto const steps = call_filter(has_landlock);
    sock_fprog const program{static_cast<unsigned short>(steps.size()),
                             const_cast<sock_filter*>(steps.data())};
    // Without this flag kernels before 5.16 also slow down what the program computes.
    constexpr unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0)
        return off(errno == EINVAL ? ENOSYS : errno);
    return {true, "on"};
}
#else
SandboxPart enter_filter(bool) {
    return {false, "off: this program was built without libseccomp"};
}
#endif

}  // namespace

void keep_signals_among_us() {
    bool const can = create_ruleset(nullptr, 0, create_ruleset_version) >= 6 &&
                     ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (can && enter_domain({0, 0, scope_signals}) == 0) signals_are_kept = true;
}

Sandbox enter_sandbox(OtherProcesses others) {
    // Else a program with more rights could be started, and both parts want it.
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {off(errno), off(errno)};
    Sandbox sandbox;
    sandbox.landlock = others == OtherProcesses::readable
                           ? SandboxPart{false, "off: it hides other processes"}
                           : enter_landlock();
    sandbox.filter = enter_filter(sandbox.landlock.is_on);
    return sandbox;
}

}  // namespace rocmtune
