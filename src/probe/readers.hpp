// SPDX-License-Identifier: MIT
// The readers, one per source file of the same name; readers.cpp holds their ordered table.
#pragma once

#include "knowledge/chips.hpp"
#include "probe/reader.hpp"

namespace rocmtune {

void read_kernel(ProbeContext const&, Host&);
void read_cpu(ProbeContext const&, Host&);
void read_driver(ProbeContext const&, Host&);
void read_kfd(ProbeContext const&, Host&);
void read_pci(ProbeContext const&, Host&);
void read_drm(ProbeContext const&, Host&);
void read_telemetry(ProbeContext const&, Host&);
void read_names(ProbeContext const&, Host&);
void read_access(ProbeContext const&, Host&);
void read_runtimes(ProbeContext const&, Host&);
void read_processes(ProbeContext const&, Host&);
void read_surroundings(ProbeContext const&, Host&);
void read_kernel_log(ProbeContext const&, Host&);
void read_rocm_installations(ProbeContext const&, Host&);
void read_frameworks(ProbeContext const&, Host&);
void read_caches(ProbeContext const&, Host&);
void read_environment(ProbeContext const&, Host&);

/// The profiles a probing run goes by.
inline ChipSet const& chips_of(ProbeContext const& context) {
    return context.chips != nullptr ? *context.chips : embedded_chips();
}

}  // namespace rocmtune
