// SPDX-License-Identifier: MIT
// Takes out of a recording what names a person, a machine or a network. What the report is made of
// stays: equal values stay equal, ids keep their form, and lengths do not change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Decides which alias a value gets. Who does not have the key cannot try values until one fits.
using RedactionKey = std::array<std::uint64_t, 2>;

/// The key of the machine that redacts: from /etc/machine-id, which machine-id(5) asks to keep
/// secret, so that the same value has the same alias in every recording that this machine redacts.
/// A random one where there is none.
RedactionKey redaction_key();

struct Redaction {
    struct Count {
        std::string_view kind;  ///< in the plural: "host names"
        std::size_t values;     ///< distinct ones
    };
    std::string text;             ///< again a text of rocmtune-host(5)
    std::vector<Count> replaced;  ///< kinds without a value are left out
    std::size_t dropped_log_lines =
        0;                          ///< lines of the kernel's log that are not about GPUs or PCI
    std::vector<std::string> left;  ///< what is still inside and might matter to somebody
};

/// "1 line of the kernel log, not about GPUs"; empty if none was dropped.
std::string dropped_text(Redaction const& redaction);

/// @throws Error for text that is no recording.
Redaction redact(std::string_view host_text, RedactionKey const& key);

}  // namespace rocmtune
