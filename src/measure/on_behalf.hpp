// SPDX-License-Identifier: MIT
// --user, --process, --unit: whose groups, limits, environment and mounts a host is judged by.
#pragma once

#include <memory>
#include <string>

#include "machine/host_source.hpp"

namespace rocmtune {

struct Behalf {
    enum class Of { user, process, unit };
    Of of = Of::user;
    std::string name = {};  ///< of a user or a number; the number of a process; of a unit
};

/// The host as that process sees it. `is_live`: it is this host, not one laid out in files.
/// @throws Error where there is no such user, process or unit, or its files cannot be looked at.
std::unique_ptr<HostSource> on_behalf_of(Behalf const& behalf, std::unique_ptr<HostSource> host,
                                         bool is_live);

}  // namespace rocmtune
