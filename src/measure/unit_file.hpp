// SPDX-License-Identifier: MIT
// A unit of systemd by its files: the unit itself and its drop-ins, in the order that systemd takes
// them in (systemd.unit(5)). systemctl is not asked, so that a unit that failed is read as well.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host_root.hpp"

namespace rocmtune {

struct UnitFile {
    std::string name = {};                ///< with its suffix: "ollama.service"
    std::vector<std::string> files = {};  ///< that it was read from
    std::string text = {};                ///< all of them, one behind the other

    /// The last value of a key of [Service]; empty if it is not set.
    std::string value(std::string_view key) const;
    /// All values of a key that adds up; an empty one takes back those before it.
    std::vector<std::string> values(std::string_view key) const;
    /// yes, true, on, 1 (systemd.syntax(7)).
    bool is_on(std::string_view key) const;
};

/// Nothing if no directory of units has it. Names without a suffix are services; foo@bar is the
/// template foo@.
std::optional<UnitFile> find_unit(HostRoot const& root, std::string name);

/// "SOFT HARD" of a limit such as "infinity", "64M", "1024:524288"; nothing for what is none.
std::optional<std::string> unit_limit(std::string_view text);

}  // namespace rocmtune
