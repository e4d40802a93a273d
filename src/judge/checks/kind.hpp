// SPDX-License-Identifier: MIT
// What kind of host and GPU a criterion is applied to: a server's fault is a desktop's habit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "knowledge/product_of.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

enum class Profile : std::uint8_t {
    server,   ///< Instinct on bare metal, MI300A included
    guest,    ///< a virtual function, or a GPU passed through to a virtual machine
    desktop,  ///< any other card; usually it drives a display
    apu,      ///< graphics of a processor
};

/// One card: its first row, with what the criteria need to know of it.
struct Card {
    Gpu const* gpu;
    std::string subject;  ///< its PCI address; "host" for a device without one
    Profile profile;
    bool instinct;

    bool is_server() const { return profile == Profile::server; }
    bool is_apu() const { return gpu->is_apu.value_or(false); }
};

/// Whether this is a virtual machine, as far as the firmware's product name tells.
bool is_virtual_machine(Host const& host);

/// An Instinct accelerator, by name or by the family that has no other products.
bool is_instinct(ChipSet const& chips, Gpu const& gpu);

/// The cards that the driver amdgpu runs, in the order of rows. Partitions share one.
std::vector<Card> cards_of(Host const& host, ChipSet const& chips);

bool in_container(Host const& host);

/// A process of a Slurm job: its cgroup may keep it from GPUs that are not the job's.
bool in_slurm_job(Host const& host);

}  // namespace rocmtune
