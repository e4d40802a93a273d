// SPDX-License-Identifier: MIT
// Places in the steps of findings and messages that a host fills: which GPU, which distribution.
#pragma once

#include <string>
#include <string_view>

namespace rocmtune {

/// What fills the places of a step.
struct StepPlaces {
    std::string_view gpu = {};           ///< a PCI address; empty where the reader is to name one
    std::string_view setting = {};       ///< as a word of a shell; empty where nothing was set
    std::string_view distribution = {};  ///< an ID of os-release(5); empty where it is not known
    bool dkms = false;                   ///< the driver comes from AMD's packages
    bool in_container = false;           ///< what the step changes lies on the host
};

/// The text with {gpu}, {setting}, {install-firmware}, {install-headers}, {install-hip} and
/// {rebuild-initramfs} filled.
std::string filled_step(std::string_view text, StepPlaces const& places = {});

}  // namespace rocmtune
