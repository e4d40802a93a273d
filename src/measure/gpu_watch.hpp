// SPDX-License-Identifier: MIT
// What the GPUs do while a command runs, as sysfs and the open files of its processes tell. No
// library is asked, no GPU is woken, and a process of its own looks, so that a driver that does not
// answer stops nobody else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "machine/host_root.hpp"
#include "measure/looking_process.hpp"
#include "rocmtune/diagnosis.hpp"

namespace rocmtune {

/// One look at one GPU.
struct GpuLook {
    std::string pci_address = {};
    std::optional<std::uint64_t> busy_percent = {};
    std::optional<std::uint64_t> vram_bytes = {};  ///< in use, by whomever
    std::uint64_t work = 0;  ///< a figure that grows while the command's processes compute
    bool held = false;       ///< one of its processes has the GPU open or holds memory there

    bool operator==(GpuLook const&) const = default;
};

/// KFD's number of each GPU, with its place on the bus. They stay while the driver is loaded.
using KfdIds = std::map<std::uint64_t, std::string>;
KfdIds kfd_ids(HostRoot const& root);

/// Where sysfs has the GPU at a place on the bus.
inline std::string pci_device(std::string const& address) {
    return "/sys/bus/pci/devices/" + address;
}

/// Whether it may be asked: reading the load of a GPU that sleeps would wake it.
bool is_awake(HostRoot const& root, std::string const& device);

/// The places on the bus of all GPUs that amdgpu drives.
std::vector<std::string> driven_gpus(HostRoot const& root);

/// Adds to the looks what these processes hold of each GPU, and their work on it.
void add_holders(HostRoot const& root, KfdIds const& ids, std::span<pid_t const> processes,
                 std::vector<GpuLook>& looks);

/// A look at all GPUs that amdgpu drives and that are awake; `command` is the process whose
/// descendants count as the command.
std::vector<GpuLook> look_at_gpus(HostRoot const& root, KfdIds const& ids, pid_t command);

/// A look as a line, and back; nothing for what is none.
std::string line_of(GpuLook const& look);
std::optional<GpuLook> look_of(std::string_view line);

/// The activity of the GPU at an address, in the order of addresses; made where there is none.
GpuActivity& activity_of(std::vector<GpuActivity>& all, std::string const& address);

template <class Number>
void take_most(std::optional<Number>& most, std::optional<Number> now) {
    if (now) most = std::max(most.value_or(*now), *now);
}

/// Whether no GPU did anything for anybody all the time, as far as each look tells. A daemon may
/// compute for a command that does not itself; nothing seen is not known.
bool all_rested(std::vector<GpuActivity> const& gpus);

/// Where a GPU that the command held has more memory in use at the last look than at the first one,
/// by more than desktops come and go with; empty: nowhere.
std::string memory_in_use(std::vector<GpuActivity> const& gpus);

class GpuWatch {
  public:
    /// Looks now and then every half second. Does nothing on a host without the driver.
    explicit GpuWatch(pid_t command);

    /// To poll; -1 where nobody looks.
    int file() const { return looker_ ? looker_->file() : -1; }
    /// Takes what was seen since. Whether a GPU that the command holds has done something: its load
    /// or its memory has changed, or processes of the command have computed. A load that stays as
    /// it is tells nothing: a GPU that hangs is busy, too.
    bool take();
    /// What was seen from start to end, in the order of addresses.
    std::vector<GpuActivity> activity() const { return activity_; }
    /// Waits until memory_in_use() says nothing, 10 s at most, and gives what it says then.
    std::string wait_for_memory();

  private:
    bool take_line(std::string_view line);

    std::optional<LookingProcess> looker_ = {};
    std::vector<GpuLook> last_ = {};
    std::vector<GpuActivity> activity_ = {};
};

}  // namespace rocmtune
