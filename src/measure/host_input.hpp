// SPDX-License-Identifier: MIT
// Which host a command reads: this one, a directory, a recording or a built-in example.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/data_files.hpp"
#include "measure/gpu_selection.hpp"
#include "measure/on_behalf.hpp"
#include "measure/recording.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

struct HostChoice {
    std::optional<std::string> root = {};    ///< laid out as a chroot would be
    std::optional<std::string> replay = {};  ///< file of a recording, or example:NAME
    DataChoice data = {};                    ///< its patience holds for reading as a whole
    bool sysfs_only = false;                 ///< the kernel is asked, and no library
    bool is_watched = false;                 ///< read again and again: likewise
    bool wake = false;                       ///< GPUs that sleep are asked, too
    std::vector<GpuSelector> gpus = {};      ///< what is judged or shown of it; empty: all
    RecordingChoice recording = {};
    std::optional<Behalf> behalf = {};  ///< whose process it is that is judged; absent: this one

    /// Whether it is the host that this program runs on, and no recorded one.
    bool is_this_host() const { return !replay && root.value_or("/") == "/"; }
    /// Whether that includes its GPUs: a recording has none to try, and neither has a tree of
    /// files.
    /// Neither has another process: what works here need not work there.
    bool is_live() const { return is_this_host() && !sysfs_only && !behalf; }
    std::vector<std::uint64_t> rows_of(Host const& host) const { return selected_rows(host, gpus); }
};

/// How far the kernel log is read: asking the journal takes longer than all else together.
enum class KernelLog : bool { ring, ring_and_journal };

/// What of a host a command needs.
struct HostNeeds {
    KernelLog log = KernelLog::ring;
    /// How long reading may take where the choice does not say; absent: as GuardLimits has it.
    std::optional<std::chrono::milliseconds> usual = {};
    std::vector<std::string_view> left_out = {};  ///< readers that nobody needs
    bool python_needs = false;                    ///< what Python packages ask of others
};

/// Reads the host, and writes the recording that is wanted; `recording` is told what was written.
/// @throws Error for what cannot be opened or written.
Host read_host(HostChoice const& choice, HostNeeds const& needs = {},
               Recording* recording = nullptr);

/// The readers that neither the check nor the class of messages of this id asks anything of; none
/// for an id of another kind. A test holds that a check says the same without them.
std::vector<std::string_view> needless_readers(std::string_view id);

/// All readers but those that tell which GPUs there are, and who uses them.
std::vector<std::string_view> readers_beside_use();

}  // namespace rocmtune
