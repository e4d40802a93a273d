// SPDX-License-Identifier: MIT
// Who can have read a variable in a process: its readers by the catalogue, and the files that the
// process had mapped.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"

namespace rocmtune::verify {

/// Something that reads a variable.
struct Reader {
    std::string title;    ///< "OpenBLAS"
    std::string package;  ///< "libopenblas", or a Python package; empty: it cannot be seen
};

/// The readers of a variable by the catalogue; those that no longer read it are none.
std::vector<Reader> readers_of(std::string_view name, Catalogue const& catalogue);

/// Whether a mapped file belongs to a package: libopenblas to .../libopenblasp-r0.3.21.so, torch to
/// .../site-packages/torch/lib/libc10.so.
bool belongs_to(std::string_view file, std::string_view package);

/// The first mapped file that belongs to a reader; empty if there is none.
std::string witness_of(std::vector<Reader> const& readers, std::set<std::string> const& mapped);

}  // namespace rocmtune::verify
