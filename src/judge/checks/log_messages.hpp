// SPDX-License-Identifier: MIT
// What the kernel log says of one GPU: stories that began, and whether they ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "judge/checks/check.hpp"
#include "judge/checks/verdicts.hpp"
#include "knowledge/messages.hpp"

namespace rocmtune {

/// What lies further back is past: the window of AMD's Primus.
inline constexpr double log_window_seconds = 900;

/// A message with its class, and whether a later one ended what it says.
struct LogEvent {
    MessageClass const* kind;
    KernelMessage const* message;
    bool ended = false;

    /// What lies further back is only worth knowing: it was dealt with, or the GPU's state shows
    /// it. A state that does not heal stays.
    bool is_past() const;
    /// How bad it is now.
    Verdict verdict(bool server) const;
};

/// All events, oldest first; messages whose class this program does not know are left out.
std::vector<LogEvent> log_events(Host const& host);

/// The newest message about this GPU that has the class of this name, or null.
KernelMessage const* find_message(Host const& host, std::string const& address,
                                  std::string_view class_name);

/// Gives the worst that the log holds of the classes of this finding, "RT3006", about the subject,
/// a PCI address or "host"; false if it holds nothing.
bool tell_from_log(CheckContext const& context, std::string_view finding,
                   std::string const& subject, Verdicts& verdicts);

/// The message with which KFD refuses this GPU for want of PCIe atomics, or null.
KernelMessage const* rejects_atomics(CheckContext const& context, std::string const& address);

}  // namespace rocmtune
