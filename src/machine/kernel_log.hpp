// SPDX-License-Identifier: MIT
// The log of the running kernel: its ring buffer, and the journal that keeps what that loses.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_source.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {

/// The calls (HostRoot::call) for them.
inline constexpr std::string_view kernel_log_key = "kernel-log";
inline constexpr std::string_view journal_key = "kernel-log.journal";

/// Whether a line can concern a GPU, its bridges or its driver. The rest of the log is nobody's
/// business, least of all in a recording.
bool may_concern_a_gpu(std::string_view line);

/// The ring buffer, freed of other lines but the first: that one shows where the log begins.
Reply ring_buffer_reply();

/// The kernel's lines of this boot in the journal, likewise. Signals that ask this program to end
/// must be held. A user outside the groups of the journal gets EACCES.
Reply journal_reply(std::chrono::milliseconds deadline);

/// Now, by the clock of the kernel log (printk.time): seconds since the machine was started.
double kernel_log_seconds();

/// What the kernel says from now on.
class KernelLogTail {
  public:
    KernelLogTail();
    /// Why nothing can be read; empty if the log is read.
    std::string const& problem() const { return problem_; }
    /// The lines that can concern a GPU, as ring_buffer_reply() has them, since the last time.
    /// Never waits.
    std::vector<std::string> take();

  private:
    FileDescriptor device_;
    std::string problem_ = {};
};

/// Whether the first line is of the boot itself, so that nothing before it was lost.
bool log_begins_at_boot(std::string_view log);

/// The part of the journal that the ring buffer does not have any more.
std::string_view before_the_ring(std::string_view journal, std::string_view ring);

}  // namespace rocmtune
