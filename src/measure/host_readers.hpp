// SPDX-License-Identifier: MIT
// The scan of this machine's libraries, as lint and explain need it.
#pragma once

#include <vector>

#include "judge/lint/lint.hpp"
#include "knowledge/catalogue.hpp"
#include "measure/host_input.hpp"
#include "rocmtune/assignment.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

/// Whether the files of the host are those of this machine: a recording has none of them.
inline bool can_scan(HostChoice const& choice) {
    return !choice.root && !choice.replay;
}

/// The files of installed components with the names in them.
std::vector<ReaderFile> scanned_readers(Host const& host, Catalogue const& catalogue);

/// A component counts as looked at if all files of its package were read, and a name that nobody
/// else reads was found in them: else its code lies elsewhere.
ReaderIndex index_of(std::vector<ReaderFile> const& files, Catalogue const& catalogue);

}  // namespace rocmtune
